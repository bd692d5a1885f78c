import { withMaximum, quantile, sum, type BySide, type Figure } from "../figure.ts";
import type { BenchEnvironment } from "../environment.ts";
import { alternate, runTurns, type TurnSeries } from "../run-turns.ts";
import { PLAN_TASKS, type Workload } from "../workload.ts";

const LONGEST_WAIT_MS = 100;

/**
 * Measures the longest wait between two updates while the model streams at a constant pace, and the CPU time of the
 * updates. The median of several rounds excludes single delays of the machine.
 */
export async function measureWaits(environment: BenchEnvironment): Promise<Figure[]> {
  const figures: Figure[] = [];
  const [rounds, conversations, lengthMs] = environment.isQuick ? [1, 1, 200] : [3, 8, 2_000];
  for (const paceMs of [10, 50]) {
    for (const kind of ["direct", "plan"] as const) {
      const workload: Workload = { kind, tokens: lengthMs / paceMs, paceMs };
      const results = await alternate(environment, rounds, (server) =>
        runConcurrently(conversations, () => runTurns(server, workload, 1)),
      );
      figures.push(...buildFigures(workload, conversations, results));
    }
  }
  return figures;
}

function buildFigures(workload: Workload, conversations: number, { orrery, bare }: BySide<TurnSeries[][]>): Figure[] {
  const label = `${workload.kind === "direct" ? "direct answer" : "two-task plan"}, a token every ${workload.paceMs} ms`;
  const wait = {
    name: `${label}: longest wait for an update`,
    unit: "ms",
    orrery: computeLongestWait(orrery),
    bare: computeLongestWait(bare),
  };
  const count = conversations * workload.tokens * (workload.kind === "plan" ? PLAN_TASKS : 1);
  const computeCpu = (rounds: TurnSeries[][]) => (1000 * sum(rounds.map(getMaxCpuMs))) / (rounds.length * count);
  return [
    workload.paceMs === 50 ? withMaximum(LONGEST_WAIT_MS, wait) : wait,
    { name: `${label}: CPU of the whole turn`, unit: "µs/token", orrery: computeCpu(orrery), bare: computeCpu(bare) },
  ];
}

function runConcurrently<T>(count: number, action: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, action));
}

function computeLongestWait(rounds: TurnSeries[][]): number {
  const getLongestWait = (roundSeries: TurnSeries[]) =>
    Math.max(...roundSeries.flatMap(({ timings }) => timings.map(({ longestWaitMs }) => longestWaitMs)));
  return quantile(rounds.map(getLongestWait), 0.5);
}

/** Returns the largest value. The conversations of a round share one server, so it covers all of them. */
function getMaxCpuMs(round: TurnSeries[]): number {
  return Math.max(...round.map(({ cpuMs }) => cpuMs));
}
