/** What opens something to whoever has it: 256 random bits as hex digits. */
export function newToken(): string {
  return [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
