// The dispatcher: it finds the agents of a deployment and runs tasks on them. Agents are behind service bindings
// (`AGENT_…`), registered by URL, or hosted here (apps and plan templates).
//
// It owns two caches of peers that live as long as the isolate: by binding, and by URL with credentials (at most
// `MAX_PEERS`, the oldest card is evicted first). A cached card is used for `CARD_MAX_AGE_MS`. A peer is evicted when
// it cannot be reached or breaks the protocol, because its card may have changed. Only finished peers are cached: a
// promise of one request must not be awaited by another.
//
// Names are unique: bindings precede registered agents, and those precede hosted ones. `run` never throws: failures
// are `failed` events. `cancel` never rejects.

import type { Agents } from "../core/ports.ts";
import type { Agent, AgentCard, AgentEvent, AgentRequest } from "../protocol/agent.ts";
import { unreachable } from "../protocol/assert.ts";
import type { Settings } from "../settings.ts";
import { connectBinding, connectHosted, connectUrl } from "./connect.ts";
import { unseal } from "./credentials.ts";
import { AgentFailure, cancelled, failed, toFailure } from "./failure.ts";
import type { Peer } from "./peer.ts";
import { CANCEL_MS, runOn, tellToStop, type Left } from "./run.ts";
import { limitsOf } from "./watch.ts";
import { until, type Caller } from "./wire.ts";

/** Maximum age of a cached card, because agents are deployed independently of us. */
const CARD_MAX_AGE_MS = 300_000;
/** Maximum number of cached peers at URLs. */
const MOST_PEERS = 256;

/** An agent that a user registered by URL. */
export type RemoteAgent = {
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
export type AgentsOptions = {
  /** The environment of the Worker. Its `AGENT_…` bindings are agents. */
  readonly bindings: Readonly<Record<string, unknown>>;
  /** The owner of the hosted agents. */
  readonly userId: string;
  /** Returns the hosted agents. Among agents with the same name the first one wins, in the order bindings, URLs, hosted. */
  readonly hosted: () => Promise<readonly HostedAgent[]>;
  readonly remote: () => Promise<readonly RemoteAgent[]>;
  /** Returns the names of disabled agents of any source. */
  readonly disabled: () => Promise<ReadonlySet<string>>;
  readonly settings: Settings;
  /** Receives an error for each binding whose agent returns no card. */
  readonly report: (thrown: unknown) => void;
};

type World = Omit<AgentsOptions, "bindings"> & {
  readonly bindings: ReadonlyMap<string, Caller>;
  readonly hosts: Readonly<Record<HostedAgent["source"], unknown>>;
};
type Known = { readonly peer: Peer; readonly readAt: number };

// Peers live as long as the isolate. Only finished ones are cached: a promise of one request must not be awaited by
// another.
const byBinding = new WeakMap<Caller, Known>();
const byUrl = new Map<string, Known>();
/**
 * Timeout for the card of a binding that returned none before. Every message lists the agents, so a missing one must
 * not delay it.
 */
const MISSED_TIMEOUT_MS = 1_000;
/** The time of the last report for each binding without a card, in epoch milliseconds. */
const missed = new WeakMap<Caller, number>();

/** The port `Agents`. `question` identifies a withdrawn question. */
type Dispatched = Agents & { cancel(agent: Agent, remoteTaskId: string, left?: Left): Promise<void> };

/** Creates the port `Agents` for one user. */
export function createAgents(options: AgentsOptions): Dispatched {
  const { APPS: app, PLANS: plan } = options.bindings;
  const world = { ...options, bindings: agentBindings(options.bindings), hosts: { app, plan } };
  return {
    list: () => list(world),
    run: (agent, request, signal) => run(world, agent, request, signal),
    cancel: (agent, remoteTaskId, left?: Left) => cancel(world, agent, remoteTaskId, left),
  };
}

function agentBindings(env: Readonly<Record<string, unknown>>): ReadonlyMap<string, Caller> {
  const isAgent = (entry: [string, unknown]): entry is [string, Caller] =>
    entry[0].startsWith("AGENT_") && isCaller(entry[1]);
  return new Map(Object.entries(env).filter(isAgent));
}

async function list({ bindings, remote, hosted, disabled, report }: World): Promise<readonly Agent[]> {
  const [bound, registered, own, off] = await Promise.all([
    boundPeers(bindings, report),
    remote(),
    hosted(),
    disabled(),
  ]);
  const agents = new Map<string, Agent>();
  for (const { card } of bound) {
    if (agents.has(card.name)) continue;
    agents.set(card.name, { ...card, source: "binding", enabled: !off.has(card.name) });
  }
  for (const { card, url, enabled } of registered) {
    if (agents.has(card.name)) continue;
    agents.set(card.name, { ...card, source: "url", url, enabled: enabled && !off.has(card.name) });
  }
  for (const { card, source, enabled } of own) {
    if (agents.has(card.name)) continue;
    agents.set(card.name, { ...card, source, enabled: enabled && !off.has(card.name) });
  }
  return [...agents.values()];
}

async function* run(
  world: World,
  agent: Agent,
  request: AgentRequest,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent> {
  let failure: AgentEvent | undefined;
  try {
    const peer = await until(signal, peerOf(world, agent), () => undefined);
    for await (const event of runOn(peer, addressedTo(agent, request), limitsOf(world.settings), signal)) {
      if (event.type === "failed") failure = event;
      yield event;
    }
  } catch (thrown) {
    failure = failed(signal.aborted ? cancelled() : toFailure(thrown));
    yield failure;
  } finally {
    if (failure?.type === "failed" && isLost(failure.code)) forget(world, agent);
  }
}

/** Cancels a task on its agent. Waits at most `CANCEL_MS`, including the connection. Errors are ignored. */
async function cancel(world: World, agent: Agent, remoteTaskId: string, left: Left | undefined): Promise<void> {
  const told = peerOf(world, agent).then((peer) => tellToStop(peer, remoteTaskId, limitsOf(world.settings), left));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CANCEL_MS);
  });
  await Promise.race([told.catch(() => undefined), late]);
  clearTimeout(timer);
}

