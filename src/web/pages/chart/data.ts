// What a chart draws, made of what the page says: rows for axes, slices for a pie, one share for a gauge.

import type { Block } from "../../../protocol/page.ts";
import { scaleFor } from "../../../protocol/scale.ts";
import { columnsOf } from "../../../protocol/text-width.ts";

export type Chart = Extract<Block, { type: "chart" }>;

/** `at` is the place on the axis: labels may repeat. `values` has one entry for each series; a gap is null. */
export type Row = { readonly at: number; readonly label: string; readonly values: readonly (number | null)[] };

/** How it is drawn, which the data may forbid: two points make no surface. */
export type Shape = "upright" | "sideways" | "line" | "radar" | "pie" | "gauge" | "nothing";

/** Beyond these, a value would leave no room for any other. */
const LARGEST = 1e100;
const SMALLEST = 1e-100;
/** Labels of bars that are longer than this stand beside them, as long as there are not too many. */
const LONG_LABEL = 14;
const MOST_SIDEWAYS = 24;

export function shapeOf(chart: Chart): Shape {
  if (chart.series.every(({ data }) => data.every((value) => value === null))) return "nothing";
  const { variant, xAxis } = chart;
  const count = lengthOf(chart);
  switch (variant) {
    case "line":
      return "line";
    case "bar":
      return count > 1 && count <= MOST_SIDEWAYS && xAxis.some((label) => columnsOf(label) > LONG_LABEL)
        ? "sideways"
        : "upright";
    case "distribution":
      return "upright";
    case "radar":
      return count < 3 ? "upright" : "radar";
    case "pie":
      return slicesOf(chart).length === 0 ? "nothing" : "pie";
    case "gauge":
      return "gauge";
  }
}

export function rowsOf(chart: Chart): Row[] {
  return Array.from({ length: lengthOf(chart) }, (_, at) => ({
    at,
    label: chart.xAxis[at] ?? "",
    values: chart.series.map(({ data }) => placed(data[at] ?? null)),
  }));
}

/** What the axis labels and what the series have need not be as long as each other. */
function lengthOf({ xAxis, series }: Chart): number {
  return Math.max(xAxis.length, ...series.map(({ data }) => data.length));
}

function placed(value: number | null): number | null {
  if (value === null) return null;
  return Math.abs(value) < SMALLEST ? 0 : Math.min(LARGEST, Math.max(-LARGEST, value));
}

/** `at` is the place of its label, null for what several small ones come to together. `share` is from 0 to 1. */
export type Slice = { readonly at: number | null; readonly value: number; readonly share: number; readonly of: number };

const MOST_SLICES = 12;

/** The first series; what is not above zero has no slice. Of many, the smallest are one. */
export function slicesOf({ series }: Chart): Slice[] {
  const all = (series[0]?.data ?? [])
    .map((value, at) => ({ at, value: placed(value) ?? 0 }))
    .filter(({ value }) => value > 0);
  const sum = all.reduce((total, { value }) => total + value, 0);
  const slice = (at: number | null, value: number, of = 1) => ({ at, value, share: value / sum, of });
  if (all.length <= MOST_SLICES) return all.map(({ at, value }) => slice(at, value));
  const bySize = all.toSorted((a, b) => b.value - a.value);
  const kept = new Set(bySize.slice(0, MOST_SLICES - 1));
  const rest = bySize.slice(MOST_SLICES - 1);
  const together = rest.reduce((total, { value }) => total + value, 0);
  return [
    ...all.filter((one) => kept.has(one)).map(({ at, value }) => slice(at, value)),
    slice(null, together, rest.length),
  ];
}

/**
 * The first value there is, between 0 and 100 or between round numbers around it. `from` and `to` are where its arc
 * begins, which is at zero, and where it ends: from 0 to 1.
 */
export function gaugeOf({ series, xAxis }: Chart) {
  const value = placed(series[0]?.data.find((one) => one !== null) ?? null) ?? 0;
  const { min, max } = value >= 0 && value <= 100 ? { min: 0, max: 100 } : scaleFor([value]);
  const shareOf = (one: number) => Math.min(1, Math.max(0, (one - min) / (max - min)));
  const [from, to] = [shareOf(Math.min(0, value)), shareOf(Math.max(0, value))];
  return { value, min, max, from, to, label: xAxis[0] ?? series[0]?.name ?? "" };
}

export function valuesOf(rows: readonly Row[]): number[] {
  return rows.flatMap(({ values }) => values.filter((value) => value !== null));
}
