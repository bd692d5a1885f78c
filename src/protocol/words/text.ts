// Small things that every reader of text needs. All of them keep indexes where they were.

import { SIMPLE_FORM } from "./traditional.ts";

export type Span = { readonly start: number; readonly end: number };

const UNFOLDED = new RegExp(`[\\uff01-\\uff5e\\u3000‘’${[...SIMPLE_FORM.keys()].join("")}]`, "g");

/** Full-width forms, typographic quotes and traditional characters as their plain ones, character by character. */
export function fold(text: string): string {
  return text.replace(UNFOLDED, (char) => {
    if (char === "\u3000") return " ";
    if (char === "‘" || char === "’") return "'";
    return SIMPLE_FORM.get(char) ?? String.fromCharCode(char.charCodeAt(0) - 0xfee0);
  });
}

/** The text without what the pattern finds at its front, however that is written. */
export function withoutHead(text: string, pattern: RegExp): string {
  return text.slice(pattern.exec(fold(text))?.[0].length ?? 0);
}

/** The text with the spans blotted out, so that nothing inside them is taken for words. */
export function blot(text: string, spans: readonly Span[]): string {
  return filled(text, spans, "\u0001");
}

/** The text without the spans. */
export function cut(text: string, spans: readonly Span[]): string {
  return filled(text, spans, "");
}

function filled(text: string, spans: readonly Span[], by: string): string {
  if (spans.length === 0) return text;
  const units = text.split("");
  for (const { start, end } of spans) units.fill(by, start, end);
  return units.join("");
}

export function without(text: string, { start, end }: Span): string {
  return text.slice(0, start) + text.slice(end);
}

/** What stands in quotation marks, marks excluded. An apostrophe inside a word is no mark. */
export function quotations(text: string): (Span & { readonly inner: string })[] {
  const marks =
    /"([^"\n]+)"|“([^“”]+)”|「([^「」]+)」|『([^『』]+)』|《([^《》]+)》|`([^`\n]+)`|(?<![\w])['‘]([^'‘’\n]+)['’](?!\w)/g;
  return [...text.matchAll(marks)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    inner: match.slice(1).find((group) => group !== undefined) ?? "",
  }));
}

export function allSpans(text: string, pattern: RegExp): Span[] {
  return [...text.matchAll(pattern)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

const EDGES =
  /^(?:[\s,，、;；.。:：!！?？…~]|[-–—](?![\d(（π√]))+|(?<![\s,，、;；。:：…~\-–—])[\s,，、;；。:：…~\-–—]+$/g;

/** Without the punctuation that splitting leaves at the edges; a closing `?`, `!` or `.` stays. */
export function tidy(text: string): string {
  return text.replace(EDGES, "").replace(/[ \t]{2,}/g, " ");
}

const POLITE =
  /^(?:please|pls|kindly|(?:hey|hi|hello)(?=\s*[,!])|ok(?:ay)?|so|well|now|also|could you|can you|would you|will you|(?:i'd like|i would like|i want|i need) (?:you )?to|help me(?: to)?|请问|请你?|麻烦你?|帮我|帮忙|给我|替我|你?能不能|你?可以|可不可以|我想要?你?|我要你?|顺便|另外|还有|还要|并且|同时|也|那么?)(?=[\s,，:：]|[\u3400-\u9fff]|$)[\s,，]*/i;

/** Without the words of politeness in front. */
export function plain(text: string): string {
  let rest = tidy(text);
  for (let i = 0; i < 4; i++) {
    const next = withoutHead(rest, POLITE);
    if (next === rest || next === "") return rest;
    rest = next;
  }
  return rest;
}

/** More than any title and the politeness before it. */
const MAX_TITLED = 500;

/** A short name for a piece of work: at most ten words, or twenty characters of Chinese. */
export function titleOf(text: string): string {
  const line = plain((text.split("\n", 1)[0] ?? "").slice(0, MAX_TITLED)).replace(/[\s.。!！?？]+$/, "");
  if (/[\u3400-\u9fff]/.test(line)) return [...line].slice(0, 20).join("");
  const words = line.split(/\s+/).slice(0, 10).join(" ");
  return words.slice(0, 1).toUpperCase() + words.slice(1, 120);
}
