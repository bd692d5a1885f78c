// SHA-256 of texts.

/** Returns the SHA-256 of a text in UTF-8 as 64 lower-case hexadecimal digits. */
export async function computeSha256(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
