import type { Figure } from "./figure.ts";
import { openLab, type Lab } from "./lab.ts";
import { CORES } from "./processes.ts";
import { coreBusyMs } from "./system.ts";
import { growth } from "./measure/growth.ts";
import { load } from "./measure/load.ts";
import { memory } from "./measure/memory.ts";
import { replay } from "./measure/replay.ts";
import { rows } from "./measure/rows.ts";
import { schedules } from "./measure/schedules.ts";
import { size } from "./measure/size.ts";
import { tokens } from "./measure/tokens.ts";
import { tools } from "./measure/tools.ts";
import { turns } from "./measure/turns.ts";
import { waits } from "./measure/waits.ts";

/** What can be measured, in the order in which it is. */
const MEASUREMENTS = {
  turns,
  tokens,
  waits,
  load,
  growth,
  rows,
  replay,
  memory,
  schedules,
  tools,
  size,
} satisfies Record<string, (lab: Lab) => Promise<Figure[]>>;
export type MeasurementName = keyof typeof MEASUREMENTS;
export const MEASUREMENT_NAMES = Object.keys(MEASUREMENTS) as MeasurementName[];

export type BenchOptions = {
  readonly isQuick: boolean;
  readonly only: readonly MeasurementName[];
  /** Hears what is being done. */
  readonly say: (line: string) => void;
};
export type Outcome = {
  readonly figures: readonly Figure[];
  readonly isPinned: boolean;
  /** The largest share of the servers' core that other programs took during one measurement; NaN where unknown. */
  readonly disturbance: number;
};

/** Measures both Workers side by side. Everything it starts has ended when it settles. */
export async function bench({ isQuick, only, say }: BenchOptions): Promise<Outcome> {
  const lab = await openLab({ isQuick });
  const figures: Figure[] = [];
  let disturbance = lab.isPinned ? 0 : NaN;
  try {
    for (const name of only) {
      const clock = clockOf(lab);
      figures.push(...(await MEASUREMENTS[name](lab)));
      const { seconds, others } = clock();
      disturbance = Math.max(disturbance, others);
      const taken = lab.isPinned ? `, other programs took ${percent(others)} of the core` : "";
      say(`${name}: ${seconds.toFixed(1)} s${taken}`);
    }
    return { figures, isPinned: lab.isPinned, disturbance };
  } finally {
    await lab.close();
  }
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}

/** Tells, when asked, how long it has been and which share of the servers' core others took meanwhile. */
function clockOf(lab: Lab): () => { readonly seconds: number; readonly others: number } {
  const read = () => ({ at: performance.now(), busy: coreBusyMs(CORES.server), ours: lab.cpuMs() });
  const before = read();
  return () => {
    const after = read();
    const elapsed = after.at - before.at;
    return {
      seconds: elapsed / 1000,
      others: Math.max(0, after.busy - before.busy - (after.ours - before.ours)) / elapsed,
    };
  };
}
