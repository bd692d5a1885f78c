// Rewrites a message that depends on earlier ones so that it can be understood alone: "and times 2?" after 5950128 ·
// "那上海呢" after 东京现在几点 · "again".

import { isAnalysis } from "./analyst/detect-analysis.ts";
import { collectResultNumbers, type EarlierResult } from "./tool-arguments.ts";
import { readArithmetic, resolveTemplate } from "./read-arithmetic.ts";
import { findSpokenDates } from "./spoken-dates.ts";
import { formatExpression } from "./format-expression.ts";
import { getFamily, findAskedIdeas } from "./idea-glossary.ts";
import { detectLanguage } from "../language/detect-language.ts";
import { findNumbers, parseNumeralAt } from "../language/numerals.ts";
import { findPlaces } from "../language/place-time-zones.ts";
import { findTextPayload } from "./text-payload.ts";
import { findReference, replaceReference, extractText } from "./result-references.ts";
import { detectSmallTalk } from "./small-talk.ts";
import { maskSpans, normalizeCharacters, trimPunctuation, type TextSpan } from "../language/text-spans.ts";
import { asksForClock } from "./time-zone-request.ts";
import { listEarlierRequests, getLastAnswer, type PromptContext } from "./prompt-context.ts";

const MAX_QUOTED = 2_000;
const AGAIN =
  /^(?:please |and )?(?:again|once more|one more(?: time)?|another(?: one)?|do (?:it|that) again|repeat(?: that| it)?|(?:try|run) (?:it |that )?again)(?: please)?$|^(?:请)?(?:再来|再来一[次个遍]|再一[次个遍]|再[做试算查]一[次遍]|重复一[次遍]|重来一?[次遍]?|重试|再生成一个|换一个|又一个)吧?$/i;
const FILLERS =
  /\b(?:what|how|about|and|or|also|then|in|for|at|with|of|the|to|if|it|is|was|were|try|now|please|between|from|instead|sorry|no|i meant?)\b|那么?|不对|抱歉|我(?:是说|说的是)|如果|换[成到]?|改[成为]?|是|的话|呢|在|对于|至于|到|之间|和|[\s\p{P}]+/giu;

/** Returns the complete request; unchanged if it is complete already or cannot be completed. */
export function completeFollowUp(talk: PromptContext): string {
  const { request } = talk;
  const requests = listEarlierRequests(talk);
  const words = trimPunctuation(normalizeCharacters(request)).replace(/[?!。]+$/, "");
  if (AGAIN.test(words))
    return requests.find((earlier) => !isElliptical(earlier) && detectSmallTalk(earlier) === null) ?? request;
  const there = /\bthere\b|那[里边]/i.exec(normalizeCharacters(request));
  const [place] = requests.flatMap((earlier) => findPlaces(earlier).slice(0, 1));
  if (there !== null && place !== undefined && asksForClock(request)) {
    const name = detectLanguage(request) === "zh" ? place.name : `in ${place.name}`;
    return request.slice(0, there.index) + name + request.slice(there.index + there[0].length);
  }
  const answer = getLastAnswer(talk);
  if (answer !== null) {
    const pointed = insertLastResult(request, {
      value: extractText(answer, requests[0] ?? ""),
      about: requests[0] ?? "",
    });
    if (pointed !== null) return pointed;
  }
  const base = requests.find((earlier) => !isElliptical(earlier) && detectSmallTalk(earlier) === null);
  return base !== undefined && isElliptical(request) ? (substituteValues(base, request) ?? request) : request;
}

