const HUES = 12;

/**
 * Computes a hue from a name, in degrees: one of `HUES` evenly spaced values, always the same for a name (FNV-1a hash).
 */
export function computeNameHue(name: string): number {
  let hash = 2_166_136_261;
  for (const char of name) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16_777_619);
  return ((hash >>> 8) % HUES) * (360 / HUES);
}
