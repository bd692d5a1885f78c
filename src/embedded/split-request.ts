// Splits a request into pieces: always at words of order (然后, then), at commas and `and` only if work follows. 123
// and 456 or "this and that" stay whole.

import { readArithmetic } from "./read-arithmetic.ts";
import { getFamily, findAskedIdeas } from "./idea-glossary.ts";
import { findLiteralSpans } from "./text-payload.ts";
import { parseNumberRange } from "./random-ranges.ts";
import { parseRequestTiming } from "./request-timing.ts";
import { detectSmallTalk } from "./small-talk.ts";
import {
  findSpans,
  maskSpans,
  normalizeCharacters,
  removePolitePrefixes,
  trimPunctuation,
  removePrefix,
  type TextSpan,
} from "../language/text-spans.ts";
import { asksForClock, isTimeZoneRequest } from "./time-zone-request.ts";

export type PieceLink = "start" | "and" | "then";
export type RequestPart = { readonly text: string; readonly link: PieceLink };

const MAX_PIECES = 40;

const THEN =
  /[\s,，、;；。.]*(?:(?:然后|接着|随后|而后|紧接着|接下来|之后再|完成后|做完后|其次|最后)(?:再|请|,)?|(?<=[,，、;；。\s])\s*再(?![见次来])|第[二三四五六七八九十]步?[:：,，]?(?=[^\d个点名位]))\s*|[\s,;.]*(?:\band )?(?:\b(?:then|after that|afterwards?|after which|and finally|followed by)\b|(?<=[,;.]\s{0,3})\b(?:next|finally|lastly|second(?:ly)?|third(?:ly)?)\b)(?: also)?[\s,:]*/gi;
/** 先A再B: the 再 after a 先 needs no comma. */
const THEN_AFTER_FIRST = /(?<!,|，)再(?![见次来])/g;
const FIRST =
  /^[\s,，]*(?:首先|第一步?[:：,，]?|先(?!生(?!成)|[进知])|first(?:ly| of all)?\b(?! (?:name|letter|word|number|day|of the|\d+ (?!plus|minus|times|divided|multiplied|to|and|x\b)[a-z]))|to (?:start|begin)(?: with)?\b)[\s,，:：]*/i;
const ITEM = /(?:^|\n|\s)(?:\d{1,2}[.)、](?!\d)\s*|[-*•]\s+|[①-⑩]\s*|[（(]\d{1,2}[)）]\s*)/g;
const BREAK = /\s*(?:\n+|[;；]|[。!！?？](?=\s*\S)|\.(?=\s+\S))\s*/g;
const AND =
  /\s*(?:,\s*(?:and\b|as well as\b|plus\b|also\b)\s*|[,，、]\s*(?:并且?|以及|同时|还有|另外|顺便|还要)?|\b(?:and|as well as|along with|plus also)\b(?: also\b)?\s*|并且|以及|同时|还有|另外|顺便|并(?=[^!-\uffff\s]|[把将告生计查统给用发反倒转排去])|和|与|跟)/g;

const ALSO = /^(?:and|also|以及|并且|还有|另外|同时|并)(?![a-z行非不])\s*/i;

/** Verbs and question words with which work begins. */
const BEGINS =
  /^(?:tell|give|show|get|find|compute|calculate|work out|figure out|generate|roll|pick|draw|choose|count|convert|translate|reverse|uppercase|lowercase|capitali[sz]e|trim|make|write|send|create|search|look|check|what|how|who|when|where|which|multiply|subtract|divide|square|halve|double|triple|take|summari[sz]e|list|remind|turn|change|transform|flip|ask|have|let|report|query|fetch|evaluate|determine|display|print|say|produce|compare|verify|analy[sz]e|build|onboard|register|run|use|set|put|add|repeat|read|explain|sing|play|recommend|describe|define|is|are|do|does|@)(?![a-z])|^(?:告诉|查询|查|看|计算|算|求|生成|产生|给|统计|数[一个出]|把|将|转|翻译|写|讲|唱|发|创建|搜索?|检查|掷|抽|反转|列出|提醒|总结|乘|加|减|除以|问|让|叫|用|现在|显示|随机|获取|得到|输出|报|说|什么|怎么|几|今天[是几星周]|请|帮|验证|核实|分析|比较|对比|画|取|再|@)/i;

