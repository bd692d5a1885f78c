// Which columns of a table a line names: what is reckoned with, what tells things apart, and what is not there.

import { groupsOf, hinted, isDate, isNumber, measuresOf, mentioned, type Column, type Table } from "./material.ts";

export type ColumnWish = {
  readonly measure?: Column;
  readonly by?: Column;
  readonly missing?: string;
  readonly isBeyond?: boolean;
  /** Two columns of numbers, for how they go together. */
  readonly pair?: readonly [Column, Column];
};

/** What a line says of the columns of a table. */
export function columnsIn(line: string, table: Table): ColumnWish {
  const named = mentioned(line, table.columns).map(({ what }) => what);
  const near = hinted(line, table.columns).filter((column) => !named.includes(column));
  const all = [...named, ...near];
  const numbers = all.filter((column) => measuresOf(table).includes(column));
  const [x, y] =
    numbers.length === 1 ? [...numbers, ...measuresOf(table).filter((one) => one !== numbers[0])] : numbers;
  const pair: readonly [Column, Column] | undefined = x === undefined || y === undefined ? undefined : [x, y];
  const isGroup = (column: Column) => groupsOf(table).includes(column);
  const measure = all.find((column) => measuresOf(table).includes(column)) ?? named.find(isNumber);
  const by =
    byColumn(line, table) ?? all.find(isGroup) ?? named.find((column) => isNumber(column) && column !== measure);
  const missing = by === undefined || by === measure ? missingIn(line, table, all.length > 0) : undefined;
  return {
    ...(measure === undefined ? {} : { measure }),
    ...(by === undefined || isDate(by) ? {} : { by }),
    ...(missing === undefined ? {} : { missing }),
    ...(namesValue(line, table) ? { isBeyond: true } : {}),
    ...(pair === undefined ? {} : { pair }),
  };
}

const BY_EN = /\b(?:by|per|for each|across)\s+(?:the\s+)?([a-z][\w -]*)/gi;
const BY_ZH = /(?:按照?|根据|各个?|每个)\s*([^\s,，。的]{1,20}?)(?=排|对比|比较|统计|分|汇总|的|看|做|画|$)/g;

/** The column that things are told apart by: what stands behind `by`. */
function byColumn(line: string, table: Table): Column | undefined {
  for (const [, words = ""] of [...line.matchAll(BY_EN), ...line.matchAll(BY_ZH)]) {
    const found = mentioned(words, groupsOf(table))[0]?.what ?? hinted(words, groupsOf(table))[0];
    if (found !== undefined) return found;
  }
  return undefined;
}

const VALUE_EN = /\b(?:for|in|compare|and|versus|vs)\s+(?:the\s+)?([A-Z][\w-]+)/g;
const VALUE_ZH = /(?:对比|比较)(?:一下)?([\u3400-\u9fff]{2,6})[和与跟]([\u3400-\u9fff]{2,6}?)的/g;

/** Whether a line names single values, as in `for East`: which column they are in, rules do not know. */
function namesValue(line: string, table: Table): boolean {
  const isColumn = (word: string) =>
    mentioned(word, [...table.columns, table]).length > 0 || hinted(word, table.columns).length > 0;
  return [...line.matchAll(VALUE_EN), ...line.matchAll(VALUE_ZH)].some((match) =>
    match.slice(1).some((word) => word !== undefined && !isColumn(word)),
  );
}

const NO_COLUMN =
  /^(?:date|time|day|week|month|quarter|year|value|amount|number|class|student|name|total|average|sum|it|日|天|周|星期|月|月份|季|季度|年|年份|时间|日期|大小|高低|顺序|数量)/i;

/** What is to be used in the place of a column. */
const OTHER =
  /\b(?:use|show|take)\s+(?:the\s+)?([a-z][\w-]*)\s+(?:instead|rather)\b|(?:换成|改成|改用|换为|改为)按?\s*([^\s,，。的]{1,12})$/i;

/** What stands behind `by` and is no column. */
function missingIn(line: string, table: Table, isNamed: boolean): string | undefined {
  const [, en, zh] = isNamed ? [] : (OTHER.exec(line) ?? []);
  const other = en ?? zh;
  if (other !== undefined && !NO_COLUMN.test(other)) return other;
  for (const [, words = ""] of [...line.matchAll(BY_EN), ...line.matchAll(BY_ZH)]) {
    const word = /^[\w-]+|^[^\s\w]+/.exec(words.trim())?.[0] ?? "";
    const isKnown = mentioned(words, table.columns).length > 0 || hinted(words, table.columns).length > 0;
    if (word !== "" && !isKnown && !NO_COLUMN.test(word)) return word;
  }
  return undefined;
}

/** `the five most expensive houses`, where houses is what the table is called. */
export function isListed(line: string, table: Table): boolean {
  if (/\b(?:rows?|records?|entries)\b|明细|哪几[行条]|[几\d][行条](?:数据|记录)?/i.test(line)) return true;
  const [named] = mentioned(line, [table]);
  const before = named === undefined ? "" : line.slice(0, named.at);
  return (
    /\b(?:top|bottom|most|least|best|worst|highest|lowest|largest|smallest|cheapest)\b/i.test(before) &&
    !/\b(?:in|of|from|for)\s+(?:the |my )?$/i.test(before)
  );
}
