// Converts a chart block to the data that is drawn: rows for axes, slices for a pie, shares for a gauge.

import type { Block } from "../../../protocol/page.ts";
import { scaleFor } from "../../../protocol/scale.ts";
import { columnsOf } from "../../../protocol/text-width.ts";

export type Chart = Extract<Block, { type: "chart" }>;

/** `at` is the index on the axis, since labels may repeat. `values` has one entry per series; gaps are null. */
export type Row = { readonly at: number; readonly label: string; readonly values: readonly (number | null)[] };

/** The drawn shape. It depends on the data: a radar needs three points. */
export type Shape = "upright" | "sideways" | "line" | "radar" | "pie" | "gauge" | "nothing";

/** Values are clamped to this range: larger ones would overflow the scale. */
const LARGEST = 1e100;
const SMALLEST = 1e-100;
/** Bars with longer labels are drawn horizontally, up to a number of bars. */
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

/** Labels and series may differ in length; missing entries are gaps. */
function lengthOf({ xAxis, series }: Chart): number {
  return Math.max(xAxis.length, ...series.map(({ data }) => data.length));
}

function placed(value: number | null): number | null {
  if (value === null) return null;
  return Math.abs(value) < SMALLEST ? 0 : Math.min(LARGEST, Math.max(-LARGEST, value));
}

/**
 * `at` is the index of the label, null for the combined small slices. `share` is from 0 to 1. `of` counts combined
 * values.
 */
export type Slice = { readonly at: number | null; readonly value: number; readonly share: number; readonly of: number };

const MOST_SLICES = 12;

/**
 * Slices of the first series. Values that are not positive are omitted; beyond the limit, the smallest are combined.
 */
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
 * Returns the first value with its range: 0 to 100, or rounded bounds if it lies outside. `from` and `to` are the ends
 * of the arc as shares of the range, starting at zero.
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
