// Credentials for remote agents: how they are stored, and where they are sent.
//
// C1. Credentials are write-only: they appear in no response, log or event, and are redacted from everything an agent
// returns.
// C2. They are sent only to the origin that the person entered, and to the endpoint that a card from there names; a
// redirect takes them nowhere else.

import type { AgentCard as A2ACard } from "@a2a-js/sdk";
import type { Credentials } from "../protocol/agents/agent-credentials.ts";
import { tryParseJson } from "../lib/parse-json.ts";
import { redactSecret } from "../lib/redact-secret.ts";
import { sealText, unsealText } from "../lib/sealed-text.ts";
import type { HttpFetcher } from "./agent-http.ts";
import { createAgentFailure } from "./agent-failure.ts";

/** The location of an API key in a request. */
export type KeyLocation = { readonly in: "header" | "query"; readonly name: string };

/** The location if neither the person nor the card names one. */
const DEFAULT_KEY_LOCATION: KeyLocation = { in: "header", name: "x-api-key" };
/** Header names that a card may choose for its key: none that has another meaning. */
const ALLOWED_KEY_HEADER =
  /^(?!(?:host|content-[a-z]+|accept[a-z-]*|cookie|transfer-encoding|connection|a2a-[a-z]+)$)[a-z0-9-]{1,64}$/i;

/** Returns the first usable location of an API key that a card declares; undefined if there is none. */
export function findKeyLocation({ securitySchemes }: Pick<A2ACard, "securitySchemes">): KeyLocation | undefined {
  for (const { scheme } of Object.values(securitySchemes)) {
    if (scheme?.$case !== "apiKeySecurityScheme") continue;
    const { location, name } = scheme.value;
    if ((location === "header" && ALLOWED_KEY_HEADER.test(name)) || (location === "query" && name !== ""))
      return { in: location, name };
  }
  return undefined;
}

/**
 * Wraps a fetcher so that it adds credentials to requests for these origins only, and redacts them from the answers. An
 * API key goes where the credentials say, else to `keyLocation`. In requests for other origins, query parameters with
 * the key are removed.
 */
export function withCredentials(
  caller: HttpFetcher,
  credentials: Credentials,
  origins: ReadonlySet<string>,
  keyLocation: KeyLocation = DEFAULT_KEY_LOCATION,
): HttpFetcher {
  return {
    async fetch(address, init = {}) {
      const url = new URL(address);
      if (!origins.has(url.origin)) return caller.fetch(removeKey(url, credentials).href, init);
      const headers = new Headers(init.headers);
      const secret = credentials.type === "bearer" ? credentials.token : credentials.key;
      switch (credentials.type) {
        case "bearer":
          headers.set("authorization", `Bearer ${secret}`);
          break;
        case "api_key": {
          const { in: where = keyLocation.in } = credentials;
          // The query parameter that a card names need not be a valid header.
          const { name = where === keyLocation.in ? keyLocation.name : DEFAULT_KEY_LOCATION.name } = credentials;
          if (where === "query") url.searchParams.set(name, secret);
          else headers.set(name, secret);
        }
      }
      return redactSecret(await caller.fetch(url.href, { ...init, headers }), secret);
    },
  };
}

/** Removes an API key from the query, because redirects often repeat the query. */
function removeKey(url: URL, credentials: Credentials): URL {
  if (credentials.type !== "api_key") return url;
  const repeated = [...url.searchParams].filter(([, value]) => value === credentials.key);
  for (const [name] of repeated) url.searchParams.delete(name);
  return url;
}

/** The user and URL that credentials belong to. They cannot be unsealed for any other. */
export type CredentialsOwner = { readonly userId: string; readonly url: string };

/** Returns credentials in their stored form: sealed with the first secret, or as plain JSON without one. */
export function sealCredentials(
  credentials: Credentials,
  owner: CredentialsOwner,
  secrets: readonly string[],
): Promise<string> {
  return sealText(JSON.stringify(credentials), { purpose: "agent credentials", ...owner }, secrets);
}

/**
 * Unseals stored credentials. Throws a `Failure` (`agent_unauthorized`) if they cannot be read: they are damaged, or
 * were sealed with another secret or for another owner.
 */
export async function unsealCredentials(
  stored: string,
  owner: CredentialsOwner,
  secrets: readonly string[],
): Promise<Credentials> {
  const text = await unsealText(stored, { purpose: "agent credentials", ...owner }, secrets);
  const credentials = text === null ? undefined : tryParseJson(text);
  if (credentials === undefined) throw createAgentFailure("agent_unauthorized", "agent.credentialsUnreadable");
  return credentials as Credentials;
}
