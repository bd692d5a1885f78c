// Parses the results of tools leniently into known shapes: rows, statistics, comparisons and distributions.

export type Row = Readonly<Record<string, unknown>>;
export type Table = {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** True if the column names were chosen by people and must not be reworded. */
  readonly isNamed?: boolean;
  /** True if the source has more rows than these. */
  readonly isCut?: boolean;
  /** The full score of the rows, if the result contains it next to them. */
  readonly fullScore?: number;
};
export type Distribution = { readonly labels: readonly string[]; readonly counts: readonly (number | null)[] };
export type Stats = Readonly<Record<string, number>>;
export type Comparison = {
  readonly groups: readonly { readonly key: string; readonly stats: Stats }[];
  readonly difference: Stats;
};

const MOST_COLUMNS = 50;
/** Statistics of a group in display order. */
const FIGURES = ["mean", "average", "median", "min", "max", "stddev", "count"];
/** Members that may hold the rows of a result, most likely first. */
const HOLDERS = [
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
export function isRecord(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Converts a finite number or a decimal text to a number; null for anything else. */
export function numberOf(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "string" || !/^\s*-?\d+(?:\.\d+)?\s*$/.test(value)) return null;
  return Number(value);
}

/**
 * Returns the statistics of one group: the known members of an object with a mean, average or median. Null for other
 * values.
 */
export function statsOf(value: unknown): Stats | null {
  if (!isRecord(value) || !["mean", "average", "median"].some((name) => typeof value[name] === "number")) return null;
  const figures = FIGURES.flatMap((name) => {
    const figure = value[name];
    return typeof figure === "number" ? [[name, figure] as const] : [];
  });
  return Object.fromEntries(figures);
}

/**
 * Returns two or more groups with statistics, with their difference: `group_a` and `group_b`, or groups under their
 * names. Null for other values.
 */
export function comparisonOf(value: unknown): Comparison | null {
  if (!isRecord(value) || statsOf(value) !== null) return null;
  const groups = Object.entries(value).flatMap(([key, member]) => {
    const stats = key === "difference" ? null : statsOf(member);
    return stats === null ? [] : [{ key, stats }];
  });
  if (groups.length < 2) return null;
  return { groups, difference: numbersOf(value["difference"]) };
}

/**
 * Returns the number of values per band from `{labels, counts}`, a list of bins, or counts keyed by band. Null for
 * other values.
 */
export function distributionOf(value: unknown): Distribution | null {
  if (Array.isArray(value)) return binsOf(value);
  if (!isRecord(value)) return null;
  if (value["distribution"] !== undefined) return distributionOf(value["distribution"]);
  if (value["histogram"] !== undefined) return distributionOf(value["histogram"]);
  if (value["bins"] !== undefined) return distributionOf(value["bins"]);
  const { labels, counts } = value as { labels?: unknown; counts?: unknown };
  if (Array.isArray(labels) && Array.isArray(counts))
    return { labels: labels.map(String), counts: labels.map((_, i) => numberOf((counts as unknown[])[i])) };
  const bands = Object.entries(value);
  const isBands =
    bands.length > 0 && bands.every(([name, count]) => /^\d+\s*[-–~]\s*\d+$/.test(name) && numberOf(count) !== null);
  return isBands ? { labels: bands.map(([name]) => name), counts: bands.map(([, count]) => numberOf(count)) } : null;
}

/** Returns the distribution of a list of bins; null if any member is not a bin. */
function binsOf(bins: readonly unknown[]): Distribution | null {
  const read = bins.map((bin) => {
    if (!isRecord(bin)) return null;
    const count = numberOf(bin["count"]);
    const { from, to } = bin;
    const range = from === undefined || to === undefined ? undefined : `${inShort(from)}–${inShort(to)}`;
    const label = bin["label"] ?? bin["range"] ?? bin["bin"] ?? range;
    return count === null || (typeof label !== "string" && typeof label !== "number")
      ? null
      : { label: String(label), count };
  });
  const known = read.filter((bin) => bin !== null);
  if (known.length === 0 || known.length < read.length) return null;
  return { labels: known.map(({ label }) => label), counts: known.map(({ count }) => count) };
}

function inShort(value: unknown): string {
  return typeof value === "number" ? String(Number(value.toPrecision(6))) : String(value);
}

/**
 * Returns the rows of a result: its `rows` with `columns`, a comparison, a list under a known member, or its scalar
 * members as rows. Null if it contains none.
 */
export function tableOf(value: unknown): Table | null {
  if (Array.isArray(value)) return listTable(value);
  if (!isRecord(value)) return null;
  const columns = columnsOf(value["columns"]);
  const rows = value["rows"];
  if (Array.isArray(rows) && columns !== null) {
    const isCut = value["is_truncated"] === true;
    return { columns, rows: rows.map((row) => rowOf(row, columns)), isNamed: true, isCut };
  }
  const comparison = comparisonOf(value);
  if (comparison !== null) return comparisonTable(comparison);
  const stats = statsOf(value);
  const held = holderIn(value, stats === null);
  if (held !== null) return withFullScore(listTable(held), value);
  const scalars = Object.entries(stats ?? value).filter(([, member]) => isScalar(member));
  if (scalars.length === 0) return null;
  return { columns: ["metric", "value"], rows: scalars.map(([metric, figure]) => ({ metric, value: figure })) };
}

/**
 * Returns the list that holds the rows; null if there is none. If the result has statistics (`isAny` false), only known
 * member names count.
 */
function holderIn(value: Row, isAny: boolean): readonly unknown[] | null {
  const lists = Object.entries(value).filter((entry): entry is [string, unknown[]] => {
    const [name, member] = entry;
    return (isAny || HOLDERS.includes(name)) && Array.isArray(member) && member.length > 0 && member.every(isRecord);
  });
  const rank = (name: string) => (HOLDERS.includes(name) ? HOLDERS.indexOf(name) : HOLDERS.length);
  return lists.toSorted(([a], [b]) => rank(a) - rank(b))[0]?.[1] ?? null;
}

function withFullScore(table: Table | null, { max_score: full }: Row): Table | null {
  return table === null || typeof full !== "number" ? table : { ...table, fullScore: full };
}

/** Converts a list of objects, lists or scalars to a table. */
function listTable(list: readonly unknown[]): Table | null {
  if (list.length === 0) return { columns: [], rows: [] };
  if (list.every(isRecord)) {
    const names = new Set<string>();
    for (const row of list) for (const name of Object.keys(row)) if (names.size < MOST_COLUMNS) names.add(name);
    return { columns: [...names], rows: list };
  }
  if (list.every((row) => Array.isArray(row))) {
    const width = list.reduce((most, row) => Math.max(most, row.length), 0);
    const columns = Array.from({ length: Math.min(width, MOST_COLUMNS) }, (_, i) => String(i + 1));
    return { columns, rows: list.map((row) => rowOf(row, columns)) };
  }
  return { columns: ["value"], rows: list.map((value) => ({ value })) };
}

/** Returns one row per metric and one column per group. */
function comparisonTable({ groups, difference }: Comparison): Table {
  const figures = FIGURES.filter((name) => groups.some(({ stats }) => stats[name] !== undefined));
  const hasDifference = Object.keys(difference).length > 0;
  const columns = ["metric", ...groups.map(({ key }) => key), ...(hasDifference ? ["difference"] : [])];
  const rows = figures.map((metric) => ({
    metric,
    ...Object.fromEntries(groups.map(({ key, stats }) => [key, stats[metric] ?? null])),
    ...(hasDifference ? { difference: difference[metric] ?? null } : {}),
  }));
  return { columns, rows };
}

function columnsOf(value: unknown): string[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const names = value.map((column: unknown) => (isRecord(column) ? (column["name"] ?? column["key"]) : column));
  return names.every((name) => typeof name === "string") ? names.slice(0, MOST_COLUMNS) : null;
}

/** Returns the row as a record by column name. */
function rowOf(row: unknown, columns: readonly string[]): Row {
  if (isRecord(row)) return row;
  const cells: readonly unknown[] = Array.isArray(row) ? row : [row];
  return Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? null]));
}

function numbersOf(value: unknown): Stats {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
  );
}

/** True for texts, numbers and booleans. */
export function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
