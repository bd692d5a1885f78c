// Connects to agents: fetches, checks and parses their cards, and creates peers.

import { A2A_PROTOCOL_VERSION, A2A_VERSION_HEADER, AGENT_CARD_PATH } from "@a2a-js/sdk";
import type { AgentCard } from "../protocol/agents/agent.ts";
import { createMessage, type Message } from "../language/messages.ts";
import { createFault, Failure, isFailure } from "../protocol/wire/message-error.ts";
import { Fault } from "../protocol/wire/fault.ts";
import type { Credentials } from "../protocol/agents/agent-credentials.ts";
import { formatHostedAgentUrl } from "../protocol/agents/hosted-agent-url.ts";
import { resolveHost } from "../resolve-host.ts";
import type { Settings } from "../settings.ts";
import { findAddressProblem, type HostResolver } from "../lib/urls/address-problem.ts";
import { parseAgentCard, type ParsedCard } from "./parse-agent-card.ts";
import { withCredentials } from "./remote-credentials.ts";
import { toAgentFailure, createAgentFailure } from "./agent-failure.ts";
import { createPeer, type Peer } from "./peer.ts";
import { ExchangeWatch } from "./exchange-watch.ts";
import {
  sendRequestKeepingRedirects,
  assertOk,
  discardBody,
  globalFetcher,
  readJson,
  type HttpFetcher,
} from "./agent-http.ts";

const CARD_TIMEOUT_MS = 10_000;
const CARD_MAX_BYTES = 262_144;
const MAX_REDIRECTS = 3;
const CARD_LIMITS = { timeoutMs: CARD_TIMEOUT_MS, idleMs: CARD_TIMEOUT_MS, maxBytes: CARD_MAX_BYTES, maxEvents: 1 };

/** Rejects with a `Fault` (`invalid_request`) for an address that must not be called. */
type UrlCheck = (url: URL) => Promise<void>;

/**
 * Connects to an agent behind a service binding: fetches its card within `timeoutMs` (10 s by default). The hosts in
 * the card are ignored: every request goes to the binding. Throws a `Failure` if there is no valid card.
 */
export async function connectBinding(binding: HttpFetcher, name: string, timeoutMs?: number): Promise<Peer> {
  const cardUrl = `https://${name.toLowerCase().replaceAll("_", "-")}.agent/${AGENT_CARD_PATH}`;
  const found = await fetchCardAt(binding, new URL(cardUrl), async () => undefined, timeoutMs);
  return createPeer(binding, found, found.endpoint);
}

/**
 * Creates the peer of an agent that another entrypoint of this deployment runs for a user. Sends no request, because
 * its card is known.
 */
export function connectHosted(binding: HttpFetcher, card: AgentCard, userId: string): Peer {
  const url = formatHostedAgentUrl({ user_id: userId, name: card.name });
  return createPeer(
    binding,
    { card, hasExtension: true },
    {
      url,
      protocolBinding: "JSONRPC",
      protocolVersion: A2A_PROTOCOL_VERSION,
      tenant: "",
    },
  );
}

/**
 * Connects to an agent at a URL: fetches its card from `cardUrl`, which comes from `fetchCard`. Throws an
 * `Failure` if there is no valid card, and a `Fault` (`invalid_request`) if an address must not be called.
 */
export async function connectUrl(
  cardUrl: string,
  settings: Settings,
  credentials?: Credentials,
  resolve: HostResolver = resolveHost,
): Promise<Peer> {
  const check = createUrlCheck(settings, resolve);
  const url = new URL(cardUrl);
  await check(url);
  return createUrlPeer(await fetchCardAt(createCardFetcher(url, credentials), url, check), url, check, credentials);
}

/** Creates a peer from a fetched card. `enteredUrl` is the address that the person entered. */
async function createUrlPeer(
  found: FetchedCard,
  enteredUrl: URL,
  check: UrlCheck,
  credentials: Credentials | undefined,
): Promise<Peer> {
  const endpoint = new URL(found.endpoint.url);
  await check(endpoint);
  if (credentials === undefined) return createPeer(globalFetcher, found, found.endpoint);
  // C2. A card from another origin, after a redirect, cannot choose the destination of credentials.
  const origins = new Set(
    found.origin === enteredUrl.origin ? [enteredUrl.origin, endpoint.origin] : [enteredUrl.origin],
  );
  return createPeer(withCredentials(globalFetcher, credentials, origins, found.keyLocation), found, found.endpoint);
}

function createCardFetcher(entered: URL, credentials: Credentials | undefined): HttpFetcher {
  return credentials === undefined
    ? globalFetcher
    : withCredentials(globalFetcher, credentials, new Set([entered.origin]));
}

/**
 * Fetches the card of a remote agent from its base URL or the card's URL. Returns the card, completed (F83), and its
 * URL; with credentials, the extended card if there is one. Throws a `Fault` for the person who registers the agent:
 * `invalid_request` for a URL that must not be called, otherwise `agent_unreachable`.
 */
