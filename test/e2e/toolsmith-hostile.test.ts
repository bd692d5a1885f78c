// Hostile programs at random on the real server, the same ones each time: HOSTILE_PROGRAMS=3000 asks for more of them,
// HOSTILE_SEED=7 for others.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ESCAPES } from "../sandbox/escapes.ts";
import { hostile } from "../sandbox/hostile/generate.ts";
import type { Ran } from "../sandbox/hostile/worker.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

const GIVEN = process.env["HOSTILE_PROGRAMS"];
const PROGRAMS = Number(GIVEN ?? 20);
const SEED = Number(process.env["HOSTILE_SEED"] ?? 1);
const MOST_MS = 2_000;
const MOST_MB = 256;
/** Where a machine has other things to do, a program that is merely slow is given another chance. */
const TRIES = 3;

let runtime: Runtime;
let engines: readonly number[];
beforeAll(async () => {
  const config = { config: "test/sandbox/hostile/wrangler.toml", entry: "test/sandbox/hostile/worker.ts" };
  runtime = await startRuntime({ beside: { hostile: config } });
  engines = descendants();
});
afterAll(() => runtime.stop());

/** The engines that this process started, where the system tells. */
function descendants(): number[] {
  if (!existsSync("/proc/self/stat")) return [];
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each))) {
    const stat = attempt(() => readFileSync(`/proc/${name}/stat`, "utf8")) ?? "";
    parents.set(Number(name), Number(/\) . (\d+)/.exec(stat)?.[1]));
  }
  const mine = [process.pid];
  for (const pid of mine) for (const [child, parent] of parents) if (parent === pid) mine.push(child);
  return mine.filter((pid) => readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("workerd"));
}

/** Megabytes of resident memory of the engines: now, or at most since `forget`. */
function memory(which: "VmRSS" | "VmHWM"): number {
  const sizes = engines.map((pid) => {
    const status = attempt(() => readFileSync(`/proc/${pid}/status`, "utf8")) ?? "";
    return Number(new RegExp(`${which}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1_024;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Lets the highest size begin anew; where that is not allowed it is that of all programs so far. */
function forget(): void {
  for (const pid of engines) attempt(() => writeFileSync(`/proc/${pid}/clear_refs`, "5"));
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** What is wrong with how a program ended, or null. */
async function breach(code: string): Promise<string | null> {
  forget();
  const before = memory("VmRSS");
  const response = await fetch(runtime.urlOf("hostile"), {
    method: "POST",
    body: code,
    signal: AbortSignal.timeout(20_000),
  });
  const said = await response.text();
  if (!response.ok) return `the engine failed: ${said.slice(0, 300)}`;
  const { outcome, ms, refused } = JSON.parse(said) as Ran;
  const peak = memory("VmHWM");
  if (outcome === null) return null;
  const told = JSON.stringify(outcome);
  if (/leaked|\$g_|(?:isolate|tool|main)\.js|canary_|\/work\/|\/tmp\//.test(told)) return told;
  if (outcome.kind === "failed" && !["threw", "exhausted", "too_large"].includes(outcome.reason)) return told;
  // What the check refuses is kept from getting out by the other walls, not from taking its time.
  if (refused !== null) return null;
  if (ms > MOST_MS) return `${ms} ms`;
  if (peak - before > MOST_MB) return `${Math.round(peak - before)} MB`;
  return null;
}

test(
  `[F97] ${PROGRAMS} hostile programs get nothing, end in their bounds and leave the server well`,
  async () => {
    const found: { seed: number; breach: string }[] = [];
    for (let i = 0; i < PROGRAMS; i++) {
      const { seed, code } = hostile(1_000_000 * SEED + i);
      let last: string | null = "";
      for (let attempt = 0; attempt < TRIES && last !== null; attempt++) last = await breach(code);
      if (last !== null) found.push({ seed, breach: last.slice(0, 500) });
      if (i % 20 === 19) {
        const health = await fetch(`${runtime.url}/health`, { signal: AbortSignal.timeout(2_000) });
        expect(health.status, `after ${seed}`).toBe(200);
      }
    }
    expect(found).toEqual([]);
  },
  30_000 + 3_000 * PROGRAMS,
);

test.runIf(GIVEN !== undefined).each(ESCAPES)("[F97] $name ends in the bounds of the real engine", async ({ code }) => {
  let last: string | null = "";
  for (let attempt = 0; attempt < TRIES && last !== null; attempt++) last = await breach(code);
  expect(last).toBeNull();
});
