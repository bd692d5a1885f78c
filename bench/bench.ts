import type { Figure } from "./figure.ts";
import { openLab, type Lab } from "./lab.ts";
import { growth } from "./measure/growth.ts";
import { load } from "./measure/load.ts";
import { memory } from "./measure/memory.ts";
import { replay } from "./measure/replay.ts";
import { rows } from "./measure/rows.ts";
import { size } from "./measure/size.ts";
import { tokens } from "./measure/tokens.ts";
import { turns } from "./measure/turns.ts";
import { waits } from "./measure/waits.ts";

/** What can be measured, in the order in which it is. */
const MEASUREMENTS = { turns, tokens, waits, load, growth, rows, replay, memory, size } satisfies Record<
  string,
  (lab: Lab) => Promise<Figure[]>
>;
export type MeasurementName = keyof typeof MEASUREMENTS;
export const MEASUREMENT_NAMES = Object.keys(MEASUREMENTS) as MeasurementName[];

export type BenchOptions = {
  readonly isQuick: boolean;
  readonly only: readonly MeasurementName[];
  /** Hears what is being done. */
  readonly say: (line: string) => void;
};
export type Outcome = { readonly figures: readonly Figure[]; readonly isPinned: boolean };

/** Measures both Workers side by side. Everything it starts has ended when it settles. */
export async function bench({ isQuick, only, say }: BenchOptions): Promise<Outcome> {
  const startedAt = performance.now();
  const lab = await openLab({ isQuick });
  const figures: Figure[] = [];
  try {
    for (const name of only) {
      say(`${((performance.now() - startedAt) / 1000).toFixed(0)} s: ${name}`);
      figures.push(...(await MEASUREMENTS[name](lab)));
    }
    return { figures, isPinned: lab.isPinned };
  } finally {
    await lab.close();
  }
}
