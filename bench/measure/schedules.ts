import { setTimeout as sleep } from "node:timers/promises";
import type { Figure } from "../figure.ts";
import type { Lab } from "../lab.ts";
import type { Server } from "../processes.ts";
import { worded } from "../wish.ts";

/** A conversation with schedules that are due. */
export type Seed = {
  readonly conversation: string;
  readonly userId: string;
  readonly schedules: number;
  /** What each run asks its agent. */
  readonly query: string;
};
/** How many schedules still wait to be handed over, and how many had a run that came to its end, this way or that. */
export type Standing = { readonly due: number; readonly completed: number; readonly failed: number };

const MINUTE_MS = 60_000;
const POLL_MS = 1_000;
const MOST_MINUTES = 15;
const SEEDERS = 16;
/** In one conversation. With one each, the objects would hold more files open than most machines allow a process. */
const EACH = 10;
const USERS = 100;

/** Many schedules due at once, and the cron trigger fired every minute until all have run. */
export async function schedules(lab: Lab): Promise<Figure[]> {
  const conversations = lab.isQuick ? 5 : 1_000;
  const server = await lab.start("orrery", "seeded");
  try {
    const left = Array.from({ length: conversations }, (_, i) => i);
    await Promise.all(Array.from({ length: SEEDERS }, () => seed(server.url, left)));
    const count = conversations * EACH;
    return figuresOf(count, await carried(server, count));
  } finally {
    await server.stop();
  }
}

async function seed(url: string, left: number[]): Promise<void> {
  const query = worded({ kind: "answer", tokens: 20, paceMs: 0 });
  for (let i = left.pop(); i !== undefined; i = left.pop()) {
    const body: Seed = { conversation: `conv-${i}`, userId: `user-${i % USERS}`, schedules: EACH, query };
    const response = await fetch(`${url}/seed`, { method: "POST", body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`No schedules: ${response.status} ${await response.text()}`);
  }
}

/** How things stand `ms` after the first cron. */
type Sample = Standing & { readonly ms: number };

async function carried({ url, cron }: Server, count: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  const failures: unknown[] = [];
  const startedAt = performance.now();
  const passed = () => performance.now() - startedAt;
  let fired = 0;
  for (;;) {
    if (passed() >= fired * MINUTE_MS) {
      fired += 1;
      if (fired > MOST_MINUTES) throw new Error(`Not all runs have ended: ${JSON.stringify(samples.at(-1))}`);
      fire(cron).catch((thrown: unknown) => failures.push(thrown));
    }
    const standing = (await (await fetch(`${url}/standing`)).json()) as Standing;
    samples.push({ ...standing, ms: passed() });
    if (failures.length > 0) throw failures[0];
    if (standing.completed + standing.failed === count) return samples;
    await sleep(POLL_MS);
  }
}

async function fire(cron: string): Promise<void> {
  const response = await fetch(cron);
  if (!response.ok) throw new Error(`The sweep failed: ${response.status} ${await response.text()}`);
  await response.text();
}

function figuresOf(count: number, samples: readonly Sample[]): Figure[] {
  const job = `${count.toLocaleString("en")} schedules due at once`;
  const minute = samples.findLast(({ ms }) => ms <= MINUTE_MS);
  const allFired = samples.find(({ due }) => due === 0);
  const last = samples.at(-1);
  return [
    { name: `${job}: fired in the first minute`, unit: "runs", orrery: count - (minute?.due ?? NaN) },
    { name: `${job}: completed in the first minute`, unit: "runs", orrery: minute?.completed ?? NaN },
    { name: `${job}: until all were fired`, unit: "s", orrery: (allFired?.ms ?? NaN) / 1000 },
    { name: `${job}: until all had ended`, unit: "s", orrery: (last?.ms ?? NaN) / 1000 },
    { name: `${job}: failed`, unit: "runs", orrery: last?.failed ?? NaN },
  ];
}
