// The dispatcher: it finds the agents of a deployment and runs tasks on them. Agents are behind service bindings
// (`AGENT_…`), registered by URL, or hosted here (apps and plan templates).
//
// It owns two caches of peers that live as long as the isolate: by binding, and by URL with credentials (at most
// `MAX_PEERS`, the oldest card is evicted first). A cached card is used for `CARD_MAX_AGE_MS`. A peer is evicted when
// it cannot be reached or breaks the protocol, because its card may have changed. Only finished peers are cached: a
// promise of one request must not be awaited by another.
//
// Names are unique: bindings precede registered agents, and those precede hosted ones. `runAgent` never throws:
// failures are `failed` events. `cancelTask` never rejects.

import type { AgentRunner } from "../core/ports.ts";
import type { Agent, AgentCard, AgentEvent, AgentRequest } from "../protocol/agents/agent.ts";
import { assertNever } from "../lib/assert.ts";
import { raceAbort, withTimeout } from "../lib/with-timeout.ts";
import { detectRequestLanguage } from "../language/detect-language.ts";
import { createMessage } from "../language/messages.ts";
import { listSealingSecrets, type Settings } from "../settings.ts";
import { connectBinding, connectHosted, connectUrl } from "./connect-peer.ts";
import { unsealCredentials } from "./remote-credentials.ts";
import { createCancelledFailure, toFailedEvent, toAgentFailure, createAgentFailure } from "./agent-failure.ts";
import type { Peer } from "./peer.ts";
import { CANCEL_MS, runOnPeer, cancelRemoteTask, type WithdrawnQuestion } from "./run-on-peer.ts";
import { getExchangeLimits } from "./exchange-watch.ts";
import type { HttpFetcher } from "./agent-http.ts";
import { Failure } from "../protocol/wire/message-error.ts";

/** Maximum age of a cached card, because agents are deployed independently of us. */
const CARD_MAX_AGE_MS = 300_000;
/** Maximum number of cached peers at URLs. */
const MAX_PEERS = 256;

/** An agent that a user registered by URL. */
export type UrlAgent = {
  readonly card: AgentCard;
  readonly url: string;
  readonly enabled: boolean;
  /** Credentials as `sealCredentials` returned them. */
  readonly credentials?: string | null;
  /** Time of the last registration or switch, in epoch milliseconds. Older cached cards are not used. */
  readonly changed_at?: number;
};

/** An agent without an address of its own: an app runs behind the binding `APPS`, a plan template behind `PLANS`. */
export type HostedAgent = { readonly card: AgentCard; readonly source: "app" | "plan"; readonly enabled: boolean };

/** The sources of agents, and the settings. */
export type DispatcherOptions = {
  /** The environment of the Worker. Its `AGENT_…` bindings are agents. */
  readonly bindings: Readonly<Record<string, unknown>>;
  /** The owner of the hosted agents. */
  readonly userId: string;
  /** Returns the hosted agents. The first agent of a name wins, in the order bindings, URLs, hosted. */
  readonly hosted: () => Promise<readonly HostedAgent[]>;
  /** Returns the agents that the user registered by URL. */
  readonly remote: () => Promise<readonly UrlAgent[]>;
  /** Returns the names of disabled agents of any source. */
  readonly disabled: () => Promise<ReadonlySet<string>>;
  readonly settings: Settings;
  /** Receives an error for each binding whose agent returns no card. */
  readonly report: (thrown: unknown) => void;
};

type DispatchContext = Omit<DispatcherOptions, "bindings"> & {
  readonly bindings: ReadonlyMap<string, HttpFetcher>;
  readonly hosts: Readonly<Record<HostedAgent["source"], unknown>>;
};
type CachedPeer = { readonly peer: Peer; readonly readAt: number };

// Peers live as long as the isolate. Only finished ones are cached: a promise of one request must not be awaited by
// another.
const peersByBinding = new WeakMap<HttpFetcher, CachedPeer>();
const peersByUrl = new Map<string, CachedPeer>();
/**
 * Timeout for the card of a binding that returned none before. Every message lists the agents, so a missing one must
 * not delay it.
 */
const MISSING_CARD_TIMEOUT_MS = 1_000;
/** The time of the last report for each binding without a card, in epoch milliseconds. */
const missingCardReports = new WeakMap<HttpFetcher, number>();

