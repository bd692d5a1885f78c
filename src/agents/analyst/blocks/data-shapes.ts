// Parses the results of tools leniently into known shapes: rows, statistics, comparisons and distributions.

/** A row by column name, or any other JSON object. */
export type DataRow = Readonly<Record<string, unknown>>;
/** Rows with named columns, as parsed from a result. */
export type DataTable = {
  readonly columns: readonly string[];
  readonly rows: readonly DataRow[];
  /** True if the column names were chosen by people and must not be reworded. */
  readonly isNamed?: boolean;
  /** True if the source has more rows than these. */
  readonly isTruncated?: boolean;
  /** The full score of the rows, if the result contains it next to them. */
  readonly fullScore?: number;
};
/** The number of values in each band. Both lists have the same length. */
export type DataDistribution = { readonly labels: readonly string[]; readonly counts: readonly (number | null)[] };
/** Statistics such as `mean` and `count` by name, in display order. */
export type GroupStats = Readonly<Record<string, number>>;
export type StatsGroup = { readonly key: string; readonly stats: GroupStats };
/** The statistics of two or more groups. `difference` is empty if the result has none. */
export type GroupComparison = { readonly groups: readonly StatsGroup[]; readonly difference: GroupStats };

const MAX_COLUMNS = 50;
/** Statistics of a group in display order. */
const STAT_NAMES = ["mean", "average", "median", "min", "max", "stddev", "count"];
/** Members that hold the rows of a result, most likely first. */
const ROW_MEMBERS = ["rows", "submissions", "students", "grades", "ranking", "classes", "assignments", "datasets"];

/** True for objects that are not lists. */
export function isRecord(value: unknown): value is DataRow {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for texts, numbers and booleans. */
export function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Converts a finite number or a decimal text to a number; null for anything else. */
export function toNumber(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "string" || !/^\s*-?\d+(?:\.\d+)?\s*$/.test(value)) return null;
  return Number(value);
}

/**
 * Returns the statistics of one group: the known members of an object with a mean, average or median. Null for other
 * values.
 */
export function parseStats(value: unknown): GroupStats | null {
  if (!isRecord(value) || !["mean", "average", "median"].some((name) => typeof value[name] === "number")) return null;
  return pickNumbers(value, STAT_NAMES);
}

/** Returns two or more groups with statistics, under their names, with their difference. Null for other values. */
export function parseComparison(value: unknown): GroupComparison | null {
  if (!isRecord(value) || parseStats(value) !== null) return null;
  const groups = Object.entries(value).flatMap(([key, member]) => {
    const stats = key === "difference" ? null : parseStats(member);
    return stats === null ? [] : [{ key, stats }];
  });
  const { difference } = value;
  return groups.length < 2 ? null : { groups, difference: isRecord(difference) ? pickNumbers(difference) : {} };
}

/** Returns the groups of a comparison, or the statistics of one group under the key `value`. Null for other values. */
export function parseGroups(value: unknown): readonly StatsGroup[] | null {
  const stats = parseStats(value);
  return stats === null ? (parseComparison(value)?.groups ?? null) : [{ key: "value", stats }];
}

/**
 * Returns the number of values per band from `{labels, counts}`, a list of bins, or the member `distribution`,
 * `histogram` or `bins`. Null for other values.
 */
export function parseDistribution(value: unknown): DataDistribution | null {
  if (Array.isArray(value)) return parseBins(value);
  if (!isRecord(value)) return null;
  const { labels, counts } = value;
  if (Array.isArray(labels) && Array.isArray(counts))
    return { labels: labels.map(String), counts: labels.map((_, i) => toNumber(counts[i])) };
  const inner = value["distribution"] ?? value["histogram"] ?? value["bins"];
  return inner === undefined ? null : parseDistribution(inner);
}

/** Returns the distribution of a list of bins; null if any member is not a bin. */
function parseBins(bins: readonly unknown[]): DataDistribution | null {
  const parsed = bins.map((bin) => {
    if (!isRecord(bin)) return null;
    const { from, to } = bin;
    const count = toNumber(bin["count"]);
    if (typeof from !== "number" || typeof to !== "number" || count === null) return null;
    return { label: `${formatBound(from)}–${formatBound(to)}`, count };
  });
  const valid = parsed.filter((bin) => bin !== null);
  if (valid.length === 0 || valid.length < parsed.length) return null;
  return { labels: valid.map(({ label }) => label), counts: valid.map(({ count }) => count) };
}

