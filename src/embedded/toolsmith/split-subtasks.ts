// Splits a request into sub-tasks of one tool each.

import type { EarlierResult, WorkContext } from "../tool-arguments.ts";
import { findReference } from "../result-references.ts";
import { parsePieces } from "../request-pieces.ts";
import { readArithmetic } from "../read-arithmetic.ts";
import { findJoints } from "../split-request.ts";
import type { LocalizedText } from "../../language/detect-language.ts";
import { maskSpans, normalizeCharacters, trimPunctuation } from "../../language/text-spans.ts";
import {
  findFittingTemplates,
  MAX_SUBTASK_LENGTH,
  findTitledTemplates,
  type FittingTemplate,
} from "./template-catalogue.ts";
import { BLOT, parseSubtaskWords, type SubtaskWords } from "./subtask-words.ts";

/** Further possible cuts are not tried. */
const MAX_JOINTS = 30;

type RequestClock = Omit<WorkContext, "text" | "results">;
export type SubtaskPiece = { readonly text: string; readonly fitting: FittingTemplate | null };

/** Stand-ins for results that do not exist yet when the request is split. */
const PLACEHOLDERS = ["2", "1, 2", "2000-01-01"];

/** Returns the sub-tasks in order. `given` are the results before this request. */
export function splitSubtasks(request: string, given: readonly EarlierResult[], frame: RequestClock): SubtaskPiece[] {
  const pieces: SubtaskPiece[] = [];
  const read = (text: string) => {
    const earlier = pieces.map((piece) => piece.text);
    return fitPiece(text, earlier, given, frame);
  };
  for (const part of joinSentences(splitIntoPieces(request, frame), given, frame)) {
    for (const one of splitAtJoints(part, frame)) {
      const found = read(one);
      const several = found === null ? splitSums(one) : splitSeveralQuestions(found);
      if (several.length < 2) pieces.push({ text: one, fitting: found?.fitting ?? null });
      else for (const text of several) pieces.push({ text, fitting: read(text)?.fitting ?? null });
    }
  }
  return pieces;
}

/** A piece of the request and its template. */
type FittedPiece = { readonly words: SubtaskWords; readonly fitting: FittingTemplate };

/** Reads a piece, with placeholders for results before it; null if no template fits. */
function fitPiece(
  text: string,
  earlier: readonly string[],
  given: readonly EarlierResult[],
  frame: RequestClock,
): FittedPiece | null {
  if (text.length > MAX_SUBTASK_LENGTH) return null;
  const guesses = given.length + earlier.length === 0 ? [] : PLACEHOLDERS;
  const situations: readonly (readonly EarlierResult[])[] = [
    [],
    ...guesses.map((value) => [...given, ...earlier.map((about) => ({ value, about }))]),
  ];
  for (const results of situations) {
    const words = parseSubtaskWords({ text, results, ...frame });
    const [fitting] = findFittingTemplates(words);
    if (fitting !== undefined) return { words, fitting };
  }
  return null;
}

/** True if a template does the work, with any result that it refers to. */
export function canWriteTool(text: string): boolean {
  return fitPiece(text, findReference(text) === "none" ? [] : [""], [], FIXED_CLOCK) !== null;
}

/** A fixed date, for checks that do not depend on it. */
export const FIXED_CLOCK: RequestClock = { now: Date.UTC(2026, 0, 1), timezone: undefined };

function fitAlone(text: string, frame: RequestClock): FittingTemplate | null {
  return fitPiece(text, [], [], frame)?.fitting ?? null;
}

/** Returns the pieces of a request. A single piece keeps its whitespace, which may be part of its text. */
function splitIntoPieces(request: string, frame: RequestClock): RequestPiece[] {
  const knows = (text: string) => fitAlone(text, frame) !== null;
  const pieces = parsePieces(request, knows).map(({ text, after }) => ({
    text: restoreMinus(text, request),
    isNext: after.length > 0,
  }));
  const squeezed = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, "");
  const [only, ...others] = pieces;
  const isWhole = only !== undefined && others.length === 0 && squeezed(only.text) === squeezed(request);
  return isWhole ? [{ text: request.trim(), isNext: false }] : pieces;
}