/** Inserts the earlier result that the request refers to; null if there is no reference. */
function insertLastResult(request: string, result: EarlierResult): string | null {
  const folded = normalizeCharacters(request);
  const [first] = readArithmetic(folded);
  const number = collectResultNumbers([result]).at(-1);
  // The mean of a school subject does not refer to an earlier result.
  if (first?.refersBack === true && number !== undefined && !isAnalysis(folded)) {
    const expression = resolveTemplate(first.template, [number]);
    // Only a reference at the beginning points to an earlier message; later words refer to the message itself.
    const before = folded.slice(0, first.start);
    if (expression !== null && findAskedIdeas(before).size === 0) {
      return `${request.slice(0, first.start).replace(/(?:\b(?:and|then|now|so)\b|再|然后|那么?|把|将)\s*$/i, "")}${formatExpression(expression)}${request.slice(first.end)}`.trim();
    }
  }
  const quoted = `"${result.value.trim().slice(0, MAX_QUOTED).replaceAll('"', "'")}"`;
  if (first !== undefined) return null;
  if (findReference(request) !== "none") return replaceReference(request, quoted);
  return isTextStepWithoutText(folded) ? `${request}: ${quoted}` : null;
}

/** 再转大写 · and reverse: a text operation without a text. */
function isTextStepWithoutText(request: string): boolean {
  const isText = [...findAskedIdeas(request)].some((idea) => getFamily(idea) === "text" && idea !== "text");
  return isText && findTextPayload(request) === null && /^(?:再|然后|接着|(?:and|now|then|also)\b)/i.test(request);
}

/** True if the text consists of places, dates or numbers and filler words. */
function isElliptical(text: string): boolean {
  if (text.length > 80) return false;
  const folded = normalizeCharacters(text);
  const named = [...findPlaces(text), ...findDateSpans(text)];
  if (readArithmetic(folded).length > 0 || findAskedIdeas(maskSpans(folded, named)).size > 0) return false;
  const rest = maskSpans(folded, named).replaceAll("\u0001", " ").replace(FILLERS, "").replace(/\d+/g, "");
  const isNumber = rest !== "" && parseNumeralAt(rest, 0)?.end === rest.length;
  return (rest === "" || isNumber) && (named.length > 0 || findNumbers(folded).length > 0);
}

/** Returns the spans of dates. */
function findDateSpans(text: string): TextSpan[] {
  return findSpokenDates(text, "2000-01-01");
}

/** Returns the earlier request with the new place, day or numbers. */
function substituteValues(base: string, request: string): string | null {
  const [place] = findPlaces(request);
  if (place !== undefined)
    return substitutePlaces(
      base,
      findPlaces(request).map(({ name }) => name),
    );
  const [[day], [old]] = [findDateSpans(request), findDateSpans(base)];
  if (day !== undefined && old !== undefined)
    return base.slice(0, old.start) + request.slice(day.start, day.end) + base.slice(old.end);
  return substituteNumbers(base, findNumbers(normalizeCharacters(request)));
}

function substitutePlaces(base: string, names: readonly string[]): string {
  const old = findPlaces(base);
  const isChinese = detectLanguage(base) === "zh";
  const fresh = names.join(isChinese ? "和" : " and ");
  const [first] = old;
  const last = old.at(-1);
  if (first !== undefined && last !== undefined) return base.slice(0, first.start) + fresh + base.slice(last.end);
  if (isChinese) return `${fresh}${base}`;
  const end = /[\s?.!]*$/.exec(base)?.[0] ?? "";
  return `${base.slice(0, base.length - end.length)} in ${fresh}${end}`;
}

function substituteNumbers(base: string, numbers: readonly number[]): string | null {
  const folded = normalizeCharacters(base);
  let rest = [...numbers];
  if (findNumbers(folded).length !== numbers.length) return null;
  let result = "";
  for (let at = 0; at < base.length;) {
    const number = /[a-z]/i.test(base[at - 1] ?? "") ? null : parseNumeralAt(folded, at);
    const [next, ...others] = rest;
    if (number === null || next === undefined) {
      result += base[at] ?? "";
      at += 1;
      continue;
    }
    result += String(next);
    rest = others;
    at = number.end;
  }
  return result;
}
