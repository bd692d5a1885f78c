import { compareMedians, sum, withMaximumRatio, type BySide, type Figure } from "../figure.ts";
import type { BenchEnvironment } from "../environment.ts";
import { alternate, runTurns, type TurnSeries } from "../run-turns.ts";
import type { Workload } from "../workload.ts";

/** The tolerated delay of the first token, compared with the hand-written object. */
const FIRST_TOKEN_MS = 1.5;

/** A user does not send the next message before the writes after a turn are done. */
const PAUSE_MS = 10;

/** Measures the time and CPU that the runtime adds to a model without delays. */
export async function measureTurns(environment: BenchEnvironment): Promise<Figure[]> {
  const sizes = { rounds: environment.isQuick ? 1 : 8, turns: environment.isQuick ? 10 : 60 };
  const direct: Workload = { kind: "direct", tokens: 20, paceMs: 0 };
  const plan: Workload = { kind: "plan", tokens: 200, paceMs: 0 };
  await alternate(environment, 1, (server) => runTurns(server, plan, environment.isQuick ? 5 : 100));
  return [
    ...buildFigures(
      "direct answer",
      await alternate(environment, sizes.rounds, (server) => runTurns(server, direct, sizes.turns, PAUSE_MS)),
    ),
    ...buildFigures(
      "two-task plan",
      await alternate(environment, sizes.rounds, (server) => runTurns(server, plan, sizes.turns, PAUSE_MS)),
    ),
  ];
}

function buildFigures(label: string, results: BySide<readonly TurnSeries[]>): Figure[] {
  const timings = {
    orrery: results.orrery.flatMap((series) => series.timings),
    bare: results.bare.flatMap((series) => series.timings),
  };
  const ack = compareMedians(`${label}: message to acknowledgement`, "ms", timings, ({ ackMs }) => ackMs);
  const first = compareMedians(`${label}: message to first token`, "ms", timings, ({ firstMs }) => firstMs);
  const firstTarget = {
    text: `≤ hand-written + ${FIRST_TOKEN_MS}`,
    isMet: first.orrery <= first.bare + FIRST_TOKEN_MS,
  };
  const turn = compareMedians(`${label}: whole turn`, "ms", timings, ({ totalMs }) => totalMs);
  const cpu = {
    name: `${label}: CPU per turn`,
    unit: "ms",
    orrery: computeCpuPerTurn(results.orrery),
    bare: computeCpuPerTurn(results.bare),
  };
  return [ack, { ...first, target: firstTarget }, withMaximumRatio(1.3, turn), withMaximumRatio(1.3, cpu)];
}

/** Computes the mean. The CPU clock has steps of 10 ms, too coarse for single turns. */
function computeCpuPerTurn(results: readonly TurnSeries[]): number {
  return sum(results.map(({ cpuMs }) => cpuMs)) / sum(results.map(({ timings }) => timings.length));
}
