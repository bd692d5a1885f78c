// A parsed sub-task: its words with literals masked, and the values they contain.

import { resolveExpressions, readArithmetic } from "../read-arithmetic.ts";
import { collectResultNumbers, type EarlierResult, type WorkContext } from "../tool-arguments.ts";
import { formatLocalDate, findSpokenDates, type SpokenDate } from "../spoken-dates.ts";
import { findLiteralSpans, findTextPayload } from "../text-payload.ts";
import { findReference } from "../result-references.ts";
import { findReferencedPiece } from "../request-pieces.ts";
import { detectLanguage, type Language } from "../../language/detect-language.ts";
import { findNumerals, parseNumeralAt } from "../../language/numerals.ts";
import { findPlaces, type PlaceMatch } from "../../language/place-time-zones.ts";
import { maskSpans, normalizeCharacters, removePolitePrefixes, findQuotations } from "../../language/text-spans.ts";

/** Text if a number would lose digits. */
export type NumeralValue = number | string;

export type SubtaskWords = {
  /** The original text. */
  readonly text: string;
  /** Lower case and half width. Literal text is masked with ▢, character by character. */
  readonly said: string;
  readonly quoted: readonly string[];
  /** From the words, else from quotations, else from earlier results. */
  readonly numbers: readonly NumeralValue[];
  /** True if the words contain the numbers themselves. */
  readonly isComplete: boolean;
  /** Sums in ordinary notation, with earlier results inserted. */
  readonly sums: readonly string[];
  /** True if a sum continues an earlier result: 把随机数乘以2. */
  readonly goesOn: boolean;
  readonly dates: readonly SpokenDate[];
  readonly places: readonly PlaceMatch[];
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

export function parseSubtaskWords(situation: WorkContext, fallback?: string): SubtaskWords {
  const { text, now, timezone } = situation;
  const results = pickRelevantResults(situation);
  // Between Chinese numbers a full-width comma separates; it never groups thousands.
  const folded = normalizeCharacters(text.replaceAll("，", "、"));
  const quoted = findQuotations(text).map(({ inner }) => inner);
  const unquoted = maskSpans(folded, findQuotations(folded));
  const today = formatLocalDate(now, timezone);
  const own = findNumerals(unquoted.replace(NO_NUMBER, BLOT));
  const spoken = own.length === 0 && quoted.length > 0 ? findNumerals(normalizeCharacters(quoted.join(" "))) : own;
  const earlier = collectResultNumbers(results);
  const dates = findSpokenDates(unquoted, today, true);
  const sums = readArithmetic(unquoted);
  const source = sums.length === 0 ? readArithmetic(normalizeCharacters(quoted[0] ?? "")) : sums;
  return {
    text,
    said: maskSpans(folded, findLiteralSpans(folded)).replaceAll("\u0001", BLOT).toLowerCase(),
    quoted,
    numbers: (spoken.length > 0 ? spoken : earlier).map(toNumeral),
    isComplete: spoken.length > 0,
    sums: resolveExpressions(source, earlier) ?? [],
    goesOn: source.some(({ refersBack }) => refersBack),
    dates: dates.length > 0 ? dates : findResultDates(results, today),
    places: findPlaces(text),
    today,
    timezone: timezone ?? "UTC",
    language: detectLanguage(text, fallback),
    lastResult: results.at(-1)?.value ?? null,
  };
}

/** Returns the dates of the last result; they have no position in the words. */
function findResultDates(results: readonly EarlierResult[], today: string): SpokenDate[] {
  return findSpokenDates(results.at(-1)?.value ?? "", today).map((date) => ({ ...date, start: 0, end: 0 }));
}

/** Returns the results that the words refer to, by default the last. Unwraps JSON lists. */
function pickRelevantResults({ text, results }: WorkContext): EarlierResult[] {
  const plainly = results.map(({ value, about }) => ({ value: unwrapList(value), about }));
  if (findReference(text) === "all") return plainly;
  const at = findReferencedPiece(
    results.map(({ about }) => ({ text: about })),
    text,
  );
  return plainly.slice(at ?? -1).slice(0, 1);
}

function unwrapList(value: string): string {
  return /^\[[^[\]{}]*\]$/.test(value) ? value.slice(1, -1).replace(/,\s*/g, ", ").replaceAll('"', "") : value;
}

export function toNumeral(digits: string): NumeralValue {
  const number = Number(digits);
  const isWhole = /^-?\d+$/.test(digits);
  return isWhole ? (Number.isSafeInteger(number) ? number : digits) : digits.length > 16 ? digits : number;
}

export const isInteger = (value: unknown): value is number => Number.isInteger(value);

/** Replaces numerals by digits: 三周后 · three weeks from now. */
export function replaceNumerals({ said }: SubtaskWords): string {
  let text = "";
  for (let at = 0; at < said.length;) {
    const isInside = /[a-z]/.test(said[at] ?? "") && /[a-z]/.test(said[at - 1] ?? "");
    const number = isInside ? null : parseNumeralAt(said, at);
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
export function findSubjectText({ text, quoted, lastResult }: SubtaskWords, asked: RegExp): string | null {
  const [first] = quoted;
  if (first !== undefined) return first;
  const words = removePolitePrefixes(text).replace(/[?？。]+$/, "");
  const found =
    findReference(text) === "none" && findLiteralSpans(normalizeCharacters(text)).length === 0
      ? findTextBeside(words, asked)
      : null;
  return found ?? findTextPayload(text) ?? lastResult;
}

function findTextBeside(words: string, asked: RegExp): string | null {
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
export function readNumbersAsList(words: SubtaskWords): readonly NumeralValue[] {
  if (!words.isComplete) return words.numbers;
  if (RANGE.test(words.said)) return [];
  const isQuoted = words.quoted.length > 0 && !/\d/.test(words.said);
  const text = normalizeCharacters((isQuoted ? words.quoted.join(" ") : words.text).replaceAll("，", "、"));
  const runs = text.match(/\d+(?:\.\d+)?(?:,\d+(?:\.\d+)?)+/g) ?? [];
  const isList =
    runs.some((run) => run.split(",").length > 2 || !/^\d{1,3}(?:,\d{3})+$/.test(run)) || words.numbers.length < 2;
  return isList ? findNumerals(text.replace(/(?<=\d),(?=\d)/g, ", ")).map(toNumeral) : words.numbers;
}

/** Returns the named day, or today. */
export function getDayOrToday({ dates, today }: SubtaskWords): string {
  return dates[0]?.date ?? today;
}

export function getLocale({ language }: SubtaskWords): string {
  return language === "zh" ? "zh-CN" : "en";
}

/** A pronoun for an earlier result. */
export const POINTER = /^(?:it|that|this|结果|它|the result)$/i;
