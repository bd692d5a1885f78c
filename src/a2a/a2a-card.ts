// The A2A form of an agent card, and the HTTP response that carries it.
//
// The module keeps one map per isolate: the time at which each entity tag was first served. It becomes `Last-Modified`.
// The map holds at most MAX_REMEMBERED_TAGS tags and is cleared when it is full; the only effect is a later date.
// `createCardResponse` is the only function that reads or writes it.

import { A2A_PROTOCOL_VERSION, A2A_VERSION_HEADER, AGENT_CARD_PATH } from "@a2a-js/sdk";
import { A2A_LEGACY_PROTOCOL_VERSION } from "@a2a-js/sdk/compat/v0_3";
import { EVENTS_EXTENSION } from "../protocol/agents/a2a-extension.ts";
import type { AgentCard } from "../protocol/agents/agent.ts";
import { computeSha256 } from "../lib/sha256.ts";

/** The JSON object of a card. Its members depend on the reader's version. */
export type A2ACard = Readonly<Record<string, unknown>>;

/** Features of the server that the card announces. All are off unless set. */
export type CardFeatures = {
  readonly pushNotifications?: boolean;
  readonly extendedAgentCard?: boolean;
  /** True if the URL of the card also serves HTTP+JSON. */
  readonly httpJson?: boolean;
  /** True if the server requires a bearer token. */
  readonly requiresToken?: boolean;
  readonly inputModes?: readonly string[];
  readonly outputModes?: readonly string[];
};

/** The A2A version of the client that reads the card. `unknown` gets the members of 1.0 and of 0.3. */
export type CardReaderVersion = "1.0" | "unknown";

/** Returns `1.0` if the version header begins with 1, otherwise `unknown`. */
export function detectCardReaderVersion({ headers }: Request): CardReaderVersion {
  return /^\s*1(\.|\s*$)/.test(headers.get(A2A_VERSION_HEADER) ?? "") ? "1.0" : "unknown";
}

/**
 * Converts a card to A2A 1.0 JSON (protocol JSON, section 4.4 of the specification). `url` is the endpoint of JSON-RPC and
 * the base URL of HTTP+JSON. For an unknown reader it adds the members of 0.3, because clients of 0.3 do not send their version.
 */
export function toA2ACard(
  card: AgentCard,
  url: string,
  features: CardFeatures = {},
  reader: CardReaderVersion = "unknown",
): A2ACard {
  const { name, description, version } = card;
  const { pushNotifications = false, extendedAgentCard = false, httpJson = false } = features;
  const binding = { url, protocolBinding: "JSONRPC" };
  const isGuarded = features.requiresToken === true;
  const current = {
    name,
    description,
    version,
    supportedInterfaces: [
      { ...binding, protocolVersion: A2A_PROTOCOL_VERSION },
      ...(httpJson ? [{ url, protocolBinding: "HTTP+JSON", protocolVersion: A2A_PROTOCOL_VERSION }] : []),
      { ...binding, protocolVersion: A2A_LEGACY_PROTOCOL_VERSION },
    ],
    capabilities: {
      streaming: card.capabilities.streaming,
      pushNotifications,
      ...(extendedAgentCard ? { extendedAgentCard } : {}),
      extensions: [createExtension(card)],
    },
    ...(isGuarded ? TOKEN_SECURITY : {}),
    defaultInputModes: features.inputModes ?? ["text/plain"],
    defaultOutputModes: features.outputModes ?? ["text/plain"],
    skills: card.skills,
  };
  if (reader === "1.0") return current;
  return {
    ...current,
    url,
    preferredTransport: "JSONRPC",
    protocolVersion: "0.3.0",
    ...(extendedAgentCard ? { supportsAuthenticatedExtendedCard: true } : {}),
    ...(isGuarded ? TOKEN_SECURITY_ALL_VERSIONS : {}),
  };
}

const BEARER = { httpAuthSecurityScheme: { scheme: "Bearer", bearerFormat: "JWT" } };
const TOKEN_SECURITY = {
  securitySchemes: { bearer: BEARER },
  securityRequirements: [{ schemes: { bearer: { list: [] } } }],
};
const TOKEN_SECURITY_ALL_VERSIONS = {
  securitySchemes: { bearer: { ...BEARER, type: "http", scheme: "bearer" } },
  security: [{ bearer: [] }],
};

function createExtension(card: AgentCard): object {
  return {
    uri: EVENTS_EXTENSION,
    description: "Reasoning, tool calls, components and usage as metadata of status updates.",
    required: false,
    params: {
      ...(card.display_name === undefined ? {} : { display_name: card.display_name }),
      planner_passthrough: card.planner_passthrough,
      ...(card.checks === undefined ? {} : { checks: card.checks }),
      hidden: card.hidden,
    },
  };
}

/** Converts the URL of a card to the URL of its agent: origin and path without the well-known suffix and the query. */
export function getEndpointUrl(cardUrl: string): string {
  const url = new URL(cardUrl);
  const path = url.pathname.endsWith(`/${AGENT_CARD_PATH}`)
    ? url.pathname.slice(0, -AGENT_CARD_PATH.length)
    : url.pathname;
  return `${url.origin}${path}`;
}

/** Times in ms since the epoch, by entity tag. */
const firstServedAt = new Map<string, number>();
const MAX_REMEMBERED_TAGS = 1_000;

/**
 * Creates the response to a request for the card, with an entity tag, `Last-Modified` and `cacheControl`. Responds with
 * 304 if the client has this card already, and without a body to HEAD.
 */
export async function createCardResponse(card: A2ACard, request: Request, cacheControl: string): Promise<Response> {
  const body = JSON.stringify(card);
  const etag = `"${(await computeSha256(body)).slice(0, 24)}"`;
  const since = recordFirstServed(etag);
  const headers = {
    etag,
    "cache-control": cacheControl,
    "content-type": "application/json",
    "last-modified": new Date(since).toUTCString(),
    vary: `authorization, ${A2A_VERSION_HEADER}`,
  };
  if (isNotModified(request, etag, since)) return new Response(null, { status: 304, headers });
  return new Response(request.method === "HEAD" ? null : body, { headers });
}

/** Returns the time at which this isolate first served the tag, in ms and rounded down to the second. */
function recordFirstServed(etag: string): number {
  const known = firstServedAt.get(etag);
  if (known !== undefined) return known;
  if (firstServedAt.size >= MAX_REMEMBERED_TAGS) firstServedAt.clear();
  const now = Math.floor(Date.now() / 1_000) * 1_000;
  firstServedAt.set(etag, now);
  return now;
}

/** `If-None-Match` takes precedence over `If-Modified-Since` (RFC 9110, section 13.2.2). */
function isNotModified({ headers }: Request, etag: string, since: number): boolean {
  const tags = headers.get("if-none-match");
  if (tags !== null) return tags.split(",").some((tag) => ["*", etag].includes(tag.trim().replace(/^W\//, "")));
  const date = Date.parse(headers.get("if-modified-since") ?? "");
  return !Number.isNaN(date) && since <= date;
}
