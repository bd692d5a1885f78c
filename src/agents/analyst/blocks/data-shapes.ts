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
/** Statistics such as `mean` and `count` by name. */
export type GroupStats = Readonly<Record<string, number>>;
/** The statistics of two or more groups. `difference` is empty if the result has none. */
export type GroupComparison = {
  readonly groups: readonly { readonly key: string; readonly stats: GroupStats }[];
  readonly difference: GroupStats;
};

const MAX_COLUMNS = 50;
/** Statistics of a group in display order. */
const STAT_NAMES = ["mean", "average", "median", "min", "max", "stddev", "count"];
/** Members that may hold the rows of a result, most likely first. */
const ROW_MEMBERS = [
  "rows",
  "data",
  "submissions",
  "students",
  "grades",
  "items",
  "records",
  "results",
  "classes",
  "assignments",
];

/** True for objects that are not lists. */
export function isRecord(value: unknown): value is DataRow {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
  const figures = STAT_NAMES.flatMap((name) => {
    const figure = value[name];
    return typeof figure === "number" ? [[name, figure] as const] : [];
  });
  return Object.fromEntries(figures);
}

/**
 * Returns two or more groups with statistics, with their difference: `group_a` and `group_b`, or groups under their
 * names. Null for other values.
 */
export function parseComparison(value: unknown): GroupComparison | null {
  if (!isRecord(value) || parseStats(value) !== null) return null;
  const groups = Object.entries(value).flatMap(([key, member]) => {
    const stats = key === "difference" ? null : parseStats(member);
    return stats === null ? [] : [{ key, stats }];
  });
  if (groups.length < 2) return null;
  return { groups, difference: pickNumbers(value["difference"]) };
}

/**
 * Returns the number of values per band from `{labels, counts}`, a list of bins, or counts keyed by band such as
 * `60-69`, also from the member `distribution`, `histogram` or `bins`. Null for other values.
 */
export function parseDistribution(value: unknown): DataDistribution | null {
  if (Array.isArray(value)) return parseBins(value);
  if (!isRecord(value)) return null;
  if (value["distribution"] !== undefined) return parseDistribution(value["distribution"]);
  if (value["histogram"] !== undefined) return parseDistribution(value["histogram"]);
  if (value["bins"] !== undefined) return parseDistribution(value["bins"]);
  const { labels, counts } = value as { labels?: unknown; counts?: unknown };
  if (Array.isArray(labels) && Array.isArray(counts))
    return { labels: labels.map(String), counts: labels.map((_, i) => toNumber((counts as unknown[])[i])) };
  const bands = Object.entries(value);
  const isBands =
    bands.length > 0 && bands.every(([name, count]) => /^\d+\s*[-–~]\s*\d+$/.test(name) && toNumber(count) !== null);
  return isBands ? { labels: bands.map(([name]) => name), counts: bands.map(([, count]) => toNumber(count)) } : null;
}

/** Returns the distribution of a list of bins; null if any member is not a bin. */
function parseBins(bins: readonly unknown[]): DataDistribution | null {
  const parsedBins = bins.map((bin) => {
    if (!isRecord(bin)) return null;
    const count = toNumber(bin["count"]);
    const { from, to } = bin;
    const range = from === undefined || to === undefined ? undefined : `${formatBound(from)}–${formatBound(to)}`;
    const label = bin["label"] ?? bin["range"] ?? bin["bin"] ?? range;
    return count === null || (typeof label !== "string" && typeof label !== "number")
      ? null
      : { label: String(label), count };
  });
  const validBins = parsedBins.filter((bin) => bin !== null);
  if (validBins.length === 0 || validBins.length < parsedBins.length) return null;
  return { labels: validBins.map(({ label }) => label), counts: validBins.map(({ count }) => count) };
}

function formatBound(value: unknown): string {
  return typeof value === "number" ? String(Number(value.toPrecision(6))) : String(value);
}

/**
 * Returns the rows of a result: a list, its `rows` with `columns`, a comparison, a list under some member, or its
 * scalar members as rows of `metric` and `value`. An empty list gives a table without columns and rows. Null for other
 * values.
 */
