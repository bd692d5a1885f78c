// Creates blocks of key figures from tool results.

import type { Block } from "../../protocol/page.ts";
import type { Format } from "./format.ts";
import { comparisonOf, isRecord, isScalar, statsOf, tableOf, type Comparison, type Row } from "./shapes.ts";
import { labelsOf, textIn } from "./props.ts";

type Kpi = Extract<Block, { type: "kpi_grid" }>["data"][number];
type Props = Readonly<Record<string, unknown>>;

const MOST_FIGURES = 12;
/** Statistics of a group, most important first. */
const ORDER = ["mean", "average", "median", "max", "min", "stddev", "count"];

/**
 * Returns a block of at most twelve figures, or null if the data contains none. The data may be a list of finished
 * figures, one value, the statistics of one group or of several, or the rows of a table.
 */
export function kpiGridOf(id: string, data: unknown, props: Props, format: Format): Block | null {
  const figures = figuresOf(data, props, format).slice(0, MOST_FIGURES);
  return figures.length === 0 ? null : { id, type: "kpi_grid", data: figures };
}

function figuresOf(data: unknown, props: Props, format: Format): Kpi[] {
  if (isScalar(data)) return [kpi(textIn(props, "label") ?? textIn(props, "title") ?? "", data, format)];
  if (Array.isArray(data) && data.every((item) => isRecord(item) && labelIn(item) !== null))
    return (data as Row[]).map((item) => given(item, format));
  const comparison = comparisonOf(data);
  if (comparison !== null) return comparing(comparison, props, format);
  const stats = statsOf(data);
  if (stats !== null) return named(stats, wantedIn(props) ?? ORDER, format);
  if (isRecord(data) && !Array.isArray(data["rows"])) {
    const scalars = Object.fromEntries(Object.entries(data).filter(([, value]) => isScalar(value)));
    if (Object.keys(scalars).length > 0) return named(scalars, wantedIn(props) ?? Object.keys(scalars), format);
  }
  return ofRows(data, props, format);
}

/** Creates one figure per column from a single row. Several rows give one figure each, labelled by their first text. */
function ofRows(data: unknown, props: Props, format: Format): Kpi[] {
  const table = tableOf(data);
  const [first] = table?.rows ?? [];
  if (table === null || first === undefined) return [];
  if (table.rows.length === 1) return named(first, wantedIn(props) ?? table.columns, format, table.isNamed);
  const name = table.columns.find((column) => typeof first[column] === "string");
  const value = table.columns.find((column) => column !== name && typeof first[column] === "number");
  if (value === undefined) return [];
  return table.rows.map((row, i) => kpi(format.text(String(row[name ?? ""] ?? i + 1)), row[value], format));
}

/** Creates a figure of the same metric for each group, and one for their difference with its direction. */
function comparing({ groups, difference }: Comparison, props: Props, format: Format): Kpi[] {
  const names = labelsOf(
    props,
    groups.map(({ key }) => key),
    format,
  );
  const [metric = "mean"] =
    wantedIn(props) ?? ["mean", "average", "median"].filter((name) => groups[0]?.stats[name] !== undefined);
  const ofGroups = groups.map(({ stats }, i) => ({
    ...kpi(`${names[i] ?? ""} · ${format.label(metric)}`, stats[metric], format),
    subtext: stats["count"] === undefined ? "" : `n = ${format.number(stats["count"])}`,
  }));
  const by = difference[metric];
  if (by === undefined) return ofGroups;
  const status = by > 0 ? "up" : by < 0 ? "down" : "neutral";
  return [...ofGroups, { ...kpi(`${format.label("difference")} · ${format.label(metric)}`, by, format), status }];
}

/**
 * Creates a figure for each name with a scalar value. With `isNamed` the names are column names of the person and stay
 * as they are.
 */
function named(values: Row, names: readonly string[], format: Format, isNamed = false): Kpi[] {
  return names.flatMap((name) =>
    isScalar(values[name]) ? [kpi(isNamed ? name : format.label(name), values[name], format)] : [],
  );
}

/** Parses a figure that is already in the form of the page schema, and appends its unit to the value. */
function given(item: Row, format: Format): Kpi {
  const { value, unit, status, subtext } = item;
  const shown = kpi(labelIn(item) ?? "", value, format);
  const direction = (["up", "down", "neutral"] as const).find((known) => known === status) ?? "neutral";
  return {
    ...shown,
    value:
      typeof unit === "string" && isScalar(value)
        ? `${shown.value}${/^[%°‰]/.test(unit) ? "" : " "}${unit}`.trim()
        : shown.value,
    status: direction,
    subtext: isScalar(subtext) ? format.text(String(subtext)) : "",
  };
}

function kpi(label: string, value: unknown, format: Format): Kpi {
  const shown = typeof value === "number" ? format.number(value) : isScalar(value) ? format.text(String(value)) : "—";
  return { label, value: shown, status: "neutral", subtext: "" };
}

/** Returns the label of a finished figure; null if the item is not one. */
function labelIn(item: Row): string | null {
  const label = item["label"];
  return typeof label === "string" && "value" in item ? label : null;
}

/** Returns the metric names in the properties; null if there are none. */
function wantedIn(props: Props): string[] | null {
  const metrics = props["metrics"] ?? props["fields"];
  const names = Array.isArray(metrics) ? metrics.filter((name) => typeof name === "string") : [];
  return names.length === 0 ? null : names;
}
