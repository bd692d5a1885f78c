// Splits a request into pieces of work.

import { findClock, isExplicit } from "../../protocol/words/clock.ts";
import { fold, tidy, without, withoutHead, type Span } from "../../protocol/words/text.ts";
import type { Timing } from "../../protocol/words/timing.ts";
import { readArithmetic } from "./arithmetic.ts";
import { familyOf, ideasAsked } from "./glossary.ts";
import { readPayload } from "./payload.ts";
import { referenceIn } from "./references.ts";
import { amended, timingOf, workOf } from "./schedule.ts";
import { readTalk } from "./small-talk.ts";
import { isWork, split, type Knows } from "./split.ts";

export type Piece = {
  /** The work of a single run, in the person's words. */
  readonly text: string;
  /** Indices of the pieces before it, which must finish first. */
  readonly after: readonly number[];
  /** True if it needs the results of those pieces; otherwise only the order matters. */
  readonly isBound: boolean;
  /** True if it refers to a result before this request. */
  readonly refersBack: boolean;
  readonly timing: Timing | null;
};

/** Returns the pieces without surrounding small talk; never empty for a text that contains work. */
export function readPieces(request: string, knows?: Knows): Piece[] {
  const text = workOf(request);
  const cuts = split(text, knows).filter((cut) => readTalk(cut.text) === null);
  const pieces: Piece[] = [];
  for (const [i, cut] of cuts.entries()) {
    const timing = timingOf(cut.text) ?? inherited(pieces[0]?.timing ?? null, text, cut.text);
    const work = unreminded(timing?.rest ?? cut.text);
    const reference = referenceIn(work);
    const everything = pieces.map((_, index) => index);
    const last = i > 0 ? [named(pieces, work) ?? i - 1] : [];
    const isBound = reference !== "none" || lacksText(work, pieces);
    const goesOn = isBound || (cut.link === "then" && i > 0);
    const after = reference === "all" ? everything : goesOn ? last : [];
    pieces.push({ text: work, after, isBound, refersBack: i === 0 && reference !== "none", timing });
  }
  return withoutEmpty(pieces);
}

/** Removes empty pieces and renumbers the dependencies. */
function withoutEmpty(pieces: readonly Piece[]): Piece[] {
  const kept = pieces.filter(({ text }) => text !== "");
  const places = new Map(kept.map((piece, at) => [pieces.indexOf(piece), at]));
  return kept.map((piece) => ({ ...piece, after: piece.after.flatMap((needed) => places.get(needed) ?? []) }));
}

/** `提醒我计算2+2`, `remind me to roll a die`: a reminder of work that can be done is that work. */
function unreminded(text: string): string {
  const work = withoutHead(text, /^(?:请|到时|再)*提醒我(?:去)?|^remind me (?:to|of|about) |^schedule (?!an? )/i);
  return work !== text && isWork(work) ? tidy(work) : text;
}

/** `把“abc”转成大写并反转`: the second piece uses the text of the first. */
function lacksText(work: string, before: readonly Piece[]): boolean {
  const previous = before.at(-1)?.text;
  return previous !== undefined && changesText(previous) && changesText(work) && readPayload(work) === null;
}

function changesText(work: string): boolean {
  return [...ideasAsked(work)].some((idea) => familyOf(idea) === "text" && idea !== "text");
}

/** A leading schedule applies to all pieces, except those that are for now or have their own time. */
function inherited(timing: Timing | null, text: string, piece: string): Timing | null {
  const opens =
    timing !== null && timing.spans.every(({ start }) => start < text.length / 2) && (timing.spans[0]?.start ?? 1) <= 3;
  if (!opens || /\b(?:right now|immediately|at once)\b|现在就|立即|马上|立刻/i.test(piece)) return null;
  const clock = clockIn(piece);
  const isClocked = timing.when.kind === "config" && timing.when.config.interval_minutes === undefined;
  if (clock === null || timing.when.kind !== "config" || !isClocked) return { ...timing, rest: piece };
  const config = amended(timing.when.config, clock.time);
  return { ...timing, when: { kind: "config", config }, rest: tidy(without(piece, clock)) };
}

/** Returns the time of day at the beginning or end of a piece: 10点掷骰子 · roll a die at 10. */
function clockIn(piece: string): (Span & { readonly time: string }) | null {
  const folded = fold(piece);
  const clock = findClock(folded, "");
  if (clock === null || clock.time === null || !isExplicit(folded, clock)) return null;
  const isSum = readArithmetic(folded).some(({ start }) => start <= clock.start);
  const isAtEdge = clock.start === 0 || clock.end === folded.length;
  return isAtEdge && !isSum ? { ...clock, time: clock.time } : null;
}

/** `multiply the random number by 2` refers to the piece about random numbers, wherever it is. */
export function named(pieces: readonly { readonly text: string }[], text: string): number | null {
  const noun =
    /(?:the|that|this) (random number|time|date|word count)\b|(?:把|将|这个|那个|该)(随机数|时间|日期|字数)/i.exec(
      text,
    );
  const families = [...ideasAsked(noun?.[1] ?? noun?.[2] ?? "")].map(familyOf);
  const found = pieces.findLastIndex((piece) =>
    [...ideasAsked(piece.text)].some((idea) => families.includes(familyOf(idea))),
  );
  return noun === null || found < 0 ? null : found;
}