/** Removes the user id from requests to agents at URLs. */
function addressedTo(agent: Agent, request: AgentRequest): AgentRequest {
  if (agent.source !== "url") return request;
  const { user_id: _, ...metadata } = request.metadata;
  return { ...request, metadata };
}

/**
 * Returns the peer of an agent. Calls to the same URL share one peer (F85) until its card is too old or it was not
 * found. Throws `AgentFailure` (`agent_unreachable`) if there is none.
 */
async function peerOf(world: World, agent: Agent): Promise<Peer> {
  switch (agent.source) {
    case "binding":
      return boundPeer(world, agent);
    case "url":
      return registeredPeer(world, agent);
    case "app":
    case "plan":
      return hostedPeer(world, agent, agent.source);
    default:
      return unreachable(agent.source);
  }
}

async function boundPeer({ bindings, report }: World, { name }: Agent): Promise<Peer> {
  const isIt = ({ card }: Peer): boolean => card.name === name;
  // A cached peer need not wait for bindings without a card.
  const known = [...bindings.values()].flatMap((binding) => fresh(byBinding.get(binding)) ?? []);
  const peer = known.find(isIt) ?? (await boundPeers(bindings, report)).find(isIt);
  if (peer === undefined) throw new AgentFailure("agent_unreachable", `The agent ${name} is not there.`);
  return peer;
}

function hostedPeer({ hosts, userId }: World, agent: Agent, source: HostedAgent["source"]): Peer {
  const host = hosts[source];
  if (isCaller(host)) return connectHosted(host, agent, userId);
  throw new AgentFailure("agent_unreachable", `This deployment cannot run the agent ${agent.name}.`);
}

async function registeredPeer({ settings, remote, userId }: World, agent: Agent): Promise<Peer> {
  const { name, url = "" } = agent;
  const registered = (await remote()).find((known) => known.card.name === name && known.url === url);
  const kept = registered?.credentials ?? null;
  // Callers with different credentials do not share a peer.
  const key = `${url}\n${kept ?? ""}`;
  const known = fresh(byUrl.get(key), registered?.changed_at);
  if (known !== undefined) return known;
  const connect = async (): Promise<Peer> =>
    connectUrl(url, settings, kept === null ? undefined : await unseal(kept, { userId, url }, settings.AUTH_SECRET));
  const peer = await connect().catch((cause: unknown) => {
    if (cause instanceof AgentFailure) throw cause;
    throw new AgentFailure("agent_unreachable", `The agent ${name} must not be called at its address.`, cause);
  });
  remember(key, peer);
  return peer;
}

function remember(key: string, peer: Peer): void {
  byUrl.delete(key);
  byUrl.set(key, { peer, readAt: Date.now() });
  const [oldest] = byUrl.keys();
  if (byUrl.size > MOST_PEERS && oldest !== undefined) byUrl.delete(oldest);
}

async function boundPeers(bindings: World["bindings"], report: (thrown: unknown) => void): Promise<Peer[]> {
  const found = await Promise.all(
    [...bindings].map(async ([name, binding]) => {
      const known = fresh(byBinding.get(binding));
      if (known !== undefined) return [known];
      try {
        const peer = await connectBinding(binding, name, missed.has(binding) ? MISSED_TIMEOUT_MS : undefined);
        byBinding.set(binding, { peer, readAt: Date.now() });
        missed.delete(binding);
        return [peer];
      } catch (thrown) {
        if (isNews(binding)) report(new Error(`The agent behind ${name} shows no card`, { cause: thrown }));
        return [];
      }
    }),
  );
  return found.flat();
}

/** True if a binding without a card was not reported within `CARD_MAX_AGE_MS`. Records the report. */
function isNews(binding: Caller): boolean {
  const now = Date.now();
  if (now - (missed.get(binding) ?? -Infinity) < CARD_MAX_AGE_MS) return false;
  missed.set(binding, now);
  return true;
}

/** Returns the peer if its card is recent enough, else undefined. */
function fresh(known: Known | undefined, since = 0): Peer | undefined {
  if (known === undefined || known.readAt < since) return undefined;
  return Date.now() - known.readAt < CARD_MAX_AGE_MS ? known.peer : undefined;
}

/** True if the peer may have moved, so that its card must be read again. */
function isLost(code: string | undefined): boolean {
  return code === "agent_unreachable" || code === "agent_protocol";
}

function forget({ bindings }: World, agent: Agent): void {
  for (const key of byUrl.keys()) if (key.startsWith(`${agent.url ?? ""}\n`)) byUrl.delete(key);
  for (const binding of bindings.values()) {
    if (byBinding.get(binding)?.peer.card.name === agent.name) byBinding.delete(binding);
  }
}

function isCaller(value: unknown): value is Caller {
  return typeof value === "object" && value !== null && "fetch" in value && typeof value.fetch === "function";
}
