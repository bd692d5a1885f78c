// Splits a request into sub-tasks of one tool each.

import type { Result, Situation } from "../arguments.ts";
import { referenceIn } from "../references.ts";
import { readPieces } from "../request.ts";
import { readArithmetic } from "../arithmetic.ts";
import { joints } from "../split.ts";
import type { Both } from "../../../protocol/words/language.ts";
import { blot, fold, tidy } from "../../../protocol/words/text.ts";
import { fittingFor, MAX_CHARS, titledFor, type Fitting } from "./catalogue.ts";
import { BLOT, wordsOf, type Words } from "./words.ts";

/** Further possible cuts are not tried. */
const MAX_JOINTS = 30;

type Frame = Omit<Situation, "text" | "results">;
export type Piece = { readonly text: string; readonly fitting: Fitting | null };

/** Stand-ins for results that do not exist yet when the request is split. */
const PLACEHOLDERS = ["2", "1, 2", "2000-01-01"];

/** Returns the sub-tasks in order. `given` are the results before this request. */
export function subtasksOf(request: string, given: readonly Result[], frame: Frame): Piece[] {
  const pieces: Piece[] = [];
  const read = (text: string) => {
    const earlier = pieces.map((piece) => piece.text);
    return readAfter(text, earlier, given, frame);
  };
  for (const part of joined(asSaid(request, frame), given, frame)) {
    for (const one of parted(part, frame)) {
      const found = read(one);
      const several = found === null ? sumsOf(one) : severally(found);
      if (several.length < 2) pieces.push({ text: one, fitting: found?.fitting ?? null });
      else for (const text of several) pieces.push({ text, fitting: read(text)?.fitting ?? null });
    }
  }
  return pieces;
}

/** A piece of the request and its template. */
type Read = { readonly words: Words; readonly fitting: Fitting };

/** Reads a piece, with placeholders for results before it; null if no template fits. */
function readAfter(text: string, earlier: readonly string[], given: readonly Result[], frame: Frame): Read | null {
  if (text.length > MAX_CHARS) return null;
  const guesses = given.length + earlier.length === 0 ? [] : PLACEHOLDERS;
  const situations: readonly (readonly Result[])[] = [
    [],
    ...guesses.map((value) => [...given, ...earlier.map((about) => ({ value, about }))]),
  ];
  for (const results of situations) {
    const words = wordsOf({ text, results, ...frame });
    const [fitting] = fittingFor(words);
    if (fitting !== undefined) return { words, fitting };
  }
  return null;
}

/** True if a template does the work, with any result that it refers to. */
export function isWritable(text: string): boolean {
  return readAfter(text, referenceIn(text) === "none" ? [] : [""], [], HERE) !== null;
}

/** A fixed date, for checks that do not depend on it. */
export const HERE: Frame = { now: Date.UTC(2026, 0, 1), timezone: undefined };

function alone(text: string, frame: Frame): Fitting | null {
  return readAfter(text, [], [], frame)?.fitting ?? null;
}

/** Returns the pieces of a request. A single piece keeps its whitespace, which may be part of its text. */
function asSaid(request: string, frame: Frame): Said[] {
  const knows = (text: string) => alone(text, frame) !== null;
  const pieces = readPieces(request, knows).map(({ text, after }) => ({
    text: signed(text, request),
    isNext: after.length > 0,
  }));
  const squeezed = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, "");
  const [only, ...others] = pieces;
  const isWhole = only !== undefined && others.length === 0 && squeezed(only.text) === squeezed(request);
  return isWhole ? [{ text: request.trim(), isNext: false }] : pieces;
}

/** Restores a minus that was removed as a dash: -5 + 3. */
function signed(text: string, request: string): string {
  const at = request.indexOf(text);
  return /^\d/.test(text) && /(?:^|\s)[-−]$/.test(request.slice(0, Math.max(0, at))) ? `-${text}` : text;
}