export function startsWork(text: string): boolean {
  return BEGINS.test(normalizeCharacters(removePolitePrefixes(text)));
}

/** True if work begins here, possibly behind words of time. */
function startsTimedWork(text: string): boolean {
  return startsWork(parseRequestTiming(text)?.rest ?? text);
}

/** True if the words may be work: they have a verb, an idea or a sum. */
export function mayBeWork(text: string): boolean {
  return startsTimedWork(text) || findAskedIdeas(text).size > 0 || readArithmetic(normalizeCharacters(text)).length > 0;
}

/** True for words that the caller knows as work. */
export type WorkPredicate = (text: string) => boolean;

/** Returns the pieces in order; at least one. */
export function splitRequest(whole: string, knows: WorkPredicate = () => false): RequestPart[] {
  const text = removeSmallTalk(whole);
  const guarded = maskUncuttable(normalizeCharacters(text));
  const strong = cutAtBoundaries(text, guarded, findBoundaries(guarded));
  const pieces = strong.flatMap(({ text: part, link }) =>
    splitAtCommas(part, knows).map((piece, i): RequestPart => ({ text: piece, link: i === 0 ? link : "and" })),
  );
  const isKnown = (text: string) => mayBeWork(text) || (pieces.length <= MAX_PIECES && knows(text));
  return attachRemarks(attachTimeZone(pieces), isKnown).slice(0, MAX_PIECES);
}

/** Appends a separate sentence about the time zone to each question about the time. */
function attachTimeZone(pieces: readonly RequestPart[]): readonly RequestPart[] {
  const wish = pieces.find(({ text }) => isTimeZoneRequest(text));
  const others = pieces.filter((piece) => piece !== wish);
  if (wish === undefined || !others.some(({ text }) => asksForClock(text))) return pieces;
  return others.map((piece) => {
    const asked = piece.text.replace(/[\s?？!！。]+$/, "");
    return asksForClock(asked) ? { ...piece, text: `${asked}, ${wish.text}` } : piece;
  });
}

/** Removes a leading greeting and trailing thanks. */
function removeSmallTalk(text: string): string {
  const [, greeting, rest] = /^([^,，!！。.~～\n]{1,30})[,，!！。.~～\n]+\s*(.+)$/s.exec(text) ?? [];
  if (greeting !== undefined && rest !== undefined && detectSmallTalk(greeting) !== null) return removeSmallTalk(rest);
  const [, work, thanks] =
    /^(.+?[?？。!！]?)[,，!！。.?？~～\s]+([^,，!！。.?？~～]{1,30})[!！。.~～\s]*$/s.exec(text) ?? [];
  const isThanks =
    thanks !== undefined &&
    work !== undefined &&
    /thank|thx|谢|辛苦/i.test(normalizeCharacters(thanks)) &&
    detectSmallTalk(thanks) !== null;
  return isThanks ? work : text;
}

type PartBoundary = TextSpan & { readonly link: PieceLink };

function findBoundaries(text: string): PartBoundary[] {
  const linked =
    (link: PieceLink) =>
    (span: TextSpan): PartBoundary => ({ ...span, link });
  const isFirst = FIRST.test(text) || /[^首]先(?!生(?!成)|[进知])/.test(text);
  const items = findSpans(text, ITEM);
  return [
    ...findSpans(text, THEN).map(linked("then")),
    ...(isFirst ? findSpans(text, THEN_AFTER_FIRST).map(linked("then")) : []),
    ...(items.length > 1 ? items.map(linked("and")) : []),
    ...findSpans(text, BREAK).map(linked("and")),
  ].sort((a, b) => a.start - b.start);
}

function cutAtBoundaries(original: string, guarded: string, cuts: readonly PartBoundary[]): RequestPart[] {
  const pieces: RequestPart[] = [];
  const stops = [...cuts, { start: original.length, end: original.length, link: "and" as const }];
  let start = 0;
  let isOrdered = false;
  for (const cut of stops) {
    if (cut.end < start || (cut.end === start && cut !== stops.at(-1))) continue;
    const text = trimPunctuation(
      removePrefix(removePrefix(trimPunctuation(original.slice(start, includeEndMark(guarded, cut))), FIRST), ALSO),
    );
    if (text !== "") {
      pieces.push({ text, link: pieces.length === 0 ? "start" : isOrdered ? "then" : "and" });
      isOrdered = false;
    }
    // A word of order wins over a mark beside it: 「…。然后…」.
    isOrdered ||= cut.link === "then";
    start = cut.end;
  }
  return pieces;
}

