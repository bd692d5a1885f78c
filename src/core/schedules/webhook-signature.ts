// Secrets and signatures of webhooks in the symmetric scheme `v1` of Standard Webhooks
// (https://www.standardwebhooks.com).

import { decodeBase64, encodeBase64 } from "../../lib/base64.ts";

const SECRET_PATTERN = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
/** The length of a key in bytes, as the specification of Standard Webhooks limits it. */
const MIN_KEY_BYTES = 24;
const MAX_KEY_BYTES = 64;

/** Creates a secret: `whsec_` followed by 32 random bytes in base64. */
export function createWebhookSecret(): string {
  return `whsec_${encodeBase64(crypto.getRandomValues(new Uint8Array(32)))}`;
}

/** Parses the key bytes of a secret; null unless the secret is `whsec_` followed by 24 to 64 bytes in base64. */
export function parseWebhookSecret(secret: string): Uint8Array<ArrayBuffer> | null {
  const [, text] = SECRET_PATTERN.exec(secret) ?? [];
  if (text === undefined) return null;
  try {
    const key = decodeBase64(text);
    return key.length >= MIN_KEY_BYTES && key.length <= MAX_KEY_BYTES ? key : null;
  } catch {
    return null;
  }
}

/** One webhook message in one delivery attempt. */
export type WebhookMessage = {
  /** Identifies the message. It is the same for each attempt, so that the receiver can deduplicate. */
  readonly id: string;
  /** The time of this attempt, in milliseconds since the epoch. */
  readonly at: number;
  /** The body, exactly as it is sent. */
  readonly body: string;
};

/** Returns the three signature headers of a message (HMAC-SHA256). Throws an `Error` if the secret contains no key. */
export async function signWebhook(secret: string, { id, at, body }: WebhookMessage): Promise<Record<string, string>> {
  const bytes = parseWebhookSecret(secret);
  if (bytes === null) throw new Error("This is not a secret of a webhook");
  const timestamp = Math.floor(at / 1_000);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, signed));
  return {
    "webhook-id": id,
    "webhook-timestamp": `${timestamp}`,
    "webhook-signature": `v1,${encodeBase64(signature)}`,
  };
}
