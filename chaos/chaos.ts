// Starts runs with random kills: of the unchanged runtime, and of a runtime with a planted fault.

import { join } from "node:path";
import type { Bug } from "./bugs.ts";
import { bundle, type Patch } from "./bundle.ts";
import { torment, type Outcome } from "./torment.ts";

export type Order = {
  readonly kills: number;
  readonly seed: number;
  readonly walks?: number;
  readonly visits?: number;
  readonly guests?: number;
  readonly stalls?: number;
  readonly longs?: number;
  readonly onKills?: (kills: number) => void;
};

/** The number of kills within which a planted fault must be found. */
export const BUG_KILLS = 200;
/** The number of concurrent hosts, and of concurrent conversations per host. */
const CROWD = { lanes: 2, talks: 3 };
const WORKER = "src/worker.ts";

/** Bundles the runtime into `folder` and runs it under kills. */
export function survive(folder: string, order: Order): Promise<Outcome> {
  return run(folder, order, []);
}

/** Like `survive`, with a planted fault. The run ends at the first violation. */
export function findBug(folder: string, { name: _, patches, ...order }: Bug, seed: number): Promise<Outcome> {
  return run(folder, { kills: BUG_KILLS, seed, ...order }, patches);
}

async function run(folder: string, order: Order, patches: readonly Patch[]): Promise<Outcome> {
  const script = join(folder, "worker.js");
  await bundle(WORKER, script, patches);
  return torment({ script, ...order, ...CROWD });
}