export async function fetchCard(
  url: string,
  settings: Settings,
  credentials?: Credentials,
  resolve: HostResolver = resolveHost,
): Promise<{ card: AgentCard; url: string }> {
  const entered = URL.canParse(url) ? new URL(url) : undefined;
  if (entered === undefined) throw createUrlFault(createMessage("url.invalid"));
  const check = createUrlCheck(settings, resolve);
  await check(entered);
  let last: Failure | undefined;
  for (const candidate of listCardUrls(entered)) {
    try {
      const found = await fetchCardAt(createCardFetcher(entered, credentials), candidate, check);
      const peer = await createUrlPeer(found, entered, check, credentials);
      const isKnown = found.hasExtendedCard && credentials !== undefined;
      return { card: isKnown ? await fetchExtendedCard(peer, candidate) : found.card, url: candidate.href };
    } catch (thrown) {
      if (thrown instanceof Fault) throw thrown;
      last = toAgentFailure(thrown);
      if (last.code !== "agent_protocol") break;
    }
  }
  const text = createMessage("agentCard.notFoundAtUrl", { reason: last?.text ?? "" });
  throw createFault("agent_unreachable", text, { field: "url", cause: last });
}

function createUrlFault(problem: Message): Fault {
  return createFault("invalid_request", createMessage("field.invalid", { field: "url", problem }), { field: "url" });
}

/**
 * Returns the extended card, or the public one if it cannot be fetched. Throws if the agent rejects the credentials.
 */
async function fetchExtendedCard(peer: Peer, cardUrl: URL): Promise<AgentCard> {
  const watch = new ExchangeWatch(CARD_LIMITS, new AbortController().signal);
  try {
    return (await parseAgentCard(await peer.extendedCard(watch), cardUrl.href)).card;
  } catch (thrown) {
    // An agent that rejects the credentials here rejects them for tasks as well.
    if (isFailure(thrown, "agent_unauthorized")) throw thrown;
    return peer.card;
  } finally {
    watch.close();
  }
}

/**
 * Lists the addresses where a card may be: the given one if it ends in `.json`, else the well-known paths below it
 * and at its root, of 1.0 and 0.3.
 */
function listCardUrls(entered: URL): URL[] {
  entered.hash = "";
  if (entered.pathname.endsWith(".json")) return [entered];
  const base = entered.pathname.replace(/\/+$/, "");
  const paths = [`${base}/${AGENT_CARD_PATH}`, `/${AGENT_CARD_PATH}`, `${base}/.well-known/agent.json`];
  return [...new Set(paths)].map((path) => new URL(path, entered));
}

function createUrlCheck(settings: Settings, resolve: HostResolver): UrlCheck {
  const options = { allowPrivate: settings.ALLOW_PRIVATE_AGENTS, resolveHost: resolve };
  return async (url) => {
    const problem = await findAddressProblem(url, options);
    if (problem !== undefined) throw createUrlFault(problem);
  };
}

type FetchedCard = ParsedCard & {
  /** The origin that returned the card, after redirects. */
  readonly origin: string;
};

async function fetchCardAt(
  caller: HttpFetcher,
  url: URL,
  check: UrlCheck,
  timeoutMs = CARD_LIMITS.timeoutMs,
): Promise<FetchedCard> {
  const watch = new ExchangeWatch({ ...CARD_LIMITS, timeoutMs }, new AbortController().signal);
  try {
    const { response, at } = await followRedirects(caller, url, check, watch);
    assertOk(response);
    const raw = await readJson(response, watch);
    return { ...(await parseAgentCard(raw, at.href)), origin: at.origin };
  } catch (thrown) {
    if (thrown instanceof Fault || (thrown instanceof Failure && thrown.code !== "card_invalid")) throw thrown;
    const problem = describeCardProblem(thrown);
    throw createAgentFailure("agent_protocol", createMessage("agent.invalidCard", { problem }), thrown);
  } finally {
    watch.close();
  }
}

function describeCardProblem(thrown: unknown): Message | string {
  if (thrown instanceof Failure) return thrown.text;
  return createMessage(thrown instanceof SyntaxError ? "agentCard.notJson" : "agentCard.unreadable");
}

/** Fetches a URL and follows at most `MAX_REDIRECTS` redirects. Every address is checked like the first. */
async function followRedirects(
  caller: HttpFetcher,
  start: URL,
  check: UrlCheck,
  watch: ExchangeWatch,
): Promise<{ response: Response; at: URL }> {
  const headers = { accept: "application/json", [A2A_VERSION_HEADER]: A2A_PROTOCOL_VERSION };
  let url = start;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const response = await sendRequestKeepingRedirects(caller, url.href, { headers }, watch);
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || location === null) return { response, at: url };
    discardBody(response);
    if (!URL.canParse(location, url.href)) break;
    url = new URL(location, url.href);
    await check(url);
  }
  throw createAgentFailure("agent_unreachable", "agent.tooManyRedirects");
}
