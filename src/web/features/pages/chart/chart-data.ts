// Converts a chart block to the data that is drawn: rows for axes, slices for a pie, shares for a gauge.

import type { PageBlock } from "../../../../protocol/pages/page.ts";
import { computeAxisScale, formatNumber } from "../../../../pages/axis-scale.ts";
import { countColumns } from "../../../../pages/text-width.ts";

export type ChartData = Extract<PageBlock, { type: "chart" }>;

/** `at` is the index on the axis, since labels may repeat. `values` has one entry per series; gaps are null. */
export type ChartRow = { readonly at: number; readonly label: string; readonly values: readonly (number | null)[] };

/** The drawn shape. It depends on the data: a radar needs three points. */
export type ChartShape = "upright" | "sideways" | "line" | "radar" | "pie" | "gauge" | "nothing";

/** Larger values are clamped, because they would overflow the scale; smaller values count as 0. */
const MAX_ABSOLUTE_VALUE = 1e100;
const MIN_ABSOLUTE_VALUE = 1e-100;
/** Bars with longer labels are drawn horizontally, up to a number of bars. */
const MAX_UPRIGHT_LABEL_COLUMNS = 14;
const MAX_SIDEWAYS_BARS = 24;

/**
 * Returns the shape for the variant of a chart. `nothing`: there is no number, or a pie has no positive value. Bars
 * with long labels are `sideways`; a radar of fewer than three points is `upright`.
 */
export function selectShape(chart: ChartData): ChartShape {
  if (chart.series.every(({ data }) => data.every((value) => value === null))) return "nothing";
  const { variant, xAxis } = chart;
  const count = countCategories(chart);
  switch (variant) {
    case "line":
      return "line";
    case "bar":
      return count > 1 &&
        count <= MAX_SIDEWAYS_BARS &&
        xAxis.some((label) => countColumns(label) > MAX_UPRIGHT_LABEL_COLUMNS)
        ? "sideways"
        : "upright";
    case "distribution":
      return "upright";
    case "radar":
      return count < 3 ? "upright" : "radar";
    case "pie":
      return buildPieSlices(chart).length === 0 ? "nothing" : "pie";
    case "gauge":
      return "gauge";
  }
}

/** Returns one row per label or value, with the values of all series clamped. */
export function buildChartRows(chart: ChartData): ChartRow[] {
  return Array.from({ length: countCategories(chart) }, (_, at) => ({
    at,
    label: chart.xAxis[at] ?? "",
    values: chart.series.map(({ data }) => clampValue(data[at] ?? null)),
  }));
}

/** Labels and series may differ in length; missing entries are gaps. */
function countCategories({ xAxis, series }: ChartData): number {
  return Math.max(xAxis.length, ...series.map(({ data }) => data.length));
}

function clampValue(value: number | null): number | null {
  if (value === null) return null;
  return Math.abs(value) < MIN_ABSOLUTE_VALUE ? 0 : Math.min(MAX_ABSOLUTE_VALUE, Math.max(-MAX_ABSOLUTE_VALUE, value));
}

/**
 * `at` is the index of the label, null for the combined small slices. `share` is from 0 to 1. `count` is the number of
 * combined values, 1 for a slice of its own.
 */
type PieSlice = {
  readonly at: number | null;
  readonly value: number;
  readonly share: number;
  readonly count: number;
};

const MAX_SLICES = 12;

/**
 * Returns the slices of the first series, in order. Values that are not positive are omitted; of more than
 * `MAX_SLICES`, the smallest are combined to the last slice.
 */
export function buildPieSlices({ series }: ChartData): PieSlice[] {
  const all = (series[0]?.data ?? [])
    .map((value, at) => ({ at, value: clampValue(value) ?? 0 }))
    .filter(({ value }) => value > 0);
  const sum = all.reduce((total, { value }) => total + value, 0);
  const slice = (at: number | null, value: number, count = 1) => ({ at, value, share: value / sum, count });
  if (all.length <= MAX_SLICES) return all.map(({ at, value }) => slice(at, value));
  const bySize = all.toSorted((a, b) => b.value - a.value);
  const largest = new Set(bySize.slice(0, MAX_SLICES - 1));
  const smallest = bySize.slice(MAX_SLICES - 1);
  const restValue = smallest.reduce((total, { value }) => total + value, 0);
  return [
    ...all.filter((one) => largest.has(one)).map(({ at, value }) => slice(at, value)),
    slice(null, restValue, smallest.length),
  ];
}

/**
 * Returns the first value of the first series, 0 without a value, with its range: 0 to 100, or rounded bounds if the
 * value is outside. `from` and `to` are the ends of the arc as shares of the range; one of them is at zero.
 */
export function computeGauge({ series, xAxis }: ChartData) {
  const value = clampValue(series[0]?.data.find((one) => one !== null) ?? null) ?? 0;
  const { min, max } = value >= 0 && value <= 100 ? { min: 0, max: 100 } : computeAxisScale([value]);
  const getShare = (one: number) => Math.min(1, Math.max(0, (one - min) / (max - min)));
  const [from, to] = [getShare(Math.min(0, value)), getShare(Math.max(0, value))];
  return { value, min, max, from, to, label: xAxis[0] ?? series[0]?.name ?? "" };
}

/** Returns the values of all rows and series, without gaps. */
export function collectValues(rows: readonly ChartRow[]): number[] {
  return rows.flatMap(({ values }) => values.filter((value) => value !== null));
}

// Colours of series: the given colour if its contrast is sufficient, else that of the theme.

/** Number of series colours in ui/tokens.css; further series reuse them. */
const SERIES_COLOURS = 8;
/** Minimum contrast of graphical objects: WCAG 2.2, success criterion 1.4.11. */
const MIN_CONTRAST = 3;
/** The value of `--raised` in the light and the dark theme. */
const BACKGROUNDS = { light: "#ffffff", dark: "#22201d" };

/**
 * Returns the CSS colour of the series `index`: `own`, a hex colour, in each theme in which its contrast is sufficient,
 * otherwise the colour of the theme.
 */
export function getSeriesColour(index: number, own?: string): string {
  const themeColour = `var(--series-${index % SERIES_COLOURS})`;
  if (own === undefined || !/^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(own)) return themeColour;
  const [light, dark] = [BACKGROUNDS.light, BACKGROUNDS.dark].map((background) =>
    computeContrast(own, background) >= MIN_CONTRAST ? own : themeColour,
  );
  return light === dark ? (light ?? themeColour) : `light-dark(${light}, ${dark})`;
}

/** Returns the WCAG contrast ratio of two hex colours (`#rgb` or `#rrggbb`), from 1 to 21. */
export function computeContrast(one: string, other: string): number {
  const [a, b] = [computeLuminance(one), computeLuminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function computeLuminance(hex: string): number {
  const digits = hex.slice(1);
  const full = digits.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4]
    .map((at) => Number.parseInt(full.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const MAX_FULL_NUMBER = 1e5;
/** Larger numbers use exponential notation. */
const MIN_EXPONENTIAL_NUMBER = 1e15;

/** Formats a number for an axis: in full below 1e5, compact such as 1.2M or 120万, exponential from 1e15. */
export function formatAxisNumber(value: number, language: string): string {
  const size = Math.abs(value);
  if (size < MAX_FULL_NUMBER) return formatNumber(value);
  if (size >= MIN_EXPONENTIAL_NUMBER) return value.toExponential(0);
  return new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 }).format(value);
}

/** Returns a copy of the set with the member added or, if it is in the set, removed. */
export function toggleMember<T>(set: ReadonlySet<T>, member: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(member)) next.add(member);
  return next;
}
