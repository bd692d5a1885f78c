// Compiles a checked query to SQL text with bound values. Identifiers are made of the positions of stored columns: no
// name, alias or value from the query or the dataset ever becomes part of the text. This is the defence against SQL
// injection.

import type { ParsedDatasetQuery, Column, ColumnRef, DataFailure } from "../protocol/datasets/dataset.ts";
import { compileAggregate, type OutputColumn } from "./compile-aggregate.ts";
import { compileFilter, type SqlBindings } from "./compile-filter.ts";
import { makeUnique } from "./column-names.ts";
import { findSimilarNames } from "../language/similar-names.ts";
import { isNumericType } from "./describe-column.ts";
import { catchRefusal, refuseQuery } from "./query-refusal.ts";
import { createMessage } from "../language/messages.ts";
import { QuerySources, type QueryTable, type UsedColumn } from "./query-sources.ts";

/** Maximum columns of a result, below the limit that SQLite in a Durable Object sets. */
const MAX_OUTPUTS = 90;

/** A query ready to run. */
export type CompiledQuery = {
  readonly sql: string;
  readonly bindings: SqlBindings;
  readonly columns: readonly Column[];
  /** For each column, true if its values are computed and have to be rounded. */
  readonly computed: readonly boolean[];
  readonly limit: number;
  /** The number of rows of the first table, and for each join a query for the maximum number of rows with one key. */
  readonly size: { readonly rows: number; readonly matches: readonly string[] };
};

/**
 * Compiles a query over the stored tables. Returns `{error}` if it names something that does not exist, does not fit
 * the types of its columns, or combines clauses that exclude each other. Does not read any data. The bindings are in
 * the order of the placeholders.
 */
export function compileQuery(query: ParsedDatasetQuery, known: readonly QueryTable[]): CompiledQuery | DataFailure {
  return catchRefusal(() => {
    const sources = new QuerySources(known);
    sources.add(query.dataset);
    const joins = (query.join ?? []).map((join) => compileJoin(sources, join));
    if (query.group === undefined && query.aggregate === undefined) return compilePlainQuery(query, sources, joins);
    if (query.select !== undefined) refuseQuery("query", createMessage("query.selectWithGroup"));
    return compileGroupedQuery(query, sources, joins);
  });
}

/** A join of a table. Its FROM clause is created later, once all used columns are known. */
type CompiledJoin = {
  readonly tableIndex: number;
  readonly kind: string;
  readonly on: string;
  readonly keys: readonly number[];
};

/** Adds the joined table and resolves its key columns. Only columns of one comparable type can be joined. */
function compileJoin(sources: QuerySources, join: NonNullable<ParsedDatasetQuery["join"]>[number]): CompiledJoin {
  const tableIndex = sources.add(join.dataset);
  const pairs = join.on.map(({ left, right }) => {
    const [a, b] = [
      sources.resolveColumn(left, tableIndex),
      sources.resolveColumn({ dataset: join.dataset, column: right }),
    ];
    if (getComparableKind(a.column) !== getComparableKind(b.column)) {
      const [first, second] = [a.column, b.column];
      const types = { first: first.name, firstType: first.type, second: second.name, secondType: second.type };
      refuseQuery("column", createMessage("query.joinTypesDiffer", types));
    }
    return { sql: `${a.sql} = ${b.sql}`, key: b.position };
  });
  return {
    tableIndex,
    kind: join.type === "left" ? "LEFT JOIN" : "JOIN",
    on: pairs.map(({ sql }) => sql).join(" AND "),
    keys: pairs.map(({ key }) => key),
  };
}

const getComparableKind = ({ type }: Column): string => (isNumericType(type) ? "number" : type);

