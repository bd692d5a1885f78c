// The tables of one query. Resolves the names in a query to stored columns; SQL receives positions only, and names stay
// here.
//
// A `QuerySources` serves one compilation. It owns the list of tables in the order of `add` and the set of columns used
// of each table. Call `add` for the first table and each join, resolve all columns, and only then call
// `createFromClause`: a table with many columns is stored in several parts, and the clause joins only the parts whose
// columns are used. Unknown or ambiguous names refuse the query (`refuseQuery`) with the nearest existing names.

import { toVisibleLine } from "../lib/visible-text.ts";
import type { Column, ColumnRef } from "../protocol/datasets/dataset.ts";
import { findSimilarNames } from "../language/similar-names.ts";
import { createMessage, type Message } from "../language/messages.ts";
import { refuseQuery } from "./query-refusal.ts";

/**
 * A dataset as a query sees it. `table` is the number in its SQL name; the position of a column in `columns` is its SQL
 * name.
 */
export type QueryTable = {
  readonly dataset_id: string;
  readonly name: string;
  readonly table: number;
  readonly rows: number;
  readonly columns: readonly Column[];
};

/** Maximum columns of a stored table. Further columns are in its next part, joined by row id. */
export const MAX_PART_COLUMNS = 90;

/** Returns the SQL name of a part of a table. */
export const getPartName = (table: number, part: number): string => `d${table}p${part}`;
/** Returns the number of the part that holds the column. */
export const getPartIndex = (position: number): number => Math.floor(position / MAX_PART_COLUMNS);
/** Returns the SQL name of a column. */
export const getSqlColumnName = (position: number): string => `c${position}`;

/** A column as a query uses it, with its qualified SQL name. */
export type UsedColumn = { readonly column: Column; readonly sql: string; readonly position: number };

/** The tables of one query and the columns it uses. */
export class QuerySources {
  readonly #known: readonly QueryTable[];
  readonly #tables: QueryTable[] = [];
  readonly #used: Set<number>[] = [];

  constructor(known: readonly QueryTable[]) {
    this.#known = known;
  }

  /**
   * Adds a dataset by id or name and returns its index in the query. Refuses unknown datasets and a second use of one
   * dataset.
   */
  add(name: string): number {
    const table = this.#findDataset(name);
    if (this.#tables.includes(table)) refuseQuery("query", createMessage("query.joinedTwice", { name: table.name }));
    this.#used.push(new Set());
    return this.#tables.push(table) - 1;
  }

  /** The tables in the order in which they were added. */
  get tables(): readonly QueryTable[] {
    return this.#tables;
  }

  /**
   * Returns the column of a reference and marks it as used. A reference without a dataset is searched in the first
   * `tableCount` tables, all by default. Refuses unknown columns, and column names that occur in several tables.
   */
  resolveColumn(ref: ColumnRef, tableCount = this.#tables.length): UsedColumn {
    const [dataset, name] = typeof ref === "string" ? [undefined, ref] : [ref.dataset, ref.column];
    const searched = dataset === undefined ? this.#tables.slice(0, tableCount).keys() : [this.#findTableIndex(dataset)];
    const found = [...searched].flatMap((tableIndex) => {
      const position = this.#tables[tableIndex]?.columns.findIndex((column) => isSameName(column.name, name)) ?? -1;
      return position < 0 ? [] : [{ tableIndex, position }];
    });
    const [only, another] = found;
    if (only === undefined) return this.#refuseUnknownColumn(name, dataset);
    if (another !== undefined) {
      refuseQuery("column", createMessage("query.ambiguousColumn", { column: name }));
    }
    return this.getColumn(only.tableIndex, only.position);
  }

  /** Returns a column by its position and marks it as used. Throws an `Error` if the position does not exist. */
  getColumn(tableIndex: number, position: number): UsedColumn {
    const table = this.#tables[tableIndex];
    const column = table?.columns[position];
    if (table === undefined || column === undefined) throw new Error("There is no such column");
    this.#used[tableIndex]?.add(position);
    return { column, sql: `s${tableIndex}.${getSqlColumnName(position)}`, position };
  }

  /** Returns the expression after FROM or JOIN for a table. Call it after all columns of the query are resolved. */
  createFromClause(tableIndex: number): string {
    const { table } = this.#tables[tableIndex] ?? { table: 0 };
    const used = [...(this.#used[tableIndex] ?? [])];
    const parts = [...new Set([0, ...used.map(getPartIndex)])].toSorted((a, b) => a - b);
    if (parts.length === 1) return `${getPartName(table, 0)} AS s${tableIndex}`;
    const columns = used.map((position) => `p${getPartIndex(position)}.${getSqlColumnName(position)}`);
    const tables = parts.map((part) => `${getPartName(table, part)} AS p${part}`).join(" JOIN ");
    const same = parts.slice(1).map((part) => `p${part}.r = p0.r`);
    return `(SELECT ${["p0.r AS r", ...columns].join(", ")} FROM ${tables} ON ${same.join(" AND ")}) AS s${tableIndex}`;
  }

  #findDataset(name: string): QueryTable {
    const found =
      this.#known.find(({ dataset_id }) => dataset_id === name) ??
      this.#known.find((table) => isSameName(table.name, name));
    if (found !== undefined) return found;
    const names = this.#known.map((table) => table.name);
    return refuseQuery("dataset", createUnknownDatasetMessage(name, names), findSimilarNames(name, names), name);
  }

  #findTableIndex(name: string): number {
    const index = this.#tables.findIndex((table) => table.dataset_id === name || isSameName(table.name, name));
    if (index >= 0) return index;
    const names = this.#tables.map((table) => table.name);
    return refuseQuery("dataset", createMessage("query.datasetNotRead", { name }), findSimilarNames(name, names));
  }

  #refuseUnknownColumn(name: string, dataset: string | undefined): never {
    const tables = this.#tables.filter((table) => dataset === undefined || isSameName(table.name, dataset));
    const names = [...new Set((tables.length > 0 ? tables : this.#tables).flatMap((table) => listColumnNames(table)))];
    const text = createMessage("query.unknownColumn", {
      column: name,
      tables: this.#tables.map((table) => `“${table.name}”`),
    });
    return refuseQuery("column", text, findSimilarNames(name, names, 5), name);
  }
}

/** Returns the message for a dataset name that is none of `names`. */
export function createUnknownDatasetMessage(name: string, names: readonly string[]): Message {
  return names.length === 0 ? createMessage("query.noDatasets") : createMessage("query.unknownDataset", { name });
}

const listColumnNames = (table: QueryTable): string[] => table.columns.map((column) => column.name);

/** Compares names exactly, except for the encoding of accents and blanks around the requested name. */
function isSameName(name: string, requested: string): boolean {
  return name === requested || name === toVisibleLine(requested);
}
