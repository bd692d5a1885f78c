// Splits the arguments of an approval into pieces, so that those from untrusted text can be marked. The pieces together
// are the text that is shown without marks; their invisible characters are escaped.

import type { Approval, ArgumentOrigin } from "../../../../protocol/wire/question.ts";
import { escapeInvisible } from "../../../../lib/escape-invisible.ts";

/** A piece of a text. `source` is the number of its source in the legend, from 1; null if it is not marked. */
export type TextPiece = { readonly text: string; readonly source: number | null };

/** An entry of the legend. */
export type OriginSource = Pick<ArgumentOrigin, "source" | "seq">;

/** Returns the sources of the marked pieces, each once, in the order of their numbers. */
export function listOriginSources({ origins = [] }: Pick<Approval, "origins">): OriginSource[] {
  const sources = new Map(origins.map((origin) => [getSourceKey(origin), origin]));
  return Array.from(sources.values(), ({ source, seq }) => ({
    source: escapeInvisible(source),
    ...(seq === undefined ? {} : { seq }),
  }));
}

function getSourceKey({ source, seq }: OriginSource): string {
  return JSON.stringify([source, seq ?? null]);
}

/** The origins of an approval by path, with the number of their source. */
export type OriginMarks = (path: string, isKey: boolean) => readonly NumberedSpan[];
type NumberedSpan = { readonly start: number; readonly end: number; readonly source: number };

/** Returns the lookup of the marked spans of a value, or of a member's name with `isKey`. */
export function createOriginMarks({ origins = [] }: Pick<Approval, "origins">): OriginMarks {
  const numbers = new Map([...new Set(origins.map(getSourceKey))].map((key, i) => [key, i + 1]));
  return (path, isKey) =>
    origins
      .filter((origin) => origin.path === path && (origin.is_key === true) === isKey)
      .map((origin) => ({ start: origin.start, end: origin.end, source: numbers.get(getSourceKey(origin)) ?? 1 }))
      .toSorted((a, b) => a.start - b.start || b.end - a.end);
}

/** Splits a text at its spans. The common part of overlapping spans belongs to the first one. */
export function splitAtSpans(text: string, spans: readonly NumberedSpan[]): TextPiece[] {
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const { start, end, source } of spans) {
    const from = Math.max(at, start);
    if (end <= from) continue;
    pieces.push({ text: text.slice(at, from), source: null }, { text: text.slice(from, end), source });
    at = end;
  }
  pieces.push({ text: text.slice(at), source: null });
  return pieces.filter((piece) => piece.text !== "");
}

/** Formats a JSON value like `formatEscapedJson`, in pieces. `path` is its JSON pointer. */
export function formatMarkedJson(value: unknown, path: string, marks: OriginMarks, indent = ""): TextPiece[] {
  if (typeof value === "string") return formatMarkedString(value, marks(path, false));
  if (typeof value !== "object" || value === null)
    return splitAtSpans(JSON.stringify(value) ?? "null", marks(path, false));
  const inner = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((each, i) => formatMarkedJson(each, `${path}/${i}`, marks, inner))
    : Object.entries(value).map(([key, member]) => {
        const memberPath = `${path}/${toPointerSegment(key)}`;
        const name = formatMarkedString(key, marks(memberPath, true));
        return [...name, createPlainPiece(": "), ...formatMarkedJson(member, memberPath, marks, inner)];
      });
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (members.length === 0) return [createPlainPiece(`${open}${close}`)];
  const lines = members.flatMap((pieces, i) => [createPlainPiece(`${i === 0 ? "" : ","}\n${inner}`), ...pieces]);
  return [createPlainPiece(open), ...lines, createPlainPiece(`\n${indent}${close}`)];
}

function formatMarkedString(text: string, spans: readonly NumberedSpan[]): TextPiece[] {
  const pieces = splitAtSpans(text, spans).map(({ text: part, source }) => ({
    text: escapeInvisible(JSON.stringify(part).slice(1, -1)),
    source,
  }));
  return [createPlainPiece('"'), ...pieces, createPlainPiece('"')];
}

function createPlainPiece(text: string): TextPiece {
  return { text, source: null };
}

/** Returns a member's name as a segment of a JSON pointer. */
export function toPointerSegment(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Splits pieces into lines. */
export function splitLines(pieces: readonly TextPiece[]): TextPiece[][] {
  const lines: TextPiece[][] = [[]];
  for (const { text, source } of pieces)
    text.split("\n").forEach((part, i) => {
      if (i > 0) lines.push([]);
      if (part !== "") lines.at(-1)?.push({ text: part, source });
    });
  return lines;
}

/** Returns the text of pieces without their marks. */
export function joinPieces(pieces: readonly TextPiece[]): string {
  return pieces.map(({ text }) => text).join("");
}
