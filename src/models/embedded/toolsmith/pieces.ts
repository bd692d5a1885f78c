// A request as sub-tasks for tools that each do one thing.

import type { Result, Situation } from "../arguments.ts";
import { readPieces } from "../request.ts";
import { readArithmetic } from "../arithmetic.ts";
import { joints } from "../split.ts";
import type { Both } from "../../../protocol/words/language.ts";
import { blot, fold, tidy } from "../../../protocol/words/text.ts";
import { fittingFor, titledFor, type Fitting } from "./catalogue.ts";
import { BLOT, wordsOf, type Words } from "./words.ts";

/** Longer pieces, and more places in them, are not looked at for a cut. */
const MAX_CHARS = 2_000;
const MAX_JOINTS = 30;

type Frame = Omit<Situation, "text" | "results">;
export type Piece = { readonly text: string; readonly fitting: Fitting | null };

/** What a sub-task may build on is not there yet when the request is split. */
const PLACEHOLDERS = ["2", "1, 2", "2000-01-01"];

/** In the order in which they were asked for. `given` is what was found before this request. */
export function subtasksOf(request: string, given: readonly Result[], frame: Frame): Piece[] {
  const pieces: Piece[] = [];
  const add = (text: string) => {
    const earlier = pieces.map((piece) => piece.text);
    pieces.push({ text, fitting: readAfter(text, earlier, given, frame).fitting });
  };
  const read = (text: string, earlier: readonly string[]) => readAfter(text, earlier, given, frame);
  for (const part of joined(asSaid(request), (text, earlier) => read(text, earlier).fitting)) {
    for (const one of parted(part, frame)) {
      const earlier = pieces.map((piece) => piece.text);
      const { words, fitting } = read(one, earlier);
      const several = fitting === null ? sumsOf(one) : severally(words, fitting);
      if (several.length < 2) pieces.push({ text: one, fitting });
      else several.forEach(add);
    }
  }
  return pieces;
}

/** The words of a piece and what fits them, with anything that the results before it could be. */
function readAfter(text: string, earlier: readonly string[], given: readonly Result[], frame: Frame) {
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
  return { words: wordsOf({ text, results: [], ...frame }), fitting: null };
}

/** The pieces of a request. A single one keeps its line breaks and spaces, which may be what it is about. */
function asSaid(request: string): string[] {
  const texts = readPieces(request).map(({ text }) => text);
  const squeezed = (text: string) => text.replace(/[\s,，]+/g, "");
  const [only, ...others] = texts;
  return only !== undefined && others.length === 0 && squeezed(only) === squeezed(request) ? [request.trim()] : texts;
}

type Reader = (text: string, earlier: readonly string[]) => Fitting | null;

/** Puts together again what only makes sense as one: `when it is 9am in Beijing, what time is it in London?` */
function joined(texts: readonly string[], read: Reader): string[] {
  const kept: string[] = [];
  for (const text of texts) {
    const last = kept.at(-1);
    const before = last === undefined ? null : read(last, kept.slice(0, -1));
    const now = last === undefined ? null : read(text, kept);
    const both = `${last}, ${text}`;
    const whole = last === undefined || (before !== null && now !== null) ? null : read(both, []);
    const isOne = whole !== null && ![before, now].some((side) => side?.template === whole.template);
    if (isOne) kept[kept.length - 1] = both;
    else kept.push(text);
  }
  return kept;
}

/** Cut at commas and `and`s where both sides stand alone, but not inside the list of a lottery. */
function parted(text: string, frame: Frame): string[] {
  if (text.length > MAX_CHARS) return [text];
  const alone = (side: string) => fittingFor(wordsOf({ text: side, results: [], ...frame }))[0] ?? null;
  const places = joints(text).slice(0, MAX_JOINTS);
  if (places.length === 0 || alone(text)?.template.name === "random_choice") return [text];
  for (const { start, end } of places) {
    const [left, right] = [tidy(text.slice(0, start)), tidy(text.slice(end))];
    if (left !== "" && right !== "" && alone(left) !== null && alone(right) !== null) {
      return [left, ...parted(right, frame)];
    }
  }
  return [text];
}

/** 计算12乘以34、56加78: each sum for itself, where there is nothing else. */
function sumsOf(text: string): string[] {
  const folded = fold(text);
  const sums = readArithmetic(folded);
  const rest = blot(folded, sums)
    .replaceAll("\u0001", BLOT)
    .replace(/[▢\s\p{P}]+|计算|算|求|分别|等于|多少|各?是|和|与|以及|compute|calculate|what|is|are|and/giu, "");
  if (sums.length < 2 || rest !== "" || sums.some(({ refersBack }) => refersBack)) return [];
  return sums.map(({ start, end }) => text.slice(start, end).trim());
}

/** One text for each of several things that are asked at once: two places, the mean and the median. */
function severally(words: Words, { template, args }: Fitting): string[] {
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
