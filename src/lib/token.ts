// Random bearer tokens.

/** Returns a new bearer token: 256 random bits as 64 hex digits. */
export function createToken(): string {
  return [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
