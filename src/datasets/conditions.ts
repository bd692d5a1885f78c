// Compiles a filter to SQL. Every condition evaluates to 0 or 1 and never to null, so that `not` includes rows with
// gaps.

import { MAX_FILTER_DEPTH, type Column, type Condition, type Filter } from "../protocol/dataset.ts";
import { isAmbiguous, readDate, readMonth } from "./dates.ts";
import { MAX_CONDITIONS } from "./limits.ts";
import { readNumber } from "./numbers.ts";
import { isNumeric } from "./profile.ts";
import { refuse } from "./refused.ts";
import type { Sources, Used } from "./sources.ts";

/** Values for the placeholders, in the order of the text. */
export type Bindings = (string | number)[];

type Scalar = string | number | boolean;

const COMPARISONS = { eq: "=", lt: "<", lte: "<=", gt: ">", gte: ">=" } as const;
const TRUE = new Set(["true", "yes", "y", "t", "1", "是", "对", "有"]);
const FALSE = new Set(["false", "no", "n", "f", "0", "否", "错", "无"]);

/**
 * Returns the SQL of a filter and appends its values to `bindings` in the order of the text. Refuses filters that are
 * nested too deeply, have too many conditions, or compare a column with an unfit value.
 */
export function filterSql(filter: Filter, sources: Sources, bindings: Bindings): string {
  let conditions = 0;
  const walk = (part: Filter, depth: number): string => {
    if (depth > MAX_FILTER_DEPTH) refuse("query", `A filter is nested at most ${MAX_FILTER_DEPTH} deep.`);
    if ("and" in part) return `(${part.and.map((inner) => walk(inner, depth + 1)).join(" AND ")})`;
    if ("or" in part) return `(${part.or.map((inner) => walk(inner, depth + 1)).join(" OR ")})`;
    if ("not" in part) return `(NOT ${walk(part.not, depth + 1)})`;
    conditions += 1;
    if (conditions > MAX_CONDITIONS) refuse("query", `A filter has at most ${MAX_CONDITIONS} conditions.`);
    return conditionSql(part, sources.column(part.column), bindings);
  };
  return walk(filter, 1);
}

function conditionSql({ operator, value }: Condition, used: Used, bindings: Bindings): string {
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
      const { of, bound } = operand(used, one(column, operator, value));
      return `(${of} IS NOT ${bind(bound)})`;
    }
    case "in": {
      const operands = list(column, operator, value).map((given) => operand(used, given));
      const of = operands[0]?.of ?? sql;
      return `(${sql} IS NOT NULL AND ${of} IN (SELECT value FROM json_each(${bind(jsonOf(operands))})))`;
    }
    case "between": {
      const [from, to, more] = list(column, operator, value).map((given) => operand(used, given));
      if (from === undefined || to === undefined || more !== undefined) {
        refuse("value", `"between" takes a list of two values for "${column.name}".`);
      }
      return `(${sql} IS NOT NULL AND ${from.of} >= ${bind(from.bound)} AND ${to.of} <= ${bind(to.bound)})`;
    }
    case "contains":
    case "starts_with": {
      const given = one(column, operator, value);
      if (column.type !== "text") refuse("value", `"${operator}" is for texts; "${column.name}" is ${column.type}.`);
      const found = `instr(lower(${sql}), ${bind(lowered(String(given)))})`;
      return `(${sql} IS NOT NULL AND ${found} ${operator === "contains" ? "> 0" : "= 1"})`;
    }
    case "eq":
    case "lt":
    case "lte":
    case "gt":
    case "gte": {
      const { of, bound } = operand(used, one(column, operator, value));
      return `(${sql} IS NOT NULL AND ${of} ${COMPARISONS[operator]} ${bind(bound)})`;
    }
  }
}

function one(column: Column, operator: string, value: Condition["value"]): Scalar {
  if (value !== undefined && !Array.isArray(value)) return value;
  return refuse("value", `"${operator}" takes one value for "${column.name}".`);
}

function list(column: Column, operator: string, value: Condition["value"]): readonly Scalar[] {
  return Array.isArray(value) ? value : refuse("value", `"${operator}" takes a list of values for "${column.name}".`);
}

/** One comparison: `of` is the SQL of the column, `bound` the value to bind. */
type Operand = { readonly of: string; readonly bound: string | number };

/**
 * Returns the values as a JSON list for `json_each`. Dates of different precision are refused, because each precision
 * compares another part of the column.
 */
function jsonOf(operands: readonly Operand[]): string {
  if (new Set(operands.map(({ of }) => of)).size > 1) {
    refuse("value", "A list of dates has to be equally exact: months, days or times.");
  }
  return JSON.stringify(operands.map(({ bound }) => bound));
}

/** Converts a value to the type of the column. A date without a time matches the whole day, a month the whole month. */
function operand({ column, sql }: Used, value: Scalar): Operand {
  if (isNumeric(column.type)) return { of: sql, bound: numberFor(column, value) };
  switch (column.type) {
    case "boolean":
      return { of: sql, bound: booleanFor(column, value) };
    case "date":
    case "datetime": {
      const text = String(value).trim();
      const month = readMonth(text);
      if (month !== null) return { of: `substr(${sql}, 1, 7)`, bound: month.date.slice(0, 7) };
      const read = isAmbiguous(text) ? null : readDate(text, "day_first");
      if (read === null)
        refuse("value", `"${column.name}" is compared with a date such as 2026-03-01, not with "${text}".`);
      if (read.time !== null && column.type === "datetime") return { of: sql, bound: `${read.date}T${read.time}` };
      return { of: column.type === "date" ? sql : `substr(${sql}, 1, 10)`, bound: read.date };
    }
    default:
      return { of: sql, bound: String(value) };
  }
}

function numberFor(column: Column, value: Scalar): number {
  const read = typeof value === "string" ? (readNumber(value.trim(), ".")?.value ?? null) : value;
  if (typeof read === "number" && Number.isFinite(read)) return read;
  return refuse("value", `"${column.name}" is compared with a number, not with "${String(value)}".`);
}

function booleanFor(column: Column, value: Scalar): number {
  const word = String(value).trim().toLowerCase();
  if (TRUE.has(word)) return 1;
  if (FALSE.has(word)) return 0;
  return refuse("value", `"${column.name}" is compared with true or false, not with "${String(value)}".`);
}

/** Lowercases A to Z only, like SQLite's `lower`. */
function lowered(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
