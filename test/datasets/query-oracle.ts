// An independent implementation of dataset queries: plain loops over plain rows, without SQL.

import type {
  Aggregate,
  Cell,
  Column,
  FilterCondition,
  DatasetQuery,
  DatasetFilter,
} from "../../src/protocol/datasets/dataset.ts";

export type PlainTable = {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
};

type KeyedRecord = ReadonlyMap<string, Cell>;
type OutputColumn = { readonly name: string; readonly value: (records: readonly KeyedRecord[]) => Cell };

/**
 * Runs a query. Columns are keyed by `table.column`; test queries give the table or use a column that only one table
 * has.
 */
export function runPlainQuery(query: DatasetQuery, tables: readonly PlainTable[]): { names: string[]; rows: Cell[][] } {
  const getTable = (name: string): PlainTable =>
    tables.find((table) => table.name === name) ?? { name, columns: [], rows: [] };
  let records = toRecords(getTable(query.dataset));
  const tablesRead = [getTable(query.dataset)];
  for (const join of query.join ?? []) {
    const right = getTable(join.dataset);
    tablesRead.push(right);
    const others = toRecords(right);
    const empty: KeyedRecord = new Map(right.columns.map((column) => [`${right.name}.${column.name}`, null]));
    records = records.flatMap((record) => {
      const matching = others.filter((other) =>
        join.on.every(({ left, right: key }) => {
          const [a, b] = [getCell(record, left, tablesRead), other.get(`${right.name}.${key}`) ?? null];
          return a !== null && b !== null && a === b;
        }),
      );
      const matches = matching.length === 0 && join.type === "left" ? [empty] : matching;
      return matches.map((match): KeyedRecord => new Map([...record, ...match]));
    });
  }
  const { filter } = query;
  if (filter !== undefined) records = records.filter((record) => matchesFilter(filter, record, tablesRead));
  const { names, rows } =
    query.group === undefined && query.aggregate === undefined
      ? selectRows(query, records, tablesRead)
      : groupRows(query, records, tablesRead);
  const { limit = 100, offset = 0 } = query;
  return { names, rows: rows.slice(offset, offset + limit) };
}

function toRecords({ name, columns, rows }: PlainTable): KeyedRecord[] {
  return rows.map((row) => new Map(columns.map((column, i) => [`${name}.${column.name}`, row[i] ?? null])));
}

type Ref = FilterCondition["column"];

function toKey(ref: Ref, tablesRead: readonly PlainTable[]): string {
  if (typeof ref !== "string") return `${ref.dataset}.${ref.column}`;
  const owner = tablesRead.find(({ columns }) => columns.some(({ name }) => name === ref));
  return `${owner?.name}.${ref}`;
}

const getCell = (record: KeyedRecord, ref: Ref, tablesRead: readonly PlainTable[]): Cell =>
  record.get(toKey(ref, tablesRead)) ?? null;

function matchesFilter(filter: DatasetFilter, record: KeyedRecord, tablesRead: readonly PlainTable[]): boolean {
  if ("and" in filter) return filter.and.every((part) => matchesFilter(part, record, tablesRead));
  if ("or" in filter) return filter.or.some((part) => matchesFilter(part, record, tablesRead));
  if ("not" in filter) return !matchesFilter(filter.not, record, tablesRead);
  const { column, operator, value } = filter;
  const cell = getCell(record, column, tablesRead);
  if (operator === "is_gap") return cell === null;
  if (operator === "is_not_gap") return cell !== null;
  if (operator === "ne") return cell !== value;
  if (cell === null) return false;
  const list = Array.isArray(value) ? value : [];
  switch (operator) {
    case "eq":
      return cell === value;
    case "lt":
      return cell < (value as Cell & {});
    case "lte":
      return cell <= (value as Cell & {});
    case "gt":
      return cell > (value as Cell & {});
    case "gte":
      return cell >= (value as Cell & {});
    case "in":
      return list.includes(cell);
    case "between":
      return cell >= (list[0] ?? 0) && cell <= (list[1] ?? 0);
    case "contains":
      return String(cell).toLowerCase().includes(String(value).toLowerCase());
    case "starts_with":
      return String(cell).toLowerCase().startsWith(String(value).toLowerCase());
  }
}

function selectRows(query: DatasetQuery, records: readonly KeyedRecord[], tablesRead: readonly PlainTable[]) {
  const allColumns = tablesRead.flatMap(({ name: dataset, columns }) =>
    columns.map(({ name: column }) => ({ dataset, column })),
  );
  const selected = (query.select ?? allColumns) as Ref[];
  const names = selected.map((ref) => (typeof ref === "string" ? ref : ref.column));
  const sorted = sortRows(records, query, (record, by) => {
    const at = names.indexOf(by);
    return getCell(record, at < 0 ? by : (selected[at] ?? by), tablesRead);
  });
  return { names, rows: sorted.map((record) => selected.map((ref) => getCell(record, ref, tablesRead))) };
}

