import { atMost, quantile, sum, type BySide, type Figure } from "../figure.ts";
import type { Lab } from "../lab.ts";
import { alternate, series, type Series } from "../series.ts";
import { PLAN_TASKS, type Wish } from "../wish.ts";

const LONGEST_WAIT_MS = 100;

/**
 * The longest that a reader waits between two updates while the model speaks at an even pace, and what
 * the updates cost. Of several rounds the middle one counts: one hiccup of the machine is not ours.
 */
export async function waits(lab: Lab): Promise<Figure[]> {
  const figures: Figure[] = [];
  const [rounds, conversations, lengthMs] = lab.isQuick ? [1, 1, 200] : [3, 8, 2_000];
  for (const paceMs of [10, 50]) {
    for (const kind of ["direct", "plan"] as const) {
      const wish: Wish = { kind, tokens: lengthMs / paceMs, paceMs };
      const found = await alternate(lab, rounds, (server) => together(conversations, () => series(server, wish, 1)));
      figures.push(...figuresOf(wish, conversations, found));
    }
  }
  return figures;
}

function figuresOf(wish: Wish, conversations: number, { orrery, bare }: BySide<Series[][]>): Figure[] {
  const job = `${wish.kind === "direct" ? "direct answer" : "two-task plan"}, a token every ${wish.paceMs} ms`;
  const wait = { name: `${job}: longest wait`, unit: "ms", orrery: longestOf(orrery), bare: longestOf(bare) };
  const count = conversations * wish.tokens * (wish.kind === "plan" ? PLAN_TASKS : 1);
  const cpu = (rounds: Series[][]) => (1000 * sum(rounds.map(cpuMsOf))) / (rounds.length * count);
  return [
    wish.paceMs === 50 ? atMost(LONGEST_WAIT_MS, wait) : wait,
    { name: `${job}: CPU, the turn included`, unit: "µs/token", orrery: cpu(orrery), bare: cpu(bare) },
  ];
}

function together<T>(count: number, act: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, act));
}

function longestOf(rounds: Series[][]): number {
  const longest = (all: Series[]) =>
    Math.max(...all.flatMap(({ seen }) => seen.map(({ longestWaitMs }) => longestWaitMs)));
  return quantile(rounds.map(longest), 0.5);
}

/** The conversations of a round share one server: the longest account holds them all. */
function cpuMsOf(round: Series[]): number {
  return Math.max(...round.map(({ cpuMs }) => cpuMs));
}
