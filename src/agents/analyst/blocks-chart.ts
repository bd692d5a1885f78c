// Creates chart blocks from tool results of any known shape.

import type { Block } from "../../protocol/page.ts";
import { firstOf, moreThan } from "./blocks-phrases.ts";
import { axisLabel, plotOfTable, type Plot } from "./blocks-chart-rows.ts";
import type { Format } from "./format.ts";
import { inLanguage } from "./language.ts";
import { labelsOf, namesIn, textIn } from "./props.ts";
import {
  comparisonOf,
  distributionOf,
  isRecord,
  numberOf,
  statsOf,
  tableOf,
  type Comparison,
  type Row,
} from "./shapes.ts";

type Chart = Extract<Block, { type: "chart" }>;
type Variant = Chart["variant"];
type Series = Chart["series"][number];
type Props = Readonly<Record<string, unknown>>;

const MOST_POINTS = 200;
const MOST_SERIES = 12;
/**
 * A truncation note is added from this many points on. A shorter chart is taken to have the length that was asked for.
 */
const MANY = 50;

/** Chart type names that models write, mapped to the types of the page schema. */
const VARIANTS: Readonly<Record<string, Variant>> = {
  bar: "bar",
  column: "bar",
  grouped_bar: "bar",
  stacked_bar: "bar",
  horizontal_bar: "bar",
  ranking: "bar",
  line: "line",
  area: "line",
  trend: "line",
  scatter: "line",
  radar: "radar",
  spider: "radar",
  pie: "pie",
  donut: "pie",
  doughnut: "pie",
  gauge: "gauge",
  distribution: "distribution",
  histogram: "distribution",
};

/**
 * Returns a chart block, or null if the data contains nothing to draw. The chart type in `props` wins, except for a pie
 * chart of values that are not shares of one whole. Limits the points and series, and notes the truncation in the
 * title.
 */
export function chartOf(id: string, data: unknown, props: Props, format: Format): Block | null {
  const plot = plotOf(data, props, format);
  if (plot === null || plot.xAxis.length === 0 || plot.series.length === 0) return null;
  const wanted = VARIANTS[(textIn(props, "variant", "chartType", "chart_type", "type") ?? "").toLowerCase()];
  const isNoPie = wanted === "pie" && !isShared(plot);
  const title = textIn(props, "title", "label") ?? "";
  const note = noteFor(plot, format);
  return {
    id,
    type: "chart",
    variant: isNoPie ? "bar" : (wanted ?? plot.variant),
    title: [title, note === "" ? "" : `(${note})`].filter(Boolean).join(" "),
    xAxis: plot.xAxis.slice(0, MOST_POINTS),
    series: plot.series.slice(0, MOST_SERIES).map((one, i) => withColor(one, i, props)),
  };
}

/**
 * True if the values can be shares of one whole: one series without negative values. Only such data fits a pie chart.
 */
function isShared({ series }: Plot): boolean {
  return series.length === 1 && series.every(({ data }) => data.every((value) => (value ?? 0) >= 0));
}

/**
 * Tries the known shapes in order: number, group comparison, distribution, finished series, trend, statistics, rows.
 */
function plotOf(data: unknown, props: Props, format: Format): Plot | null {
  const number = numberOf(data);
  if (number !== null) return single(number, props);
  const comparison = comparisonOf(data);
  if (comparison !== null) return grouped(comparison, props, format);
  const hasFields = namesIn(props, "xField", "yFields", "yField").length > 0;
  const distribution = hasFields ? null : distributionOf(data);
  if (distribution !== null) {
    const name = textIn(props, "seriesName", "yLabel") ?? format.label("count");
    return { variant: "distribution", xAxis: distribution.labels, series: [{ name, data: [...distribution.counts] }] };
  }
  return (
    drawn(data, format) ??
    fitted(data, format) ??
    ofStats(data, props, format) ??
    plotOfTable(tableOf(data), props, format)
  );
}

/** Creates a gauge with one value. */
function single(value: number, props: Props): Plot {
  const name = textIn(props, "label", "title") ?? "";
  return { variant: "gauge", xAxis: [name], series: [{ name, data: [value] }] };
}

