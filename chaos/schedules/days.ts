// The runs there are: days of the runtime as it is, and of one with a fault that has to be found.

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

/** Hosts side by side. */
const LANES = 2;
const WORKER = "chaos/schedules/worker.ts";
/** A planted fault that has not shown by then is one that a run would miss. */
const BUG_TRIALS = 3;
/** Berlin's clocks go forward on it. */
const BUG_CHANGE = 1;

/** Simulates so many days in all. Builds the runtime in `folder`. */
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

/** The first breach that a fault leads to, if any, and after how many days' trials. */
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

/** What is missing for the days to mean something. */
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
