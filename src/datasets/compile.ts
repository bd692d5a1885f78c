// Compiles a checked query to SQL text with bound values. Identifiers are made of the positions of stored columns: no
// name, alias or value from the query or the dataset ever becomes part of the text. This is the defence against SQL
// injection.

import type { CheckedQuery, Column, ColumnRef, Failed } from "../protocol/dataset.ts";
import { aggregateSql, type Output } from "./aggregates.ts";
import { filterSql, type Bindings } from "./conditions.ts";
import { unique } from "./headers.ts";
import { nearest } from "../protocol/words/nearest.ts";
import { isNumeric } from "./profile.ts";
import { orFailed, refuse } from "./refused.ts";
import { Sources, type StoredTable, type Used } from "./sources.ts";

/** Maximum columns of a result, below the limit that SQLite in a Durable Object sets. */
const MAX_OUTPUTS = 90;

/** A query ready to run. */
export type Compiled = {
  readonly sql: string;
  readonly bindings: Bindings;
  readonly columns: readonly Column[];
  /** For each column, true if its values are computed and have to be rounded. */
  readonly reckoned: readonly boolean[];
  readonly limit: number;
  /** The number of rows of the first table, and for each join a query for the maximum number of rows with one key. */
  readonly size: { readonly rows: number; readonly matches: readonly string[] };
};

/**
 * Compiles a query over the stored tables. Returns `{error}` if it names something that does not exist or combines
 * clauses that exclude each other. Does not read any data. The bindings are in the order of the placeholders.
 */
export function compile(query: CheckedQuery, known: readonly StoredTable[]): Compiled | Failed {
  return orFailed(() => {
    const sources = new Sources(known);
    sources.add(query.dataset);
    const joins = (query.join ?? []).map((join) => joined(sources, join));
    if (query.group === undefined && query.aggregate === undefined) return plain(query, sources, joins);
    if (query.select !== undefined) refuse("query", `"select" does not go together with "group" and "aggregate".`);
    return grouped(query, sources, joins);
  });
}

/** A join of a table. Its FROM clause is created later, once all used columns are known. */
type Join = { readonly place: number; readonly kind: string; readonly on: string; readonly keys: readonly number[] };

/** Adds the joined table and resolves its key columns. Only columns of one comparable type can be joined. */
function joined(sources: Sources, join: NonNullable<CheckedQuery["join"]>[number]): Join {
  const place = sources.add(join.dataset);
  const pairs = join.on.map(({ left, right }) => {
    const [a, b] = [sources.column(left, place), sources.column({ dataset: join.dataset, column: right })];
    if (kindOf(a.column) !== kindOf(b.column)) {
      const types = `"${a.column.name}" is ${a.column.type}, "${b.column.name}" is ${b.column.type}`;
      refuse("column", `Only columns of one type can be joined: ${types}.`);
    }
    return { sql: `${a.sql} = ${b.sql}`, key: b.position };
  });
  return {
    place,
    kind: join.type === "left" ? "LEFT JOIN" : "JOIN",
    on: pairs.map(({ sql }) => sql).join(" AND "),
    keys: pairs.map(({ key }) => key),
  };
}

const kindOf = ({ type }: Column): string => (isNumeric(type) ? "number" : type);

/** Compiles a query without groups. Adds the row ids to the order, so that pages of results are stable. */
function plain(query: CheckedQuery, sources: Sources, joins: readonly Join[]): Compiled {
  const bindings: Bindings = [];
  const selected = query.select?.map((wanted) => {
    const { column, as } = aliased(wanted);
    return { used: sources.column(column), as };
  });
  const all = selected ?? everything(sources).map((used) => ({ used, as: undefined }));
  if (all.length > MAX_OUTPUTS) refuse("query", `Choose columns with "select": an answer has at most ${MAX_OUTPUTS}.`);
  const outputs = named(all.map(({ used, as }) => output(used, as)));
  const where = whereSql(query, sources, bindings);
  // Rows can be sorted by a column that is not selected.
  const order = (query.order ?? []).map(({ by, direction }) => {
    const at = outputs.findIndex(({ column }) => column.name === by);
    return `${at < 0 ? sources.column(by).sql : `o${at}`} ${direction === "desc" ? "DESC" : "ASC"} NULLS LAST`;
  });
  const rowIds = sources.tables.map((_, place) => `s${place}.r`);
  const sql = [
    `SELECT ${outputs.map((made, i) => `${made.sql} AS o${i}`).join(", ")}`,
    fromSql(sources, joins),
    where,
    `ORDER BY ${[...order, ...rowIds].join(", ")}`,
    "LIMIT ? OFFSET ?",
  ].join(" ");
  return compiled(query, sources, joins, { sql, bindings, outputs });
}

/**
 * Compiles a query with groups or aggregates: `base` selects the values, `seen` adds window columns, the outer query
 * aggregates.
 */
