// Random hostile programs on the real server, the same ones in each run. HOSTILE_SEED=7 runs others.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ESCAPES } from "../../sandbox/escape-programs.ts";
import { createHostileProgram } from "../../sandbox/hostile/hostile-program.ts";
import type { HostileRunResult } from "../../sandbox/hostile/worker.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import { isLongRun, pickByLength } from "../../support/run-length.ts";

const PROGRAMS = pickByLength(10, 3_000);
const SEED = Number(process.env["HOSTILE_SEED"] ?? 1);
const MAX_MS = 2_000;
const MAX_MB = 256;
/** On a busy machine, a slow program gets another attempt. */
const TRIES = 3;

let runtime: Runtime;
let engines: readonly number[];
beforeAll(async () => {
  const config = { config: "test/sandbox/hostile/wrangler.toml", entry: "test/sandbox/hostile/worker.ts" };
  runtime = await startRuntime({ siblings: { hostile: config } });
  engines = findEngines();
});
afterAll(() => runtime.stop());

/** Returns the pids of the workerd processes that this process started; empty without /proc. */
function findEngines(): number[] {
  if (!existsSync("/proc/self/stat")) return [];
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each))) {
    const stat = tryCall(() => readFileSync(`/proc/${name}/stat`, "utf8")) ?? "";
    parents.set(Number(name), Number(/\) . (\d+)/.exec(stat)?.[1]));
  }
  const pids = [process.pid];
  for (const pid of pids) for (const [child, parent] of parents) if (parent === pid) pids.push(child);
  return pids.filter((pid) => readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("workerd"));
}

/** Returns the resident memory of the engines in megabytes: now (VmRSS), or the peak since `resetPeakMemory` (VmHWM). */
function readMemoryMb(which: "VmRSS" | "VmHWM"): number {
  const sizes = engines.map((pid) => {
    const status = tryCall(() => readFileSync(`/proc/${pid}/status`, "utf8")) ?? "";
    return Number(new RegExp(`${which}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1_024;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Resets the peak. Without permission, the peak covers all programs so far. */
function resetPeakMemory(): void {
  for (const pid of engines) tryCall(() => writeFileSync(`/proc/${pid}/clear_refs`, "5"));
}

function tryCall<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Runs a program. Resolves with a description of the violation, or with null. */
async function findViolation(code: string): Promise<string | null> {
  resetPeakMemory();
  const before = readMemoryMb("VmRSS");
  const response = await fetch(runtime.getUrl("hostile"), {
    method: "POST",
    body: code,
    signal: AbortSignal.timeout(20_000),
  });
  const responseText = await response.text();
  if (!response.ok) return `the engine failed: ${responseText.slice(0, 300)}`;
  const { outcome, ms, refused } = JSON.parse(responseText) as HostileRunResult;
  const peak = readMemoryMb("VmHWM");
  if (outcome === null) return null;
  const outcomeText = JSON.stringify(outcome);
  if (/leaked|\$g_|(?:isolate|tool|main)\.js|canary_|\/work\/|\/tmp\//.test(outcomeText)) return outcomeText;
  if (outcome.kind === "failed" && !["threw", "exhausted", "too_large"].includes(outcome.reason)) return outcomeText;
  // The time limit does not apply to a program that the safety check rejects. The sandbox still contains it.
  if (refused !== null) return null;
  if (ms > MAX_MS) return `${ms} ms`;
  if (peak - before > MAX_MB) return `${Math.round(peak - before)} MB`;
  return null;
}

test(
  `[F97] ${PROGRAMS} hostile programs leak nothing, stay within their limits and do not harm the server`,
  async () => {
    const violations: { seed: number; breach: string }[] = [];
    for (let i = 0; i < PROGRAMS; i++) {
      const { seed, code } = createHostileProgram(1_000_000 * SEED + i);
      let last: string | null = "";
      for (let attempt = 0; attempt < TRIES && last !== null; attempt++) last = await findViolation(code);
      if (last !== null) violations.push({ seed, breach: last.slice(0, 500) });
      if (i % 20 === 19) {
        const health = await fetch(`${runtime.url}/health`, { signal: AbortSignal.timeout(2_000) });
        expect(health.status, `after ${seed}`).toBe(200);
      }
    }
    expect(violations).toEqual([]);
  },
  30_000 + 3_000 * PROGRAMS,
);

test.runIf(isLongRun).each(ESCAPES)("[F97] $name stays within the limits of the real engine", async ({ code }) => {
  let last: string | null = "";
  for (let attempt = 0; attempt < TRIES && last !== null; attempt++) last = await findViolation(code);
  expect(last).toBeNull();
});
