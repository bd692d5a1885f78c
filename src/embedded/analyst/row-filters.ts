// Parses row filters: rows with a named value, or with a number beyond a bound.

import {
  escapeFolded,
  isNumberColumn,
  getMeasureColumns,
  findMentions,
  findNamedTables,
  type DatasetColumn,
  type AnalysisData,
  type NameMention,
  type DatasetTable,
} from "./analysis-data.ts";

type RowFilterOperator = "in" | "ne" | "gt" | "gte" | "lt" | "lte" | "between";
export type RowFilter = {
  readonly column: string;
  readonly operator: RowFilterOperator;
  readonly value: number | string | readonly (number | string)[];
};

/** `rest` is the line without the words of its filters. */
export type ParsedFilters = {
  readonly filters: readonly RowFilter[];
  readonly rest: string;
  /** The numeric column named beside a number; it becomes the measure if the line names no other. */
  readonly named?: DatasetColumn;
};

const NUMBER = String.raw`[$¥€]?\s*(-?\d[\d,]*(?:\.\d+)?)`;
const COMPARED: readonly (readonly [RowFilterOperator, string])[] = [
  ["between", `(?:between|from)\\s+${NUMBER}\\s*(?:and|to|-)\\s*${NUMBER}`],
  ["between", `(?:介于|在)?\\s*${NUMBER}\\s*(?:到|至|和|-|~)\\s*${NUMBER}\\s*(?:之间|的)`],
  ["gte", `(?:>=|≥|at least|no less than|不低于|不小于|不少于|至少|大于等于)\\s*${NUMBER}`],
  ["lte", `(?:<=|≤|at most|no more than|up to|不高于|不大于|不超过|至多|最多|小于等于)\\s*${NUMBER}`],
  [
    "gt",
    `(?:>|(?:is |are )?(?:above|over|exceeding|(?:greater|more|higher|larger) than)|大于|高于|超过|多于)\\s*${NUMBER}`,
  ],
  ["lt", `(?:<|(?:is |are )?(?:below|under|(?:less|fewer|lower|smaller) than)|小于|低于|少于|不到)\\s*${NUMBER}`],
  ["in", `(?:=|\\bexactly|\\bequals?(?: to)?|等于)\\s*${NUMBER}`],
  ["gte", `${NUMBER}\\s*(?:[分元岁个人次件]|or (?:more|above|higher))?\\s*(?:及?以上|or (?:more|above|higher))`],
  ["lte", `${NUMBER}\\s*(?:[分元岁个人次件])?\\s*(?:及?以下|or (?:less|below|lower))`],
];
/** Negates every value that follows in a list: `excluding Tea and Mug`. */
const NOT =
  /(?:\b(?:except|excluding|without|other than|but not|not)(?: (?:for|from|in|of|at|by))?(?: the)?|除了?|排除|不含|不包括|不要|不是|不在|(?<!有)没有?|非|去掉|剔除)(?:\s|,\s|and|or|nor|[、和与或及])*$/i;
const FILTERING =
  /\b(?:only|just|where|with|whose|excluding|except(?: for)?|without|other than)\b|仅|只[看要]?|排除|除了?|不含|不包括|剔除|之外|以外|筛选/gi;
const MAX_FILTER_LINE = 500;
/** Removes all filters. */
export const REMOVES_FILTERS =
  /\b(?:(?:no|remove|clear|drop|reset|without)(?: the| all)* filters?|all (?:the )?rows)\b|(?:去掉|取消|清除|移除)(?:所有)?筛选|全部数据|所有数据/i;

/** The last parameter is the column for numbers that name no column. */
export function parseFilters(
  line: string,
  table: DatasetTable,
  material: AnalysisData,
  shown?: DatasetColumn,
): ParsedFilters {
  if (line.length > MAX_FILTER_LINE) return { filters: [], rest: line };
  const byNumber = parseNumberFilters(line, table, shown);
  const byValue = parseValueFilters(byNumber.rest, table, material);
  const filters = [...byNumber.filters, ...byValue.filters];
  return { ...byNumber, filters, rest: filters.length === 0 ? line : byValue.rest.replace(FILTERING, " ") };
}

