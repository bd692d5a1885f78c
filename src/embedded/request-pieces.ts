// Splits a request into pieces of work.

import { findTimeOfDay, isExplicitTime } from "../language/time-of-day.ts";
import {
  normalizeCharacters,
  trimPunctuation,
  removeSpan,
  removePrefix,
  type TextSpan,
} from "../language/text-spans.ts";
import type { ScheduleMatch } from "../language/schedules/find-schedule.ts";
import { readArithmetic } from "./read-arithmetic.ts";
import { getFamily, findAskedIdeas } from "./idea-glossary.ts";
import { findTextPayload } from "./text-payload.ts";
import { findReference } from "./result-references.ts";
import { applyScheduleAnswer, parseRequestTiming, stripScheduleConfirmation } from "./request-timing.ts";
import { detectSmallTalk } from "./small-talk.ts";
import { mayBeWork, splitRequest, type WorkPredicate } from "./split-request.ts";

export type WorkPiece = {
  /** The work of a single run, in the person's words. */
  readonly text: string;
  /** Indices of the pieces before it, which must finish first. */
  readonly after: readonly number[];
  /** True if it needs the results of those pieces; otherwise only the order matters. */
  readonly isBound: boolean;
  /** True if it refers to a result before this request. */
  readonly refersBack: boolean;
  readonly timing: ScheduleMatch | null;
};

/** Returns the pieces without surrounding small talk; never empty for a text that contains work. */
export function parsePieces(request: string, knows?: WorkPredicate): WorkPiece[] {
  const text = stripScheduleConfirmation(request);
  const cuts = splitRequest(text, knows).filter((cut) => detectSmallTalk(cut.text) === null);
  const pieces: WorkPiece[] = [];
  for (const [i, cut] of cuts.entries()) {
    const timing = parseRequestTiming(cut.text) ?? inheritTiming(pieces[0]?.timing ?? null, text, cut.text);
    const work = removeReminder(timing?.rest ?? cut.text);
    const reference = findReference(work);
    const everything = pieces.map((_, index) => index);
    const last = i > 0 ? [findReferencedPiece(pieces, work) ?? i - 1] : [];
    const isBound = reference !== "none" || usesEarlierText(work, pieces);
    const goesOn = isBound || (cut.link === "then" && i > 0);
    const after = reference === "all" ? everything : goesOn ? last : [];
    pieces.push({ text: work, after, isBound, refersBack: i === 0 && reference !== "none", timing });
  }
  return removeEmptyPieces(pieces);
}

/** Removes empty pieces and renumbers the dependencies. */
function removeEmptyPieces(pieces: readonly WorkPiece[]): WorkPiece[] {
  const kept = pieces.filter(({ text }) => text !== "");
  const places = new Map(kept.map((piece, at) => [pieces.indexOf(piece), at]));
  return kept.map((piece) => ({ ...piece, after: piece.after.flatMap((needed) => places.get(needed) ?? []) }));
}

/** `提醒我计算2+2`, `remind me to roll a die`: a reminder of work that can be done is that work. */
function removeReminder(text: string): string {
  const work = removePrefix(text, /^(?:请|到时|再)*提醒我(?:去)?|^remind me (?:to|of|about) |^schedule (?!an? )/i);
  return work !== text && mayBeWork(work) ? trimPunctuation(work) : text;
}

/** `把“abc”转成大写并反转`: the second piece uses the text of the first. */
function usesEarlierText(work: string, before: readonly WorkPiece[]): boolean {
  const previous = before.at(-1)?.text;
  return previous !== undefined && changesText(previous) && changesText(work) && findTextPayload(work) === null;
}

function changesText(work: string): boolean {
  return [...findAskedIdeas(work)].some((idea) => getFamily(idea) === "text" && idea !== "text");
}

/** A leading schedule applies to all pieces, except those that are for now or have their own time. */
function inheritTiming(timing: ScheduleMatch | null, text: string, piece: string): ScheduleMatch | null {
  const opens =
    timing !== null && timing.spans.every(({ start }) => start < text.length / 2) && (timing.spans[0]?.start ?? 1) <= 3;
  if (!opens || /\b(?:right now|immediately|at once)\b|现在就|立即|马上|立刻/i.test(piece)) return null;
  const clock = findEdgeClock(piece);
  const isClocked = timing.when.kind === "config" && timing.when.config.interval_minutes === undefined;
  if (clock === null || timing.when.kind !== "config" || !isClocked) return { ...timing, rest: piece };
  const config = applyScheduleAnswer(timing.when.config, clock.time);
  return { ...timing, when: { kind: "config", config }, rest: trimPunctuation(removeSpan(piece, clock)) };
}

/** Returns the time of day at the beginning or end of a piece: 10点掷骰子 · roll a die at 10. */
function findEdgeClock(piece: string): (TextSpan & { readonly time: string }) | null {
  const folded = normalizeCharacters(piece);
  const clock = findTimeOfDay(folded, "");
  if (clock === null || clock.time === null || !isExplicitTime(folded, clock)) return null;
  const isSum = readArithmetic(folded).some(({ start }) => start <= clock.start);
  const isAtEdge = clock.start === 0 || clock.end === folded.length;
  return isAtEdge && !isSum ? { ...clock, time: clock.time } : null;
}

/** `multiply the random number by 2` refers to the piece about random numbers, wherever it is. */
export function findReferencedPiece(pieces: readonly { readonly text: string }[], text: string): number | null {
  const noun =
    /(?:the|that|this) (random number|time|date|word count)\b|(?:把|将|这个|那个|该)(随机数|时间|日期|字数)/i.exec(
      text,
    );
  const families = [...findAskedIdeas(noun?.[1] ?? noun?.[2] ?? "")].map(getFamily);
  const found = pieces.findLastIndex((piece) =>
    [...findAskedIdeas(piece.text)].some((idea) => families.includes(getFamily(idea))),
  );
  return noun === null || found < 0 ? null : found;
}
