// Creates table blocks from tool results.

import { tableSchema, type PageBlock } from "../../../protocol/pages/page.ts";
import { truncateWithEllipsis } from "../../../lib/truncate.ts";
import type { ValueFormat } from "./value-format.ts";
import { createBlockTitle, createLabels, getNamesProp, getTextProp, type SlotProps } from "./slot-props.ts";
import { sortTable } from "./sort-table.ts";
import { isRecord, isScalar, toNumber, parseTable, type DataRow, type DataTable } from "./data-shapes.ts";

type TableBlock = Extract<PageBlock, { type: "table" }>;
type TableBlockCell = TableBlock["rows"][number]["cells"][number];
type TableHighlightRule = TableBlock["highlightRules"][number];

const MAX_ROWS = 500;
const MAX_CELL_CHARS = 500;
const WARNING_BELOW_PERCENT = 60;
const SUCCESS_FROM_PERCENT = 80;

/**
 * Returns a table block, or null if the data is not a table; an empty table gives a block without rows. Sorts by the
 * properties, limits rows and cells, and marks rows by their score: a warning below 60 percent of the full score, a
 * success from 80 percent on.
 */
export function createTableBlock(id: string, data: unknown, props: SlotProps, format: ValueFormat): PageBlock | null {
  const unsorted = parseTable(data);
  if (unsorted === null) return null;
  const table = sortTable(unsorted, props);
  const columns = selectColumns(table, props);
  const count = table.rows.length;
  const score = findScoreColumn(table, props);
  return {
    id,
    type: "table",
    title: createBlockTitle(props, { count, max: MAX_ROWS, isTruncated: table.isTruncated === true }, format),
    headers: createHeaders(table, columns, props, format),
    rows: table.rows.slice(0, MAX_ROWS).map((row) => ({
      cells: columns.map((column) => toCell(row[column], column, format)),
      status: rateRow(row, score, table, props),
    })),
    highlightRules: parseHighlightRules(props, columns),
  };
}

/** Returns the requested columns that exist, or all columns. */
function selectColumns({ columns }: DataTable, props: SlotProps): readonly string[] {
  const requested = getNamesProp(props, "columns", "fields").filter((name) => columns.includes(name));
  return requested.length > 0 ? requested : columns;
}

/** Returns one header per column: the label of a column object in the properties, else a label. */
function createHeaders(table: DataTable, columns: readonly string[], props: SlotProps, format: ValueFormat): string[] {
  const given: readonly unknown[] = Array.isArray(props["columns"]) ? props["columns"] : [];
  const titles = new Map(
    given
      .filter(isRecord)
      .map((column) => [getNamesProp({ column }, "column")[0], getTextProp(column, "label", "title")]),
  );
  const labels = createLabels(props, columns, format, table.isNamed);
  return columns.map((column, i) => titles.get(column) ?? labels[i] ?? column);
}

/** Converts a value to a cell. Numbers stay numbers, so that readers can sort and compute with them. */
function toCell(value: unknown, column: string, format: ValueFormat): TableBlockCell {
  if (value === null || value === undefined) return null;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "boolean") return value;
  if (typeof value === "string")
    return truncateWithEllipsis(column === "metric" ? format.label(value) : format.text(value), MAX_CELL_CHARS);
  if (Array.isArray(value)) return truncateWithEllipsis(value.slice(0, 50).map(formatShort).join(", "), MAX_CELL_CHARS);
  return truncateWithEllipsis(JSON.stringify(value) ?? "", MAX_CELL_CHARS);
}

function formatShort(value: unknown): string {
  if (isScalar(value)) return String(value);
  return isRecord(value) && isScalar(value["name"]) ? String(value["name"]) : (JSON.stringify(value) ?? "");
}

/** Returns the named score column, or else a column that looks like scores from 0 to 100; null if there is none. */
function findScoreColumn({ columns, rows }: DataTable, props: SlotProps): string | null {
  const requested = getTextProp(props, "scoreField", "statusField");
  if (requested !== undefined && columns.includes(requested)) return requested;
  const score = columns.find(
    (column) => /(?:^|[_\s])scores?$|[a-z]Score$|分数|成绩|得分/i.test(column) && !/max|full|min|满分/i.test(column),
  );
  if (score === undefined) return null;
  const values = rows.map((row) => toNumber(row[score])).filter((value) => value !== null);
  const isHundred = values.every((value) => value >= 0 && value <= 100) && values.some((value) => value > 10);
  return isHundred ? score : null;
}

/** Rates a row by its score relative to the full score of the row, the table or the properties, 100 by default. */
function rateRow(
  row: DataRow,
  score: string | null,
  { fullScore }: DataTable,
  props: SlotProps,
): TableBlock["rows"][number]["status"] {
  const value = score === null ? null : toNumber(row[score]);
  if (value === null) return "normal";
  const full = toNumber(row["max_score"]) ?? fullScore ?? toNumber(props["maxScore"]) ?? 100;
  const share = full > 0 ? (value / full) * 100 : value;
  return share < WARNING_BELOW_PERCENT ? "warning" : share >= SUCCESS_FROM_PERCENT ? "success" : "normal";
}

const ruleSchema = tableSchema.shape.highlightRules.unwrap().element;

/** Parses the highlight rules. Drops rules that are invalid or name an unknown column. */
function parseHighlightRules(props: SlotProps, columns: readonly string[]): TableHighlightRule[] {
  const rules: readonly unknown[] = Array.isArray(props["highlightRules"]) ? props["highlightRules"] : [];
  return rules.flatMap((rule) => {
    const parsed = ruleSchema.safeParse(rule).data;
    // Headers may be reworded, so a rule stores the index of its column.
    const column = typeof parsed?.column === "string" ? columns.indexOf(parsed.column) : parsed?.column;
    return parsed === undefined || column === undefined || columns[column] === undefined ? [] : [{ ...parsed, column }];
  });
}
