// The card of an agent as A2A has it, and how it is fetched.

import { A2A_PROTOCOL_VERSION, A2A_VERSION_HEADER, AGENT_CARD_PATH } from "@a2a-js/sdk";
import { A2A_LEGACY_PROTOCOL_VERSION } from "@a2a-js/sdk/compat/v0_3";
import { EVENTS_EXTENSION } from "../protocol/a2a.ts";
import type { AgentCard } from "../protocol/agent.ts";
import { sha256 } from "../protocol/digest.ts";

export type A2ACard = Readonly<Record<string, unknown>>;

/** What a server offers besides the agent itself. */
export type Offer = {
  readonly pushNotifications?: boolean;
  readonly extendedAgentCard?: boolean;
  /** A bearer token is asked for. */
  readonly isGuarded?: boolean;
  readonly inputModes?: readonly string[];
  readonly outputModes?: readonly string[];
};

/** Who says which version they speak gets its card; for all others it has the members of both. */
export type Reader = "1.0" | "unknown";

export function readerOf({ headers }: Request): Reader {
  return /^\s*1(\.|\s*$)/.test(headers.get(A2A_VERSION_HEADER) ?? "") ? "1.0" : "unknown";
}

/**
 * The card as A2A 1.0 has it (protocol JSON, section 4.4 of the specification). The members that only 0.3 knows
 * stand beside it for an unknown reader: clients of 0.3 do not say which version they speak.
 */
export function toA2ACard(card: AgentCard, url: string, offer: Offer = {}, reader: Reader = "unknown"): A2ACard {
  const { name, description, version } = card;
  const { pushNotifications = false, extendedAgentCard = false } = offer;
  const binding = { url, protocolBinding: "JSONRPC" };
  const isGuarded = offer.isGuarded === true;
  const current = {
    name,
    description,
    version,
    supportedInterfaces: [
      { ...binding, protocolVersion: A2A_PROTOCOL_VERSION },
      { ...binding, protocolVersion: A2A_LEGACY_PROTOCOL_VERSION },
    ],
    capabilities: {
      streaming: card.capabilities.streaming,
      pushNotifications,
      ...(extendedAgentCard ? { extendedAgentCard } : {}),
      extensions: [extensionOf(card)],
    },
    ...(isGuarded ? GUARDED : {}),
    defaultInputModes: offer.inputModes ?? ["text/plain"],
    defaultOutputModes: offer.outputModes ?? ["text/plain"],
    skills: card.skills,
  };
  if (reader === "1.0") return current;
  return {
    ...current,
    url,
    preferredTransport: "JSONRPC",
    protocolVersion: "0.3.0",
    ...(extendedAgentCard ? { supportsAuthenticatedExtendedCard: true } : {}),
    ...(isGuarded ? GUARDED_FOR_BOTH : {}),
  };
}

const BEARER = { httpAuthSecurityScheme: { scheme: "Bearer", bearerFormat: "JWT" } };
const GUARDED = {
  securitySchemes: { bearer: BEARER },
  securityRequirements: [{ schemes: { bearer: { list: [] } } }],
};
const GUARDED_FOR_BOTH = {
  securitySchemes: { bearer: { ...BEARER, type: "http", scheme: "bearer" } },
  security: [{ bearer: [] }],
};

function extensionOf(card: AgentCard): object {
  return {
    uri: EVENTS_EXTENSION,
    description: "Reasoning, tool calls, components and usage as metadata of status updates.",
    required: false,
    params: {
      ...(card.display_name === undefined ? {} : { display_name: card.display_name }),
      planner_passthrough: card.planner_passthrough,
      hidden: card.hidden,
    },
  };
}

/** Where an agent is spoken to, given where its card was asked for. */
export function endpointOf(cardUrl: string): string {
  const url = new URL(cardUrl);
  const path = url.pathname.endsWith(`/${AGENT_CARD_PATH}`)
    ? url.pathname.slice(0, -AGENT_CARD_PATH.length)
    : url.pathname;
  return `${url.origin}${path}`;
}

/** When this isolate first gave out each card, by its tag. */
const firstGiven = new Map<string, number>();
const MOST_GIVEN = 1_000;

/** The card for caches, or that it is the one which they have. */
export async function cardResponse(card: A2ACard, request: Request, cacheControl: string): Promise<Response> {
  const body = JSON.stringify(card);
  const etag = `"${(await sha256(body)).slice(0, 24)}"`;
  const since = givenSince(etag);
  const headers = {
    etag,
    "cache-control": cacheControl,
    "content-type": "application/json",
    "last-modified": new Date(since).toUTCString(),
    vary: `authorization, ${A2A_VERSION_HEADER}`,
  };
  if (isKnown(request, etag, since)) return new Response(null, { status: 304, headers });
  return new Response(request.method === "HEAD" ? null : body, { headers });
}

function givenSince(etag: string): number {
  const known = firstGiven.get(etag);
  if (known !== undefined) return known;
  if (firstGiven.size >= MOST_GIVEN) firstGiven.clear();
  const now = Math.floor(Date.now() / 1_000) * 1_000;
  firstGiven.set(etag, now);
  return now;
}

/** A tag, if one is sent, decides alone (RFC 9110, section 13.2.2). */
function isKnown({ headers }: Request, etag: string, since: number): boolean {
  const tags = headers.get("if-none-match");
  if (tags !== null) return tags.split(",").some((tag) => ["*", etag].includes(tag.trim().replace(/^W\//, "")));
  const date = Date.parse(headers.get("if-modified-since") ?? "");
  return !Number.isNaN(date) && since <= date;
}
