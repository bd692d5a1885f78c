// Finds the columns that a line names: measure, grouping, and names that no column has.

import { normalizeCharacters } from "../../language/text-spans.ts";
import {
  getGroupColumns,
  findHintedColumns,
  isDateColumn,
  isNumberColumn,
  getMeasureColumns,
  findMentions,
  type DatasetColumn,
  type DatasetTable,
} from "./analysis-data.ts";

export type ColumnSelection = {
  readonly measure?: DatasetColumn;
  readonly by?: DatasetColumn;
  readonly missing?: string;
  readonly broken?: DatasetColumn;
  readonly isBeyond?: boolean;
  /** Two numeric columns to correlate. */
  readonly pair?: readonly [DatasetColumn, DatasetColumn];
};

/** Returns the columns that a line names. */
export function findColumns(line: string, table: DatasetTable): ColumnSelection {
  const mentions = findMentions(line, table.columns);
  const named = mentions.map(({ what }) => what);
  // A measure is a grouping only behind a word such as `by`.
  const apart = mentions.filter(
    ({ what, at }) => !getMeasureColumns(table).includes(what) || BEHIND_BY.test(line.slice(0, at)),
  );
  const near = findHintedColumns(line, table.columns).filter((column) => !named.includes(column));
  const all = [...named, ...near];
  const numbers = all.filter((column) => getMeasureColumns(table).includes(column));
  const [x, y] =
    numbers.length === 1 ? [...numbers, ...getMeasureColumns(table).filter((one) => one !== numbers[0])] : numbers;
  const pair: readonly [DatasetColumn, DatasetColumn] | undefined =
    x === undefined || y === undefined ? undefined : [x, y];
  const groups = findMentions(line, getGroupColumns(table));
  const isGroup = (column: DatasetColumn) => getGroupColumns(table).includes(column);
  const price = PRICED.test(line)
    ? getMeasureColumns(table).find(({ name }) => PRICE.test(normalizeCharacters(name)))
    : undefined;
  const measure =
    all.find((column) => getMeasureColumns(table).includes(column)) ?? named.find(isNumberColumn) ?? price;
  const broken = named.find(isMostlyNumbers);
  const by =
    findGroupColumn(line, table) ??
    all.find(isGroup) ??
    apart.map(({ what }) => what).find((column) => isNumberColumn(column) && column !== measure);
  const missing = by === undefined || by === measure ? findMissingColumn(line, table, all.length > 0) : undefined;
  return {
    ...(measure === undefined ? {} : { measure }),
    ...(by === undefined || isDateColumn(by) ? {} : { by }),
    ...(missing === undefined ? {} : { missing }),
    ...(broken === undefined ? {} : { broken }),
    ...(namesSingleValue(line, table) ||
    (groups.length > 1 && BY_TWO.test(line)) ||
    (PRICED.test(line) && measure === undefined)
      ? { isBeyond: true }
      : {}),
    ...(pair === undefined ? {} : { pair }),
  };
}

const BY_EN = /\b(?:by|per|for each|across)\s+(?:the\s+)?([a-z][\w -]*)/gi;
const BY_ZH = /(?:按照?|根据|各个?|每个)\s*([^\s,，。的]{1,20}?)(?=排|对比|比较|统计|分|汇总|的|看|做|画|$)/g;

const PRICED = /\bcheap\w*|\bexpensive\b|便宜|贵/i;
const PRICE = /price|cost|fee|价|费/i;

/** True if most values of a text column are numbers. Numbers with leading zeros are identifiers. */
function isMostlyNumbers({ type, values }: DatasetColumn): boolean {
  const numbers = values.filter((value) => /^[-+]?[$¥€]?(?!0\d)\d[\d,.]*\s?%?$/.test(value));
  return type === "text" && numbers.length > values.length / 2;
}

const BEHIND_BY = /(?:\b(?:by|per|each|every|across)\s+(?:the\s+)?|[按各每照]个?)$/i;

/** Two groupings, `by product and region`; only one of them could be used. */
const BY_TWO = /(?:\b(?:by|per|each|every)\b|[按各每]).{0,80}(?:\band\b|[和与及、各每])/i;

