// Runs several hosts with concurrent conversations, kills them, and collects violations. The first violation ends the
// run.
//
// Order at the end of a host: the last kill, the end of all conversations, the check of push notifications (P1), and
// the comparison of all checked logs with their current state (I1).

import { createRandom } from "../test/support/random.ts";
import { newVigil } from "./at-rest.ts";
import { LIFE_KEY, newLane, type Lane } from "./lane.ts";
import type { Seen } from "./reader.ts";
import { COURIER } from "./courier.ts";
import { guest } from "./guest.ts";
import { historyOf } from "./requests.ts";
import { Broken, talk, type Judged } from "./talk.ts";
import { isStalled, stall } from "./stall.ts";
import { isNotified, noticeBreaches, visit, type Awaited } from "./visit.ts";
import { newTally, type Tally } from "./tally.ts";
import { newHost } from "./workerd.ts";
import { newWorld, type World } from "./world.ts";
import type { Breach } from "./breach.ts";
import { createApiUser } from "../test/support/api-user.ts";
import { setTimeout as sleep } from "node:timers/promises";

export type Order = {
  readonly script: string;
  readonly seed: number;
  readonly kills: number;
  readonly lanes: number;
  /** The number of concurrent conversations per host. */
  readonly talks: number;
  /** The share of conversations (0 to 1) whose client disconnects after the last message until they are over. */
  readonly walks?: number;
  /** The share of conversations (0 to 1) that are one task of an A2A client. */
  readonly visits?: number;
  /** The share of conversations (0 to 1) of a client of the Responses API. */
  readonly guests?: number;
  /** The share of conversations (0 to 1) whose host dies until their thread must wait. */
  readonly stalls?: number;
  /** The share of texts (0 to 1) that are very long. */
  readonly longs?: number;
  /** Called after every `PROGRESS` kills with the number of kills. */
  readonly onKills?: (kills: number) => void;
};

export type Violation = Breach & {
  readonly lane: string;
  readonly kill: number;
  readonly conversationId: string;
  readonly frames: readonly string[];
};

export type Outcome = {
  readonly kills: number;
  readonly tally: Tally;
  readonly violations: readonly Violation[];
  readonly timesToReady: readonly number[];
  readonly timesToEvent: readonly number[];
  readonly seconds: number;
};

type Run = {
  readonly order: Order;
  readonly world: World;
  readonly tally: Tally;
  readonly violations: readonly Violation[];
  /** Resolves at the first violation, so that the run ends early. */
  readonly isFailed: Promise<void>;
  readonly fail: (violation: Violation) => void;
  readonly onKill: () => void;
  readonly judged: Map<string, Finding>;
  /** The expected push notifications, with the name of the host that must send them. */
  readonly awaited: (Awaited & { readonly lane: string })[];
};
/** The log of a checked conversation as JSON. Later kills must not change it. */
type Finding = { readonly lane: string; readonly log: string };

const PROGRESS = 100;
const WALKS = 0.15;
const VISITS = 0.22;
const GUESTS = 0.13;
const STALLS = 0.015;
/** Two leases, and the delay after a failed first attempt. */
const NOTICE_MS = 16_000;

/** Kills the hosts until the order is complete or a violation is found. */
export async function torment(order: Order): Promise<Outcome> {
  const startedAt = performance.now();
  const world = await newWorld(order.longs);
  const run = newRun(order, world);
  try {
    const perLane = Math.ceil(order.kills / order.lanes);
    const lanes = await Promise.all(
      Array.from({ length: order.lanes }, (_, i) => tormentHost(run, String(i + 1), perLane)),
    );
    return {
      kills: lanes.reduce((sum, { kills }) => sum + kills, 0),
      tally: run.tally,
      violations: run.violations,
      timesToReady: lanes.flatMap(({ timesToReady }) => timesToReady),
      timesToEvent: lanes.flatMap(({ timesToEvent }) => timesToEvent),
      seconds: (performance.now() - startedAt) / 1_000,
    };
  } finally {
    await world.close();
  }
}

function newRun(order: Order, world: World): Run {
  const violations: Violation[] = [];
  const { promise: isFailed, resolve } = Promise.withResolvers<void>();
  const fail = (violation: Violation): void => {
    violations.push(violation);
    resolve();
  };
  let kills = 0;
  const onKill = (): void => {
    kills += 1;
    if (kills % PROGRESS === 0) order.onKills?.(kills);
  };
  return { order, world, tally: newTally(), violations, isFailed, fail, onKill, judged: new Map(), awaited: [] };
}

