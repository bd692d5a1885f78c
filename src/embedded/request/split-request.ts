// Splits a request into pieces of work: always at words of order (然后, then) and at the ends of sentences, at commas
// and `and` only if both sides are work. 123 and 456 or "this and that" stay whole.

import { detectLanguage } from "../../language/detect-language.ts";
import {
  findSpans,
  maskSpans,
  normalizeCharacters,
  removePrefix,
  trimPunctuation,
  removePolitePrefixes,
} from "../../language/text-spans.ts";
import { findSchedule, type ScheduleMatch } from "../../language/schedules/find-schedule.ts";
import { parseConfirmation } from "../../language/schedules/schedule-confirmation.ts";
import { isAnalysis } from "../analyst/detect-analysis.ts";
import { formatSentence } from "../messages.ts";
import { detectSmallTalk } from "../small-talk.ts";
import { findReference } from "../work/earlier-results.ts";
import { findLiteralSpans } from "../work/literal-text.ts";
import { getNeededResults, readWork } from "../work/read-work.ts";

export type WorkPiece = {
  /** The work of a single run, in the person's words. */
  readonly text: string;
  /** The part of the work that decides about the agent: a recurring piece includes the pieces that follow it in order. */
  readonly first: string;
  /** Indices of the pieces before it, which must finish first. */
  readonly after: readonly number[];
  /** True if it needs the results of those pieces; otherwise only the order matters. */
  readonly isBound: boolean;
  readonly timing: ScheduleMatch | null;
};

/** True for text that the caller can carry out. */
type WorkPredicate = (text: string) => boolean;

const MAX_PIECES = 40;
/** Further joints are not tried: each is compared with those behind it. */
const MAX_JOINTS = 24;

const THEN =
  /(?<![\s,，、;；。.])[\s,，、;；。.]*(?:(?:然后|接着|随后|接下来|之后再|完成后|做完后|其次|最后)(?:再|请|,)?|(?<=[,，、;；。\s])\s*再(?![见次来])|第[二三四五六七八九十]步?[:：,，]?(?=[^\d个点名位]))\s*|(?<![\s,;.])[\s,;.]*(?:\band )?(?:\b(?:then|after that|afterwards?|and finally|followed by)\b|(?<=[,;.]\s{0,3})\b(?:next|finally|lastly|second(?:ly)?|third(?:ly)?)\b)(?: also)?[\s,:]*/gi;
/** 先A再B: the 再 after a 先 needs no comma. */
const THEN_AFTER_FIRST = /(?<!,|，)再(?![见次来])/g;
const FIRST =
  /^[\s,，]*(?:\d{1,2}[.)、](?!\d)|[-*•] |首先|第一步?[:：,，]?|先(?!生(?!成)|进)|first(?:ly| of all)?\b(?! (?:name|letter|word|number|day|of the|\d+ (?!plus|minus|times|divided|x\b)[a-z]))|to (?:start|begin)(?: with)?\b)[\s,，:：]*/i;
const ALSO = /^(?:and|also|并且|还有|另外|同时)(?![a-z])\s*/i;
const BREAK = /\s*(?:\n+|[;；]|[。!！?？](?=\s*\S)|\.(?=\s+\S))\s*/g;
const JOINT =
  /\s*(?:,\s*(?:and|plus|also)\b\s*|[,，、]\s*(?:并且?|以及|同时|还有|另外|顺便)?|\b(?:and|as well as)\b(?: also\b)?\s*|并且|以及|同时|还有|另外|顺便|并|和|与|跟)\s*/g;