function grouped(query: CheckedQuery, sources: Sources, joins: readonly Join[]): Compiled {
  const bindings: Bindings = [];
  const groups = (query.group ?? []).map((wanted) => groupOutput(wanted, sources));
  const keys = groups.map((_, i) => `g${i}`);
  const aggregates = (query.aggregate ?? []).map((wanted, i) =>
    aggregateSql(wanted, wanted.column === undefined ? null : sources.column(wanted.column), i, keys),
  );
  const base = [
    ...groups.map(({ sql }, i) => `${sql} AS g${i}`),
    ...aggregates.flatMap(({ value }, i) => (value === null ? [] : [`${value} AS v${i}`])),
  ];
  const where = whereSql(query, sources, bindings);
  const windows = aggregates.flatMap((aggregate) => aggregate.windows);
  const outputs = named([...groups.map((group, i) => ({ ...group, sql: `g${i}` })), ...aggregates]);
  const order = (query.order ?? []).map(({ by, direction }) => {
    const at = outputs.findIndex(({ column }) => column.name === by);
    if (at < 0) noOutput(by, outputs);
    return `o${at} ${direction === "desc" ? "DESC" : "ASC"} NULLS LAST`;
  });
  const sorted = [...order, ...keys.map((key) => `${key} ASC NULLS LAST`)];
  const sql = [
    `WITH base AS (SELECT ${[...base, "1 AS one"].join(", ")} ${fromSql(sources, joins)} ${where}),`,
    `seen AS (SELECT ${["*", ...windows].join(", ")} FROM base)`,
    `SELECT ${outputs.map((made, i) => `${made.sql} AS o${i}`).join(", ")} FROM seen`,
    keys.length === 0 ? "" : `GROUP BY ${keys.join(", ")}`,
    sorted.length === 0 ? "" : `ORDER BY ${sorted.join(", ")}`,
    "LIMIT ? OFFSET ?",
  ].join(" ");
  return compiled(query, sources, joins, { sql, bindings, outputs });
}

/** Adds the limit, the offset and the size queries. */
function compiled(
  { limit, offset }: CheckedQuery,
  sources: Sources,
  joins: readonly Join[],
  { sql, bindings, outputs }: { sql: string; bindings: Bindings; outputs: readonly Output[] },
): Compiled {
  const matches = joins.map(({ place, keys }) => {
    const columns = keys.map((key) => sources.at(place, key).sql);
    const known = columns.map((column) => `${column} IS NOT NULL`).join(" AND ");
    const counts = `SELECT count(*) AS n FROM ${sources.from(place)} WHERE ${known} GROUP BY ${columns.join(", ")}`;
    return `SELECT max(n) AS n FROM (${counts})`;
  });
  return {
    sql,
    // One extra row shows whether the result is truncated.
    bindings: [...bindings, limit + 1, offset],
    columns: outputs.map(({ column }) => column),
    reckoned: outputs.map(({ isReckoned }) => isReckoned),
    limit,
    size: { rows: sources.tables[0]?.rows ?? 0, matches },
  };
}

type Aliased = ColumnRef | { readonly column: ColumnRef; readonly as?: string | undefined };

function aliased(wanted: Aliased): { column: ColumnRef; as: string | undefined } {
  if (typeof wanted === "string" || "dataset" in wanted) return { column: wanted, as: undefined };
  return { column: wanted.column, as: wanted.as };
}

/** Compiles a group column, with its bucket if it is a date. A week is named by its Monday. */
function groupOutput(wanted: NonNullable<CheckedQuery["group"]>[number], sources: Sources): Output {
  const { column: ref, as } = aliased(wanted);
  const bucket = typeof wanted === "object" && "bucket" in wanted ? wanted.bucket : undefined;
  const used = sources.column(ref);
  if (bucket === undefined) return output(used, as);
  const { name, type } = used.column;
  if (type !== "date" && type !== "datetime")
    refuse("column", `Only dates fall into a ${bucket}; "${name}" is ${type}.`);
  const c = used.sql;
  const day = `substr(${c}, 1, 10)`;
  const quarter = `substr(${c}, 1, 4) || '-Q' || ((CAST(substr(${c}, 6, 2) AS INTEGER) + 2) / 3)`;
  const [sql, made] = {
    day: [day, "date"] as const,
    week: [`date(${day}, '-6 days', 'weekday 1')`, "date"] as const,
    month: [`substr(${c}, 1, 7)`, "text"] as const,
    quarter: [quarter, "text"] as const,
    year: [`substr(${c}, 1, 4)`, "text"] as const,
  }[bucket];
  return { column: { name: as ?? `${name}_${bucket}`, type: made }, sql, isReckoned: false };
}

function output({ column, sql }: Used, as: string | undefined): Output {
  return { column: { ...column, name: as ?? column.name }, sql, isReckoned: false };
}

/** Returns every column of every table. */
function everything(sources: Sources): Used[] {
  return sources.tables.flatMap(({ columns }, place) => columns.map((_, position) => sources.at(place, position)));
}

/** Makes the column names of the result unique. */
function named(outputs: readonly Output[]): Output[] {
  const names = unique(outputs.map(({ column }) => column.name));
  return outputs.map((made, i) => ({ ...made, column: { ...made.column, name: names[i] ?? made.column.name } }));
}

function fromSql(sources: Sources, joins: readonly Join[]): string {
  const others = joins.map(({ place, kind, on }) => `${kind} ${sources.from(place)} ON ${on}`);
  return ["FROM", sources.from(0), ...others].join(" ");
}

function whereSql({ filter }: CheckedQuery, sources: Sources, bindings: Bindings): string {
  return filter === undefined ? "" : `WHERE ${filterSql(filter, sources, bindings)}`;
}

function noOutput(by: string, outputs: readonly Output[]): never {
  const names = outputs.map(({ column }) => column.name);
  return refuse("column", `The result has no column "${by}" to sort by.`, nearest(by, names, 5));
}