/** A piece; `isNext` if it depends on the one before it. */
type Said = { readonly text: string; readonly isNext: boolean };

/** Templates whose request may span two sentences. */
const TWO_SENTENCES = new Set(
  "convert_time_zone age percent_change change_by_percent what_percent compound_interest days_between days_until shift_date".split(
    " ",
  ),
);

/** Joins pieces that only make sense together: `when it is 9am in Beijing, what time is it in London?` */
function joined(said: readonly Said[], given: readonly Result[], frame: Frame): string[] {
  const kept: string[] = [];
  for (const { text, isNext } of said) {
    const last = kept.at(-1);
    const both = `${last}, ${text}`;
    const before = last === undefined ? null : (readAfter(last, kept.slice(0, -1), given, frame)?.fitting ?? null);
    const whole = last === undefined || isNext ? null : alone(both, frame);
    const now = whole === null ? null : alone(text, frame);
    const isOne =
      whole !== null &&
      (now === null ? before === null : now.template !== whole.template && TWO_SENTENCES.has(whole.template.name));
    if (isOne && before?.template !== whole.template) kept[kept.length - 1] = both;
    else kept.push(text);
  }
  return kept;
}

/** Templates whose commas separate items. */
const LISTING = new Set(["sort_lines", "unique_lines", "random_choice"]);

/** Splits at commas and `and` if both sides fit a template. */
function parted(text: string, frame: Frame): string[] {
  if (text.length > MAX_CHARS) return [text];
  const places = joints(text).slice(0, MAX_JOINTS);
  if (places.length === 0 || LISTING.has(alone(text, frame)?.template.name ?? "")) return [text];
  for (const { start, end } of places) {
    const [left, right] = [tidy(text.slice(0, start)), tidy(text.slice(end))];
    if (left === "" || right === "" || alone(left, frame) === null) continue;
    const pointed = referenceIn(right) === "none" ? null : readAfter(right, [left], [], frame);
    if (pointed !== null || alone(right, frame) !== null) return [left, ...parted(right, frame)];
  }
  return [text];
}

/** 计算12乘以34、56加78: one piece per sum, if there is nothing else. */
function sumsOf(text: string): string[] {
  const folded = fold(text);
  const sums = readArithmetic(folded);
  const rest = blot(folded, sums)
    .replaceAll("\u0001", BLOT)
    .replace(/[▢\s\p{P}]+|计算|算|求|分别|等于|多少|各?是|和|与|以及|compute|calculate|what|is|are|and/giu, "");
  if (sums.length < 2 || rest !== "" || sums.some(({ refersBack }) => refersBack)) return [];
  return sums.map(({ start, end }) => text.slice(start, end).trim());
}

/** Returns one text per thing asked for: two places, the mean and the median. */
function severally({ words, fitting: { template, args } }: Read): string[] {
  const isChinese = words.language === "zh";
  if (template.name === "current_time" && words.places.length > 1) {
    return words.places.map(({ name }) => (isChinese ? `${name}现在几点` : `What time is it in ${name}`));
  }
  if (template.title === undefined) return [];
  const of = words.isComplete || "text" in args ? shown(args) : null;
  const asked = titledFor(words).flatMap(({ template: { title } }) => title ?? []);
  const place = ({ zh, en }: Both) => words.said.search(isChinese ? zh.slice(0, 2) : (en.split(" ").at(-1) ?? ""));
  return asked
    .toSorted((a, b) => place(a) - place(b))
    .map(({ zh, en }) => {
      if (isChinese) return `${of ?? "结果"}的${zh}`;
      return `the ${en} ${"text" in args ? "in" : "of"} ${of ?? "the result"}`;
    });
}

function shown({ numbers, text }: Fitting["args"]): string | null {
  if (Array.isArray(numbers)) return numbers.join(", ");
  return typeof text === "string" ? `“${text}”` : null;
}
