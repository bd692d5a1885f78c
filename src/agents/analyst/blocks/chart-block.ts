// Creates chart blocks from tool results of any known shape.

import { chartSchema, type PageBlock } from "../../../protocol/pages/page.ts";
import { formatAxisLabel, createTablePlot, type ChartPlot } from "./table-plot.ts";
import type { ValueFormat } from "./value-format.ts";
import { createBlockTitle, createLabels, getNamesProp, getTextProp, type SlotProps } from "./slot-props.ts";
import { parseDistribution, parseGroups, isRecord, toNumber, parseTable, type StatsGroup } from "./data-shapes.ts";

type ChartSeries = ChartPlot["series"][number];

const MAX_POINTS = 200;
const MAX_SERIES = 12;
/** The statistics on one scale, which a chart shows unless its slot names others. */
const USUAL_METRICS = ["mean", "average", "median", "min", "max"];

/**
 * Returns a chart block, or null if the data contains nothing to draw. The chart type in `props` wins, except for a pie
 * chart of values that are not shares of one whole. Limits the points and series, and notes the truncation in the
 * title.
 */
export function createChartBlock(id: string, data: unknown, props: SlotProps, format: ValueFormat): PageBlock | null {
  const plot = createPlot(data, props, format);
  if (plot === null || plot.xAxis.length === 0 || plot.series.length === 0) return null;
  const requested = chartSchema.shape.variant.safeParse(getTextProp(props, "variant")?.toLowerCase()).data;
  const rejectsPie = requested === "pie" && !canBeShares(plot);
  const points = { count: plot.xAxis.length, max: MAX_POINTS, isTruncated: plot.isTruncated === true };
  return {
    id,
    type: "chart",
    variant: rejectsPie ? "bar" : (requested ?? plot.variant),
    title: createBlockTitle(props, points, format),
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

/** Tries the known shapes in order: number, distribution, finished series, trend, groups with statistics, rows. */
function createPlot(data: unknown, props: SlotProps, format: ValueFormat): ChartPlot | null {
  const number = toNumber(data);
  if (number !== null) return createSinglePlot("gauge", getTextProp(props, "label", "title") ?? "", [""], [number]);
  const hasFields = getNamesProp(props, "xField", "yFields").length > 0;
  const distribution = hasFields ? null : parseDistribution(data);
  if (distribution !== null)
    return createSinglePlot("distribution", format.label("count"), distribution.labels, distribution.counts);
  const finished = parseFinishedChart(data, format);
  if (finished !== null) return finished;
  const groups = parseGroups(data);
  return groups === null ? createTablePlot(parseTable(data), props, format) : createGroupBars(groups, props, format);
}

/** Creates a plot with one series. A gauge, which has one value, is labelled by its name. */
function createSinglePlot(
  variant: ChartPlot["variant"],
  name: string,
  xAxis: readonly string[],
  data: readonly (number | null)[],
): ChartPlot {
  return { variant, xAxis: variant === "gauge" ? [name] : xAxis, series: [{ name, data: [...data] }] };
}

/** Parses data in chart form: `{xAxis, series}`, `{labels, values}` or the `fitted` values of a trend; null for others. */
function parseFinishedChart(data: unknown, format: ValueFormat): ChartPlot | null {
  if (!isRecord(data)) return null;
  const { fitted, series, values } = data;
  if (Array.isArray(fitted) && fitted.length > 0) {
    const positions = fitted.map((_, i) => String(i + 1));
    return createSinglePlot("line", format.label("fitted"), positions, toNumbers(fitted, fitted.length));
  }
  const axis = data["xAxis"] ?? data["labels"];
  if (!Array.isArray(axis)) return null;
  const list = Array.isArray(series) ? series.filter(isRecord) : [{ name: "", data: values }];
  const drawn = list.map((one) => ({
    name: getTextProp(one, "name") ?? "",
    data: toNumbers(one["data"], axis.length),
  }));
  if (!drawn.some((one) => one.data.some((value) => value !== null))) return null;
  return { variant: "bar", xAxis: axis.map((label) => formatAxisLabel(label, format)), series: drawn };
}

/** Creates one series per group, with the requested or the usual metrics on the x axis. */
function createGroupBars(groups: readonly StatsGroup[], props: SlotProps, format: ValueFormat): ChartPlot {
  const available = new Set(groups.flatMap(({ stats }) => Object.keys(stats)));
  const requested = getNamesProp(props, "metrics", "yFields").filter((name) => available.has(name));
  const metrics = requested.length > 0 ? requested : USUAL_METRICS.filter((name) => available.has(name));
  const keys = groups.map(({ key }) => key);
  const names = createLabels(props, keys, format);
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

/** Adds the configured color if it is a hex code or a color name, and limits the number of points. */
function withColor({ name, data }: ChartSeries, i: number, props: SlotProps): ChartSeries {
  const color: unknown = Array.isArray(props["colors"]) ? props["colors"][i] : props["color"];
  const bounded = { name, data: data.slice(0, MAX_POINTS) };
  return typeof color === "string" && /^(?:#[\da-f]{3,8}|[a-z]{3,20})$/i.test(color) ? { ...bounded, color } : bounded;
}
