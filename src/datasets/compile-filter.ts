// Compiles a filter to SQL. Every condition evaluates to 0 or 1 and never to null, so that `not` includes rows with
// gaps.

import {
  MAX_FILTER_DEPTH,
  type Column,
  type FilterCondition,
  type DatasetFilter,
} from "../protocol/datasets/dataset.ts";
import { isAmbiguousDate, parseDate, parseMonth } from "./parse-date.ts";
import { MAX_CONDITIONS } from "./dataset-limits.ts";
import { parseNumber } from "./parse-number.ts";
import { isNumericType } from "./describe-column.ts";
import { refuseQuery } from "./query-refusal.ts";
import { createMessage } from "../language/messages.ts";
import type { QuerySources, UsedColumn } from "./query-sources.ts";

/** Values for the placeholders, in the order of the text. */
export type SqlBindings = (string | number)[];

type FilterScalar = string | number | boolean;

const COMPARISONS = { eq: "=", lt: "<", lte: "<=", gt: ">", gte: ">=" } as const;
const TRUE_WORDS = new Set(["true", "yes", "y", "t", "1", "是", "对", "有"]);
const FALSE_WORDS = new Set(["false", "no", "n", "f", "0", "否", "错", "无"]);

/**
 * Returns the SQL of a filter and appends its values to `bindings` in the order of the text. Refuses (`refuseQuery`)
 * unknown columns, and filters that are nested too deeply, have too many conditions, or compare a column with an unfit
 * value.
 */
export function compileFilter(filter: DatasetFilter, sources: QuerySources, bindings: SqlBindings): string {
  let conditions = 0;
  const walk = (part: DatasetFilter, depth: number): string => {
    if (depth > MAX_FILTER_DEPTH) refuseQuery("query", createMessage("query.filterTooDeep", { max: MAX_FILTER_DEPTH }));
    if ("and" in part) return `(${part.and.map((inner) => walk(inner, depth + 1)).join(" AND ")})`;
    if ("or" in part) return `(${part.or.map((inner) => walk(inner, depth + 1)).join(" OR ")})`;
    if ("not" in part) return `(NOT ${walk(part.not, depth + 1)})`;
    conditions += 1;
    if (conditions > MAX_CONDITIONS)
      refuseQuery("query", createMessage("query.tooManyConditions", { max: MAX_CONDITIONS }));
    return compileCondition(part, sources.resolveColumn(part.column), bindings);
  };
  return walk(filter, 1);
}

function compileCondition({ operator, value }: FilterCondition, used: UsedColumn, bindings: SqlBindings): string {
  const { sql, column } = used;
  const bind = (bound: string | number): string => {
    bindings.push(bound);
    return "?";
  };
  switch (operator) {
    case "is_gap":
      return `(${sql} IS NULL)`;
    case "is_not_gap":
      return `(${sql} IS NOT NULL)`;
    case "ne": {
      const { of, bound } = createSqlOperand(used, requireSingleValue(column, operator, value));
      return `(${of} IS NOT ${bind(bound)})`;
    }
    case "in": {
      const operands = requireValueList(column, operator, value).map((scalar) => createSqlOperand(used, scalar));
      const of = operands[0]?.of ?? sql;
      return `(${sql} IS NOT NULL AND ${of} IN (SELECT value FROM json_each(${bind(encodeValueList(operands))})))`;
    }
    case "between": {
      const [from, to, more] = requireValueList(column, operator, value).map((scalar) =>
        createSqlOperand(used, scalar),
      );
      if (from === undefined || to === undefined || more !== undefined) {
        refuseQuery("value", createMessage("query.twoValuesRequired", { column: column.name }));
      }
      return `(${sql} IS NOT NULL AND ${from.of} >= ${bind(from.bound)} AND ${to.of} <= ${bind(to.bound)})`;
    }
    case "contains":
    case "starts_with": {
      const scalar = requireSingleValue(column, operator, value);
      if (column.type !== "text")
        refuseQuery("value", createMessage("query.textRequired", { operator, column: column.name, type: column.type }));
      const found = `instr(lower(${sql}), ${bind(lowercaseAscii(String(scalar)))})`;
      return `(${sql} IS NOT NULL AND ${found} ${operator === "contains" ? "> 0" : "= 1"})`;
    }
    case "eq":
    case "lt":
    case "lte":
    case "gt":
    case "gte": {
      const { of, bound } = createSqlOperand(used, requireSingleValue(column, operator, value));
      return `(${sql} IS NOT NULL AND ${of} ${COMPARISONS[operator]} ${bind(bound)})`;
    }
  }
}

function requireSingleValue(column: Column, operator: string, value: FilterCondition["value"]): FilterScalar {
  if (value !== undefined && !Array.isArray(value)) return value;
  return refuseQuery("value", createMessage("query.oneValueRequired", { operator, column: column.name }));
}

function requireValueList(column: Column, operator: string, value: FilterCondition["value"]): readonly FilterScalar[] {
  return Array.isArray(value)
    ? value
    : refuseQuery("value", createMessage("query.listRequired", { operator, column: column.name }));
}

/** One comparison: `of` is the SQL of the column, `bound` the value to bind. */
type SqlOperand = { readonly of: string; readonly bound: string | number };

/**
 * Returns the values as a JSON list for `json_each`. Dates of different precision are refused, because each precision
 * compares another part of the column.
 */
function encodeValueList(operands: readonly SqlOperand[]): string {
  if (new Set(operands.map(({ of }) => of)).size > 1) {
    refuseQuery("value", createMessage("query.mixedDates"));
  }
  return JSON.stringify(operands.map(({ bound }) => bound));
}

/** Converts a value to the type of the column. A date without a time matches the whole day, a month the whole month. */
function createSqlOperand({ column, sql }: UsedColumn, value: FilterScalar): SqlOperand {
  if (isNumericType(column.type)) return { of: sql, bound: parseNumberValue(column, value) };
  switch (column.type) {
    case "boolean":
      return { of: sql, bound: parseBooleanValue(column, value) };
    case "date":
    case "datetime": {
      const text = String(value).trim();
      const month = parseMonth(text);
      if (month !== null) return { of: `substr(${sql}, 1, 7)`, bound: month.date.slice(0, 7) };
      const read = isAmbiguousDate(text) ? null : parseDate(text, "day_first");
      if (read === null)
        refuseQuery("value", createMessage("query.dateRequired", { column: column.name, value: text }));
      if (read.time !== null && column.type === "datetime") return { of: sql, bound: `${read.date}T${read.time}` };
      return { of: column.type === "date" ? sql : `substr(${sql}, 1, 10)`, bound: read.date };
    }
    default:
      return { of: sql, bound: String(value) };
  }
}

function parseNumberValue(column: Column, value: FilterScalar): number {
  const read = typeof value === "string" ? (parseNumber(value.trim(), ".")?.value ?? null) : value;
  if (typeof read === "number" && Number.isFinite(read)) return read;
  return refuseQuery("value", createMessage("query.numberRequired", { column: column.name, value: String(value) }));
}

function parseBooleanValue(column: Column, value: FilterScalar): number {
  const word = String(value).trim().toLowerCase();
  if (TRUE_WORDS.has(word)) return 1;
  if (FALSE_WORDS.has(word)) return 0;
  return refuseQuery("value", createMessage("query.booleanRequired", { column: column.name, value: String(value) }));
}

/** Lowercases A to Z only, like SQLite's `lower`. */
function lowercaseAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
