import {
  compareMedians,
  quantile,
  sum,
  withMaximumRatio,
  withMinimumRatio,
  type BySide,
  type Figure,
} from "../figure.ts";
import type { BenchEnvironment } from "../environment.ts";
import { alternate, runTurns, type TurnSeries } from "../run-turns.ts";
import { PLAN_TASKS, type Workload } from "../workload.ts";

const TOKENS = 4_000;

/** Measures the throughput of long answers from a model without delays. */
export async function measureTokens(environment: BenchEnvironment): Promise<Figure[]> {
  const [rounds, turns] = environment.isQuick ? [1, 2] : [5, 8];
  const runWorkload = (workload: Workload) =>
    alternate(environment, rounds, (server) => runTurns(server, workload, turns));
  return [
    ...buildFigures(
      "direct answer of 4,000 tokens",
      TOKENS,
      await runWorkload({ kind: "direct", tokens: TOKENS, paceMs: 0 }),
    ),
    ...buildFigures(
      "two tasks of 4,000 tokens",
      PLAN_TASKS * TOKENS,
      await runWorkload({ kind: "plan", tokens: TOKENS, paceMs: 0 }),
    ),
  ];
}

function buildFigures(label: string, count: number, results: BySide<readonly TurnSeries[]>): Figure[] {
  const timings = {
    orrery: results.orrery.flatMap((series) => series.timings),
    bare: results.bare.flatMap((series) => series.timings),
  };
  const computeSpeed = (values: typeof timings.orrery) =>
    count /
    (quantile(
      values.map(({ totalMs }) => totalMs),
      0.5,
    ) /
      1000);
  const computeCpu = (values: readonly TurnSeries[]) =>
    (sum(values.map(({ cpuMs }) => cpuMs)) * 1000) / (count * sum(values.map((series) => series.timings.length)));
  return [
    withMinimumRatio(1.3, {
      name: `${label}: forwarded`,
      unit: "tokens/s",
      orrery: computeSpeed(timings.orrery),
      bare: computeSpeed(timings.bare),
    }),
    withMaximumRatio(1.3, {
      name: `${label}: CPU`,
      unit: "µs/token",
      orrery: computeCpu(results.orrery),
      bare: computeCpu(results.bare),
    }),
    compareMedians(`${label}: frames sent`, "frames", timings, ({ frames }) => frames),
  ];
}
