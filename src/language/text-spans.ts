// Normalization, spans and trimming of text for the parsers in this folder.

import { SIMPLIFIED_FORM } from "./traditional-chinese.ts";

/** A range of UTF-16 indexes; `end` is exclusive. */
export type TextSpan = { readonly start: number; readonly end: number };

const CHARACTERS_TO_NORMALIZE = new RegExp(`[\\uff01-\\uff5e\\u3000‘’${[...SIMPLIFIED_FORM.keys()].join("")}]`, "g");

/**
 * Replaces full-width forms, typographic quotes and traditional characters by their plain forms. Indexes stay the same.
 */
export function normalizeCharacters(text: string): string {
  return text.replace(CHARACTERS_TO_NORMALIZE, (char) => {
    if (char === "\u3000") return " ";
    if (char === "‘" || char === "’") return "'";
    return SIMPLIFIED_FORM.get(char) ?? String.fromCharCode(char.charCodeAt(0) - 0xfee0);
  });
}

/**
 * Removes as many characters from the start as the pattern matches in the normalized text. Anchor the pattern with `^`.
 */
export function removePrefix(text: string, pattern: RegExp): string {
  return text.slice(pattern.exec(normalizeCharacters(text))?.[0].length ?? 0);
}

/** Replaces the characters of the spans by U+0001, so that no pattern matches inside them. Indexes stay the same. */
export function maskSpans(text: string, spans: readonly TextSpan[]): string {
  return replaceSpans(text, spans, "\u0001");
}

/** Removes the spans from the text. */
export function removeSpans(text: string, spans: readonly TextSpan[]): string {
  return replaceSpans(text, spans, "");
}

function replaceSpans(text: string, spans: readonly TextSpan[], replacement: string): string {
  if (spans.length === 0) return text;
  const units = text.split("");
  for (const { start, end } of spans) units.fill(replacement, start, end);
  return units.join("");
}

/** Removes one span from the text. */
export function removeSpan(text: string, { start, end }: TextSpan): string {
  return text.slice(0, start) + text.slice(end);
}

/** Finds quotations. The span includes the marks, `inner` does not. An apostrophe inside a word is not a mark. */
export function findQuotations(text: string): (TextSpan & { readonly inner: string })[] {
  const marks =
    /"([^"\n]+)"|“([^“”]+)”|「([^「」]+)」|『([^『』]+)』|《([^《》]+)》|`([^`\n]+)`|(?<![\w])['‘]([^'‘’\n]+)['’](?!\w)/g;
  return [...text.matchAll(marks)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    inner: match.slice(1).find((group) => group !== undefined) ?? "",
  }));
}

/** Finds the spans of all matches. The pattern needs the flag `g`. */
export function findSpans(text: string, pattern: RegExp): TextSpan[] {
  return [...text.matchAll(pattern)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

const EDGES =
  /^(?:[\s,，、;；.。:：!！?？…~]|[-–—](?![\d(（π√]))+|(?<![\s,，、;；。:：…~\-–—])[\s,，、;；。:：…~\-–—]+$/g;

/** Removes punctuation and spaces from both ends, except a final `?`, `!` or `.`, and merges spaces inside. */
export function trimPunctuation(text: string): string {
  return text.replace(EDGES, "").replace(/[ \t]{2,}/g, " ");
}

const POLITE_PREFIX =
  /^(?:please|pls|kindly|(?:hey|hi|hello)(?=\s*[,!])|ok(?:ay)?|so|well|now|also|could you|can you|would you|will you|(?:i'd like|i would like|i want|i need) (?:you )?to|help me(?: to)?|请问|请你?|麻烦你?|帮我|帮忙|给我|替我|你?能不能|你?可以|可不可以|我想要?你?|我要你?|顺便|另外|还有|还要|并且|同时|也|那么?)(?=[\s,，:：]|[\u3400-\u9fff]|$)[\s,，]*/i;

/** Trims a text and removes at most four polite phrases from its start. Stops before the text would become empty. */
export function removePolitePrefixes(text: string): string {
  let rest = trimPunctuation(text);
  for (let i = 0; i < 4; i++) {
    const next = removePrefix(rest, POLITE_PREFIX);
    if (next === rest || next === "") return rest;
    rest = next;
  }
  return rest;
}

/** Maximum length of the text from which a title is made. */
const MAX_TITLE_SOURCE_CHARS = 500;

/**
 * Creates a short title from the first line of a text, without polite phrases: at most ten words and 120 UTF-16 units
 * with a capital first letter, or twenty characters if it has Chinese ones. "" if nothing remains.
 */
export function createTitle(text: string): string {
  const line = removePolitePrefixes((text.split("\n", 1)[0] ?? "").slice(0, MAX_TITLE_SOURCE_CHARS)).replace(
    /[\s.。!！?？]+$/,
    "",
  );
  if (/[\u3400-\u9fff]/.test(line)) return [...line].slice(0, 20).join("");
  const words = line.split(/\s+/).slice(0, 10).join(" ");
  return words.slice(0, 1).toUpperCase() + words.slice(1, 120);
}
