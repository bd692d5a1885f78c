// Compiles groups and aggregates to SQL. SQLite has neither a median nor a standard deviation: both use window
// functions over the group. The deviation takes two passes, which avoids the loss of digits of the one-pass formula.

import type { Aggregate, Column } from "../protocol/dataset.ts";
import { unreachable } from "../protocol/assert.ts";
import { isNumeric } from "./profile.ts";
import { refuse } from "./refused.ts";
import type { Used } from "./sources.ts";

/**
 * A column of the result. `sql` is an expression over the columns of the CTE `seen` or of the sources. `isComputed`
 * values are rounded on output.
 */
export type Output = { readonly column: Column; readonly sql: string; readonly isReckoned: boolean };

/**
 * The SQL of one aggregate: `value` is its input expression in the CTE `base`, `windows` are the window columns it
 * adds.
 */
export type Reckoned = Output & { readonly value: string | null; readonly windows: readonly string[] };

/**
 * Compiles one aggregate. `used` is its column, or null for `count` of rows. `index` makes the generated column names
 * unique; `groups` are the names of the group columns. Refuses the query if the column type does not fit.
 */
export function aggregateSql(wanted: Aggregate, used: Used | null, index: number, groups: readonly string[]): Reckoned {
  const name = wanted.as ?? [wanted.function, ...(used === null ? [] : [used.column.name])].join("_");
  if (used === null) {
    if (wanted.function !== "count") refuse("query", `"${wanted.function}" needs a column.`);
    return { column: { name, type: "integer" }, sql: "count(*)", isReckoned: false, value: null, windows: [] };
  }
  const v = `v${index}`;
  const [m, r, n] = [`m${index}`, `r${index}`, `n${index}`];
  const { type, unit } = used.column;
  const made = (sql: string, column: Omit<Column, "name">, windows: readonly string[] = []): Reckoned => ({
    column: { name, ...column },
    sql,
    isReckoned: column.type === "number",
    value: used.sql,
    windows,
  });
  const number = { type: "number", ...(unit === undefined ? {} : { unit }) } as const;
  const partition = groups.length === 0 ? "" : `PARTITION BY ${groups.join(", ")}`;
  switch (wanted.function) {
    case "count":
      return made(`count(${v})`, { type: "integer" });
    case "distinct":
      return made(`count(DISTINCT ${v})`, { type: "integer" });
    case "min":
    case "max":
      // The result is an existing value, so it is not rounded.
      return {
        ...made(`${wanted.function}(${v})`, { type, ...(unit === undefined ? {} : { unit }) }),
        isReckoned: false,
      };
    case "sum":
      mustReckon(wanted, used.column);
      return made(
        `CASE WHEN count(${v}) > 0 THEN total(${v}) END`,
        type === "number" ? number : { ...number, type: "integer" },
      );
    case "mean":
      mustReckon(wanted, used.column);
      return made(`avg(${v})`, number);
    case "stddev":
      mustReckon(wanted, used.column);
      return made(
        `CASE WHEN count(${v}) > 1 THEN sqrt(total((${v} - ${m}) * (${v} - ${m})) / (count(${v}) - 1)) END`,
        number,
        [`avg(${v}) OVER (${partition}) AS ${m}`],
      );
    case "median":
      mustReckon(wanted, used.column);
      return made(`avg(CASE WHEN ${r} IN ((${n} + 1) / 2, (${n} + 2) / 2) THEN ${v} END)`, number, [
        `row_number() OVER (${partition} ORDER BY ${v} NULLS LAST) AS ${r}`,
        `count(${v}) OVER (${partition}) AS ${n}`,
      ]);
    default:
      return unreachable(wanted.function);
  }
}

/** Refuses columns that are neither numeric nor boolean. The mean of booleans is the share of true values. */
function mustReckon({ function: wanted }: Aggregate, { name, type }: Column): void {
  if (!isNumeric(type) && type !== "boolean") refuse("column", `"${wanted}" needs numbers; "${name}" is ${type}.`);
}
