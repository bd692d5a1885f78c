import { compare, quantile, sum, withinFactor, withinShare, type BySide, type Figure } from "../figure.ts";
import type { Lab } from "../lab.ts";
import { alternate, series, type Series } from "../series.ts";
import { PLAN_TASKS, type Wish } from "../wish.ts";

const TOKENS = 4_000;

/** How fast long answers of a model that says everything at once get through. */
export async function tokens(lab: Lab): Promise<Figure[]> {
  const [rounds, turns] = lab.isQuick ? [1, 2] : [5, 8];
  const answered = (wish: Wish) => alternate(lab, rounds, (server) => series(server, wish, turns));
  return [
    ...figuresOf(
      "direct answer of 4,000 tokens",
      TOKENS,
      await answered({ kind: "direct", tokens: TOKENS, paceMs: 0 }),
    ),
    ...figuresOf(
      "two tasks of 4,000 tokens",
      PLAN_TASKS * TOKENS,
      await answered({ kind: "plan", tokens: TOKENS, paceMs: 0 }),
    ),
  ];
}

function figuresOf(job: string, count: number, found: BySide<readonly Series[]>): Figure[] {
  const seen = { orrery: found.orrery.flatMap((one) => one.seen), bare: found.bare.flatMap((one) => one.seen) };
  const speed = (all: typeof seen.orrery) =>
    count /
    (quantile(
      all.map(({ totalMs }) => totalMs),
      0.5,
    ) /
      1000);
  const cpu = (all: readonly Series[]) =>
    (sum(all.map(({ cpuMs }) => cpuMs)) * 1000) / (count * sum(all.map((one) => one.seen.length)));
  return [
    withinShare(1.3, {
      name: `${job}: forwarded`,
      unit: "tokens/s",
      orrery: speed(seen.orrery),
      bare: speed(seen.bare),
    }),
    withinFactor(1.3, { name: `${job}: CPU`, unit: "µs/token", orrery: cpu(found.orrery), bare: cpu(found.bare) }),
    compare(`${job}: frames sent`, "frames", seen, ({ frames }) => frames),
  ];
}
