// A parsed sub-task: its words with literals masked, and the values they contain.

import { expressionsIn, readArithmetic } from "../arithmetic.ts";
import { numbersFrom, type Result, type Situation } from "../arguments.ts";
import { dateAt, spokenDates, type SpokenDate } from "../dates.ts";
import { literalSpans, readPayload } from "../payload.ts";
import { referenceIn } from "../references.ts";
import { named } from "../request.ts";
import { languageOf, type Language } from "../../../protocol/words/language.ts";
import { numeralsIn, readNumber } from "../../../protocol/words/numerals.ts";
import { placesIn, type Place } from "../../../protocol/words/places.ts";
import { blot, fold, plain, quotations } from "../../../protocol/words/text.ts";

/** Text if a number would lose digits. */
export type Numeral = number | string;

export type Words = {
  /** The original text. */
  readonly text: string;
  /** Lower case and half width. Literal text is masked with ▢, character by character. */
  readonly said: string;
  readonly quoted: readonly string[];
  /** From the words, else from quotations, else from earlier results. */
  readonly numbers: readonly Numeral[];
  /** True if the words contain the numbers themselves. */
  readonly isComplete: boolean;
  /** Sums in ordinary notation, with earlier results inserted. */
  readonly sums: readonly string[];
  /** True if a sum continues an earlier result: 把随机数乘以2. */
  readonly goesOn: boolean;
  readonly dates: readonly SpokenDate[];
  readonly places: readonly Place[];
  /** The date in the person's time zone. */
  readonly today: string;
  readonly timezone: string;
  readonly language: Language;
  readonly lastResult: string | null;
};

export const BLOT = "▢";
/** Numerals that are not operands: 百分之几 · 十六进制 · 这三个数 · these three numbers. */
const NO_NUMBER =
  /百分(?:之(?=几|多少)|比|点)|(?:[二八十]|十六|\d{1,2})\s*进制|(?:\d+|[两二三四五六七八九十]+)个(?:整数|数字?(?!之)|数值|数据|成绩|分数)|\b(?:these|those|the(?: following)?) (?:\w+) (?:numbers|values|integers)\b/g;

export function wordsOf(situation: Situation, fallback?: string): Words {
  const { text, now, timezone } = situation;
  const results = relevant(situation);
  // Between Chinese numbers a full-width comma separates; it never groups thousands.
  const folded = fold(text.replaceAll("，", "、"));
  const quoted = quotations(text).map(({ inner }) => inner);
  const unquoted = blot(folded, quotations(folded));
  const today = dateAt(now, timezone);
  const own = numeralsIn(unquoted.replace(NO_NUMBER, BLOT));
  const spoken = own.length === 0 && quoted.length > 0 ? numeralsIn(fold(quoted.join(" "))) : own;
  const earlier = numbersFrom(results);
  const dates = spokenDates(unquoted, today, true);
  const sums = readArithmetic(unquoted);
  const source = sums.length === 0 ? readArithmetic(fold(quoted[0] ?? "")) : sums;
  return {
    text,
    said: blot(folded, literalSpans(folded)).replaceAll("\u0001", BLOT).toLowerCase(),
    quoted,
    numbers: (spoken.length > 0 ? spoken : earlier).map(numeral),
    isComplete: spoken.length > 0,
    sums: expressionsIn(source, earlier) ?? [],
    goesOn: source.some(({ refersBack }) => refersBack),
    dates: dates.length > 0 ? dates : datesOf(results, today),
    places: placesIn(text),
    today,
    timezone: timezone ?? "UTC",
    language: languageOf(text, fallback),
    lastResult: results.at(-1)?.value ?? null,
  };
}

/** Returns the dates of the last result; they have no position in the words. */
function datesOf(results: readonly Result[], today: string): SpokenDate[] {
  return spokenDates(results.at(-1)?.value ?? "", today).map((date) => ({ ...date, start: 0, end: 0 }));
}

/** Returns the results that the words refer to, by default the last. Unwraps JSON lists. */
function relevant({ text, results }: Situation): Result[] {
  const plainly = results.map(({ value, about }) => ({ value: unlisted(value), about }));
  if (referenceIn(text) === "all") return plainly;
  const at = named(
    results.map(({ about }) => ({ text: about })),
    text,
  );
  return plainly.slice(at ?? -1).slice(0, 1);
}

function unlisted(value: string): string {
  return /^\[[^[\]{}]*\]$/.test(value) ? value.slice(1, -1).replace(/,\s*/g, ", ").replaceAll('"', "") : value;
}

export function numeral(digits: string): Numeral {
  const number = Number(digits);
  const isWhole = /^-?\d+$/.test(digits);
  return isWhole ? (Number.isSafeInteger(number) ? number : digits) : digits.length > 16 ? digits : number;
}