/** Compiles a query without groups. Adds the row ids to the order, so that pages of results are stable. */
function compilePlainQuery(
  query: ParsedDatasetQuery,
  sources: QuerySources,
  joins: readonly CompiledJoin[],
): CompiledQuery {
  const bindings: SqlBindings = [];
  const selected = query.select?.map((selection) => {
    const { column, as } = parseAlias(selection);
    return { used: sources.resolveColumn(column), as };
  });
  const all = selected ?? listAllColumns(sources).map((used) => ({ used, as: undefined }));
  if (all.length > MAX_OUTPUTS) refuseQuery("query", createMessage("query.tooManyColumns", { max: MAX_OUTPUTS }));
  const outputs = withUniqueNames(all.map(({ used, as }) => createOutput(used, as)));
  const where = compileWhere(query, sources, bindings);
  // Rows can be sorted by a column that is not selected.
  const order = (query.order ?? []).map(({ by, direction }) => {
    const at = outputs.findIndex(({ column }) => column.name === by);
    return `${at < 0 ? sources.resolveColumn(by).sql : `o${at}`} ${direction === "desc" ? "DESC" : "ASC"} NULLS LAST`;
  });
  const rowIds = sources.tables.map((_, tableIndex) => `s${tableIndex}.r`);
  const sql = [
    `SELECT ${outputs.map((output, i) => `${output.sql} AS o${i}`).join(", ")}`,
    compileFrom(sources, joins),
    where,
    `ORDER BY ${[...order, ...rowIds].join(", ")}`,
    "LIMIT ? OFFSET ?",
  ].join(" ");
  return finishQuery(query, sources, joins, { sql, bindings, outputs });
}

/**
 * Compiles a query with groups or aggregates: `base` selects the values, `seen` adds window columns, the outer query
 * aggregates.
 */
function compileGroupedQuery(
  query: ParsedDatasetQuery,
  sources: QuerySources,
  joins: readonly CompiledJoin[],
): CompiledQuery {
  const bindings: SqlBindings = [];
  const groups = (query.group ?? []).map((group) => compileGroup(group, sources));
  const keys = groups.map((_, i) => `g${i}`);
  const aggregates = (query.aggregate ?? []).map((aggregate, i) =>
    compileAggregate(
      aggregate,
      aggregate.column === undefined ? null : sources.resolveColumn(aggregate.column),
      i,
      keys,
    ),
  );
  const base = [
    ...groups.map(({ sql }, i) => `${sql} AS g${i}`),
    ...aggregates.flatMap(({ value }, i) => (value === null ? [] : [`${value} AS v${i}`])),
  ];
  const where = compileWhere(query, sources, bindings);
  const windows = aggregates.flatMap((aggregate) => aggregate.windows);
  const outputs = withUniqueNames([...groups.map((group, i) => ({ ...group, sql: `g${i}` })), ...aggregates]);
  const order = (query.order ?? []).map(({ by, direction }) => {
    const at = outputs.findIndex(({ column }) => column.name === by);
    if (at < 0) refuseUnknownOutput(by, outputs);
    return `o${at} ${direction === "desc" ? "DESC" : "ASC"} NULLS LAST`;
  });
  const sorted = [...order, ...keys.map((key) => `${key} ASC NULLS LAST`)];
  const sql = [
    `WITH base AS (SELECT ${[...base, "1 AS one"].join(", ")} ${compileFrom(sources, joins)} ${where}),`,
    `seen AS (SELECT ${["*", ...windows].join(", ")} FROM base)`,
    `SELECT ${outputs.map((output, i) => `${output.sql} AS o${i}`).join(", ")} FROM seen`,
    keys.length === 0 ? "" : `GROUP BY ${keys.join(", ")}`,
    sorted.length === 0 ? "" : `ORDER BY ${sorted.join(", ")}`,
    "LIMIT ? OFFSET ?",
  ].join(" ");
  return finishQuery(query, sources, joins, { sql, bindings, outputs });
}

