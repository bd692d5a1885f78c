// Creates table blocks from tool results.

import { tableSchema, type Block } from "../../protocol/page.ts";
import { shortened } from "../../protocol/shortened.ts";
import { firstOf, moreThan } from "./blocks-phrases.ts";
import type { Format } from "./format.ts";
import { inLanguage } from "./language.ts";
import { labelsOf, namesIn, textIn } from "./props.ts";
import { inOrder } from "./sorting.ts";
import { isRecord, isScalar, numberOf, tableOf, type Row, type Table } from "./shapes.ts";

type TableBlock = Extract<Block, { type: "table" }>;
type Cell = TableBlock["rows"][number]["cells"][number];
type Rule = TableBlock["highlightRules"][number];
type Props = Readonly<Record<string, unknown>>;

const MOST_ROWS = 500;
const MOST_CELL = 500;
/**
 * A truncation note is added from this many rows on. A shorter table is taken to have the length that was asked for.
 */
const MANY = 50;
const FAILED = 60;
const GOOD = 80;

/**
 * Returns a table block, or null if the data has no rows. Sorts by the properties, limits rows and cells, and marks
 * rows by their score: a warning below 60 percent, a success from 80 percent on.
 */
export function tableBlockOf(id: string, data: unknown, props: Props, format: Format): Block | null {
  const found = tableOf(data);
  if (found === null) return null;
  const table = inOrder(found, props);
  const columns = columnsFor(table, props);
  const rows = table.rows.slice(0, MOST_ROWS);
  const score = scoreColumn(table, props);
  return {
    id,
    type: "table",
    title: [textIn(props, "title", "label") ?? "", noteFor(table, format)].filter(Boolean).join(" "),
    headers: headersFor(table, columns, props, format),
    rows: rows.map((row) => ({
      cells: columns.map((column) => cellOf(row[column], column, format)),
      status: statusOf(row, score, table, props),
    })),
    highlightRules: rulesIn(props, columns),
  };
}

/** Returns the requested columns that exist, or all columns. */
function columnsFor({ columns }: Table, props: Props): readonly string[] {
  const wanted = namesIn(props, "columns", "fields").filter((name) => columns.includes(name));
  return wanted.length > 0 ? wanted : columns;
}

/** Returns one header per column: complete headers from the properties, else titles of column objects, else labels. */
function headersFor(table: Table, columns: readonly string[], props: Props, format: Format): string[] {
  const { headers } = props;
  if (Array.isArray(headers) && headers.length === columns.length && headers.every(isScalar))
    return headers.map(String);
  const given: readonly unknown[] = Array.isArray(props["columns"]) ? props["columns"] : [];
  const titles = new Map(
    given.filter(isRecord).flatMap((column) => {
      const name = column["field"] ?? column["key"] ?? column["name"];
      const title = column["label"] ?? column["title"] ?? column["header"];
      return typeof name === "string" && typeof title === "string" ? [[name, title] as const] : [];
    }),
  );
  const named = labelsOf(props, columns, format, table.isNamed);
  return columns.map((column, i) => titles.get(column) ?? named[i] ?? column);
}

/** Converts a value to a cell. Numbers stay numbers, so that readers can sort and compute with them. */
function cellOf(value: unknown, column: string, format: Format): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "boolean") return value;
  if (typeof value === "string")
    return shortened(column === "metric" ? format.label(value) : format.text(value), MOST_CELL);
  if (Array.isArray(value)) return shortened(value.slice(0, 50).map(inShort).join(", "), MOST_CELL);
  return shortened(JSON.stringify(value) ?? "", MOST_CELL);
}

/** Returns the note about omitted rows, or an empty text. */
function noteFor({ rows, isCut = false }: Table, { language }: Format): string {
  const all = rows.length;
  if (all > MOST_ROWS) return `(${inLanguage(firstOf(MOST_ROWS, all), language)})`;
  return isCut && all >= MANY ? `(${inLanguage(moreThan(all), language)})` : "";
}

function inShort(value: unknown): string {
  if (isScalar(value)) return String(value);
  return isRecord(value) && isScalar(value["name"]) ? String(value["name"]) : (JSON.stringify(value) ?? "");
}

/** Returns the named score column, or else a column that looks like scores from 0 to 100; null if there is none. */
function scoreColumn({ columns, rows }: Table, props: Props): string | null {
  const named = textIn(props, "scoreField", "statusField");
  if (named !== undefined && columns.includes(named)) return named;
  const score = columns.find(
    (column) => /(?:^|[_\s])scores?$|[a-z]Score$|分数|成绩|得分/i.test(column) && !/max|full|min|满分/i.test(column),
  );
  if (score === undefined) return null;
  const values = rows.map((row) => numberOf(row[score])).filter((value) => value !== null);
  const isHundred = values.every((value) => value >= 0 && value <= 100) && values.some((value) => value > 10);
  return isHundred ? score : null;
}

/** Rates a row by its score relative to the full score of the row, the table or the properties, 100 by default. */
function statusOf(
  row: Row,
  score: string | null,
  { fullScore }: Table,
  props: Props,
): TableBlock["rows"][number]["status"] {
  const value = score === null ? null : numberOf(row[score]);
  if (value === null) return "normal";
  const full = numberOf(row["max_score"]) ?? fullScore ?? numberOf(props["maxScore"]) ?? 100;
  const share = full > 0 ? (value / full) * 100 : value;
  return share < FAILED ? "warning" : share >= GOOD ? "success" : "normal";
}

/** Condition names that models write, mapped to those of the page schema. */
const CONDITIONS: Readonly<Record<string, Rule["condition"]>> = {
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
function rulesIn(props: Props, columns: readonly string[]): Rule[] {
  const rules = props["highlightRules"];
  return (Array.isArray(rules) ? rules : []).filter(isRecord).flatMap((rule) => {
    const condition =
      typeof rule["condition"] === "string" ? (CONDITIONS[rule["condition"]] ?? rule["condition"]) : undefined;
    const { column } = rule;
    const at = typeof column === "string" ? columns.indexOf(column) : column;
    const style = rule["style"] === "danger" ? "error" : rule["style"];
    // Headers may be reworded, so a rule stores the index of its column.
    const read = tableSchema.shape.highlightRules.unwrap().element.safeParse({ ...rule, condition, style, column: at });
    return read.success && typeof read.data.column === "number" && columns[read.data.column] !== undefined
      ? [read.data]
      : [];
  });
}