export function parseTable(value: unknown): DataTable | null {
  if (Array.isArray(value)) return toTable(value);
  if (!isRecord(value)) return null;
  const columns = parseColumns(value["columns"]);
  const rows = value["rows"];
  if (Array.isArray(rows) && columns !== null) {
    const isTruncated = value["is_truncated"] === true;
    return { columns, rows: rows.map((row) => toRow(row, columns)), isNamed: true, isTruncated };
  }
  const comparison = parseComparison(value);
  if (comparison !== null) return toComparisonTable(comparison);
  const stats = parseStats(value);
  const rowList = findRows(value, stats === null);
  if (rowList !== null) return withFullScore(toTable(rowList), value);
  const scalars = Object.entries(stats ?? value).filter(([, member]) => isScalar(member));
  if (scalars.length === 0) return null;
  return { columns: ["metric", "value"], rows: scalars.map(([metric, figure]) => ({ metric, value: figure })) };
}

/**
 * Returns the list that holds the rows; null if there is none. If the result has statistics (`isAny` false), only known
 * member names count.
 */
function findRows(value: DataRow, isAny: boolean): readonly unknown[] | null {
  const lists = Object.entries(value).filter((entry): entry is [string, unknown[]] => {
    const [name, member] = entry;
    return (
      (isAny || ROW_MEMBERS.includes(name)) && Array.isArray(member) && member.length > 0 && member.every(isRecord)
    );
  });
  const rank = (name: string) => (ROW_MEMBERS.includes(name) ? ROW_MEMBERS.indexOf(name) : ROW_MEMBERS.length);
  return lists.toSorted(([a], [b]) => rank(a) - rank(b))[0]?.[1] ?? null;
}

function withFullScore(table: DataTable | null, { max_score: full }: DataRow): DataTable | null {
  return table === null || typeof full !== "number" ? table : { ...table, fullScore: full };
}

/** Converts a list of objects, lists or scalars to a table. */
function toTable(list: readonly unknown[]): DataTable | null {
  if (list.length === 0) return { columns: [], rows: [] };
  if (list.every(isRecord)) {
    const names = new Set<string>();
    for (const row of list) for (const name of Object.keys(row)) if (names.size < MAX_COLUMNS) names.add(name);
    return { columns: [...names], rows: list };
  }
  if (list.every((row) => Array.isArray(row))) {
    const width = list.reduce((maxWidth, row) => Math.max(maxWidth, row.length), 0);
    const columns = Array.from({ length: Math.min(width, MAX_COLUMNS) }, (_, i) => String(i + 1));
    return { columns, rows: list.map((row) => toRow(row, columns)) };
  }
  return { columns: ["value"], rows: list.map((value) => ({ value })) };
}

/** Returns one row per metric and one column per group. */
function toComparisonTable({ groups, difference }: GroupComparison): DataTable {
  const figures = STAT_NAMES.filter((name) => groups.some(({ stats }) => stats[name] !== undefined));
  const hasDifference = Object.keys(difference).length > 0;
  const columns = ["metric", ...groups.map(({ key }) => key), ...(hasDifference ? ["difference"] : [])];
  const rows = figures.map((metric) => ({
    metric,
    ...Object.fromEntries(groups.map(({ key, stats }) => [key, stats[metric] ?? null])),
    ...(hasDifference ? { difference: difference[metric] ?? null } : {}),
  }));
  return { columns, rows };
}

function parseColumns(value: unknown): string[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const names = value.map((column: unknown) => (isRecord(column) ? (column["name"] ?? column["key"]) : column));
  return names.every((name) => typeof name === "string") ? names.slice(0, MAX_COLUMNS) : null;
}

/** Returns the row as a record by column name. */
function toRow(row: unknown, columns: readonly string[]): DataRow {
  if (isRecord(row)) return row;
  const cells: readonly unknown[] = Array.isArray(row) ? row : [row];
  return Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? null]));
}

function pickNumbers(value: unknown): GroupStats {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
  );
}

/** True for texts, numbers and booleans. */
export function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
