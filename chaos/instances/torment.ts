// Runs one host with concurrent workflow instances, kills it, and checks each instance after its end.

import { setTimeout as sleep } from "node:timers/promises";
import onboarding from "../../examples/onboarding/config.json" with { type: "json" };
import { randomBetween, createRandom } from "../../test/support/random.ts";
import { newVigil } from "../at-rest.ts";
import { startDirectory } from "../directory.ts";
import type { Breach } from "../breach.ts";
import { newHost } from "../workerd.ts";
import { conduct, historyOf, insist, type Site, type Story } from "./conduct.ts";
import { fateOf, judgeInstance, type Fate } from "./judge.ts";
import { AGENTS, onboardingOrdeal, randomOrdeal, type Size } from "./plans.ts";
import { startSystems, type Systems } from "./systems.ts";

export type Order = {
  readonly script: string;
  readonly seed: number;
  readonly kills: number;
  /** The number of concurrent instances. */
  readonly crowd?: number;
  readonly size?: Size;
  /** Ends at the first violation. */
  readonly isImpatient?: boolean;
  readonly onKills?: (kills: number) => void;
};

export type Outcome = {
  readonly kills: number;
  readonly seconds: number;
  readonly breaches: readonly Breach[];
  readonly counts: Counts;
};

export type Counts = Record<Fate, number> & {
  onboardings: number;
  /** Instances during which the host was killed more than once. */
  killedOften: number;
  listeners: number;
  calls: number;
  /** Repeated calls that received the stored result. */
  repeated: number;
  failed: number;
  resumed: number;
  approved: number;
  survivedHolds: number;
  /** Instances that ended only while the kills were suspended. */
  late: number;
  frames: number;
};

const CROWD = 4;
const SIZE: Size = { listeners: 12, fails: 9 };
/** Every n-th instance is of this kind: counted, not random, so that a short run contains each kind. */
const CANCEL_EVERY = 7;
const ONBOARDING_EVERY = 3;
const PROGRESS = 50;
/** An instance resumes with a delay after ten kills without progress. After `PATIENCE` of them, most kills wait for it. */
const PATIENCE = 6;
const MERCILESS = 0.05;
const MERCY_MS = 4_000;
const CALM_MS = 20;