/** Single-character nouns that match columns containing them: `各班` for `班级`. */
const IN_SHORT = /(?:[按各每照]|哪一?)[个家间所支]?([班店组队区省市校科])/;

/** Returns the column named behind `by`. */
export function findGroupColumn(line: string, table: DatasetTable): DatasetColumn | undefined {
  for (const [, words = ""] of [...line.matchAll(BY_EN), ...line.matchAll(BY_ZH)]) {
    const found =
      findMentions(words, getGroupColumns(table))[0]?.what ?? findHintedColumns(words, getGroupColumns(table))[0];
    if (found !== undefined) return found;
  }
  const short = IN_SHORT.exec(line)?.[1];
  return getGroupColumns(table).find(
    ({ name }) => short !== undefined && name.length < 5 && normalizeCharacters(name).includes(short),
  );
}

const VALUE_EN = /\b(?:for|in|compare|and|versus|vs)\s+(?:the\s+)?([A-Z][\w-]+)/g;
const VALUE_ZH = /(?:对比|比较)(?:一下)?([\u3400-\u9fff]{2,6})[和与跟]([\u3400-\u9fff]{2,6}?)的/g;
/** A comparison of two things. */
const PAIR =
  /\bcompare (?:the )?([a-z][\w-]*) (?:and|with|to|vs\.?|versus) (?:the )?([a-z][\w-]*)|([\u3400-\u9fff]{2,4})[和与跟]([\u3400-\u9fff]{2,4}?)的?[\u3400-\u9fff]{0,8}(?:对比|比较)/gi;

/** True if the line names single values, as in `for East`; the rules do not know their column. */
function namesSingleValue(line: string, table: DatasetTable): boolean {
  const isColumn = (word: string) =>
    findMentions(word, [...table.columns, table]).length > 0 || findHintedColumns(word, table.columns).length > 0;
  const [named] = findMentions(line, [table]);
  const left = named === undefined ? line : line.slice(0, named.at) + line.slice(named.at + named.length);
  return [...left.matchAll(VALUE_EN), ...left.matchAll(VALUE_ZH), ...left.matchAll(PAIR)].some((match) =>
    match.slice(1).some((word) => word !== undefined && !isColumn(word)),
  );
}

const NO_COLUMN =
  /^(?:(?:date|time|day|week|month|quarter|year|value|amount|number|class|student|name|total|average|sum|it)s?\b|日|天|周|星期|月|月份|季|季度|年|年份|时间|日期|大小|高低|顺序|数量)/i;

/** A replacement for the current column. */
const OTHER =
  /\b(?:use|show|take)\s+(?:the\s+)?([a-z][\w-]*)\s+(?:instead|rather)\b|(?:换成|改成|改用|换为|改为)按?\s*([^\s,，。的]{1,12})$/i;

/** Returns the word behind `by` that names no column. */
function findMissingColumn(line: string, table: DatasetTable, isNamed: boolean): string | undefined {
  const [, en, zh] = isNamed ? [] : (OTHER.exec(line) ?? []);
  const other = en ?? zh;
  if (other !== undefined && !NO_COLUMN.test(other)) return other;
  for (const [, words = ""] of [...line.matchAll(BY_EN), ...line.matchAll(BY_ZH)]) {
    const word = /^[\w-]+|^[^\s\w]+/.exec(words.trim())?.[0] ?? "";
    const isKnown = findMentions(words, table.columns).length > 0 || findHintedColumns(words, table.columns).length > 0;
    if (word !== "" && !isKnown && !NO_COLUMN.test(word)) return word;
  }
  return undefined;
}

/** True if rows are asked for: `the five most expensive houses`, where houses is the name of the table. */
export function asksForRows(line: string, table: DatasetTable): boolean {
  if (/\b(?:rows?|records?|entries|sort(?:ed)?)\b|明细|记录|哪几[行条]|[几\d][行条](?:数据|记录)?/i.test(line))
    return true;
  const [named] = findMentions(line, [table]);
  const before = named === undefined ? "" : line.slice(0, named.at);
  return (
    /\b(?:top|bottom|most|least|best|worst|highest|lowest|largest|smallest|cheapest)\b/i.test(before) &&
    !/\b(?:in|of|from|for)\s+(?:the |my )?$/i.test(before)
  );
}