/** The port `AgentRunner`. `question` identifies a withdrawn question. */
type Dispatcher = AgentRunner & {
  cancel(agent: Agent, remoteTaskId: string, question?: WithdrawnQuestion): Promise<void>;
};

/** Creates the port `AgentRunner` for one user. `cancel` waits at most `CANCEL_MS` and ignores errors. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { APPS: app, PLANS: plan } = options.bindings;
  const context = { ...options, bindings: listAgentBindings(options.bindings), hosts: { app, plan } };
  return {
    list: () => listAgents(context),
    run: (agent, request, signal) => runAgent(context, agent, request, signal),
    cancel: (agent, remoteTaskId, question?: WithdrawnQuestion) => cancelTask(context, agent, remoteTaskId, question),
  };
}

function listAgentBindings(env: Readonly<Record<string, unknown>>): ReadonlyMap<string, HttpFetcher> {
  const isAgent = (entry: [string, unknown]): entry is [string, HttpFetcher] =>
    entry[0].startsWith("AGENT_") && isFetcher(entry[1]);
  return new Map(Object.entries(env).filter(isAgent));
}

async function listAgents({ bindings, remote, hosted, disabled, report }: DispatchContext): Promise<readonly Agent[]> {
  const [bound, registered, hostedAgents, disabledNames] = await Promise.all([
    loadBoundPeers(bindings, report),
    remote(),
    hosted(),
    disabled(),
  ]);
  const agents = new Map<string, Agent>();
  for (const { card } of bound) {
    if (agents.has(card.name)) continue;
    agents.set(card.name, { ...card, source: "binding", enabled: !disabledNames.has(card.name) });
  }
  for (const { card, url, enabled } of registered) {
    if (agents.has(card.name)) continue;
    agents.set(card.name, { ...card, source: "url", url, enabled: enabled && !disabledNames.has(card.name) });
  }
  for (const { card, source, enabled } of hostedAgents) {
    if (agents.has(card.name)) continue;
    agents.set(card.name, { ...card, source, enabled: enabled && !disabledNames.has(card.name) });
  }
  return [...agents.values()];
}

async function* runAgent(
  context: DispatchContext,
  agent: Agent,
  request: AgentRequest,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent> {
  let failure: AgentEvent | undefined;
  try {
    const peer = await raceAbort(signal, resolvePeer(context, agent));
    for await (const event of runOnPeer(
      peer,
      removePrivateData(agent, request),
      getExchangeLimits(context.settings),
      signal,
    )) {
      if (event.type === "failed") failure = event;
      yield event;
    }
  } catch (thrown) {
    const reason = signal.aborted ? createCancelledFailure() : toAgentFailure(thrown);
    failure = toFailedEvent(reason, detectRequestLanguage(request));
    yield failure;
  } finally {
    if (failure?.type === "failed" && isStaleCardError(failure.code)) evictPeer(context, agent);
  }
}

/** Cancels a task on its agent. Waits at most `CANCEL_MS`, including the connection. Errors are ignored. */
async function cancelTask(
  context: DispatchContext,
  agent: Agent,
  remoteTaskId: string,
  question: WithdrawnQuestion | undefined,
): Promise<void> {
  const cancellation = resolvePeer(context, agent).then((peer) =>
    cancelRemoteTask(peer, remoteTaskId, getExchangeLimits(context.settings), question),
  );
  await withTimeout(CANCEL_MS, cancellation).catch(() => undefined);
}

/** Removes from requests to agents at URLs what they need not know: the user id, and other texts of the person. */
function removePrivateData(agent: Agent, request: AgentRequest): AgentRequest {
  if (agent.source !== "url") return request;
  const { user_id: _, provenance, ...metadata } = request.metadata;
  if (provenance === undefined) return { ...request, metadata };
  return { ...request, metadata: { ...metadata, provenance: { ...provenance, person: [] } } };
}

/**
 * Returns the peer of an agent. Calls to the same URL share one peer (F85) until its card is too old or it was not
 * found. Throws `Failure` (`agent_unreachable`) if there is none.
 */
async function resolvePeer(context: DispatchContext, agent: Agent): Promise<Peer> {
  switch (agent.source) {
    case "binding":
      return resolveBoundPeer(context, agent);
    case "url":
      return resolveUrlPeer(context, agent);
    case "app":
    case "plan":
      return resolveHostedPeer(context, agent, agent.source);
    default:
      return assertNever(agent.source);
  }
}

