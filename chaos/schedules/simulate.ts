// Simulates days of one host in minutes: its clock jumps from due time to due time. In between there are kills, clock
// jumps, repeated, late and missing sweeps, and a failing directory.

import { setTimeout as sleep } from "node:timers/promises";
import type { ScheduleRunResult, ScheduleRunResultList, Schedule } from "../../src/protocol/schedules/schedule.ts";
import { randomBetween, createRandom } from "../../test/support/random.ts";
import { startDirectory } from "../directory.ts";
import { within } from "../within.ts";
import { newHost } from "../workerd.ts";
import { iso, judgeSchedule, type Breach, type Judged, type Subject } from "./oracle.ts";
import { changeOfClocks, WISHES, type Wish } from "./people.ts";
import { disturb, kill, newSite, now, revive, setClock, sweep, type Counts, type Site } from "./site.ts";
import { reckoningOf } from "./reckoning.ts";
import { startTrouble } from "./trouble.ts";

export type Order = {
  readonly script: string;
  readonly seed: number;
  readonly days: number;
  /** The index of the first clock change. */
  readonly change: number;
  /** Ends soon after the first violation. */
  readonly isImpatient?: boolean;
};

export type Outcome = {
  readonly breaches: readonly Breach[];
  readonly counts: Counts;
  readonly totals: Omit<Judged, "breaches">;
  readonly schedules: number;
  readonly days: number;
  readonly seconds: number;
  /** The number of failed requests to the directory. */
  readonly failed: number;
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The number of simulated days around each clock change. */
const SPAN_DAYS = 1;
/** After this time, the claims of a killed sweep have expired, and a directory that failed is up to date. */
const HEAL_MS = 40_000;
const SETTLE_MS = 20_000;
const LOOK_STEPS = 25;
/** The maximum number of deaths in a row while runs are due. */
const MOST_DEATHS = 4;
/** The maximum time after which the runtime updates the directory, in real ms. */
const TELL_MS = 500;

/** Simulates `days` days of one host and checks its schedules. */
export async function simulate({ script, seed, days, change, isImpatient = false }: Order): Promise<Outcome> {
  const startedAt = performance.now();
  const random = createRandom(seed);
  const directory = await startDirectory();
  const trouble = await startTrouble(directory.address, createRandom(seed + 1));
  const host = await newHost({ script, directory: trouble.address, vars: { ALLOW_PRIVATE_AGENTS: "1" } });
  const spans = spansOf(days, change);
  const site = newSite(host, trouble, random, spans[0]?.from ?? Date.now());
  try {
    await revive(site);
    site.subjects = await Promise.all(WISHES.map((wish) => arrange(site, wish)));
    // The directory is updated a moment later. Until then the clock must not jump past the first due times.
    await sleep(TELL_MS);
    const judgeAll = async () => {
      await heal(site);
      // Check sequentially: the computation of due times blocks the event loop, and with it all pending responses.
      const all: Judged[] = [];
      for (const subject of site.subjects) all.push(await judgeOne(site, subject));
      return all;
    };
    let judged: readonly Judged[] | null = null;
    for (const { from, to } of spans) {
      if (site.latest < from) await setClock(site, from);
      for (let steps = 1; now(site) < to && judged === null; steps++) {
        await step(site, to);
        if (!isImpatient || steps % LOOK_STEPS !== 0) continue;
        const early = await judgeAll();
        if (early.some(({ breaches }) => breaches.length > 0)) judged = early;
      }
    }
    judged ??= await judgeAll();
    return {
      breaches: judged.flatMap(({ breaches }) => breaches),
      totals: totalOf(judged),
      counts: site.counts,
      schedules: site.subjects.length,
      days,
      seconds: (performance.now() - startedAt) / 1_000,
      failed: trouble.failed,
    };
  } catch (thrown) {
    const where = `The days of ${seed} came to an end at ${iso(now(site))}`;
    throw new Error(`${where}. The host had printed:\n${host.printed()}`, { cause: thrown });
  } finally {
    await host.stop();
    trouble.close();
    directory.close();
  }
}

function spansOf(days: number, first: number): { from: number; to: number }[] {
  return Array.from({ length: Math.ceil(days / SPAN_DAYS) }, (_, i) => {
    const from = changeOfClocks(first + i) - SPAN_DAYS * 12 * HOUR;
    return { from, to: from + Math.min(days - i * SPAN_DAYS, SPAN_DAYS) * DAY };
  });
}

async function arrange(site: Site, { config, catchUp }: Wish): Promise<Subject> {
  const timezone = config.timezone ?? "Europe/Berlin";
  const heard = await site.person.sendAndWait("every 5 minutes tell me what 6 * 7 is, yes go ahead", { timezone });
  const { conversationId } = heard;
  const begun = heard.frames.find(
    ({ event, data }) => event === "component_generator" && data.payload.component_type === "scheduled_task_controller",
  );
  const id = begun !== undefined && "task_id" in begun.data ? begun.data.task_id : undefined;
  if (id === undefined) throw new Error(`There is no schedule in ${JSON.stringify(heard.frames.slice(-4))}`);
  const set = await insist(async () => {
    const patch = { schedule_config: config, catch_up: catchUp };
    const response = await site.person.request("PATCH", `/api/v1/schedules/${id}`, patch);
    if (!response.ok) throw new Error(`${id}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Schedule;
  });
  const { interval_minutes: minutes } = config;
  const next = reckoningOf(config, set.updated_at + (minutes ?? 0) * MINUTE);
  return { id, conversationId, config, catchUp, first: next(set.updated_at), next };
}

/** Sets the clock to the next due time and sweeps there, or causes a disturbance instead. */
async function step(site: Site, to: number): Promise<void> {
  const { random, counts } = site;
  if (!site.hasHealed) return heal(site);
  const minute = sweepAfter(site, site.settled);
  await setClock(site, Math.min(Math.max(minute, now(site) + 1_000), Math.max(to, now(site)) + 1_000));
  const chance = random();
  if (chance < 0.5) await sweep(site);
  else if (chance < 0.57) {
    counts.doubled += 1;
    await Promise.all(Array.from({ length: randomBetween(random, 2, 3) }, () => sweep(site)));
  } else if (chance < 0.7) return killSweep(site);
  else if (chance < 0.83) return killRuns(site);
  else if (chance < 0.87) {
    counts.late += 1;
    await setClock(site, now(site) + randomBetween(random, 45_000, 118_000));
    await sweep(site);
  } else if (chance < 0.91) {
    counts.outages += 1;
    const end = now(site) + randomBetween(random, 5, random() < 0.15 ? 600 : 90) * MINUTE;
    // A due time that is punctual at the end of the outage must not be lost among the missed ones.
    await setClock(site, random() < 0.5 ? end : sweepAfter(site, end));
    await sweep(site);
  } else if (chance < 0.94) {
    counts.jumpsBack += 1;
    disturb(site);
    await setClock(site, now(site) - randomBetween(random, 1, 12) * MINUTE);
    await sweep(site);
  } else if (chance < 0.97) return haveTrouble(site);
  else {
    counts.hasty += 1;
    const isClaimed = site.trouble.answered(2);
    const sweeping = sweep(site, false);
    await Promise.race([isClaimed, sweeping]);
    await sleep(randomBetween(random, 0, 12));
    await setClock(site, now(site) + randomBetween(random, 5, 16) * MINUTE);
    await Promise.all([sweeping, sweep(site, false)]);
  }
  await settle(site);
}

/** Returns the time of the sweep that finds the first due time after `moment`. */
function sweepAfter({ random, subjects }: Site, moment: number): number {
  const due = Math.min(...subjects.map(({ next }) => next(moment)));
  return Math.ceil(due / MINUTE) * MINUTE + randomBetween(random, 100, 20_000);
}

async function killSweep(site: Site): Promise<void> {
  // A sweep finds due schedules, claims them, sends ticks and stores the outcomes. Kill the host in between.
  const found = site.trouble.answered(randomBetween(site.random, 1, 3));
  const sweeping = sweep(site);
  if (site.random() < 0.7) await Promise.race([found, sweeping]);
  await sleep(site.random() < 0.7 ? randomBetween(site.random, 0, 4) : randomBetween(site.random, 0, 45));
  await kill(site);
  await sweeping;
  if (site.random() < 0.3) await killRuns(site);
}

async function killRuns(site: Site): Promise<void> {
  for (let deaths = randomBetween(site.random, 1, MOST_DEATHS); deaths > 0; deaths--) {
    await sweep(site);
    await sleep(randomBetween(site.random, 0, 60));
    await kill(site);
  }
}

/** Lets all or some requests to the directory fail for some minutes. */
async function haveTrouble(site: Site): Promise<void> {
  const { random, trouble } = site;
  site.counts.troubles += 1;
  trouble.share = random() < 0.4 ? 1 : 0.1 + random() * 0.5;
  for (let minutes = randomBetween(random, 1, 9); minutes > 0; minutes--) {
    await sweep(site);
    if (random() < 0.15) await kill(site);
    await setClock(site, now(site) + MINUTE);
  }
  trouble.share = 0;
  site.wasTroubled = true;
  disturb(site);
}

/** Sets the clock past the effects of disturbances and sweeps until all due runs have ended. */
async function heal(site: Site): Promise<void> {
  if (now(site) < site.disturbed + HEAL_MS) await setClock(site, site.disturbed + HEAL_MS);
  // An alarm sends the updates that the directory missed.
  if (site.wasTroubled) await sleep(TELL_MS);
  site.wasTroubled = false;
  await settle(site);
  await sweep(site);
  await settle(site);
  await setClock(site, now(site) + MINUTE);
  site.hasHealed = true;
  await sweep(site);
  // Late runs have earlier due times, so wait for all schedules.
  await settle(site, site.subjects);
}

/** Waits until the runs of the due schedules have ended, and records their results. */
async function settle(site: Site, concerned = dueIn(site)): Promise<void> {
  const { latest, settled } = site;
  await Promise.all(concerned.map((subject) => within(SETTLE_MS, ended(site, subject), `The end of ${subject.id}`)));
  site.settled = Math.max(settled, latest);
}

function dueIn({ latest, settled, subjects }: Site): readonly Subject[] {
  return subjects.filter(({ next }) => next(settled) <= latest);
}

async function ended(site: Site, { id }: Subject): Promise<void> {
  const known = site.rows.get(id) ?? new Map<number, ScheduleRunResult>();
  site.rows.set(id, known);
  for (;;) {
    const page = await insist(() => site.person.get<ScheduleRunResultList>(`/api/v1/schedules/${id}/results?limit=10`));
    for (const row of page.results) known.set(row.due_at, row);
    if (page.results.every(({ status }) => status !== "running")) return;
    await sleep(8);
  }
}

/** Repeats a request while the host restarts. Rejects after 100 repetitions. */
async function insist<T>(ask: () => Promise<T>): Promise<T> {
  for (let left = 100; ; left--) {
    try {
      return await ask();
    } catch (thrown) {
      if (left === 0) throw thrown;
      await sleep(30);
    }
  }
}

async function judgeOne(site: Site, subject: Subject): Promise<Judged> {
  const rows: ScheduleRunResult[] = [];
  for (let before: string | null = ""; before !== null;) {
    const path: string = `/api/v1/schedules/${subject.id}/results?limit=100${before}`;
    const page = await insist(() => site.person.get<ScheduleRunResultList>(path));
    rows.push(...page.results);
    before = page.next === undefined ? null : `&before=${page.next}`;
  }
  const log = await insist(() => site.person.history(subject.conversationId));
  const { sweeps } = site;
  const judged = judgeSchedule({ subject, rows, log, sweeps, until: site.latest - 3 * MINUTE });
  const seen = site.rows.get(subject.id)?.values() ?? [];
  const changed = [...seen].filter((row) => row.status !== "running" && !rows.some((kept) => isSame(kept, row)));
  const words = (row: ScheduleRunResult) => `${subject.id}: the run of ${iso(row.due_at)} changed after it had ended`;
  return { ...judged, breaches: [...judged.breaches, ...changed.map((row) => ({ rule: "S1", words: words(row) }))] };
}

function isSame(one: ScheduleRunResult, other: ScheduleRunResult): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function totalOf(judged: readonly Judged[]): Outcome["totals"] {
  const total = { due: 0, runs: 0, late: 0, skipped: 0, overlapped: 0, passed: 0 };
  for (const one of judged) for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += one[key];
  return total;
}
