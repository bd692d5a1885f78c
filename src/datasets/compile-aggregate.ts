// Compiles groups and aggregates to SQL. SQLite has neither a median nor a standard deviation: both use window
// functions over the group. The deviation takes two passes, which avoids the loss of digits of the one-pass formula.

import type { Aggregate, Column } from "../protocol/datasets/dataset.ts";
import { assertNever } from "../lib/assert.ts";
import { isIdentifierColumn, isNumericType } from "./describe-column.ts";
import { refuseQuery } from "./query-refusal.ts";
import { createMessage } from "../language/messages.ts";
import type { UsedColumn } from "./query-sources.ts";

/**
 * A column of the result. `sql` is an expression over the columns of the CTE `seen` or of the sources. `isComputed`
 * values are rounded on output.
 */
export type OutputColumn = { readonly column: Column; readonly sql: string; readonly isComputed: boolean };

/**
 * The SQL of one aggregate: `value` is its input expression in the CTE `base`, `windows` are the window columns it
 * adds.
 */
export type CompiledAggregate = OutputColumn & { readonly value: string | null; readonly windows: readonly string[] };

/**
 * Compiles one aggregate. `used` is its column, or null without one, which only `count` of rows allows. `index` makes
 * the generated column names unique; `groups` are the SQL names of the group columns. Refuses the query (`refuseQuery`)
 * if the column is missing or its type does not fit.
 */
export function compileAggregate(
  aggregate: Aggregate,
  used: UsedColumn | null,
  index: number,
  groups: readonly string[],
): CompiledAggregate {
  const name = aggregate.as ?? [aggregate.function, ...(used === null ? [] : [used.column.name])].join("_");
  if (used === null) {
    if (aggregate.function !== "count")
      refuseQuery("query", createMessage("query.columnRequired", { function: aggregate.function }));
    return { column: { name, type: "integer" }, sql: "count(*)", isComputed: false, value: null, windows: [] };
  }
  const v = `v${index}`;
  const [m, r, n] = [`m${index}`, `r${index}`, `n${index}`];
  const { type, unit } = used.column;
  const build = (sql: string, column: Omit<Column, "name">, windows: readonly string[] = []): CompiledAggregate => ({
    column: { name, ...column },
    sql,
    isComputed: column.type === "number",
    value: used.sql,
    windows,
  });
  const number = { type: "number", ...(unit === undefined ? {} : { unit }) } as const;
  const partition = groups.length === 0 ? "" : `PARTITION BY ${groups.join(", ")}`;
  switch (aggregate.function) {
    case "count":
      return build(`count(${v})`, { type: "integer" });
    case "distinct":
      return build(`count(DISTINCT ${v})`, { type: "integer" });
    case "min":
    case "max":
      // The result is an existing value, so it is not rounded.
      return {
        ...build(`${aggregate.function}(${v})`, { type, ...(unit === undefined ? {} : { unit }) }),
        isComputed: false,
      };
    case "sum":
      requireNumericColumn(aggregate, used.column);
      return build(
        `CASE WHEN count(${v}) > 0 THEN total(${v}) END`,
        type === "number" ? number : { ...number, type: "integer" },
      );
    case "mean":
      requireNumericColumn(aggregate, used.column);
      return build(`avg(${v})`, number);
    case "stddev":
      requireNumericColumn(aggregate, used.column);
      return build(
        `CASE WHEN count(${v}) > 1 THEN sqrt(total((${v} - ${m}) * (${v} - ${m})) / (count(${v}) - 1)) END`,
        number,
        [`avg(${v}) OVER (${partition}) AS ${m}`],
      );
    case "median":
      requireNumericColumn(aggregate, used.column);
      return build(`avg(CASE WHEN ${r} IN ((${n} + 1) / 2, (${n} + 2) / 2) THEN ${v} END)`, number, [
        `row_number() OVER (${partition} ORDER BY ${v} NULLS LAST) AS ${r}`,
        `count(${v}) OVER (${partition}) AS ${n}`,
      ]);
    default:
      return assertNever(aggregate.function);
  }
}

/** Refuses ids and columns that are neither numeric nor boolean. The mean of booleans is the share of true values. */
function requireNumericColumn({ function: aggregateFunction }: Aggregate, column: Column): void {
  const { name, type } = column;
  if (isIdentifierColumn(column))
    refuseQuery("column", createMessage("query.identifierNotComputed", { function: aggregateFunction, column: name }));
  if (!isNumericType(type) && type !== "boolean")
    refuseQuery("column", createMessage("query.numbersRequired", { function: aggregateFunction, column: name, type }));
}
