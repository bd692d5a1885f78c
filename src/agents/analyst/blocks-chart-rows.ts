// Turns a table of rows into a chart: selects the columns to draw and the chart type.

import type { Block } from "../../protocol/page.ts";
import { isDate, type Format } from "./format.ts";
import { labelsOf, namesIn } from "./props.ts";
import { inOrder } from "./sorting.ts";
import { numberOf, type Row, type Table } from "./shapes.ts";

type Chart = Extract<Block, { type: "chart" }>;
type Props = Readonly<Record<string, unknown>>;

/** The content of a chart without its title. `variant` is the chart type that suits the data best. */
export type Plot = {
  readonly variant: Chart["variant"];
  readonly xAxis: readonly string[];
  readonly series: Chart["series"];
  /** True if the source has more rows than these. */
  readonly isCut?: boolean;
};

/**
 * Returns the chart of a table: a line chart over dates, else a bar chart. Returns null if there are no rows or no
 * numeric column to draw.
 */
export function plotOfTable(found: Table | null, props: Props, format: Format): Plot | null {
  if (found === null || found.rows.length === 0) return null;
  const table = inOrder(found, props);
  const { rows } = table;
  const { x, y, split } = fieldsOf(table, props);
  const [value] = y;
  if (value === undefined) return null;
  const variant = x !== undefined && rows.some((row) => isDate(row[x])) ? "line" : "bar";
  if (split !== undefined && x !== undefined) return { variant, ...pivoted(rows, x, value, split, format) };
  const names = labelsOf(props, y, format, table.isNamed);
  return {
    variant,
    isCut: table.isCut === true,
    xAxis: rows.map((row, i) => (x === undefined ? String(i + 1) : axisLabel(row[x], format))),
    series: y.map((name, i) => ({ name: names[i] ?? "", data: rows.map((row) => numberOf(row[name])) })),
  };
}

/**
 * Selects the x axis, the drawn columns and the split column. Named columns win. Otherwise x is a date, a name, or a
 * distinct number such as a year, and the numeric columns are drawn over it.
 */
function fieldsOf({ columns, rows }: Table, props: Props) {
  const named = (...names: readonly string[]) => namesIn(props, ...names).filter((name) => columns.includes(name));
  const numeric = new Set(columns.filter((name) => isNumeric(name, rows)));
  const [split] = named("seriesField", "groupField", "colorField");
  const values = named("yFields", "yField", "y", "yKey", "valueField", "series");
  const others = columns.filter((name) => name !== split && !values.includes(name));
  const x =
    named("xField", "x", "xKey", "labelField", "categoryField")[0] ??
    others.find((name) => rows.some((row) => isDate(row[name]))) ??
    others.find((name) => !numeric.has(name) && !isKey(name)) ??
    others.find((name) => !numeric.has(name)) ??
    (columns.length > 1 ? others.slice(0, 1).find((name) => tellsApart(name, rows)) : undefined);
  const free = columns.filter((name) => name !== x && name !== split && numeric.has(name));
  const telling = free.filter((name) => !isKey(name));
  return { x, y: values.length > 0 ? values : telling.length > 0 ? telling : free, split };
}

/** True if all values are numbers or null, and at least one is a number. */
function isNumeric(name: string, rows: readonly Row[]): boolean {
  const values = rows.map((row) => row[name] ?? null).filter((value) => value !== null);
  return values.length > 0 && values.every((value) => numberOf(value) !== null);
}

/** True if every row has a different integer in the column, such as a year or a grade. */
function tellsApart(name: string, rows: readonly Row[]): boolean {
  const values = rows.map((row) => numberOf(row[name]));
  return values.every((value) => Number.isInteger(value)) && new Set(values).size === values.length;
}

/**
 * Creates one series per value of the split column. A series with two values at one x label gets two positions there.
 */
function pivoted(
  rows: readonly Row[],
  x: string,
  y: string,
  split: string,
  format: Format,
): Pick<Plot, "xAxis" | "series"> {
  const places = new Map<string, Map<string, number | null>[]>();
  const seen = new Map<string, Map<string, number>>();
  for (const row of rows) {
    const [label, name] = [axisLabel(row[x], format), axisLabel(row[split], format)];
    const here = places.get(label) ?? [];
    places.set(label, here);
    const times = seen.get(name) ?? new Map<string, number>();
    seen.set(name, times);
    const before = times.get(label) ?? 0;
    times.set(label, before + 1);
    (here[before] ??= new Map()).set(name, numberOf(row[y]));
  }
  const all = [...places].flatMap(([label, here]) => here.map((place) => ({ label, place })));
  return {
    xAxis: all.map(({ label }) => label),
    series: [...seen.keys()].map((name) => ({ name, data: all.map(({ place }) => place.get(name) ?? null) })),
  };
}

/** True for columns whose numbers are identifiers. They are drawn only on request. */
function isKey(name: string): boolean {
  return /(?:^|[_\s])(?:id|no|code)$|Id$|编号|学号|序号/.test(name);
}

/** Formats a value as an axis label. Numbers stay unformatted; null becomes a dash. */
export function axisLabel(value: unknown, format: Format): string {
  if (value === null || value === undefined) return "—";
  return typeof value === "number" ? String(value) : format.text(String(value));
}
