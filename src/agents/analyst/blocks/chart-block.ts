// Creates chart blocks from tool results of any known shape.

import type { PageBlock } from "../../../protocol/pages/page.ts";
import { formatAxisLabel, createTablePlot, type ChartPlot } from "./table-plot.ts";
import type { ValueFormat } from "./value-format.ts";
import { createMessage } from "../../../language/messages.ts";
import { localize } from "../localize.ts";
import { createLabels, getNamesProp, getTextProp } from "./slot-props.ts";
import {
  parseComparison,
  parseDistribution,
  isRecord,
  toNumber,
  parseStats,
  parseTable,
  type GroupComparison,
  type DataRow,
} from "./data-shapes.ts";

type ChartPageBlock = Extract<PageBlock, { type: "chart" }>;
type ChartVariant = ChartPageBlock["variant"];
type ChartBlockSeries = ChartPageBlock["series"][number];
type ChartSlotProps = Readonly<Record<string, unknown>>;

const MAX_POINTS = 200;
const MAX_SERIES = 12;
/**
 * A truncation note is added from this many points on. A shorter chart is taken to have the length that was asked for.
 */
const MIN_NOTED_POINTS = 50;

/** Chart type names that models write, mapped to the types of the page schema. */
const VARIANT_ALIASES: Readonly<Record<string, ChartVariant>> = {
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
export function createChartBlock(
  id: string,
  data: unknown,
  props: ChartSlotProps,
  format: ValueFormat,
): PageBlock | null {
  const plot = createPlot(data, props, format);
  if (plot === null || plot.xAxis.length === 0 || plot.series.length === 0) return null;
  const requested =
    VARIANT_ALIASES[(getTextProp(props, "variant", "chartType", "chart_type", "type") ?? "").toLowerCase()];
  const rejectsPie = requested === "pie" && !canBeShares(plot);
  const title = getTextProp(props, "title", "label") ?? "";
  const note = formatTruncationNote(plot, format);
  return {
    id,
    type: "chart",
    variant: rejectsPie ? "bar" : (requested ?? plot.variant),
    title: [title, note === "" ? "" : `(${note})`].filter(Boolean).join(" "),
    xAxis: plot.xAxis.slice(0, MAX_POINTS),
    series: plot.series.slice(0, MAX_SERIES).map((chartSeries, i) => withColor(chartSeries, i, props)),
  };
}

/**
 * True if the values can be shares of one whole: one series without negative values. Only such data fits a pie chart.
 */
function canBeShares({ series }: ChartPlot): boolean {
  return series.length === 1 && series.every(({ data }) => data.every((value) => (value ?? 0) >= 0));
}

/**
 * Tries the known shapes in order: number, group comparison, distribution, finished series, trend, statistics, rows.
 */
function createPlot(data: unknown, props: ChartSlotProps, format: ValueFormat): ChartPlot | null {
  const number = toNumber(data);
  if (number !== null) return createGauge(number, props);
  const comparison = parseComparison(data);
  if (comparison !== null) return createGroupBars(comparison, props, format);
  const hasFields = getNamesProp(props, "xField", "yFields", "yField").length > 0;
  const distribution = hasFields ? null : parseDistribution(data);
  if (distribution !== null) {
    const name = getTextProp(props, "seriesName", "yLabel") ?? format.label("count");
    return { variant: "distribution", xAxis: distribution.labels, series: [{ name, data: [...distribution.counts] }] };
  }
  return (
    parseFinishedChart(data, format) ??
    createTrendLine(data, format) ??
    createStatsBars(data, props, format) ??
    createTablePlot(parseTable(data), props, format)
  );
}

/** Creates a gauge with one value. */
function createGauge(value: number, props: ChartSlotProps): ChartPlot {
  const name = getTextProp(props, "label", "title") ?? "";
  return { variant: "gauge", xAxis: [name], series: [{ name, data: [value] }] };
}

/**
 * Parses data that is already in chart form, such as `{xAxis, series}` or `{labels, values}`. Returns null for other
 * shapes.
 */
function parseFinishedChart(data: unknown, format: ValueFormat): ChartPlot | null {
  if (!isRecord(data)) return null;
  const axis = data["xAxis"] ?? data["labels"] ?? data["categories"];
  if (!Array.isArray(axis)) return null;
  const seriesValue = data["series"] ?? data["datasets"];
  const series = Array.isArray(seriesValue)
    ? seriesValue.filter(isRecord).map((seriesItem) => ({
        name: getSeriesName(seriesItem),
        data: toNumbers(seriesItem["data"] ?? seriesItem["values"], axis.length),
      }))
    : [{ name: "", data: toNumbers(data["values"] ?? data["data"], axis.length) }];
  if (!series.some((seriesItem) => seriesItem.data.some((value) => value !== null))) return null;
  return { variant: "bar", xAxis: axis.map((label) => formatAxisLabel(label, format)), series };
}

/** Creates a line from the fitted values of a linear trend. */
function createTrendLine(data: unknown, format: ValueFormat): ChartPlot | null {
  const values = isRecord(data) && Array.isArray(data["fitted"]) ? data["fitted"] : [];
  if (values.length === 0) return null;
  const xAxis = values.map((_, i) => String(i + 1));
  return { variant: "line", xAxis, series: [{ name: format.label("fitted"), data: toNumbers(values, values.length) }] };
}

/** Returns the note about omitted points, or an empty text. */
function formatTruncationNote({ xAxis, isTruncated = false }: ChartPlot, { language }: ValueFormat): string {
  const points = xAxis.length;
  if (points > MAX_POINTS)
    return localize(createMessage("analyst.firstOf", { shown: MAX_POINTS, all: points }), language);
  return isTruncated && points >= MIN_NOTED_POINTS
    ? localize(createMessage("analyst.firstOfMore", { shown: points }), language)
    : "";
}

/** Creates bars from the statistics of one group: the requested ones, or all except the count. */
function createStatsBars(data: unknown, props: ChartSlotProps, format: ValueFormat): ChartPlot | null {
  const stats = parseStats(data);
  if (stats === null) return null;
  const requested = getNamesProp(props, "metrics", "yFields");
  const names = Object.keys(stats).filter((name) =>
    requested.length === 0 ? name !== "count" : requested.includes(name),
  );
  const name = getTextProp(props, "seriesName", "title") ?? format.label("value");
  return {
    variant: "bar",
    xAxis: names.map(format.label),
    series: [{ name, data: names.map((statName) => stats[statName] ?? null) }],
  };
}

/** Creates one series per group, with the metrics on the x axis. */
function createGroupBars({ groups }: GroupComparison, props: ChartSlotProps, format: ValueFormat): ChartPlot {
  const requested = getNamesProp(props, "metrics", "yFields", "yField");
  const availableMetrics = [...new Set(groups.flatMap(({ stats }) => Object.keys(stats)))];
  const usual = availableMetrics.filter((name) => ["mean", "average", "median", "min", "max"].includes(name));
  const metrics = requested.some((name) => availableMetrics.includes(name))
    ? requested.filter((name) => availableMetrics.includes(name))
    : usual;
  const names = createLabels(
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
function toNumbers(values: unknown, length: number): (number | null)[] {
  const list: readonly unknown[] = Array.isArray(values) ? values : [];
  return Array.from({ length }, (_, i) => toNumber(list[i]));
}

function getSeriesName(seriesItem: DataRow): string {
  const name = seriesItem["name"] ?? seriesItem["label"];
  return typeof name === "string" ? name : "";
}

/** Adds the configured color if it is a hex code or a color name, and limits the number of points. */
function withColor({ name, data }: ChartBlockSeries, i: number, props: ChartSlotProps): ChartBlockSeries {
  const colors = props["colors"];
  const color: unknown = Array.isArray(colors) ? colors[i] : props["color"];
  const bounded = { name, data: data.slice(0, MAX_POINTS) };
  return typeof color === "string" && /^(?:#[\da-f]{3,8}|[a-z]{3,20})$/i.test(color) ? { ...bounded, color } : bounded;
}
