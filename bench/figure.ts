export const SIDES = ["orrery", "bare"] as const;
export type Side = (typeof SIDES)[number];
export type BySide<T> = Readonly<Record<Side, T>>;

/** What the design aims at, and whether this run reached it. */
export type Aim = { readonly words: string; readonly isMet: boolean };

/** One line of the table. A figure that could not be had here is NaN. */
export type Figure = {
  readonly name: string;
  readonly unit: string;
  readonly orrery: number;
  /** Absent where the hand-written object has nothing to compare. */
  readonly bare?: number;
  readonly aim?: Aim;
};

/** Both sides of one figure, each the median of what `pick` finds in its samples. */
export function compare<T>(
  name: string,
  unit: string,
  samples: BySide<readonly T[]>,
  pick: (sample: T) => number,
): Required<Omit<Figure, "aim">> {
  const middle = (side: Side) => quantile(samples[side].map(pick), 0.5);
  return { name, unit, orrery: middle("orrery"), bare: middle("bare") };
}

/** At most `limit`, in the figure's own unit. */
export function atMost(limit: number, figure: Figure, words = `≤ ${limit}`): Figure {
  return { ...figure, aim: { words, isMet: figure.orrery <= limit } };
}

/** At most `factor` times the hand-written object's figure. */
export function withinFactor(factor: number, figure: Figure): Figure {
  return { ...figure, aim: { words: `≤ ${factor} ×`, isMet: figure.orrery <= factor * (figure.bare ?? NaN) } };
}

/** At least 1/`factor` of the hand-written object's figure: for figures where more is better. */
export function withinShare(factor: number, figure: Figure): Figure {
  const words = `≥ ${(1 / factor).toFixed(2)} ×`;
  return { ...figure, aim: { words, isMet: figure.orrery >= (figure.bare ?? NaN) / factor } };
}

/** The value below which the share `q` of all values lies; NaN for none. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NaN;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