/** A final question mark or full stop belongs to the piece. */
function includeEndMark(text: string, { start, end }: TextSpan): number {
  const mark = /^\s*[?？!！。]/.exec(text.slice(start, end));
  return start + (mark?.[0].length ?? 0);
}

/** Splits at commas and ands if the right side is work. */
function splitAtCommas(text: string, knows: WorkPredicate): string[] {
  const guarded = maskUncuttable(normalizeCharacters(text));
  const isKnown = (left: string) => mayBeWork(left) || (text.length <= MAX_KNOWN && knows(left));
  const pieces: string[] = [];
  let start = 0;
  for (const { start: at, end } of findSpans(guarded, AND)) {
    if (at < start) continue;
    const left = text.slice(start, at);
    // Look only at the part before the next comma, so that long lists stay linear.
    const right = classifyTextBehind(takeUntilNextJoint(guarded.slice(end), text.slice(end)));
    if (right.kind === "none" || !isKnown(left) || !isSeparateWork(left, right)) continue;
    pieces.push(trimPunctuation(left));
    start = end;
  }
  pieces.push(trimPunctuation(text.slice(start)));
  return repeatVerb(pieces.filter((piece) => piece !== ""));
}

/** Returns the possible cuts at commas and `and`. */
export function findJoints(text: string): TextSpan[] {
  return findSpans(maskUncuttable(normalizeCharacters(text)), AND);
}

/** Returns the right side up to the next possible cut. */
function takeUntilNextJoint(guarded: string, right: string): string {
  // Search only the first: finding all at each cut would be quadratic.
  const next = guarded.matchAll(AND).find(({ index }) => index > 0);
  return next === undefined ? right : right.slice(0, next.index);
}

const MAX_STATED = 300;
/** Longer texts are not passed to `knows` at each possible cut. */
const MAX_KNOWN = 500;

/** `email: ann@x.com`, `部门 销售部`: a labelled value belongs to the work beside it. */
function isLabelledValue(text: string): boolean {
  const [, label = "", value = ""] = /^([\p{L}_ ]{1,30}?)\s*[:：=]\s*(\S.*)$/su.exec(text) ?? [];
  if (label !== "") return !startsWork(label) && !mayBeWork(value);
  return /^(?:姓名|工号|邮箱|电子邮箱|电话|手机号?|部门|(?:name|id|e-?mail|phone|department|dept)(?![a-z]))\s*[^\s,，]+$/i.test(
    text,
  );
}

/** Classifies the text behind a possible cut: no work, explicit work, an aggregate of the text before it, or more. */
type TextBehindJoint =
  | { readonly kind: "none" }
  | { readonly kind: "begins" }
  | { readonly kind: "tally" }
  | { readonly kind: "ideas"; readonly families: readonly string[]; readonly isSum: boolean };

function classifyTextBehind(right: string): TextBehindJoint {
  if (isLabelledValue(normalizeCharacters(right.slice(0, MAX_STATED)).trim())) return { kind: "none" };
  if (startsTimedWork(right)) return { kind: "begins" };
  if (isAggregateOfPrevious(right)) return { kind: "tally" };
  const families = [...findAskedIdeas(right)].map(getFamily);
  const isSum = readArithmetic(normalizeCharacters(right)).some(({ refersBack }) => !refersBack);
  return families.length > 0 || isSum ? { kind: "ideas", families, isSum } : { kind: "none" };
}

function isSeparateWork(left: string, right: TextBehindJoint): boolean {
  if (right.kind === "none" || right.kind === "begins") return right.kind === "begins";
  const known = new Set([...findAskedIdeas(left)].map(getFamily));
  const isSum = readArithmetic(normalizeCharacters(left)).length > 0;
  if (right.kind === "tally") return isSum || known.has("chance");
  if (right.isSum && known.size > 0 && !known.has("math")) return !isSum;
  if (isSum) known.add("math");
  return known.size > 0 && right.families.some((family) => !known.has(family) && family !== "text");
}

