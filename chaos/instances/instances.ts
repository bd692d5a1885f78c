// Starts runs with workflow instances: of the unchanged runtime, and of a runtime with a planted fault.

import { join } from "node:path";
import type { Bug } from "../bugs.ts";
import { bundle } from "../bundle.ts";
import { tormentInstances, type Order, type Outcome } from "./torment.ts";

const WORKER = "src/worker.ts";
/** The number of kills within which a planted fault must be found. */
const BUG_KILLS = 60;

/** Bundles the runtime into `folder` and kills it under workflow instances. */
export async function surviveInstances(folder: string, order: Omit<Order, "script">): Promise<Outcome> {
  const script = join(folder, "instances.js");
  await bundle(WORKER, script);
  return tormentInstances({ script, ...order });
}

/** Like `surviveInstances`, with a planted fault. The run ends at the first violation. */
export async function findBugOfInstances(folder: string, { patches }: Bug, seed: number): Promise<Outcome> {
  const script = join(folder, "instances-planted.js");
  await bundle(WORKER, script, patches);
  return tormentInstances({ script, seed, kills: BUG_KILLS, isImpatient: true });
}

export function instancesReport({ kills, seconds, counts }: Outcome): string {
  const { finished, cancelled, onboardings, killedOften } = counts;
  const rows: [string, string][] = [
    ["kills", `${kills} in ${seconds.toFixed(0)} s`],
    ["instances", `${finished} finished, ${cancelled} cancelled`],
    ["of the example", String(onboardings)],
    ["killed more than once", String(killedOften)],
    ["listeners", String(counts.listeners)],
    ["calls of tools", `${counts.calls}, ${counts.repeated} of them repeated, ${counts.failed} failed`],
    ["resumptions", String(counts.resumed)],
    ["leaves given", String(counts.approved)],
    ["holds that survived a kill", String(counts.survivedHolds)],
    ["ended only without kills", String(counts.late)],
    ["frames checked", String(counts.frames)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join("\n");
}

/** Lists the activity that a meaningful run requires and this one lacks. */
export function missingInInstances({ counts }: Outcome): string[] {
  const { finished, cancelled } = counts;
  const least = (value: number, words: string): string[] => (value === 0 ? [words] : []);
  return [
    ...least(finished, "no instance was finished"),
    ...least(cancelled, "no instance was cancelled"),
    ...least(counts.onboardings, "the example was not run"),
    ...least(counts.killedOften, "no instance was killed more than once"),
    ...least(counts.repeated, "no call was repeated"),
    ...least(counts.resumed, "nothing was resumed"),
    ...least(counts.approved, "nobody was asked for leave"),
    ...least(counts.survivedHolds, "no hold survived a kill"),
  ];
}
