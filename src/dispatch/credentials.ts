// Credentials for remote agents: how they are stored, and where they are sent.
//
// C1. Credentials are write-only: they appear in no response, log or event, and are redacted from everything an agent
// returns.
// C2. They are sent only to the origin that the person entered, and to the endpoint that a card from there names; a
// redirect takes them nowhere else.

import type { AgentCard as A2ACard } from "@a2a-js/sdk";
import { fromBase64, toBase64 } from "../protocol/base64.ts";
import type { Credentials } from "../protocol/credentials.ts";
import { redacted } from "../protocol/redact.ts";
import { AgentFailure } from "./failure.ts";
import type { Caller } from "./wire.ts";

/** The location of an API key in a request. */
export type KeyPlace = { readonly in: "header" | "query"; readonly name: string };

/** The location if neither the person nor the card names one. */
const USUAL: KeyPlace = { in: "header", name: "x-api-key" };
/** Header names that a card may choose for its key: none that has another meaning. */
const FREE =
  /^(?!(?:host|content-[a-z]+|accept[a-z-]*|cookie|transfer-encoding|connection|a2a-[a-z]+)$)[a-z0-9-]{1,64}$/i;

/** Returns where a card expects its API key; undefined if it does not declare a usable location. */
export function keyPlaceOf({ securitySchemes }: Pick<A2ACard, "securitySchemes">): KeyPlace | undefined {
  for (const { scheme } of Object.values(securitySchemes)) {
    if (scheme?.$case !== "apiKeySecurityScheme") continue;
    const { location, name } = scheme.value;
    if ((location === "header" && FREE.test(name)) || (location === "query" && name !== ""))
      return { in: location, name };
  }
  return undefined;
}

/**
 * Wraps a fetcher so that it adds credentials to requests for these origins only, and redacts them from the answers.
 */
export function withCredentials(
  caller: Caller,
  credentials: Credentials,
  origins: ReadonlySet<string>,
  place: KeyPlace = USUAL,
): Caller {
  return {
    async fetch(address, init = {}) {
      const url = new URL(address);
      if (!origins.has(url.origin)) return caller.fetch(withoutKey(url, credentials).href, init);
      const headers = new Headers(init.headers);
      const secret = credentials.type === "bearer" ? credentials.token : credentials.key;
      switch (credentials.type) {
        case "bearer":
          headers.set("authorization", `Bearer ${secret}`);
          break;
        case "api_key": {
          const { in: where = place.in } = credentials;
          // The query parameter that a card names need not be a valid header.
          const { name = where === place.in ? place.name : USUAL.name } = credentials;
          if (where === "query") url.searchParams.set(name, secret);
          else headers.set(name, secret);
        }
      }
      return redacted(await caller.fetch(url.href, { ...init, headers }), secret);
    },
  };
}

/** Removes an API key from the query, because redirects often repeat the query. */
function withoutKey(url: URL, credentials: Credentials): URL {
  if (credentials.type !== "api_key") return url;
  const repeated = [...url.searchParams].filter(([, value]) => value === credentials.key);
  for (const [name] of repeated) url.searchParams.delete(name);
  return url;
}

/** The user and URL that credentials belong to. They cannot be decrypted for any other. */
export type Owner = { readonly userId: string; readonly url: string };

/** The stored form of encrypted credentials: IV and ciphertext in base64. */
const SEALED = /^v1\.([\w+/=]+)\.([\w+/=]+)$/;

/**
 * Returns credentials in their stored form: encrypted with AES-GCM under a key derived from `secret`, or as plain
 * JSON without one.
 */
export async function seal(credentials: Credentials, owner: Owner, secret: string | undefined): Promise<string> {
  const words = JSON.stringify(credentials);
  if (secret === undefined) return words;
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const algorithm = { name: "AES-GCM", iv, additionalData: aboutOf(owner) };
  const sealed = await crypto.subtle.encrypt(algorithm, await keyOf(secret), new TextEncoder().encode(words));
  return `v1.${toBase64(iv)}.${toBase64(new Uint8Array(sealed))}`;
}

/**
 * Returns stored credentials. Throws an `AgentFailure` (`agent_unauthorized`) if they were encrypted with another
 * secret or for another owner.
 */
export async function unseal(kept: string, owner: Owner, secret: string | undefined): Promise<Credentials> {
  const [, iv, sealed] = SEALED.exec(kept) ?? [];
  try {
    if (iv === undefined || sealed === undefined) return JSON.parse(kept) as Credentials;
    if (secret === undefined) throw new Error("There is no secret any more");
    const algorithm = { name: "AES-GCM", iv: fromBase64(iv), additionalData: aboutOf(owner) };
    const words = await crypto.subtle.decrypt(algorithm, await keyOf(secret), fromBase64(sealed));
    return JSON.parse(new TextDecoder().decode(words)) as Credentials;
  } catch {
    const words = "The credentials of the agent cannot be read any more. Register it again with them.";
    throw new AgentFailure("agent_unauthorized", words);
  }
}

/** Returns the owner as additional data of the encryption. */
function aboutOf({ userId, url }: Owner): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(JSON.stringify([userId, url])));
}

/** Derives the encryption key with HKDF (SHA-256). */
async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = new TextEncoder();
  const base = await crypto.subtle.importKey("raw", bytes.encode(secret), "HKDF", false, ["deriveKey"]);
  const derivation = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: bytes.encode("agent credentials") };
  return crypto.subtle.deriveKey(derivation, base, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}