export async function tormentInstances(order: Order): Promise<Outcome> {
  const startedAt = performance.now();
  const { size = SIZE } = order;
  const random = createRandom(order.seed);
  let kills = 0;
  let calm = 0;
  const directory = await startDirectory();
  const systems = await startSystems(createRandom(order.seed + 1), () => kills);
  const host = await newHost({
    script: order.script,
    directory: directory.address,
    vars: { ALLOW_PRIVATE_AGENTS: "1" },
    entrypoints: { APPS: "Apps", PLANS: "Plans", ORRERY: "Orrery" },
  });
  const { promise: abandoned, reject: abandon } = Promise.withResolvers<never>();
  abandoned.catch(() => undefined);
  const breaches: Breach[] = [];
  const stories: Story[] = [];
  const counts: Counts = emptyCounts();
  const unattended = newVigil(host.state, ({ conversation_id: id, status }) => directory.statusOf(id) === status);
  const suspendKills = (): (() => void) => {
    calm += 1;
    return () => (calm -= 1);
  };
  const site: Site = { url: host.url, random, kills: () => kills, suspendKills, abandoned, underway: new Set() };
  const isEnough = (): boolean => order.isImpatient === true && breaches.length > 0;
  let isOver = false;
  let born = 0;

  const one = async (): Promise<void> => {
    while (!isOver && !isEnough()) {
      const subject = `R${order.seed}x${(born += 1)}`;
      const own = createRandom(order.seed * 10_007 + born);
      const isToCancel = born % CANCEL_EVERY === 0;
      const ordealOf = born % ONBOARDING_EVERY === 1 ? onboardingOrdeal : randomOrdeal;
      const ordeal = ordealOf(subject, own, size);
      for (const { name, fails } of ordeal.actions) systems.fail(subject, name, fails);
      try {
        const story = await conduct({ ...site, random: own }, ordeal, isToCancel);
        stories.push(story);
        const calls = systems.callsAbout(subject);
        breaches.push(...judgeInstance(story, calls));
        count(counts, story, calls, kills);
      } catch (thrown) {
        if (isEnough()) return;
        breaches.push({ rule: "T3", words: thrown instanceof Error ? thrown.message : String(thrown), seqs: [] });
      }
    }
  };

  /** Waits for instances that were interrupted `PATIENCE` times without progress, at most `MERCY_MS`. */
  const mercy = async (): Promise<void> => {
    const until = performance.now() + MERCY_MS;
    const isTired = (): boolean => site.underway.values().some((aheadAt) => kills - aheadAt() >= PATIENCE);
    while (isTired() && performance.now() < until) await sleep(randomBetween(random, 2, 12));
  };

  try {
    await host.start();
    await register(site, systems);
    const working = Promise.all(Array.from({ length: order.crowd ?? CROWD }, one));
    while (kills < order.kills && !isEnough()) {
      await sleep(random() < 0.3 ? randomBetween(random, 1, 120) : randomBetween(random, 120, 700));
      if (random() > MERCILESS) await mercy();
      while (calm > 0) await sleep(CALM_MS);
      await host.kill();
      kills += 1;
      if (kills % PROGRESS === 0) order.onKills?.(kills);
      for (const { words } of unattended(Date.now())) breaches.push({ rule: "I26", words, seqs: [] });
      await host.start();
    }
    isOver = true;
    await (isEnough() ? Promise.race([working, sleep(50)]) : working);
    if (!isEnough()) for (const story of stories) breaches.push(...(await changedSince(site, story)));
    return { kills, seconds: (performance.now() - startedAt) / 1_000, breaches, counts };
  } finally {
    abandon(new Error("The run is over."));
    await host.stop();
    await systems.close();
    directory.close();
  }
}

async function register(site: Site, systems: Systems): Promise<void> {
  const works = AGENTS.map((name) => ({
    name,
    description: "Carries out jobs.",
    mcp: { url: systems.urlOf("works") },
  }));
  const apps = onboarding.apps.map((app) => ({ ...app, mcp: { url: systems.urlOf(app.name) } }));
  for (const app of [...works, ...apps]) {
    const { status, body } = await insist(site, "POST", "/agents", app);
    if (status !== 201) throw new Error(`${app.name} was refused: ${JSON.stringify(body)}`);
  }
}

/** I1: the log of a checked instance did not change after later kills. */
async function changedSince(site: Site, { conversationId, log }: Story): Promise<Breach[]> {
  const now = await historyOf(site, conversationId);
  if (JSON.stringify(now) === JSON.stringify(log)) return [];
  return [{ rule: "I1", words: `The log of ${conversationId} changed after it was complete`, seqs: [] }];
}

function emptyCounts(): Counts {
  const fates = { finished: 0, cancelled: 0 };
  const more = { onboardings: 0, killedOften: 0, listeners: 0, calls: 0, repeated: 0, failed: 0 };
  return { ...fates, ...more, resumed: 0, approved: 0, survivedHolds: 0, late: 0, frames: 0 };
}

function count(counts: Counts, story: Story, calls: readonly { outcome: string }[], kills: number): void {
  counts[fateOf(story)] += 1;
  if (story.ordeal.kind === "onboarding") counts.onboardings += 1;
  if (kills - story.bornAt > 1) counts.killedOften += 1;
  counts.listeners += story.instance.listeners.length;
  counts.calls += calls.length;
  counts.repeated += calls.filter(({ outcome }) => outcome === "repeated").length;
  counts.failed += calls.filter(({ outcome }) => outcome === "failed").length;
  counts.resumed += story.resumed.length - story.approved.size;
  counts.approved += story.approved.size;
  counts.survivedHolds += story.survivedHolds;
  if (story.isLate) counts.late += 1;
  counts.frames += story.log.length;
}
