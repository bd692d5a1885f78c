// Starts simulations of days: of the unchanged runtime, and of a runtime with a planted fault.

import { join } from "node:path";
import type { Bug } from "../bugs.ts";
import { bundle } from "../bundle.ts";
import type { Breach } from "./oracle.ts";
import { CHANGES } from "./people.ts";
import { simulate, type Outcome } from "./simulate.ts";
import type { Counts } from "./site.ts";

export type Days = {
  readonly days: number;
  readonly seed: number;
};

/** The number of concurrent hosts. */
const LANES = 2;
const WORKER = "chaos/schedules/worker.ts";
/** The number of simulated days within which a planted fault must be found. */
const BUG_TRIALS = 3;
/** The index of the clock change on which the clocks of Berlin go forward. */
const BUG_CHANGE = 1;

/** Bundles the runtime into `folder` and simulates `days` days in total, divided among the hosts. */
export async function liveThrough(folder: string, { days, seed }: Days): Promise<readonly Outcome[]> {
  const script = join(folder, "days.js");
  await bundle(WORKER, script);
  const lanes = Math.min(LANES, Math.ceil(days));
  const each = (lane: number): Promise<Outcome> => {
    const change = Math.floor(((seed % CHANGES) + (lane * CHANGES) / lanes) % CHANGES);
    return simulate({ script, seed: seed * LANES + lane, days: days / lanes, change });
  };
  return Promise.all(Array.from({ length: lanes }, (_, lane) => each(lane)));
}

/** Returns the first violation that a planted fault causes (undefined if none), and the number of simulated days. */
export async function findInDays(
  folder: string,
  { name, patches }: Bug,
  seed: number,
): Promise<{ breach: Breach | undefined; trials: number }> {
  const script = join(folder, `${name.replaceAll(" ", "-")}.js`);
  await bundle(WORKER, script, patches);
  for (let trial = 1; ; trial++) {
    const order = { script, seed: seed + trial, days: 1, change: BUG_CHANGE, isImpatient: true };
    const [breach] = (await simulate(order)).breaches;
    if (breach !== undefined || trial === BUG_TRIALS) return { breach, trials: trial };
  }
}

export function daysReport(outcomes: readonly Outcome[]): string {
  const sum = (of: (outcome: Outcome) => number): number => outcomes.reduce((total, outcome) => total + of(outcome), 0);
  const count = (name: keyof Counts): number => sum(({ counts }) => counts[name]);
  const total = (name: keyof Outcome["totals"]): number => sum(({ totals }) => totals[name]);
  const rows: [string, string][] = [
    [
      "days simulated",
      `${sum(({ days }) => days)} in ${Math.max(0, ...outcomes.map(({ seconds }) => seconds)).toFixed(0)} s`,
    ],
    ["schedules", String(sum(({ schedules }) => schedules))],
    ["ticks due", String(total("due"))],
    ["runs", `${total("runs")}, ${total("late")} of them late`],
    ["skipped", `${total("skipped")} missed, ${total("overlapped")} during a run`],
    ["passed over in outages", String(total("passed"))],
    ["sweeps", String(count("sweeps"))],
    ["sweeps doubled", String(count("doubled"))],
    ["sweeps late", String(count("late"))],
    ["sweeps left out for a while", String(count("outages"))],
    ["clocks set back", String(count("jumpsBack"))],
    ["directory failing", `${count("troubles")} times, ${sum(({ failed }) => failed)} requests`],
    ["kills", String(count("kills"))],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join("\n");
}

/** Lists the activity that a meaningful simulation requires and these lack. */
export function missingIn(outcomes: readonly Outcome[]): string[] {
  const least = (name: string, value: number): string[] => (value === 0 ? [`no ${name}`] : []);
  const count = (name: keyof Counts): number => outcomes.reduce((sum, { counts }) => sum + counts[name], 0);
  const runs = outcomes.reduce((sum, { totals }) => sum + totals.runs, 0);
  return [
    ...least("run", runs),
    ...least("kill", count("kills")),
    ...least("doubled sweep", count("doubled")),
    ...least("outage", count("outages")),
    ...least("clock set back", count("jumpsBack")),
    ...least("failing directory", count("troubles")),
  ];
}
