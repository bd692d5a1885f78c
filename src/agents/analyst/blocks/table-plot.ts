// Turns a table of rows into a chart: selects the columns to draw and the chart type.

import type { PageBlock } from "../../../protocol/pages/page.ts";
import { isDate, type ValueFormat } from "./value-format.ts";
import { createLabels, getNamesProp, type SlotProps } from "./slot-props.ts";
import { sortTable } from "./sort-table.ts";
import { toNumber, type DataRow, type DataTable } from "./data-shapes.ts";

type PlotChartBlock = Extract<PageBlock, { type: "chart" }>;

/** The content of a chart without its title. `variant` is the chart type that suits the data best. */
export type ChartPlot = {
  readonly variant: PlotChartBlock["variant"];
  readonly xAxis: readonly string[];
  readonly series: PlotChartBlock["series"];
  /** True if the source has more rows than these. */
  readonly isTruncated?: boolean;
};

/**
 * Creates a chart from the rows of a table: a line chart if the x axis has dates, else a bar chart. Properties such as
 * `xField`, `yFields` and `seriesField` select the columns, and `sortBy` the order of the rows (see `sortTable`);
 * without them suitable columns are chosen. Returns null if there are no rows or no column to draw.
 */
export function createTablePlot(unsorted: DataTable | null, props: SlotProps, format: ValueFormat): ChartPlot | null {
  if (unsorted === null || unsorted.rows.length === 0) return null;
  const table = sortTable(unsorted, props);
  const { rows } = table;
  const { x, y, split } = selectFields(table, props);
  const [value] = y;
  if (value === undefined) return null;
  const variant = x !== undefined && rows.some((row) => isDate(row[x])) ? "line" : "bar";
  if (split !== undefined && x !== undefined) return { variant, ...pivotRows(rows, x, value, split, format) };
  const names = createLabels(props, y, format, table.isNamed);
  return {
    variant,
    isTruncated: table.isTruncated === true,
    xAxis: rows.map((row, i) => (x === undefined ? String(i + 1) : formatAxisLabel(row[x], format))),
    series: y.map((name, i) => ({ name: names[i] ?? "", data: rows.map((row) => toNumber(row[name])) })),
  };
}

/**
 * Selects the x axis, the drawn columns and the split column. Named columns win. Otherwise x is a date, a name, or a
 * distinct number such as a year, and the numeric columns are drawn over it.
 */
function selectFields({ columns, rows }: DataTable, props: SlotProps) {
  const findNamedColumns = (prop: string) => getNamesProp(props, prop).filter((name) => columns.includes(name));
  const numeric = new Set(columns.filter((name) => isNumeric(name, rows)));
  const [split] = findNamedColumns("seriesField");
  const values = findNamedColumns("yFields");
  const others = columns.filter((name) => name !== split && !values.includes(name));
  const x =
    findNamedColumns("xField")[0] ??
    others.find((name) => rows.some((row) => isDate(row[name]))) ??
    others.find((name) => !numeric.has(name) && !isIdentifierColumn(name)) ??
    others.find((name) => !numeric.has(name)) ??
    (columns.length > 1 ? others.slice(0, 1).find((name) => isDistinctInteger(name, rows)) : undefined);
  const numericColumns = columns.filter((name) => name !== x && name !== split && numeric.has(name));
  const figureColumns = numericColumns.filter((name) => !isIdentifierColumn(name));
  return { x, y: values.length > 0 ? values : figureColumns.length > 0 ? figureColumns : numericColumns, split };
}

/** True if all values are numbers or null, and at least one is a number. */
function isNumeric(name: string, rows: readonly DataRow[]): boolean {
  const values = rows.map((row) => row[name] ?? null).filter((value) => value !== null);
  return values.length > 0 && values.every((value) => toNumber(value) !== null);
}

/** True if every row has a different integer in the column, such as a year or a grade. */
function isDistinctInteger(name: string, rows: readonly DataRow[]): boolean {
  const values = rows.map((row) => toNumber(row[name]));
  return values.every((value) => Number.isInteger(value)) && new Set(values).size === values.length;
}

/**
 * Creates one series per value of the split column. A series with two values at one x label gets two positions there.
 */
function pivotRows(
  rows: readonly DataRow[],
  x: string,
  y: string,
  split: string,
  format: ValueFormat,
): Pick<ChartPlot, "xAxis" | "series"> {
  const positionsByLabel = new Map<string, Map<string, number | null>[]>();
  const names = new Set<string>();
  for (const row of rows) {
    const [label, name] = [formatAxisLabel(row[x], format), formatAxisLabel(row[split], format)];
    names.add(name);
    const positions = positionsByLabel.get(label) ?? [];
    const position = positions.find((candidate) => !candidate.has(name)) ?? new Map<string, number | null>();
    if (!positions.includes(position)) positions.push(position);
    positionsByLabel.set(label, positions);
    position.set(name, toNumber(row[y]));
  }
  const all = [...positionsByLabel].flatMap(([label, positions]) => positions.map((values) => ({ label, values })));
  return {
    xAxis: all.map(({ label }) => label),
    series: [...names].map((name) => ({ name, data: all.map(({ values }) => values.get(name) ?? null) })),
  };
}

/** True for columns whose numbers are identifiers. They are drawn only on request. */
function isIdentifierColumn(name: string): boolean {
  return /(?:^|[_\s])(?:id|no|code)$|Id$|编号|学号|序号/.test(name);
}

/** Formats a value as an axis label. Numbers stay unformatted; null and undefined become a dash. */
export function formatAxisLabel(value: unknown, format: ValueFormat): string {
  if (value === null || value === undefined) return "—";
  return typeof value === "number" ? String(value) : format.text(String(value));
}
