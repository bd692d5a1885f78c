import { quantile, SIDES, type Figure } from "../figure.ts";
import type { BenchEnvironment } from "../environment.ts";
import { runTurns, type TurnSeries } from "../run-turns.ts";
import type { Workload } from "../workload.ts";

/** The tolerated ratio of late to early turns. Noise stays below it. */
const TOLERANCE = 1.1;

/** Measures whether turns get slower as a conversation grows. */
export async function measureGrowth(environment: BenchEnvironment): Promise<Figure[]> {
  const workload: Workload = { kind: "plan", tokens: 20, paceMs: 0 };
  const [conversations, early, late] = environment.isQuick ? [1, 3, 6] : [8, 10, 100];
  const medians = { orrery: { early: NaN, late: NaN }, bare: { early: NaN, late: NaN } };
  for (const side of SIDES) {
    const allSeries: TurnSeries[] = [];
    for (let i = 0; i < conversations; i++)
      allSeries.push(await runTurns(environment.servers[side], workload, late + 2));
    // Include the neighbouring turns: a single turn depends more on the machine than on the runtime.
    const collectAround = (turn: number) =>
      allSeries.flatMap(({ timings }) => timings.slice(turn - 3, turn + 2).map(({ totalMs }) => totalMs));
    medians[side] = { early: quantile(collectAround(early), 0.5), late: quantile(collectAround(late), 0.5) };
  }
  const { orrery, bare } = medians;
  const ratio = orrery.late / orrery.early;
  return [
    { name: `turn ${early} of a conversation`, unit: "ms", orrery: orrery.early, bare: bare.early },
    { name: `turn ${late} of a conversation`, unit: "ms", orrery: orrery.late, bare: bare.late },
    {
      name: `turn ${late} compared with turn ${early}`,
      unit: "×",
      orrery: ratio,
      bare: bare.late / bare.early,
      target: { text: `≤ ${TOLERANCE}`, isMet: ratio <= TOLERANCE },
    },
  ];
}
