// The signature of Standard Webhooks (https://www.standardwebhooks.com), with a secret that both sides know.

import { fromBase64, toBase64 } from "../protocol/base64.ts";

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
const LEAST_BYTES = 24;
const MOST_BYTES = 64;

/** Makes a secret: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return `whsec_${toBase64(crypto.getRandomValues(new Uint8Array(32)))}`;
}

/** The key that a secret writes down; null unless it is `whsec_` and 24 to 64 bytes in base64. */
export function keyIn(secret: string): Uint8Array<ArrayBuffer> | null {
  const [, text] = SECRET.exec(secret) ?? [];
  if (text === undefined) return null;
  try {
    const key = fromBase64(text);
    return key.length >= LEAST_BYTES && key.length <= MOST_BYTES ? key : null;
  } catch {
    return null;
  }
}

export type Message = {
  /** Names what is told, the same at every attempt: the receiver takes it once. */
  readonly id: string;
  /** The time of this attempt, in milliseconds since the epoch. */
  readonly at: number;
  /** Exactly as it is sent. */
  readonly body: string;
};

/** The headers by which the receiver knows who sent a message. Throws for a secret in which there is no key. */
export async function signedHeaders(secret: string, { id, at, body }: Message): Promise<Record<string, string>> {
  const bytes = keyIn(secret);
  if (bytes === null) throw new Error("This is not a secret of a webhook");
  const timestamp = Math.floor(at / 1_000);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, signed));
  return { "webhook-id": id, "webhook-timestamp": `${timestamp}`, "webhook-signature": `v1,${toBase64(signature)}` };
}
