// Creates blocks of key figures from tool results.

import { kpiGridSchema, type PageBlock } from "../../../protocol/pages/page.ts";
import type { ValueFormat } from "./value-format.ts";
import {
  parseComparison,
  isRecord,
  isScalar,
  parseStats,
  parseTable,
  type GroupComparison,
  type DataRow,
} from "./data-shapes.ts";
import { createLabels, getNamesProp, getTextProp, type SlotProps } from "./slot-props.ts";

type KpiFigure = Extract<PageBlock, { type: "kpi_grid" }>["data"][number];

const MAX_FIGURES = 12;
/** Statistics of a group, most important first. */
const STAT_ORDER = ["mean", "average", "median", "max", "min", "stddev", "count"];

/**
 * Returns a block of at most twelve figures, or null if the data contains none. The data may be a list of finished
 * figures, a single value, the statistics of one group or of several, an object with scalar members, or the rows of a
 * table. `props` select the metrics and may give labels.
 */
export function createKpiBlock(id: string, data: unknown, props: SlotProps, format: ValueFormat): PageBlock | null {
  const figures = createFigures(data, props, format).slice(0, MAX_FIGURES);
  return figures.length === 0 ? null : { id, type: "kpi_grid", data: figures };
}

function createFigures(data: unknown, props: SlotProps, format: ValueFormat): KpiFigure[] {
  if (isScalar(data)) return [createFigure(getTextProp(props, "label", "title") ?? "", data, format)];
  if (Array.isArray(data) && data.every((item) => isRecord(item) && getFigureLabel(item) !== null))
    return (data as DataRow[]).map((item) => parseFigure(item, format));
  const comparison = parseComparison(data);
  if (comparison !== null) return createComparisonFigures(comparison, props, format);
  const stats = parseStats(data);
  if (stats !== null) return createNamedFigures(stats, getRequestedMetrics(props) ?? STAT_ORDER, format);
  if (isRecord(data) && !Array.isArray(data["rows"])) {
    const scalars = Object.fromEntries(Object.entries(data).filter(([, value]) => isScalar(value)));
    if (Object.keys(scalars).length > 0)
      return createNamedFigures(scalars, getRequestedMetrics(props) ?? Object.keys(scalars), format);
  }
  return createRowFigures(data, props, format);
}

/** Creates one figure per column from a single row. Several rows give one figure each, labelled by their first text. */
function createRowFigures(data: unknown, props: SlotProps, format: ValueFormat): KpiFigure[] {
  const table = parseTable(data);
  const [first] = table?.rows ?? [];
  if (table === null || first === undefined) return [];
  if (table.rows.length === 1)
    return createNamedFigures(first, getRequestedMetrics(props) ?? table.columns, format, table.isNamed);
  const name = table.columns.find((column) => typeof first[column] === "string");
  const value = table.columns.find((column) => column !== name && typeof first[column] === "number");
  if (value === undefined) return [];
  return table.rows.map((row, i) => createFigure(format.text(String(row[name ?? ""] ?? i + 1)), row[value], format));
}

/** Creates a figure of the same metric for each group, and one for their difference with its direction. */
function createComparisonFigures(
  { groups, difference }: GroupComparison,
  props: SlotProps,
  format: ValueFormat,
): KpiFigure[] {
  const keys = groups.map(({ key }) => key);
  const names = createLabels(props, keys, format);
  const [metric = "mean"] =
    getRequestedMetrics(props) ?? ["mean", "average", "median"].filter((name) => groups[0]?.stats[name] !== undefined);
  const groupFigures = groups.map(({ stats }, i) => ({
    ...createFigure(`${names[i] ?? ""} · ${format.label(metric)}`, stats[metric], format),
    subtext: stats["count"] === undefined ? "" : `n = ${format.number(stats["count"])}`,
  }));
  const by = difference[metric];
  if (by === undefined) return groupFigures;
  const status = by > 0 ? "up" : by < 0 ? "down" : "neutral";
  return [
    ...groupFigures,
    { ...createFigure(`${format.label("difference")} · ${format.label(metric)}`, by, format), status },
  ];
}

/**
 * Creates a figure for each name with a scalar value. With `isNamed` the names are column names of the person and stay
 * as they are.
 */
function createNamedFigures(
  values: DataRow,
  names: readonly string[],
  format: ValueFormat,
  isNamed = false,
): KpiFigure[] {
  return names.flatMap((name) =>
    isScalar(values[name]) ? [createFigure(isNamed ? name : format.label(name), values[name], format)] : [],
  );
}

const statusSchema = kpiGridSchema.shape.data.element.shape.status.catch("neutral");

/** Parses a figure that is already in the form of the page schema, and appends its unit to the value. */
function parseFigure(item: DataRow, format: ValueFormat): KpiFigure {
  const { value, unit, status, subtext } = item;
  const figure = createFigure(getFigureLabel(item) ?? "", value, format);
  const gap = typeof unit !== "string" || /^[%°‰]/.test(unit) ? "" : " ";
  return {
    ...figure,
    value: typeof unit === "string" && isScalar(value) ? `${figure.value}${gap}${unit}`.trim() : figure.value,
    status: statusSchema.parse(status),
    subtext: isScalar(subtext) ? format.text(String(subtext)) : "",
  };
}

function createFigure(label: string, value: unknown, format: ValueFormat): KpiFigure {
  const displayValue =
    typeof value === "number" ? format.number(value) : isScalar(value) ? format.text(String(value)) : "—";
  return { label, value: displayValue, status: "neutral", subtext: "" };
}

/** Returns the label of a finished figure; null if the item is not one. */
function getFigureLabel(item: DataRow): string | null {
  const label = item["label"];
  return typeof label === "string" && "value" in item ? label : null;
}

/** Returns the metric names in the properties; null if there are none. */
function getRequestedMetrics(props: SlotProps): string[] | null {
  const names = getNamesProp(props, "metrics");
  return names.length === 0 ? null : names;
}
