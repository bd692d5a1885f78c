// Detects words that no rule has read. Ignoring them would answer another question.

import { findMentions, type AnalysisData, type DatasetTable } from "./analysis-data.ts";

const HAN = "一二三四五六七八九十";
const UNSUPPORTED = new RegExp(
  [
    `\\b(?:${[
      // Time.
      "(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)(?:r?uary|ch|il|e|y|ust|(?:em|o)ber)?",
      "(?:mon|tues|wednes|thurs|fri|satur|sun|week|to|yester)days?|weekends?|before|after|since|until|during",
      "(?:last|this|past|previous|next) (?:\\w+ )?(?:week|month|quarter|year|term)s?",
      // Groups that are not column values, and unsupported aggregates.
      "boys?|girls?|(?:fe)?males?|pass(?:ed)?|fail\\w*|times|multipl\\w+|divided",
      "distinct|unique|different|shares?|percent\\w*|proportions?|ratios?|variance|quartiles?",
      // The first of each group.
      "(?:top|best|worst|highest|lowest|most|least)\\b.{0,60}\\b(?:in|of|for|from) (?:each|every)",
    ].join("|")})\\b`,
    `[今去前明]年(?![级龄])|[上本这下]个?(?:月|周|季|年(?!级)|学期)|[今昨前]天|近[两几${HAN}](?!次)|半年|[之以][前后]|以来`,
    `(?<![个每各按逐哪几${HAN}])[${HAN}]+月|周末|工作日|(?:星期|周)[日几${HAN}]|[${HAN}]季度`,
    "[男女][生性孩]|及格|优秀率|人均|除以|不同的|几种|种类|占比|比例|比重|百分|方差|分位|众数",
    "[各每][^,，。]{0,20}最[高低好差多少大小]的",
  ].join("|"),
  "i",
);

/** True if the words, without `names`, contain an unsupported request. */
export function hasUnsupportedWords(words: string, names: readonly string[]): boolean {
  return UNSUPPORTED.test(names.reduce((text, name) => (name.length > 1 ? text.replaceAll(name, " ") : text), words));
}

/** `line` is without its filters; each pattern in `read` removes one further match. */
export function hasUnreadWords(
  line: string,
  table: DatasetTable,
  { classes }: AnalysisData,
  read: readonly RegExp[],
): boolean {
  const titles = classes.flatMap((room) => room.assignments.map(({ title }) => ({ name: title })));
  const names = [...table.columns, table, { name: table.name.replace(/\.\w+$/, "") }, ...titles];
  const left = findMentions(line, names).reduce(
    (text, { at, length }) => text.slice(0, at) + " ".repeat(length) + text.slice(at + length),
    line,
  );
  return UNSUPPORTED.test(left) || /\d/.test(read.reduce((text, words) => text.replace(words, " "), left));
}
