// Runs a compiled query on the SQLite database that holds the tables.

import type { Cell, Column, DataFailure, QueryResult } from "../protocol/datasets/dataset.ts";
import type { CompiledQuery } from "./compile-query.ts";
import { MAX_ANSWER_CHARS, MAX_JOINED_ROWS } from "./dataset-limits.ts";
import { createDataFailure } from "./query-refusal.ts";
import { createMessage } from "../language/messages.ts";
import { roundSignificant } from "./number-statistics.ts";

/** Executes SQL with bound values and returns a cursor over the rows. */
export type SqlExecutor = (
  query: string,
  ...bindings: (string | number)[]
) => Iterable<Readonly<Record<string, unknown>>>;

/**
 * Returns the rows of a query. `is_truncated` is true if there are more rows than the limit, or if they exceed
 * `MAX_ANSWER_CHARS`; the first row is always returned. Returns `{error}` if a join could produce too many rows.
 * Database errors pass through.
 */
export function runQuery(
  exec: SqlExecutor,
  { sql, bindings, columns, computed, limit, size }: CompiledQuery,
): QueryResult | DataFailure {
  const tooMany = checkJoinSize(exec, size);
  if (tooMany !== null) return tooMany;
  const rows: Cell[][] = [];
  let chars = 0;
  let isTruncated = false;
  // The cursor is always read to its end, because an unfinished one would stay open.
  for (const row of exec(sql, ...bindings)) {
    if (isTruncated) continue;
    const cells = columns.map((column, i) => toCell(row[`o${i}`], column, computed[i] === true));
    chars += estimateJsonLength(cells);
    isTruncated = rows.length === limit || (chars > MAX_ANSWER_CHARS && rows.length > 0);
    if (!isTruncated) rows.push(cells);
  }
  return { columns: [...columns], rows, is_truncated: isTruncated };
}

/**
 * Converts a SQLite value to the type of the column: SQLite has no booleans. Computed numbers are rounded
 * (`roundSignificant`). Values that are neither text nor number become null.
 */
export function toCell(value: unknown, { type }: Column, isComputed = false): Cell {
  if (typeof value === "string") return value;
  if (typeof value !== "number") return null;
  if (type === "boolean") return value !== 0;
  return isComputed ? roundSignificant(value) : value;
}

/** Estimates the characters of JSON of a row. */
export function estimateJsonLength(cells: readonly Cell[]): number {
  return cells.reduce<number>((sum, cell) => sum + (typeof cell === "string" ? cell.length + 3 : 8), 2);
}

/** Computes an upper bound of the joined rows before the join runs, because a running statement cannot be stopped. */
function checkJoinSize(exec: SqlExecutor, { rows, matches }: CompiledQuery["size"]): DataFailure | null {
  let maxRows = rows;
  for (const query of matches) {
    const [row] = [...exec(query)];
    maxRows *= Math.max(1, Number(row?.["n"] ?? 0));
  }
  if (matches.length === 0 || maxRows <= MAX_JOINED_ROWS) return null;
  return createDataFailure("query", createMessage("query.joinTooLarge", { rows: maxRows, max: MAX_JOINED_ROWS }));
}