/** Verbs with which work begins. Behind a joint they begin a piece even if nobody can do it. */
const BEGINS =
  /^(?:(?:tell|give|show|get|find|compute|calculate|generate|roll|pick|count|convert|translate|reverse|write|send|create|search|look|check|multiply|divide|summari[sz]e|list|remind|ask|sign|read|explain|recommend|describe|draw|sing|play|book|buy|order|open|close)(?![a-z])|what(?:'s| is| are)|how (?:many|much)|告诉|查询|计算|生成|统计|翻译|写|讲|唱|发送?|创建|搜索?|检查|掷|列出|提醒|总结|分析|画|订|买)/i;

/** Returns the pieces without surrounding small talk; empty for a request without any. */
export function parsePieces(request: string, canDo: WorkPredicate = isReadable): WorkPiece[] {
  const known = new Map<string, boolean>();
  const isWork = (part: string): boolean => {
    const found = known.get(part) ?? (isReadable(part) || canDo(part) || canDoOnce(part, canDo));
    known.set(part, found);
    return found;
  };
  const parts = splitRequest(request, isWork).filter(({ text }) => !isAside(text));
  const pieces: WorkPiece[] = [];
  for (const { text: part, isNext } of parts) {
    const timing = parseRequestTiming(part) ?? inheritTiming(pieces[0]?.timing ?? null, part);
    const work = timing?.rest ?? part;
    if (work === "") continue;
    const read = readWork(work);
    const needed = read === null ? findReference(work) : getNeededResults(read);
    const isLater = pieces.length > 0 && (needed !== "none" || isNext);
    const last = pieces.at(-1);
    // A recurring task stands alone: work that follows it in order is part of it.
    if (isLater && timing !== null && last !== undefined && last.timing !== null) {
      const text = formatSentence("thenPart", detectLanguage(last.text), { first: last.text, second: work });
      pieces[pieces.length - 1] = { ...last, text };
      continue;
    }
    const all = pieces.map((_, i) => i);
    pieces.push({
      text: work,
      first: work,
      after: !isLater || timing !== null ? [] : needed === "all" ? all : all.slice(-1),
      isBound: needed !== "none" && pieces.length > 0,
      timing,
    });
  }
  return pieces;
}

function isReadable(text: string): boolean {
  return readWork(text) !== null;
}

function canDoOnce(text: string, canDo: WorkPredicate): boolean {
  const rest = parseRequestTiming(text)?.rest;
  return rest !== undefined && (isReadable(rest) || canDo(rest));
}

/** Small talk, or the confirmation of a schedule: `…, yes go ahead`. */
const isAside = (text: string): boolean => detectSmallTalk(text) !== null || parseConfirmation(text) === "yes";

/** A schedule at the beginning applies to all pieces. */
const inheritTiming = (timing: ScheduleMatch | null, piece: string): ScheduleMatch | null =>
  (timing?.spans[0].start ?? 1) === 0 && timing !== null ? { ...timing, rest: piece } : null;

/** Asks to send or remind. The delivery of a figure may then be what recurs. */
const DELIVERS = /提醒|通知|推送|发[给送到]|定时|定期|\b(?:remind|send|e-?mail|notify|schedule|post|report)\b/i;

/** Returns the schedule of a text; null if it runs once, as the analysis of a figure: 每个月的销售额. */
function parseRequestTiming(text: string): ScheduleMatch | null {
  const found = findSchedule(text, findLiteralSpans(text));
  return found?.when.kind !== "config" && isAnalysis(text) && !DELIVERS.test(text) ? null : found;
}

type RequestPart = { readonly text: string; readonly isNext: boolean };

function splitRequest(whole: string, isWork: WorkPredicate): RequestPart[] {
  const work = readWork(whole);
  // A text may hold more work behind it: count the words in hello and tell me the time.
  if (work !== null && !("text" in work)) return [{ text: trimPunctuation(whole), isNext: false }];
  const masked = maskLiterals(whole);
  const ordered = findSpans(masked, THEN).concat(
    FIRST.test(masked) || /[^首]先/.test(masked) ? findSpans(masked, THEN_AFTER_FIRST) : [],
  );
  const cuts = [...ordered, ...findSpans(masked, BREAK)].toSorted((a, b) => a.start - b.start);
  const parts: RequestPart[] = [];
  let [start, isNext] = [0, false];
  for (const cut of [...cuts, { start: whole.length, end: whole.length }]) {
    if (cut.end < start) continue;
    const mark = /^\s*[?？!！。]/.exec(masked.slice(cut.start, cut.end))?.[0].length ?? 0;
    const part = trimPunctuation(
      removePrefix(removePrefix(trimPunctuation(whole.slice(start, cut.start + mark)), FIRST), ALSO),
    );
    const pieces = part === "" ? [] : splitAtJoints(part, isWork);
    parts.push(...pieces.map((text, i) => ({ text, isNext: isNext && i === 0 && parts.length > 0 })));
    isNext = ordered.includes(cut) || (isNext && part === "");
    start = cut.end;
  }
  return parts.slice(0, MAX_PIECES);
}

/** Splits at commas and ands if the left side is work, and the right side is or begins with a verb. */
function splitAtJoints(text: string, isWork: WorkPredicate): string[] {
  const joints = findSpans(maskLiterals(text), JOINT).slice(0, MAX_JOINTS);
  for (const { start, end } of joints) {
    const left = trimPunctuation(text.slice(0, start));
    const right = text.slice(end);
    if (detectSmallTalk(left) !== null) return splitAtJoints(right, isWork);
    const work = readWork(left);
    // The mean and median of 4, 8, 15: the first words alone would be about earlier results.
    if (left === "" || !isWork(left) || (work !== null && getNeededResults(work) === "all")) continue;
    if (isAside(right)) return [left];
    const ends = joints.filter((joint) => joint.start > end).map((joint) => joint.start - end);
    const isNext =
      BEGINS.test(normalizeCharacters(removePolitePrefixes(right))) ||
      [...ends, right.length]
        .map((to) => trimPunctuation(right.slice(0, to)))
        .some((next) => isWork(next) && !(isItem(next) && isWork(text)));
    if (isNext) return [left, ...splitAtJoints(right, isWork)];
  }
  const rest = trimPunctuation(text);
  return rest === "" ? [] : [rest];
}

/** The commas of one piece of work may separate its items: pick one of red, green, blue. */
function isItem(text: string): boolean {
  return !isReadable(text) && (/[\u4e00-\u9fff]/.test(text) ? text.length <= 4 : text.split(" ").length <= 3);
}

/** Masks literal text and the words of schedules, which contain commas and ands. */
function maskLiterals(text: string): string {
  const folded = normalizeCharacters(text);
  const masked = maskSpans(maskSpans(folded, findLiteralSpans(text)), findSpans(folded, /"[^"]*"|“[^“”]*”/g));
  return maskSpans(masked, parseRequestTiming(masked)?.spans ?? []);
}
