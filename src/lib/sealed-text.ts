// Encryption of secrets before they are stored: AES-GCM under keys that HKDF (SHA-256) derives from the secrets of the
// deployment.
//
// A sealed text belongs to one purpose and one owner, such as a user and a URL. It cannot be unsealed for any other.
// Without a secret, a text is stored unchanged; the format tells the two apart. So a caller must not seal a text that
// could itself have the sealed format: JSON cannot.

import { decodeBase64, encodeBase64 } from "./base64.ts";

/** The purpose of a sealed text selects its key. Changing it makes stored texts unreadable. */
export type SealContext = {
  readonly purpose: "agent credentials" | "webhook secret" | "push secrets" | "app headers";
  readonly userId: string;
  /** The URL to which the secret is sent. */
  readonly url: string;
};

/** Version, IV and ciphertext, the latter two in base64. */
const SEALED_FORMAT = /^v1\.([\w+/=]+)\.([\w+/=]+)$/;

/** Returns the text sealed with the first secret; unchanged if there is none. */
export async function sealText(text: string, context: SealContext, secrets: readonly string[]): Promise<string> {
  const [secret] = secrets;
  if (secret === undefined) return text;
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const algorithm = { name: "AES-GCM", iv, additionalData: encodeOwner(context) };
  const key = await deriveKey(secret, context.purpose);
  const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, new TextEncoder().encode(text)));
  return `v1.${encodeBase64(iv)}.${encodeBase64(sealed)}`;
}

/**
 * Returns the text that was sealed with any of the secrets for the same context, or that was stored unsealed; null if
 * it cannot be unsealed.
 */
export async function unsealText(
  stored: string,
  context: SealContext,
  secrets: readonly string[],
): Promise<string | null> {
  const [, iv, sealed] = SEALED_FORMAT.exec(stored) ?? [];
  if (iv === undefined || sealed === undefined) return stored;
  for (const secret of secrets) {
    try {
      const algorithm = { name: "AES-GCM", iv: decodeBase64(iv), additionalData: encodeOwner(context) };
      const key = await deriveKey(secret, context.purpose);
      return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key, decodeBase64(sealed)));
    } catch {
      // Another secret may fit.
    }
  }
  return null;
}

/** Encodes the owner as additional data of the encryption. */
function encodeOwner({ userId, url }: SealContext): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(JSON.stringify([userId, url])));
}

async function deriveKey(secret: string, purpose: SealContext["purpose"]): Promise<CryptoKey> {
  const bytes = new TextEncoder();
  const base = await crypto.subtle.importKey("raw", bytes.encode(secret), "HKDF", false, ["deriveKey"]);
  const derivation = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: bytes.encode(purpose) };
  return crypto.subtle.deriveKey(derivation, base, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}
