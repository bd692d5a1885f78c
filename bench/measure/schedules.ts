import { setTimeout as sleep } from "node:timers/promises";
import type { Figure } from "../figure.ts";
import type { BenchEnvironment } from "../environment.ts";
import type { Server } from "../processes.ts";
import { formatWorkload } from "../workload.ts";

/** A conversation with schedules that are due. */
export type ScheduleSeed = {
  readonly conversation: string;
  readonly userId: string;
  readonly schedules: number;
  /** The query of each run. */
  readonly query: string;
};
/** Schedules that are still due, and schedules whose run has completed or failed. */
export type ScheduleCounts = { readonly due: number; readonly completed: number; readonly failed: number };

const MINUTE_MS = 60_000;
const POLL_MS = 1_000;
const MAX_MINUTES = 15;
const CONCURRENT_SEEDS = 16;
/** With one schedule per conversation, the objects would open more files than most machines allow per process. */
const SCHEDULES_PER_CONVERSATION = 10;
const USERS = 100;

/** Makes many schedules due at once, and fires the cron trigger every minute until all have run. */
export async function measureSchedules(environment: BenchEnvironment): Promise<Figure[]> {
  const conversations = environment.isQuick ? 5 : 1_000;
  const server = await environment.start("orrery", "seeded");
  try {
    const remaining = Array.from({ length: conversations }, (_, i) => i);
    await Promise.all(Array.from({ length: CONCURRENT_SEEDS }, () => seedConversations(server.url, remaining)));
    const count = conversations * SCHEDULES_PER_CONVERSATION;
    return buildFigures(count, await waitForRuns(server, count));
  } finally {
    await server.stop();
  }
}

async function seedConversations(url: string, remaining: number[]): Promise<void> {
  const query = formatWorkload({ kind: "answer", tokens: 20, paceMs: 0 });
  for (let i = remaining.pop(); i !== undefined; i = remaining.pop()) {
    const body: ScheduleSeed = {
      conversation: `conv-${i}`,
      userId: `user-${i % USERS}`,
      schedules: SCHEDULES_PER_CONVERSATION,
      query,
    };
    const response = await fetch(`${url}/seed`, { method: "POST", body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`The schedules were not created: ${response.status} ${await response.text()}`);
  }
}

/** The counts `ms` milliseconds after the first cron trigger. */
type CountSample = ScheduleCounts & { readonly ms: number };

async function waitForRuns({ url, cron }: Server, count: number): Promise<CountSample[]> {
  const samples: CountSample[] = [];
  const failures: unknown[] = [];
  const startedAt = performance.now();
  const getElapsedMs = () => performance.now() - startedAt;
  let firedCount = 0;
  for (;;) {
    if (getElapsedMs() >= firedCount * MINUTE_MS) {
      firedCount += 1;
      if (firedCount > MAX_MINUTES) throw new Error(`Not all runs have ended: ${JSON.stringify(samples.at(-1))}`);
      fireCron(cron).catch((thrown: unknown) => failures.push(thrown));
    }
    const counts = (await (await fetch(`${url}/schedule-counts`)).json()) as ScheduleCounts;
    samples.push({ ...counts, ms: getElapsedMs() });
    if (failures.length > 0) throw failures[0];
    if (counts.completed + counts.failed === count) return samples;
    await sleep(POLL_MS);
  }
}

async function fireCron(cron: string): Promise<void> {
  const response = await fetch(cron);
  if (!response.ok) throw new Error(`The sweep failed: ${response.status} ${await response.text()}`);
  await response.text();
}

function buildFigures(count: number, samples: readonly CountSample[]): Figure[] {
  const label = `${count.toLocaleString("en")} schedules due at once`;
  const atFirstMinute = samples.findLast(({ ms }) => ms <= MINUTE_MS);
  const allFired = samples.find(({ due }) => due === 0);
  const last = samples.at(-1);
  return [
    { name: `${label}: fired in the first minute`, unit: "runs", orrery: count - (atFirstMinute?.due ?? NaN) },
    { name: `${label}: completed in the first minute`, unit: "runs", orrery: atFirstMinute?.completed ?? NaN },
    { name: `${label}: all fired after`, unit: "s", orrery: (allFired?.ms ?? NaN) / 1000 },
    { name: `${label}: all have run after`, unit: "s", orrery: (last?.ms ?? NaN) / 1000 },
    { name: `${label}: failed`, unit: "runs", orrery: last?.failed ?? NaN },
  ];
}