function parseNumberFilters(line: string, table: DatasetTable, shown: DatasetColumn | undefined): ParsedFilters {
  let rest = line;
  let beside: DatasetColumn | undefined;
  const filters: RowFilter[] = [];
  for (const [operator, pattern] of COMPARED) {
    const match = new RegExp(pattern, "i").exec(rest);
    const before = match === null ? "" : rest.slice(0, match.index);
    const [named] = findMentions(before, table.columns.filter(isNumberColumn)).slice(-1);
    const behind = match === null ? "" : rest.slice(match.index + match[0].length);
    const [next] = findMentions(behind, table.columns.filter(isNumberColumn));
    const paid = getMeasureColumns(table).filter(({ unit }) => unit !== undefined && unit !== "%");
    // An amount of money belongs to the only column of money; with several the column is unknown.
    const isPaid = /[$¥€]/.test(match?.[0] ?? "") && paid.length > 0;
    const usual = isPaid ? paid.slice(0, paid.length > 1 ? 0 : 1) : getMeasureColumns(table);
    const column = named?.what ?? next?.what ?? (isPaid ? undefined : shown) ?? usual[0];
    if (match === null || column === undefined || endsWithRankWord(before)) continue;
    const values = match.slice(1).flatMap((one) => (one === undefined ? [] : [Number(one.replaceAll(",", ""))]));
    const [first = 0] = values;
    beside = named?.what;
    filters.push({
      column: column.name,
      operator,
      value: operator === "between" || operator === "in" ? values : first,
    });
    // The words of an adjacent column belong to the filter.
    const isNext = named !== undefined && before.slice(named.at + named.length).trim().length <= 3;
    const start = isNext ? named.at : match.index;
    rest = maskRange(rest, start, match.index + match[0].length);
  }
  return { filters, rest, ...(beside === undefined ? {} : { named: beside }) };
}

/** `at most 3` behind `top` is a row limit. */
const endsWithRankWord = (before: string): boolean => /\b(?:top|bottom|first|last)\s*$|[前后]\s*$/i.test(before);

type NamedColumnValue = { readonly name: string; readonly column: DatasetColumn };

function parseValueFilters(line: string, table: DatasetTable, material: AnalysisData): ParsedFilters {
  const names = [...findNamedTables(line, material), table].map(({ name }) => ({ name: name.replace(/\.\w+$/, "") }));
  const all = table.columns.flatMap((column) => column.values.map((name): NamedColumnValue => ({ name, column })));
  // A value may contain the name of its column.
  const found = findMentions(line, [...names, ...table.columns, ...all.filter(createValueTest(line))]);
  const values = found.filter((one): one is NameMention<NamedColumnValue> => "column" in one.what);
  let rest = found.reduce(
    (text, { what, at, length }) => ("column" in what ? text : maskRange(text, at, at + length)),
    line,
  );
  const filters = new Map<string, RowFilter>();
  let left = line;
  for (const { what, at, length } of values) {
    const operator = NOT.test(rest.slice(0, at)) ? "ne" : "in";
    const known = filters.get(`${what.column.name} ${operator}`)?.value;
    const value = operator === "ne" ? what.name : [...(Array.isArray(known) ? (known as string[]) : []), what.name];
    filters.set(operator === "ne" ? `${what.column.name} ne ${what.name}` : `${what.column.name} in`, {
      column: what.column.name,
      operator,
      value,
    });
    rest = maskRange(rest, at, at + length);
    left = maskRange(left, at, at + length);
  }
  return { filters: [...filters.values()], rest: left };
}

/** A single character or a number counts as a value only behind the name of its column. */
function createValueTest(line: string): (value: NamedColumnValue) => boolean {
  return ({ name, column }) => {
    if (/^[\d\s.,-]*$/.test(name)) return false;
    if (name.length > 1 || (/[男女]/.test(name) && new RegExp(`${name}(?:[生性孩]|同学)`).test(line))) return true;
    const before = `仅|只[看要]?|排除|除了?|不含|\\bonly |\\bexcluding |${escapeFolded(column.name)}\\s*(?:=|is |为|是)?\\s*`;
    return new RegExp(`(?:${before})${escapeFolded(name)}(?![a-z\\d])`, "i").test(line);
  };
}

function maskRange(text: string, from: number, to: number): string {
  return text.slice(0, from) + " ".repeat(to - from) + text.slice(to);
}

/** Replaces the earlier filters of the same columns. */
export function mergeFilters(before: readonly RowFilter[], next: readonly RowFilter[]): readonly RowFilter[] {
  const columns = new Set(next.map(({ column }) => column));
  return [...before.filter(({ column }) => !columns.has(column)), ...next];
}

const SIGNS: Readonly<Record<RowFilterOperator, string>> = {
  in: "=",
  ne: "≠",
  gt: ">",
  gte: "≥",
  lt: "<",
  lte: "≤",
  between: "=",
};

/** Formats filters for people: `city = Leeds, York`. */
export function formatFilters(filters: readonly RowFilter[]): string {
  return filters
    .map(({ column, operator, value }) => {
      const values = Array.isArray(value) ? (value as (number | string)[]) : [value as number | string];
      return `${column} ${SIGNS[operator]} ${values.join(operator === "between" ? "–" : ", ")}`;
    })
    .join("; ");
}