async function resolveBoundPeer({ bindings, report }: DispatchContext, { name }: Agent): Promise<Peer> {
  const matchesName = ({ card }: Peer): boolean => card.name === name;
  // A cached peer need not wait for bindings without a card.
  const known = [...bindings.values()].flatMap((binding) => getFreshPeer(peersByBinding.get(binding)) ?? []);
  const peer = known.find(matchesName) ?? (await loadBoundPeers(bindings, report)).find(matchesName);
  if (peer === undefined)
    throw createAgentFailure("agent_unreachable", createMessage("agent.notBound", { agent: name }));
  return peer;
}

function resolveHostedPeer({ hosts, userId }: DispatchContext, agent: Agent, source: HostedAgent["source"]): Peer {
  const host = hosts[source];
  if (isFetcher(host)) return connectHosted(host, agent, userId);
  throw createAgentFailure("agent_unreachable", createMessage("agent.notHosted", { agent: agent.name }));
}

async function resolveUrlPeer({ settings, remote, userId }: DispatchContext, agent: Agent): Promise<Peer> {
  const { name, url = "" } = agent;
  const registered = (await remote()).find((known) => known.card.name === name && known.url === url);
  const sealed = registered?.credentials ?? null;
  // Callers with different credentials do not share a peer.
  const key = `${url}\n${sealed ?? ""}`;
  const known = getFreshPeer(peersByUrl.get(key), registered?.changed_at);
  if (known !== undefined) return known;
  const connect = async (): Promise<Peer> =>
    connectUrl(
      url,
      settings,
      sealed === null ? undefined : await unsealCredentials(sealed, { userId, url }, listSealingSecrets(settings)),
    );
  const peer = await connect().catch((cause: unknown) => {
    if (cause instanceof Failure) throw cause;
    throw createAgentFailure("agent_unreachable", createMessage("agent.urlNotAllowed", { agent: name }), cause);
  });
  cachePeer(key, peer);
  return peer;
}

function cachePeer(key: string, peer: Peer): void {
  peersByUrl.delete(key);
  peersByUrl.set(key, { peer, readAt: Date.now() });
  const [oldest] = peersByUrl.keys();
  if (peersByUrl.size > MAX_PEERS && oldest !== undefined) peersByUrl.delete(oldest);
}

async function loadBoundPeers(
  bindings: DispatchContext["bindings"],
  report: (thrown: unknown) => void,
): Promise<Peer[]> {
  const found = await Promise.all(
    [...bindings].map(async ([name, binding]) => {
      const known = getFreshPeer(peersByBinding.get(binding));
      if (known !== undefined) return [known];
      try {
        const peer = await connectBinding(
          binding,
          name,
          missingCardReports.has(binding) ? MISSING_CARD_TIMEOUT_MS : undefined,
        );
        peersByBinding.set(binding, { peer, readAt: Date.now() });
        missingCardReports.delete(binding);
        return [peer];
      } catch (thrown) {
        if (needsReport(binding)) report(new Error(`The agent behind ${name} shows no card`, { cause: thrown }));
        return [];
      }
    }),
  );
  return found.flat();
}

/** True if a binding without a card was not reported within `CARD_MAX_AGE_MS`. Records the report. */
function needsReport(binding: HttpFetcher): boolean {
  const now = Date.now();
  if (now - (missingCardReports.get(binding) ?? -Infinity) < CARD_MAX_AGE_MS) return false;
  missingCardReports.set(binding, now);
  return true;
}

/** Returns the peer if its card is recent enough, else undefined. */
function getFreshPeer(known: CachedPeer | undefined, since = 0): Peer | undefined {
  if (known === undefined || known.readAt < since) return undefined;
  return Date.now() - known.readAt < CARD_MAX_AGE_MS ? known.peer : undefined;
}

/** True if the peer may have moved, so that its card must be read again. */
function isStaleCardError(code: string | undefined): boolean {
  return code === "agent_unreachable" || code === "agent_protocol";
}

function evictPeer({ bindings }: DispatchContext, agent: Agent): void {
  for (const key of peersByUrl.keys()) if (key.startsWith(`${agent.url ?? ""}\n`)) peersByUrl.delete(key);
  for (const binding of bindings.values()) {
    if (peersByBinding.get(binding)?.peer.card.name === agent.name) peersByBinding.delete(binding);
  }
}

function isFetcher(value: unknown): value is HttpFetcher {
  return typeof value === "object" && value !== null && "fetch" in value && typeof value.fetch === "function";
}
