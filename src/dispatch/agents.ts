// The agents that a deployment knows: those behind its bindings, those registered by URL, and those that it runs itself
// out of what a user has stored.

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

/** A card that was read longer ago is read again: an agent may be deployed without us. */
const CARD_MAX_AGE_MS = 300_000;
/** Peers at URLs that an isolate remembers: those whose cards it has read last. */
const MOST_PEERS = 256;

export type RemoteAgent = {
  readonly card: AgentCard;
  readonly url: string;
  readonly enabled: boolean;
  /** As `seal` made them. */
  readonly credentials?: string | null;
  /** When it was last registered or switched, in epoch milliseconds: a card that was read before is read again. */
  readonly changed_at?: number;
};

/** An agent without a place of its own: an app runs behind the binding `APPS`, a plan template behind `PLANS`. */
export type HostedAgent = { readonly card: AgentCard; readonly source: "app" | "plan"; readonly enabled: boolean };

export type AgentsOptions = {
  /** The Worker's environment: its `AGENT_…` bindings are agents. */
  readonly bindings: Readonly<Record<string, unknown>>;
  /** Whose agents the hosted ones are. */
  readonly userId: string;
  /** Names are told apart by who is first: bindings, then URLs, then these in their order. */
  readonly hosted: () => Promise<readonly HostedAgent[]>;
  readonly remote: () => Promise<readonly RemoteAgent[]>;
  /** Names of agents that were switched off, whatever their source. */
  readonly disabled: () => Promise<ReadonlySet<string>>;
  readonly settings: Settings;
  /** Hears of bindings whose agent does not show its card. */
  readonly report: (thrown: unknown) => void;
};

type World = Omit<AgentsOptions, "bindings"> & {
  readonly bindings: ReadonlyMap<string, Caller>;
  readonly hosts: Readonly<Record<HostedAgent["source"], unknown>>;
};
type Known = { readonly peer: Peer; readonly readAt: number };

// Peers live as long as the isolate. Only finished ones are kept: a promise of one request must not be
// awaited by another.
const byBinding = new WeakMap<Caller, Known>();
const byUrl = new Map<string, Known>();
/** Every message looks for the agents: one that was not there holds up no more of them for long. */
const MISSED_TIMEOUT_MS = 1_000;
/** When it was last reported of a binding that its agent shows no card. */
const missed = new WeakMap<Caller, number>();

/** As `Agents`; `left` is what the agent had left with the question that nobody will answer. */
type Dispatched = Agents & { cancel(agent: Agent, remoteTaskId: string, left?: Left): Promise<void> };

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

/** Best effort: reaching the agent is part of the time that it gets. */
async function cancel(world: World, agent: Agent, remoteTaskId: string, left: Left | undefined): Promise<void> {
  const told = peerOf(world, agent).then((peer) => tellToStop(peer, remoteTaskId, limitsOf(world.settings), left));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CANCEL_MS);
  });
  await Promise.race([told.catch(() => undefined), late]);
  clearTimeout(timer);
}

/** Who the person is stays with us; an agent elsewhere learns only what it needs for the answer. */
function addressedTo(agent: Agent, request: AgentRequest): AgentRequest {
  if (agent.source !== "url") return request;
  const { user_id: _, ...metadata } = request.metadata;
  return { ...request, metadata };
}

/** Two calls to one base URL share one peer (F85), until it is too old or was not found there. */
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
  // Known already, it need not wait for those that are not.
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
  // Whoever has credentials of their own does not share.
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

/** Every lookup asks a missing agent again; the log need not hear of each. */
function isNews(binding: Caller): boolean {
  const now = Date.now();
  if (now - (missed.get(binding) ?? -Infinity) < CARD_MAX_AGE_MS) return false;
  missed.set(binding, now);
  return true;
}

function fresh(known: Known | undefined, since = 0): Peer | undefined {
  if (known === undefined || known.readAt < since) return undefined;
  return Date.now() - known.readAt < CARD_MAX_AGE_MS ? known.peer : undefined;
}

/** Nobody is there, or somebody else is: its card may say by now where it is. */
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
