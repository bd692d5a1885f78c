const HUES = 12;

/** The colour of a name, in degrees: always the same, and spread over the wheel. */
export function hueOf(name: string): number {
  let hash = 2_166_136_261;
  for (const char of name) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16_777_619);
  return ((hash >>> 8) % HUES) * (360 / HUES);
}