/** `and their sum`, 以及它们的和: an operation on the text before it. */
function isAggregateOfPrevious(text: string): boolean {
  const folded = normalizeCharacters(text).trimStart();
  const [first] = readArithmetic(folded);
  return first?.refersBack === true && first.start === 0 && /^(?:its|their|它们?的|其)/i.test(folded);
}

const VERB =
  /^(?:(?:please |can you |could you )?(?:tell me|give me|show me|get me|get|show|find|what(?:'s| is| are)|generate|check))\s|^(?:请|帮我|麻烦)*(?:告诉我|给我|查询|查一下|查|显示|获取|生成)/i;

/** `tell me the time and a random number`: the second piece repeats the verb of the first. */
function repeatVerb(pieces: readonly string[]): string[] {
  const [first = ""] = pieces;
  const verb = first.slice(0, VERB.exec(normalizeCharacters(first))?.[0].length ?? 0);
  return pieces.map((piece, i) => {
    const isBare =
      i > 0 && verb !== "" && !startsTimedWork(piece) && readArithmetic(normalizeCharacters(piece)).length === 0;
    return isBare ? `${verb}${piece}` : piece;
  });
}

/** Only describes the presentation of the work before it: 做成图表 · make it a pie chart. */
const SHAPE =
  /^(?:[再并请]|然后|帮我|把(?:它|结果|数据))*(?:[用以做画]|绘制|生成|制作|[变转]换?|整理|展示|呈现|显示)[成为出]?一?[个张份]?(?:[饼柱条折线雷达形状]*图表?)(?:来?(?:展示|显示|呈现|表示))?[。！!]*$|^(?:and |please )*(?:make|turn|draw|show|display|plot|put|render|give)(?: (?:it|that|them|this|me|the results?))*(?: (?:as|into|in|on))?(?: an?)? (?:\w+ )?(?:charts?|graphs?|plots?)[.!]*$/i;

/** Times, random numbers and sums are not drawn. */
function isDrawable(work: string): boolean {
  const families = [...findAskedIdeas(work)].map(getFamily);
  return (
    !families.includes("clock") &&
    !families.includes("chance") &&
    readArithmetic(normalizeCharacters(work)).length === 0
  );
}

/**
 * Attaches pieces without work to their neighbours and drops small talk. Pieces at a word of order always count as
 * work.
 */
function attachRemarks(pieces: readonly RequestPart[], isKnown: WorkPredicate): RequestPart[] {
  const kept: RequestPart[] = [];
  let remark = "";
  const keep = (words: string, link: PieceLink) => {
    kept.push({ text: `${remark} ${words}`.trim(), link: kept.length === 0 ? "start" : link });
    remark = "";
  };
  const isOnly = (piece: RequestPart) => pieces.every((other) => other === piece || !isKnown(other.text));
  for (const piece of pieces) {
    const { text, link } = piece;
    if (detectSmallTalk(text) !== null && !isOnly(piece)) continue;
    if (link === "then" && remark !== "" && parseRequestTiming(remark)?.rest !== "") keep("", link);
    const last = kept.at(-1);
    const isShape = last !== undefined && SHAPE.test(normalizeCharacters(text)) && isDrawable(last.text);
    if (!isShape && (isKnown(text) || (link === "then" && last !== undefined))) keep(text, link);
    else if (last !== undefined) kept[kept.length - 1] = { ...last, text: `${last.text}, ${text}` };
    else remark = `${remark} ${text}`.trim();
  }
  return kept.length > 0 ? kept : [{ text: remark, link: "start" }];
}

/** Masks everything that must not be cut: quotations, sums, ranges, times, payloads. */
function maskUncuttable(text: string): string {
  const masked = maskSpans(text, findLiteralSpans(text));
  const range = parseNumberRange(masked);
  const pairs = findSpans(masked, /\d\s*(?:and|和|与|[,、])\s*(?=\d)|(?<=[,、和与]\s*)\d+\s*(?:and|和|与)\s*(?=\d)/g);
  return maskSpans(masked, [
    ...readArithmetic(masked).map((found) => ({ start: found.start, end: found.end })),
    ...(range === null ? [] : [range]),
    ...(parseRequestTiming(masked)?.spans ?? []),
    ...pairs,
  ]);
}