const formatBound = (value: number): string => String(Number(value.toPrecision(6)));

/**
 * Returns the rows of a result: a list, its `rows` with `columns`, a comparison, a list under some member, or its
 * scalar members as rows of `metric` and `value`. An empty list gives a table without columns and rows. Null for other
 * values.
 */
export function parseTable(value: unknown): DataTable | null {
  if (Array.isArray(value)) return toTable(value);
  if (!isRecord(value)) return null;
  const columns = parseColumns(value["columns"]);
  const { rows, max_score: fullScore } = value;
  if (Array.isArray(rows) && columns !== null) {
    const isTruncated = value["is_truncated"] === true;
    return { columns, rows: rows.map((row) => toRow(row, columns)), isNamed: true, isTruncated };
  }
  const comparison = parseComparison(value);
  if (comparison !== null) return toComparisonTable(comparison);
  const stats = parseStats(value);
  const list = findRows(value, stats === null);
  if (list !== null) return { ...toTable(list), ...(typeof fullScore === "number" ? { fullScore } : {}) };
  const scalars = Object.entries(stats ?? value).filter(([, member]) => isScalar(member));
  if (scalars.length === 0) return null;
  return { columns: ["metric", "value"], rows: scalars.map(([metric, figure]) => ({ metric, value: figure })) };
}

/**
 * Returns the list that holds the rows; null if there is none. If the result has statistics (`isAny` false), only known
 * member names count.
 */
function findRows(value: DataRow, isAny: boolean): readonly unknown[] | null {
  const names = [...ROW_MEMBERS, ...(isAny ? Object.keys(value) : [])];
  const lists = names.map((name) => value[name]).filter((member) => Array.isArray(member));
  return lists.find((list) => list.length > 0 && list.every(isRecord)) ?? null;
}

/** Converts a list of objects, lists or scalars to a table. */
function toTable(list: readonly unknown[]): DataTable {
  if (list.length === 0) return { columns: [], rows: [] };
  if (list.every(isRecord))
    return { columns: [...new Set(list.flatMap((row) => Object.keys(row)))].slice(0, MAX_COLUMNS), rows: list };
  if (list.every((row) => Array.isArray(row))) {
    const width = list.reduce((maxWidth, row) => Math.max(maxWidth, row.length), 0);
    const columns = Array.from({ length: Math.min(width, MAX_COLUMNS) }, (_, i) => String(i + 1));
    return { columns, rows: list.map((row) => toRow(row, columns)) };
  }
  return { columns: ["value"], rows: list.map((value) => ({ value })) };
}

/** Returns one row per metric and one column per group. */
function toComparisonTable({ groups, difference }: GroupComparison): DataTable {
  const hasDifference = Object.keys(difference).length > 0;
  const all = hasDifference ? [...groups, { key: "difference", stats: difference }] : groups;
  const metrics = STAT_NAMES.filter((name) => groups.some(({ stats }) => stats[name] !== undefined));
  const rows = metrics.map((metric) => ({
    metric,
    ...Object.fromEntries(all.map(({ key, stats }) => [key, stats[metric] ?? null])),
  }));
  return { columns: ["metric", ...all.map(({ key }) => key)], rows };
}

function parseColumns(value: unknown): string[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const names = value.map((column: unknown) => (isRecord(column) ? column["name"] : column));
  return names.every((name) => typeof name === "string") ? names.slice(0, MAX_COLUMNS) : null;
}

/** Returns the row as a record by column name. */
function toRow(row: unknown, columns: readonly string[]): DataRow {
  if (isRecord(row)) return row;
  const cells: readonly unknown[] = Array.isArray(row) ? row : [row];
  return Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? null]));
}

function pickNumbers(value: DataRow, names: readonly string[] = Object.keys(value)): GroupStats {
  const numbers = names.map((name) => [name, value[name]] as const);
  return Object.fromEntries(numbers.filter((entry): entry is [string, number] => typeof entry[1] === "number"));
}
