// Decides which numbers in a text have a source: each one has to come from the data that the text was written from. Only
// a text that a model wrote needs this.
//
// Signs are ignored. A number matches within its rounding; a percentage also matches the share it stands for. A number
// that a model has computed itself has no source, even if it is right.

import { tryParseJson } from "../../lib/parse-json.ts";
import { getScale, parseAllNumbers, parseWrittenNumbers, type WrittenNumber } from "./written-numbers.ts";

/** The numbers of the data: their absolute values in ascending order, and the scales that units of the data name. */
export type NumberSources = { readonly values: Float64Array; readonly scales: readonly number[] };

/** A number without a source, as it is written, at UTF-16 indexes of its text. */
export type UnsourcedNumber = { readonly raw: string; readonly start: number; readonly end: number };

/** Maximum number of values that are visited. */
const MAX_VALUES = 500_000;
/** Maximum characters read from one text. */
const MAX_TEXT_CHARS = 200_000;
/** A unit such as 万元 or `USD million`, in a short text without digits. */
const SCALED_UNIT_PATTERN =
  /^[^\d]{0,16}?([百千]?[万亿]|[百千](?=元|人|米|克)|\b(?:thousand|million|billion|mn|bn)\b)[^\d]{0,16}$/i;

/**
 * Returns the numbers in JSON values: numbers, numbers in texts and member names, and the lengths of lists, also of
 * those in texts. Stops after 500,000 values, and reads at most 200,000 characters of each text.
 */
export function collectNumberSources(...sources: readonly unknown[]): NumberSources {
  const numbers = new Set<number>();
  const scales = new Set<number>();
  const seenTexts = new Set<string>();
  const queue: unknown[] = [...sources];
  const readText = (text: string) => {
    if (seenTexts.has(text)) return;
    seenTexts.add(text);
    for (const number of parseAllNumbers(text.slice(0, MAX_TEXT_CHARS))) numbers.add(number);
    for (const count of countMembers(text)) numbers.add(count);
    if (/^\s*[[{]/.test(text)) queue.push(tryParseJson(text));
    const unit = text.length <= 40 ? SCALED_UNIT_PATTERN.exec(text)?.[1] : undefined;
    if (unit !== undefined) scales.add(getScale(unit.toLowerCase()));
  };
  for (let seen = 0; queue.length > 0 && seen < MAX_VALUES; seen++) {
    const value = queue.pop();
    if (typeof value === "number" && Number.isFinite(value)) numbers.add(Math.abs(value));
    else if (typeof value === "string") readText(value);
    else if (Array.isArray(value)) {
      numbers.add(value.length);
      for (const member of value as unknown[]) queue.push(member);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value)) queue.push(name, member);
    }
  }
  return { values: Float64Array.from(numbers).sort(), scales: [...scales] };
}

/** Returns the number of lines of a text and of the items of its lists. */
function countMembers(text: string): number[] {
  if (!text.includes("\n")) return [];
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const items = lines.filter((line) => /^\s*(?:[-*•]|\d+[.)、])\s*\S/.test(line));
  const tableRows = lines.filter((line) => /^\s*\|/.test(line));
  return [lines.length, items.length, Math.max(0, tableRows.length - 2)];
}

/** Returns the numbers in the text that have no source, in the order of their position. */
export function findUnsourcedNumbers(text: string, sources: NumberSources): UnsourcedNumber[] {
  return parseWrittenNumbers(text)
    .filter((number) => !hasSource(number, sources))
    .map(({ raw, start, end }) => ({ raw, start, end }));
}

/** Inserts the mark after each of the numbers, which are sorted by position. */
export function markNumbers(text: string, numbers: readonly UnsourcedNumber[], mark: string): string {
  let marked = "";
  let at = 0;
  for (const { end } of numbers) {
    marked += text.slice(at, end) + mark;
    at = end;
  }
  return marked + text.slice(at);
}

/** Returns the sentence that asks a model to correct the numbers. */
export function formatNumberCorrection(numbers: readonly UnsourcedNumber[]): string {
  const list = [...new Set(numbers.map(({ raw }) => raw))].join(", ");
  return `These numbers are not in the data: ${list}. Write the whole text again with numbers of the data only; leave out what the data does not say. 这些数字不在数据中：${list}。请重写全文，只使用数据中的数字；数据没有的内容不要写。`;
}

/** True if the number, its share, or all parts of a list such as `58,85,72` are known. */
function hasSource(
  { value, tolerance, raw, divisor, scale }: WrittenNumber,
  { values, scales }: NumberSources,
): boolean {
  if (containsNear(values, value, tolerance)) return true;
  if (divisor !== 1 && containsNear(values, value / divisor, tolerance / divisor)) return true;
  if (scale !== 1 && scales.includes(scale) && containsNear(values, value / scale, tolerance / scale)) return true;
  const parts = raw.split(",");
  return parts.length > 1 && parts.every((part) => containsNear(values, Number.parseFloat(part), 0.5));
}

/** Searches the sorted list for a value within the tolerance. */
function containsNear(values: Float64Array, value: number, tolerance: number): boolean {
  const margin = tolerance + Math.abs(value) * 1e-9;
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < value - margin) low = middle + 1;
    else high = middle;
  }
  const next = values[low];
  return next !== undefined && next <= value + margin;
}
