// Creates table blocks from tool results.

import { tableSchema, type PageBlock } from "../../../protocol/pages/page.ts";
import { truncateWithEllipsis } from "../../../lib/truncate.ts";
import type { ValueFormat } from "./value-format.ts";
import { createMessage } from "../../../language/messages.ts";
import { localize } from "../localize.ts";
import { createLabels, getNamesProp, getTextProp } from "./slot-props.ts";
import { sortTable } from "./sort-table.ts";
import { isRecord, isScalar, toNumber, parseTable, type DataRow, type DataTable } from "./data-shapes.ts";

type TableBlock = Extract<PageBlock, { type: "table" }>;
type TableBlockCell = TableBlock["rows"][number]["cells"][number];
type TableHighlightRule = TableBlock["highlightRules"][number];
type TableSlotProps = Readonly<Record<string, unknown>>;

const MAX_ROWS = 500;
const MAX_CELL_CHARS = 500;
/**
 * A truncation note is added from this many rows on. A shorter table is taken to have the length that was asked for.
 */
const MIN_NOTED_ROWS = 50;
const WARNING_BELOW_PERCENT = 60;
const SUCCESS_FROM_PERCENT = 80;

/**
 * Returns a table block, or null if the data is not a table; an empty table gives a block without rows. Sorts by the
 * properties, limits rows and cells, and marks rows by their score: a warning below 60 percent of the full score, a
 * success from 80 percent on.
 */
export function createTableBlock(
  id: string,
  data: unknown,
  props: TableSlotProps,
  format: ValueFormat,
): PageBlock | null {
  const unsorted = parseTable(data);
  if (unsorted === null) return null;
  const table = sortTable(unsorted, props);
  const columns = selectColumns(table, props);
  const rows = table.rows.slice(0, MAX_ROWS);
  const score = findScoreColumn(table, props);
  return {
    id,
    type: "table",
    title: [getTextProp(props, "title", "label") ?? "", formatTruncationNote(table, format)].filter(Boolean).join(" "),
    headers: createHeaders(table, columns, props, format),
    rows: rows.map((row) => ({
      cells: columns.map((column) => toCell(row[column], column, format)),
      status: rateRow(row, score, table, props),
    })),
    highlightRules: parseHighlightRules(props, columns),
  };
}

/** Returns the requested columns that exist, or all columns. */
function selectColumns({ columns }: DataTable, props: TableSlotProps): readonly string[] {
  const requested = getNamesProp(props, "columns", "fields").filter((name) => columns.includes(name));
  return requested.length > 0 ? requested : columns;
}

/** Returns one header per column: complete headers from the properties, else titles of column objects, else labels. */
function createHeaders(
  table: DataTable,
  columns: readonly string[],
  props: TableSlotProps,
  format: ValueFormat,
): string[] {
  const { headers } = props;
  if (Array.isArray(headers) && headers.length === columns.length && headers.every(isScalar))
    return headers.map(String);
  const columnProps: readonly unknown[] = Array.isArray(props["columns"]) ? props["columns"] : [];
  const titles = new Map(
    columnProps.filter(isRecord).flatMap((column) => {
      const name = column["field"] ?? column["key"] ?? column["name"];
      const title = column["label"] ?? column["title"] ?? column["header"];
      return typeof name === "string" && typeof title === "string" ? [[name, title] as const] : [];
    }),
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

/** Returns the note about omitted rows, or an empty text. */
function formatTruncationNote({ rows, isTruncated = false }: DataTable, { language }: ValueFormat): string {
  const all = rows.length;
  if (all > MAX_ROWS) return `(${localize(createMessage("analyst.firstOf", { shown: MAX_ROWS, all }), language)})`;
  return isTruncated && all >= MIN_NOTED_ROWS
    ? `(${localize(createMessage("analyst.firstOfMore", { shown: all }), language)})`
    : "";
}

function formatShort(value: unknown): string {
  if (isScalar(value)) return String(value);
  return isRecord(value) && isScalar(value["name"]) ? String(value["name"]) : (JSON.stringify(value) ?? "");
}

/** Returns the named score column, or else a column that looks like scores from 0 to 100; null if there is none. */
function findScoreColumn({ columns, rows }: DataTable, props: TableSlotProps): string | null {
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
  props: TableSlotProps,
): TableBlock["rows"][number]["status"] {
  const value = score === null ? null : toNumber(row[score]);
  if (value === null) return "normal";
  const full = toNumber(row["max_score"]) ?? fullScore ?? toNumber(props["maxScore"]) ?? 100;
  const share = full > 0 ? (value / full) * 100 : value;
  return share < WARNING_BELOW_PERCENT ? "warning" : share >= SUCCESS_FROM_PERCENT ? "success" : "normal";
}

/** Condition names that models write, mapped to those of the page schema. */
const CONDITION_ALIASES: Readonly<Record<string, TableHighlightRule["condition"]>> = {
  "<": "lt",
  below: "lt",
  less_than: "lt",
  "<=": "lte",
  ">": "gt",
  above: "gt",
  greater_than: "gt",
  ">=": "gte",
  "=": "eq",
  "==": "eq",
  equals: "eq",
  "!=": "neq",
};

/** Parses the highlight rules. Drops rules that are invalid or name an unknown column. */
function parseHighlightRules(props: TableSlotProps, columns: readonly string[]): TableHighlightRule[] {
  const rules = props["highlightRules"];
  return (Array.isArray(rules) ? rules : []).filter(isRecord).flatMap((rule) => {
    const condition =
      typeof rule["condition"] === "string" ? (CONDITION_ALIASES[rule["condition"]] ?? rule["condition"]) : undefined;
    const { column } = rule;
    const at = typeof column === "string" ? columns.indexOf(column) : column;
    const style = rule["style"] === "danger" ? "error" : rule["style"];
    // Headers may be reworded, so a rule stores the index of its column.
    const parsed = tableSchema.shape.highlightRules
      .unwrap()
      .element.safeParse({ ...rule, condition, style, column: at });
    return parsed.success && typeof parsed.data.column === "number" && columns[parsed.data.column] !== undefined
      ? [parsed.data]
      : [];
  });
}
