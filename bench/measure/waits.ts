import { atMost, type BySide, type Figure } from "../figure.ts";
import type { Lab } from "../lab.ts";
import { alternate, series, type Series } from "../series.ts";
import type { Wish } from "../wish.ts";

const LONGEST_WAIT_MS = 100;

/** The longest that a reader waits between two updates while the model speaks at an even pace. */
export async function waits(lab: Lab): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const paceMs of [10, 50]) {
    for (const kind of ["direct", "plan"] as const) {
      const wish: Wish = { kind, tokens: (lab.isQuick ? 200 : 3_000) / paceMs, paceMs };
      const found = await alternate(lab, 1, (server) => together(lab.isQuick ? 1 : 4, () => series(server, wish, 1)));
      const job = kind === "direct" ? "direct answer" : "two-task plan";
      const figure = { name: `${job}, a token every ${paceMs} ms: longest wait`, unit: "ms", ...longestOf(found) };
      figures.push(paceMs === 50 ? atMost(LONGEST_WAIT_MS, figure) : figure);
    }
  }
  return figures;
}

function together<T>(count: number, act: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, act));
}

function longestOf({ orrery, bare }: BySide<Series[][]>): BySide<number> {
  const longest = (all: Series[][]) =>
    Math.max(...all.flat().flatMap(({ seen }) => seen.map(({ longestWaitMs }) => longestWaitMs)));
  return { orrery: longest(orrery), bare: longest(bare) };
}
