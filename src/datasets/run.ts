// Runs a compiled query on the SQLite that has the tables.

import type { Cell, Column, Failed, QueryResult } from "../protocol/dataset.ts";
import type { Compiled } from "./compile.ts";
import { MAX_ANSWER_CHARS, MAX_JOINED_ROWS } from "./limits.ts";
import { rounded } from "./statistics.ts";

export type Exec = (query: string, ...bindings: (string | number)[]) => Iterable<Readonly<Record<string, unknown>>>;

export function run(exec: Exec, { sql, bindings, columns, reckoned, limit, size }: Compiled): QueryResult | Failed {
  const tooMany = joinsTooMany(exec, size);
  if (tooMany !== null) return tooMany;
  const rows: Cell[][] = [];
  let chars = 0;
  let isTruncated = false;
  // A cursor is read to its end, also where the rest is not wanted: half-read ones would stay open.
  for (const row of exec(sql, ...bindings)) {
    if (isTruncated) continue;
    const cells = columns.map((column, i) => cellOf(row[`o${i}`], column, reckoned[i] === true));
    chars += lengthOf(cells);
    isTruncated = rows.length === limit || (chars > MAX_ANSWER_CHARS && rows.length > 0);
    if (!isTruncated) rows.push(cells);
  }
  return { columns: [...columns], rows, is_truncated: isTruncated };
}

/** A value as the column has it: SQLite knows no booleans. */
export function cellOf(value: unknown, { type }: Column, isReckoned = false): Cell {
  if (typeof value === "string") return value;
  if (typeof value !== "number") return null;
  if (type === "boolean") return value !== 0;
  return isReckoned ? rounded(value) : value;
}

export function lengthOf(cells: readonly Cell[]): number {
  return cells.reduce<number>((sum, cell) => sum + (typeof cell === "string" ? cell.length + 3 : 8), 2);
}

/** Bounds what a join can come to before it is begun: there is no stopping it afterwards. */
function joinsTooMany(exec: Exec, { rows, matches }: Compiled["size"]): Failed | null {
  let most = rows;
  for (const query of matches) {
    const [row] = [...exec(query)];
    most *= Math.max(1, Number(row?.["n"] ?? 0));
  }
  if (matches.length === 0 || most <= MAX_JOINED_ROWS) return null;
  const message = `This join may come to ${most} rows, and at most ${MAX_JOINED_ROWS} are reckoned with. Join on columns that tell rows apart.`;
  return { error: { entity: "query", message, suggestions: [] } };
}