/** Restores a minus that was removed as a dash: -5 + 3. */
function restoreMinus(text: string, request: string): string {
  const at = request.indexOf(text);
  return /^\d/.test(text) && /(?:^|\s)[-−]$/.test(request.slice(0, Math.max(0, at))) ? `-${text}` : text;
}

/** A piece; `isNext` if it depends on the one before it. */
type RequestPiece = { readonly text: string; readonly isNext: boolean };

/** Templates whose request may span two sentences. */
const TWO_SENTENCES = new Set(
  "convert_time_zone age percent_change change_by_percent what_percent compound_interest days_between days_until shift_date".split(
    " ",
  ),
);

/** Joins pieces that only make sense together: `when it is 9am in Beijing, what time is it in London?` */
function joinSentences(said: readonly RequestPiece[], given: readonly EarlierResult[], frame: RequestClock): string[] {
  const kept: string[] = [];
  for (const { text, isNext } of said) {
    const last = kept.at(-1);
    const both = `${last}, ${text}`;
    const before = last === undefined ? null : (fitPiece(last, kept.slice(0, -1), given, frame)?.fitting ?? null);
    const whole = last === undefined || isNext ? null : fitAlone(both, frame);
    const now = whole === null ? null : fitAlone(text, frame);
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
function splitAtJoints(text: string, frame: RequestClock): string[] {
  if (text.length > MAX_SUBTASK_LENGTH) return [text];
  const places = findJoints(text).slice(0, MAX_JOINTS);
  if (places.length === 0 || LISTING.has(fitAlone(text, frame)?.template.name ?? "")) return [text];
  for (const { start, end } of places) {
    const [left, right] = [trimPunctuation(text.slice(0, start)), trimPunctuation(text.slice(end))];
    if (left === "" || right === "" || fitAlone(left, frame) === null) continue;
    const pointed = findReference(right) === "none" ? null : fitPiece(right, [left], [], frame);
    if (pointed !== null || fitAlone(right, frame) !== null) return [left, ...splitAtJoints(right, frame)];
  }
  return [text];
}

/** 计算12乘以34、56加78: one piece per sum, if there is nothing else. */
function splitSums(text: string): string[] {
  const folded = normalizeCharacters(text);
  const sums = readArithmetic(folded);
  const rest = maskSpans(folded, sums)
    .replaceAll("\u0001", BLOT)
    .replace(/[▢\s\p{P}]+|计算|算|求|分别|等于|多少|各?是|和|与|以及|compute|calculate|what|is|are|and/giu, "");
  if (sums.length < 2 || rest !== "" || sums.some(({ refersBack }) => refersBack)) return [];
  return sums.map(({ start, end }) => text.slice(start, end).trim());
}

/** Returns one text per thing asked for: two places, the mean and the median. */
function splitSeveralQuestions({ words, fitting: { template, args } }: FittedPiece): string[] {
  const isChinese = words.language === "zh";
  if (template.name === "current_time" && words.places.length > 1) {
    return words.places.map(({ name }) => (isChinese ? `${name}现在几点` : `What time is it in ${name}`));
  }
  if (template.title === undefined) return [];
  const of = words.isComplete || "text" in args ? formatArguments(args) : null;
  const asked = findTitledTemplates(words).flatMap(({ template: { title } }) => title ?? []);
  const place = ({ zh, en }: LocalizedText) =>
    words.said.search(isChinese ? zh.slice(0, 2) : (en.split(" ").at(-1) ?? ""));
  return asked
    .toSorted((a, b) => place(a) - place(b))
    .map(({ zh, en }) => {
      if (isChinese) return `${of ?? "结果"}的${zh}`;
      return `the ${en} ${"text" in args ? "in" : "of"} ${of ?? "the result"}`;
    });
}

function formatArguments({ numbers, text }: FittingTemplate["args"]): string | null {
  if (Array.isArray(numbers)) return numbers.join(", ");
  return typeof text === "string" ? `“${text}”` : null;
}