function groupRows(query: DatasetQuery, records: readonly KeyedRecord[], tablesRead: readonly PlainTable[]) {
  const keys = (query.group ?? []).map((spec): OutputColumn => {
    if (typeof spec === "string" || "dataset" in spec) {
      const name = typeof spec === "string" ? spec : spec.column;
      return { name, value: ([first]) => (first === undefined ? null : getCell(first, spec, tablesRead)) };
    }
    const { column, bucket, as } = spec;
    const name = as ?? `${typeof column === "string" ? column : column.column}_${bucket}`;
    return {
      name,
      value: ([first]) => toBucket(first === undefined ? null : getCell(first, column, tablesRead), bucket ?? "day"),
    };
  });
  const aggregates = (query.aggregate ?? []).map((spec): OutputColumn => {
    const { function: how, column, as } = spec;
    const name = as ?? (column === undefined ? how : `${how}_${typeof column === "string" ? column : column.column}`);
    return { name, value: (members) => computeAggregate(spec, members, tablesRead) };
  });
  const groups = new Map<string, KeyedRecord[]>();
  for (const record of records) {
    const key = JSON.stringify(keys.map(({ value }) => value([record])));
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  if (keys.length === 0 && groups.size === 0) groups.set("", []);
  const outputs = [...keys, ...aggregates];
  const names = outputs.map(({ name }) => name);
  const rows = [...groups.values()].map((members) => outputs.map(({ value }) => value(members)));
  const byKeys = rows.toSorted((a, b) => firstDifference(keys.map((_, i) => compare(a[i] ?? null, b[i] ?? null))));
  return { names, rows: sortRows(byKeys, query, (row, by) => row[names.indexOf(by)] ?? null) };
}

function computeAggregate(
  { function: how, column }: Aggregate,
  members: readonly KeyedRecord[],
  tablesRead: readonly PlainTable[],
): Cell {
  if (column === undefined) return members.length;
  const values = members.map((member) => getCell(member, column, tablesRead)).filter((value) => value !== null);
  const numbers = values.map(Number);
  const total = numbers.reduce((a, b) => a + b, 0);
  const average = total / numbers.length;
  const ranked = numbers.toSorted((a, b) => a - b);
  if (how === "count") return values.length;
  if (how === "distinct") return new Set(values).size;
  if (values.length === 0) return null;
  switch (how) {
    case "sum":
      return total;
    case "mean":
      return average;
    case "median":
      return (
        ((ranked[Math.floor((ranked.length - 1) / 2)] ?? 0) + (ranked[Math.ceil((ranked.length - 1) / 2)] ?? 0)) / 2
      );
    case "stddev":
      if (numbers.length < 2) return null;
      return Math.sqrt(numbers.reduce((sum, value) => sum + (value - average) ** 2, 0) / (numbers.length - 1));
    case "min":
      return values.reduce((a, b) => (b < a ? b : a));
    case "max":
      return values.reduce((a, b) => (b > a ? b : a));
  }
}

function toBucket(cell: Cell, bucket: "day" | "week" | "month" | "quarter" | "year"): Cell {
  if (typeof cell !== "string") return null;
  const at = new Date(`${cell.slice(0, 10)}T00:00:00Z`);
  const [year, month] = [cell.slice(0, 4), Number(cell.slice(5, 7))];
  switch (bucket) {
    case "day":
      return cell.slice(0, 10);
    case "week":
      at.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7));
      return at.toISOString().slice(0, 10);
    case "month":
      return cell.slice(0, 7);
    case "quarter":
      return `${year}-Q${Math.ceil(month / 3)}`;
    case "year":
      return year;
  }
}

function sortRows<T>(items: readonly T[], query: DatasetQuery, value: (item: T, by: string) => Cell): T[] {
  return items.toSorted((a, b) =>
    firstDifference(
      (query.order ?? []).map(({ by, direction }) => {
        const [x, y] = [value(a, by), value(b, by)];
        return direction === "desc" && x !== null && y !== null ? -compare(x, y) : compare(x, y);
      }),
    ),
  );
}

const firstDifference = (differences: readonly number[]): number =>
  differences.find((difference) => difference !== 0) ?? 0;

/** Sorts null last. */
function compare(a: Cell, b: Cell): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}
