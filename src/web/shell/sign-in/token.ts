/** The token in what was pasted, which may be a whole header; null when there can be none in it. */
export function tokenIn(text: string): string | null {
  const token = text.trim().replace(/^(authorization:\s*)?bearer\s+/i, "");
  return /^[\x21-\x7e]+$/.test(token) ? token : null;
}