export const isWhole = (value: unknown): value is number => Number.isInteger(value);

/** Replaces numerals by digits: 三周后 · three weeks from now. */
export function digitised({ said }: Words): string {
  let text = "";
  for (let at = 0; at < said.length;) {
    const isInside = /[a-z]/.test(said[at] ?? "") && /[a-z]/.test(said[at - 1] ?? "");
    const number = isInside ? null : readNumber(said, at);
    text += number === null ? (said[at] ?? "") : number.value;
    at = number?.end ?? at + 1;
  }
  return text.replace(
    /\b(?:an?|the next)(?= (?:day|week|month|year|mile|met|kilo|foot|inch|pound|hour|minute|gallon))/g,
    "1",
  );
}

const AFTER_COLON = /^[^:：\d]{2,40}[:：](?!\/\/)\s*(.+)$/s;
/** Words between the asking words and the text, or around both. */
const LEAD =
  /^(?:(?:all|in|of|from|for|at|out|the|a|an|this|these|text|title|string|sentence|words?|lines?|names?|list|items?|address(?:es)?)(?![a-z])|一下|字符串|文本|[\s:：])+/i;
const VERB =
  /^(?:(?:is|are|check|test|determine|whether|if|find|get|convert|turn|make|change|put|take|do|cut|the|a|an|word|text|phrase|string)\s+)+|^(?:把|将|给|对|从|在|取|提取|找出|统计|判断|检查|看看?|求|一下)+\s*/i;
const TAIL =
  /(?:\s+(?:to|into|in|as|an?|url|is|alphabetically|backwards?)|\s*(?:的|里面?|中|之中|一?共|有|所有|全部|每个|单?词|转换?|变|改|生成|[成为]|一个|url|是不是|是否|是|进行|按|取|提取|找出|出|去掉))+$/i;
/** Words that name a text without being one, and final particles. */
const NO_TEXT =
  /^(?:(?:the|this|these|following|下面的?|以下|这个?|这段|这句|其|its) ?)?(?:text|sentence|string|words?|文本|文字|句子|字符串|话|内容|段落|结果)?数?[吗呢吧]?$/i;

/** Returns the text of a sub-task: quoted, behind a colon, beside the asking words, or the last result. */
export function subject({ text, quoted, lastResult }: Words, asked: RegExp): string | null {
  const [first] = quoted;
  if (first !== undefined) return first;
  const words = plain(text).replace(/[?？。]+$/, "");
  const found = referenceIn(text) === "none" && literalSpans(fold(text)).length === 0 ? beside(words, asked) : null;
  return found ?? readPayload(text) ?? lastResult;
}

function beside(words: string, asked: RegExp): string | null {
  const match = asked.exec(words.toLowerCase());
  const after =
    match === null
      ? ""
      : words
          .slice(match.index + match[0].length)
          .replace(/^[a-z]+/, "")
          .replace(LEAD, "");
  const before = match === null ? "" : words.slice(0, match.index).replace(VERB, "");
  return (
    [AFTER_COLON.exec(words)?.[1] ?? "", after.trim().replace(TAIL, ""), before.trim().replace(TAIL, "")]
      .map((part) => part.trim().replace(/^["'“](.*)["'”]$/s, "$1"))
      .find((part) => !NO_TEXT.test(part)) ?? null
  );
}

/** 1到10 means all numbers between. */
const RANGE = /\d\s*(?:到|至|~|～)\s*\d|\d (?:to|through) \d/;

/**
 * Returns the numbers as a list: bare commas separate if they cannot all group thousands, or if nothing else separates.
 */
export function listIn(words: Words): readonly Numeral[] {
  if (!words.isComplete) return words.numbers;
  if (RANGE.test(words.said)) return [];
  const isQuoted = words.quoted.length > 0 && !/\d/.test(words.said);
  const text = fold((isQuoted ? words.quoted.join(" ") : words.text).replaceAll("，", "、"));
  const runs = text.match(/\d+(?:\.\d+)?(?:,\d+(?:\.\d+)?)+/g) ?? [];
  const isList =
    runs.some((run) => run.split(",").length > 2 || !/^\d{1,3}(?:,\d{3})+$/.test(run)) || words.numbers.length < 2;
  return isList ? numeralsIn(text.replace(/(?<=\d),(?=\d)/g, ", ")).map(numeral) : words.numbers;
}

/** Returns the named day, or today. */
export function dayOrToday({ dates, today }: Words): string {
  return dates[0]?.date ?? today;
}

export function localeOf({ language }: Words): string {
  return language === "zh" ? "zh-CN" : "en";
}

/** A pronoun for an earlier result. */
export const POINTER = /^(?:it|that|this|结果|它|the result)$/i;
