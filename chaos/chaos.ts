// The runs there are: of the runtime as it is, and of one with a fault that has to be found.

import { join } from "node:path";
import type { Bug } from "./bugs.ts";
import { bundle, type Patch } from "./bundle.ts";
import { torment, type Outcome } from "./torment.ts";

export type Order = {
  readonly kills: number;
  readonly seed: number;
  readonly walks?: number;
  readonly visits?: number;
  readonly onKills?: (kills: number) => void;
};

/** A planted fault that has not shown by then is one that a run would miss. */
export const BUG_KILLS = 200;
/** Hosts side by side, and conversations at a time on each. */
const CROWD = { lanes: 2, talks: 3 };
const WORKER = "src/worker.ts";

/** Kills the runtime; builds it in `folder`. */
export function survive(folder: string, order: Order): Promise<Outcome> {
  return run(folder, order, []);
}

/** As `survive`, with a fault; ends with the first violation. */
export function findBug(folder: string, { name: _, patches, ...order }: Bug, seed: number): Promise<Outcome> {
  return run(folder, { kills: BUG_KILLS, seed, ...order }, patches);
}

async function run(folder: string, order: Order, patches: readonly Patch[]): Promise<Outcome> {
  const script = join(folder, "worker.js");
  await bundle(WORKER, script, patches);
  return torment({ script, ...order, ...CROWD });
}