/**
 * Parses data that is already in chart form, such as `{xAxis, series}` or `{labels, values}`. Returns null for other
 * shapes.
 */
function drawn(data: unknown, format: Format): Plot | null {
  if (!isRecord(data)) return null;
  const axis = data["xAxis"] ?? data["labels"] ?? data["categories"];
  if (!Array.isArray(axis)) return null;
  const given = data["series"] ?? data["datasets"];
  const series = Array.isArray(given)
    ? given
        .filter(isRecord)
        .map((one) => ({ name: nameIn(one), data: numbersIn(one["data"] ?? one["values"], axis.length) }))
    : [{ name: "", data: numbersIn(data["values"] ?? data["data"], axis.length) }];
  if (!series.some((one) => one.data.some((value) => value !== null))) return null;
  return { variant: "bar", xAxis: axis.map((label) => axisLabel(label, format)), series };
}

/** Creates a line from the fitted values of a linear trend. */
function fitted(data: unknown, format: Format): Plot | null {
  const values = isRecord(data) && Array.isArray(data["fitted"]) ? data["fitted"] : [];
  if (values.length === 0) return null;
  const xAxis = values.map((_, i) => String(i + 1));
  return { variant: "line", xAxis, series: [{ name: format.label("fitted"), data: numbersIn(values, values.length) }] };
}

/** Returns the note about omitted points, or an empty text. */
function noteFor({ xAxis, isCut = false }: Plot, { language }: Format): string {
  const points = xAxis.length;
  if (points > MOST_POINTS) return inLanguage(firstOf(MOST_POINTS, points), language);
  return isCut && points >= MANY ? inLanguage(moreThan(points), language) : "";
}

/** Creates bars from the statistics of one group: the requested ones, or all except the count. */
function ofStats(data: unknown, props: Props, format: Format): Plot | null {
  const stats = statsOf(data);
  if (stats === null) return null;
  const wanted = namesIn(props, "metrics", "yFields");
  const names = Object.keys(stats).filter((name) => (wanted.length === 0 ? name !== "count" : wanted.includes(name)));
  const name = textIn(props, "seriesName", "title") ?? format.label("value");
  return {
    variant: "bar",
    xAxis: names.map(format.label),
    series: [{ name, data: names.map((one) => stats[one] ?? null) }],
  };
}

/** Creates one series per group, with the metrics on the x axis. */
function grouped({ groups }: Comparison, props: Props, format: Format): Plot {
  const wanted = namesIn(props, "metrics", "yFields", "yField");
  const known = [...new Set(groups.flatMap(({ stats }) => Object.keys(stats)))];
  const usual = known.filter((name) => ["mean", "average", "median", "min", "max"].includes(name));
  const metrics = wanted.some((name) => known.includes(name)) ? wanted.filter((name) => known.includes(name)) : usual;
  const names = labelsOf(
    props,
    groups.map(({ key }) => key),
    format,
  );
  return {
    variant: "bar",
    xAxis: metrics.map(format.label),
    series: groups.map(({ stats }, i) => ({
      name: names[i] ?? "",
      data: metrics.map((metric) => stats[metric] ?? null),
    })),
  };
}

/** Returns exactly `length` numbers; members that are missing or not numeric are null. */
function numbersIn(values: unknown, length: number): (number | null)[] {
  const list: readonly unknown[] = Array.isArray(values) ? values : [];
  return Array.from({ length }, (_, i) => numberOf(list[i]));
}

function nameIn(one: Row): string {
  const name = one["name"] ?? one["label"];
  return typeof name === "string" ? name : "";
}

/** Adds the configured color if it is a hex code or a color name, and limits the number of points. */
function withColor({ name, data }: Series, i: number, props: Props): Series {
  const colors = props["colors"];
  const color: unknown = Array.isArray(colors) ? colors[i] : props["color"];
  const bounded = { name, data: data.slice(0, MOST_POINTS) };
  return typeof color === "string" && /^(?:#[\da-f]{3,8}|[a-z]{3,20})$/i.test(color) ? { ...bounded, color } : bounded;
}