/** Adds the limit, the offset and the size queries. */
function finishQuery(
  { limit, offset }: ParsedDatasetQuery,
  sources: QuerySources,
  joins: readonly CompiledJoin[],
  { sql, bindings, outputs }: { sql: string; bindings: SqlBindings; outputs: readonly OutputColumn[] },
): CompiledQuery {
  const matches = joins.map(({ tableIndex, keys }) => {
    const columns = keys.map((key) => sources.getColumn(tableIndex, key).sql);
    const known = columns.map((column) => `${column} IS NOT NULL`).join(" AND ");
    const counts = `SELECT count(*) AS n FROM ${sources.createFromClause(tableIndex)} WHERE ${known} GROUP BY ${columns.join(", ")}`;
    return `SELECT max(n) AS n FROM (${counts})`;
  });
  return {
    sql,
    // One extra row shows whether the result is truncated.
    bindings: [...bindings, limit + 1, offset],
    columns: outputs.map(({ column }) => column),
    computed: outputs.map(({ isComputed }) => isComputed),
    limit,
    size: { rows: sources.tables[0]?.rows ?? 0, matches },
  };
}

type AliasedColumn = ColumnRef | { readonly column: ColumnRef; readonly as?: string | undefined };

function parseAlias(selection: AliasedColumn): { column: ColumnRef; as: string | undefined } {
  if (typeof selection === "string" || "dataset" in selection) return { column: selection, as: undefined };
  return { column: selection.column, as: selection.as };
}

/** Compiles a group column, with its bucket if it is a date. A week is named by its Monday. */
function compileGroup(group: NonNullable<ParsedDatasetQuery["group"]>[number], sources: QuerySources): OutputColumn {
  const { column: ref, as } = parseAlias(group);
  const bucket = typeof group === "object" && "bucket" in group ? group.bucket : undefined;
  const used = sources.resolveColumn(ref);
  if (bucket === undefined) return createOutput(used, as);
  const { name, type } = used.column;
  if (type !== "date" && type !== "datetime")
    refuseQuery("column", createMessage("query.bucketNeedsDates", { bucket, column: name, type }));
  const c = used.sql;
  const day = `substr(${c}, 1, 10)`;
  const quarter = `substr(${c}, 1, 4) || '-Q' || ((CAST(substr(${c}, 6, 2) AS INTEGER) + 2) / 3)`;
  const [sql, bucketType] = {
    day: [day, "date"] as const,
    week: [`date(${day}, '-6 days', 'weekday 1')`, "date"] as const,
    month: [`substr(${c}, 1, 7)`, "text"] as const,
    quarter: [quarter, "text"] as const,
    year: [`substr(${c}, 1, 4)`, "text"] as const,
  }[bucket];
  return { column: { name: as ?? `${name}_${bucket}`, type: bucketType }, sql, isComputed: false };
}

function createOutput({ column, sql }: UsedColumn, as: string | undefined): OutputColumn {
  return { column: { ...column, name: as ?? column.name }, sql, isComputed: false };
}

/** Returns every column of every table. */
function listAllColumns(sources: QuerySources): UsedColumn[] {
  return sources.tables.flatMap(({ columns }, tableIndex) =>
    columns.map((_, position) => sources.getColumn(tableIndex, position)),
  );
}

/** Makes the column names of the result unique. */
function withUniqueNames(outputs: readonly OutputColumn[]): OutputColumn[] {
  const names = makeUnique(outputs.map(({ column }) => column.name));
  return outputs.map((output, i) => ({
    ...output,
    column: { ...output.column, name: names[i] ?? output.column.name },
  }));
}

function compileFrom(sources: QuerySources, joins: readonly CompiledJoin[]): string {
  const others = joins.map(({ tableIndex, kind, on }) => `${kind} ${sources.createFromClause(tableIndex)} ON ${on}`);
  return ["FROM", sources.createFromClause(0), ...others].join(" ");
}

function compileWhere({ filter }: ParsedDatasetQuery, sources: QuerySources, bindings: SqlBindings): string {
  return filter === undefined ? "" : `WHERE ${compileFilter(filter, sources, bindings)}`;
}

function refuseUnknownOutput(by: string, outputs: readonly OutputColumn[]): never {
  const names = outputs.map(({ column }) => column.name);
  const text = createMessage("query.unknownSortColumn", { column: by });
  return refuseQuery("column", text, findSimilarNames(by, names, 5));
}
