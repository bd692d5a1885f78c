import { performance } from "node:perf_hooks";
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
export const MEASUREMENTS = { turns, tokens, waits, load, growth, rows, replay, memory, size } satisfies Record<
  string,
  (lab: Lab) => Promise<Figure[]>
>;
export type MeasurementName = keyof typeof MEASUREMENTS;

export type BenchOptions = {
  readonly isQuick: boolean;
  readonly only: readonly MeasurementName[];
  /** Hears what is being done. */
  readonly say: (line: string) => void;
};

/** Measures both Workers side by side. Everything it starts has ended when it settles. */
export async function bench({ isQuick, only, say }: BenchOptions): Promise<Figure[]> {
  const startedAt = performance.now();
  const lab = await openLab({ isQuick, minify: true });
  const figures: Figure[] = [];
  try {
    for (const name of only) {
      say(`${((performance.now() - startedAt) / 1000).toFixed(0)} s: ${name}`);
      figures.push(...(await MEASUREMENTS[name](lab)));
    }
    return figures;
  } finally {
    await lab.close();
  }
}