async function tormentHost(run: Run, name: string, kills: number): Promise<Lane> {
  const { order, world } = run;
  const host = await newHost({
    script: order.script,
    directory: world.directory.address,
    entrypoints: { APPS: "Apps" },
    vars: { OPENAI_BASE_URL: world.model.url, ALLOW_PRIVATE_AGENTS: "1", [LIFE_KEY]: "none" },
  });
  const unattended = newVigil(host.state, ({ conversation_id: id, status }) => world.directory.statusOf(id) === status);
  const lane: Lane = newLane(name, host, createRandom(order.seed * 1_000 + Number(name)), () => {
    run.onKill();
    for (const { conversationId, words } of unattended(Date.now())) {
      run.fail(violation({ rule: "I26", words, seqs: [] }, name, lane, conversationId, []));
    }
  });
  try {
    const isEnough = () => run.violations.length > 0;
    const tormenting = lane.torment(kills, isEnough);
    const talks = lane
      .calmly(register(world, lane))
      .then(() => Promise.all(Array.from({ length: order.talks }, () => keepTalking(run, name, lane))));
    await Promise.race([Promise.all([tormenting, talks]), run.isFailed.then(() => tormenting)]);
    // Check notifications first: the comparison reads the conversations, which wakes them.
    if (!isEnough()) await hearOut(run, name, lane);
    if (!isEnough()) await compareAgain(run, name, lane);
    return lane;
  } finally {
    lane.abandon();
    await host.stop();
  }
}

async function register({ steady, courier }: World, { url }: Lane): Promise<void> {
  const app = { name: COURIER, description: "Sends parcels.", mcp: { url: courier.url } };
  for (const agent of [{ url: steady.url }, app]) {
    for (;;) {
      const response = await createApiUser(url)
        .request("POST", "/api/v1/agents", agent)
        .catch(() => null);
      if (response?.ok === true || response?.status === 409) break;
      await sleep(5);
    }
  }
}

async function keepTalking(run: Run, name: string, lane: Lane): Promise<void> {
  while (!lane.isOver && run.violations.length === 0) {
    try {
      const { conversationId, log, breaches } = await one(run, name, lane);
      run.judged.set(conversationId, { lane: name, log: JSON.stringify(log) });
      for (const breach of breaches) run.fail(violation(breach, name, lane, conversationId, log));
    } catch (thrown) {
      // After a violation the hosts are stopped, so the other conversations fail: ignore them.
      if (run.violations.length > 0) return;
      const breach = { rule: "T3", words: thrown instanceof Error ? thrown.message : String(thrown), seqs: [] };
      const [conversationId, frames] = thrown instanceof Broken ? [thrown.conversationId, thrown.seen] : ["", []];
      run.fail(
        violation(
          breach,
          name,
          lane,
          conversationId,
          frames.map(({ frame }) => frame),
        ),
      );
    }
  }
}

async function one({ order, world, tally, awaited }: Run, name: string, lane: Lane): Promise<Judged> {
  const { walks = WALKS, visits = VISITS, guests = GUESTS, stalls = STALLS } = order;
  if (!isStalled(lane) && lane.random() < stalls) return stall(world, lane, tally);
  const chance = lane.random();
  if (chance >= visits + guests) return talk(world, lane, tally, walks);
  if (chance >= visits) return guest(world, lane, tally);
  const visited = await visit(world, lane, tally);
  awaited.push({ ...visited.awaited, lane: name });
  return visited;
}

/** P1: all expected push notifications were delivered, and no others, despite the kills. */
async function hearOut({ world, awaited, tally, fail }: Run, name: string, lane: Lane): Promise<void> {
  const mine = awaited.filter((each) => each.lane === name);
  const until = performance.now() + NOTICE_MS;
  while (performance.now() < until && !mine.every((each) => isNotified(each, world.receiver))) await sleep(50);
  for (const each of mine) {
    const ids = world.receiver.confirmed(each.path).map(({ id }) => id);
    tally.notices += new Set(ids).size;
    tally.repeatedNotices += ids.length - new Set(ids).size;
    for (const breach of noticeBreaches(each, world.receiver))
      fail(violation(breach, name, lane, each.conversationId, []));
  }
}

const SHOWN = 12;

function violation(
  breach: Breach,
  lane: string,
  { kills }: Lane,
  conversationId: string,
  log: readonly Seen["frame"][],
): Violation {
  const shown =
    breach.seqs.length === 0 ? log.slice(-SHOWN) : log.filter(({ seq }) => breach.seqs.includes(seq)).slice(0, SHOWN);
  return { ...breach, lane, kill: kills, conversationId, frames: shown.map((frame) => JSON.stringify(frame)) };
}

/** I1: the log of a checked conversation did not change after later kills. */
async function compareAgain({ judged, fail }: Run, name: string, lane: Lane): Promise<void> {
  for (const [conversationId, { lane: theirs, log }] of judged) {
    if (theirs !== name) continue;
    const now = await historyOf(lane, conversationId);
    if (JSON.stringify(now) === log) continue;
    const breach = { rule: "I1", words: "The log changed after it was complete", seqs: [] };
    fail(violation(breach, name, lane, conversationId, now));
  }
}
