/**
 * Extracts the token from pasted text, which may be a whole `Authorization` header. Null if the rest is empty or is not
 * printable ASCII without spaces.
 */
export function parsePastedToken(text: string): string | null {
  const token = text.trim().replace(/^(authorization:\s*)?bearer\s+/i, "");
  return /^[\x21-\x7e]+$/.test(token) ? token : null;
}
