export const SIDES = ["orrery", "bare"] as const;
export type Side = (typeof SIDES)[number];
export type BySide<T> = Readonly<Record<Side, T>>;

/** A design target, and whether this run met it. */
export type Target = { readonly text: string; readonly isMet: boolean };

/** A row of the table. Values that could not be measured are NaN. */
export type Figure = {
  readonly name: string;
  readonly unit: string;
  readonly orrery: number;
  /** Absent if the hand-written object has no such value. */
  readonly bare?: number;
  readonly target?: Target;
};

/** Creates a figure from the medians of both sides. `pick` selects the value of a sample. */
export function compareMedians<T>(
  name: string,
  unit: string,
  samples: BySide<readonly T[]>,
  pick: (sample: T) => number,
): Required<Omit<Figure, "target">> {
  const median = (side: Side) => quantile(samples[side].map(pick), 0.5);
  return { name, unit, orrery: median("orrery"), bare: median("bare") };
}

/** Sets the target: at most `limit`, in the unit of the figure. */
export function withMaximum(limit: number, figure: Figure, text = `≤ ${limit}`): Figure {
  return { ...figure, target: { text, isMet: figure.orrery <= limit } };
}

/** Sets the target: at most `factor` times the value of the hand-written object. */
export function withMaximumRatio(factor: number, figure: Figure): Figure {
  return { ...figure, target: { text: `≤ ${factor} ×`, isMet: figure.orrery <= factor * (figure.bare ?? NaN) } };
}

/** Sets the target: at least 1/`factor` of the value of the hand-written object. For figures where more is better. */
export function withMinimumRatio(factor: number, figure: Figure): Figure {
  const text = `≥ ${(1 / factor).toFixed(2)} ×`;
  return { ...figure, target: { text, isMet: figure.orrery >= (figure.bare ?? NaN) / factor } };
}

/** Returns the `q`-quantile of the values (0 ≤ q ≤ 1); NaN if there are none. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NaN;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
