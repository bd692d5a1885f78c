import type { Figure } from "./figure.ts";
import { startEnvironment, type BenchEnvironment } from "./environment.ts";
import { CORES } from "./processes.ts";
import { readCoreBusyMs } from "./system.ts";
import { measureGrowth } from "./measure/growth.ts";
import { measureLoad } from "./measure/load.ts";
import { measureMemory } from "./measure/memory.ts";
import { measureReplay } from "./measure/replay.ts";
import { measureRows } from "./measure/rows.ts";
import { measureSchedules } from "./measure/schedules.ts";
import { measureSize } from "./measure/size.ts";
import { measureTokens } from "./measure/tokens.ts";
import { measureTools } from "./measure/tools.ts";
import { measureTurns } from "./measure/turns.ts";
import { measureWaits } from "./measure/waits.ts";

/** All measurements, in the order in which they run. */
const MEASUREMENTS = {
  turns: measureTurns,
  tokens: measureTokens,
  waits: measureWaits,
  load: measureLoad,
  growth: measureGrowth,
  rows: measureRows,
  replay: measureReplay,
  memory: measureMemory,
  schedules: measureSchedules,
  tools: measureTools,
  size: measureSize,
} satisfies Record<string, (environment: BenchEnvironment) => Promise<Figure[]>>;
export type MeasurementName = keyof typeof MEASUREMENTS;
export const MEASUREMENT_NAMES = Object.keys(MEASUREMENTS) as MeasurementName[];

export type BenchOptions = {
  readonly isQuick: boolean;
  readonly measurements: readonly MeasurementName[];
  /** Receives a line after each measurement. */
  readonly log: (line: string) => void;
};
export type BenchResult = {
  readonly figures: readonly Figure[];
  readonly isPinned: boolean;
  /** The largest share of the servers' core that other programs used during a measurement; NaN if unknown. */
  readonly maxOtherLoad: number;
};

/** Measures both Workers. All processes that it starts have ended when the promise settles. */
export async function runBench({ isQuick, measurements, log }: BenchOptions): Promise<BenchResult> {
  const environment = await startEnvironment({ isQuick });
  const figures: Figure[] = [];
  let maxOtherLoad = environment.isPinned ? 0 : NaN;
  try {
    for (const name of measurements) {
      const clock = startClock(environment);
      figures.push(...(await MEASUREMENTS[name](environment)));
      const { seconds, otherLoad } = clock();
      maxOtherLoad = Math.max(maxOtherLoad, otherLoad);
      const otherLoadText = environment.isPinned ? `, other programs used ${formatPercent(otherLoad)} of the core` : "";
      log(`${name}: ${seconds.toFixed(1)} s${otherLoadText}`);
    }
    return { figures, isPinned: environment.isPinned, maxOtherLoad };
  } finally {
    await environment.close();
  }
}

export function formatPercent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}

/** Returns a function that reads the time since this call and the share of the servers' core that other programs used. */
function startClock(environment: BenchEnvironment): () => { readonly seconds: number; readonly otherLoad: number } {
  const readCounters = () => ({
    at: performance.now(),
    busyMs: readCoreBusyMs(CORES.server),
    ownMs: environment.cpuMs(),
  });
  const before = readCounters();
  return () => {
    const after = readCounters();
    const elapsed = after.at - before.at;
    return {
      seconds: elapsed / 1000,
      otherLoad: Math.max(0, after.busyMs - before.busyMs - (after.ownMs - before.ownMs)) / elapsed,
    };
  };
}
