// Infers the type of a column from all of its cells: a type is chosen only if every filled cell can be parsed as that
// type.

import type { Cell, ColumnType } from "../protocol/datasets/dataset.ts";
import { isAmbiguousDate, isYearSpan, parseDate, parseMonth, type DateOrder } from "./parse-date.ts";
import type { Message, MessageKey } from "../language/messages.ts";
import { parseNumber, type DecimalMark } from "./parse-number.ts";

/** A column with its type and parsed values. A gap is null. */
export type TypedColumn = {
  readonly type: ColumnType;
  readonly unit?: string;
  readonly values: readonly Cell[];
  /** A hint for the owner of the dataset, without its parameter `column`. */
  readonly note?: Message;
};

const BOOLEANS: readonly (readonly [yes: string, no: string])[] = [
  ["true", "false"],
  ["yes", "no"],
  ["y", "n"],
  ["t", "f"],
  ["是", "否"],
  ["对", "错"],
  ["有", "无"],
];

/** Words for missing values. In text columns they stay texts. */
const MISSING_WORDS = new Set([
  "na",
  "n/a",
  "#n/a",
  "null",
  "nil",
  "none",
  "nan",
  "-",
  "--",
  "–",
  "—",
  "无",
  "暂无",
  "缺失",
]);

/**
 * Returns the type and values of a column. Blank cells are gaps in every type; words such as `n/a` in every type except
 * text. Tries booleans, numbers, dates and months, then text. `prefersCommas` tries the decimal comma first.
 */
export function inferColumn(texts: readonly (string | null)[], prefersCommas: boolean): TypedColumn {
  const cells = texts.map((text) => trimToNull(text));
  if (cells.every((cell) => cell === null)) return { type: "text", values: cells };
  return (
    inferBooleans(cells) ??
    inferNumbers(cells, prefersCommas) ??
    inferDates(cells) ??
    inferMonths(cells) ??
    inferTexts(cells)
  );
}

/** Returns the trimmed text; null if it is empty. */
function trimToNull(text: string | null): string | null {
  const trimmed = text?.trim() ?? "";
  return trimmed === "" ? null : trimmed;
}

/** Parses every cell. Returns null if a cell cannot be parsed or if all cells are gaps. */
function parseAll<T>(cells: readonly (string | null)[], parse: (text: string) => T | null): (T | null)[] | null {
  const values: (T | null)[] = [];
  let seen = 0;
  for (const cell of cells) {
    const value = cell === null ? null : parse(cell);
    if (value !== null) seen += 1;
    else if (cell !== null && !MISSING_WORDS.has(cell.toLowerCase())) return null;
    values.push(value);
  }
  return seen === 0 ? null : values;
}

function inferBooleans(cells: readonly (string | null)[]): TypedColumn | null {
  const first = cells.find((cell) => cell !== null && !isMissing(cell))?.toLowerCase() ?? "无";
  for (const [yes, no] of BOOLEANS) {
    if (first !== yes && first !== no) continue;
    const words = new Map([
      [yes, true],
      [no, false],
    ]);
    const values = parseAll(cells, (text) => words.get(text.toLowerCase()) ?? null);
    // A word for no may also mean a gap, so a boolean column needs at least one yes.
    if (values?.includes(true) === true) return { type: "boolean", values };
  }
  return null;
}

function isMissing(cell: string): boolean {
  return MISSING_WORDS.has(cell.toLowerCase()) && cell !== "无";
}

function inferNumbers(cells: readonly (string | null)[], prefersCommas: boolean): TypedColumn | null {
  const isEuropean = prefersCommas && cells.some((cell) => cell?.includes(",") === true);
  const marks: readonly DecimalMark[] = isEuropean ? [",", "."] : [".", ","];
  for (const mark of marks) {
    const read = parseAll(cells, (text) => parseNumber(toAscii(text), mark));
    const unit = read === null ? null : findCommonUnit(read);
    if (read === null || unit === null) continue;
    const type = read.every((value) => value === null || value.isWhole) ? "integer" : "number";
    const values = read.map((value) => value?.value ?? null);
    return { type, ...(unit === "" ? {} : { unit }), values };
  }
  return null;
}

/**
 * Returns the common unit of the numbers, or an empty text without one. Null if there are several units, or if only
 * some numbers are percentages.
 */
function findCommonUnit(read: readonly ({ readonly unit: string } | null)[]): string | null {
  const units = new Set(read.flatMap((value) => (value === null ? [] : [value.unit])));
  if (units.has("%") || units.has("‰")) return units.size === 1 ? [...units].join("") : null;
  units.delete("");
  return units.size > 1 ? null : [...units].join("");
}

/** Converts full-width digits and letters to ASCII. */
function toAscii(text: string): string {
  return /[\uff01-\uff5e\u3000]/.test(text) ? text.normalize("NFKC") : text;
}

function inferDates(cells: readonly (string | null)[]): TypedColumn | null {
  const readAs = (order: DateOrder) => parseAll(cells, (text) => parseDate(toAscii(text), order));
  const dayFirst = readAs("day_first");
  const isAmbiguous = dayFirst !== null && cells.some((cell) => cell !== null && isAmbiguousDate(cell));
  // The other order is tried only if it can give another result.
  const monthFirst = dayFirst === null || isAmbiguous ? readAs("month_first") : null;
  if (isAmbiguous && monthFirst !== null) {
    return { ...inferTexts(cells), note: { key: "datasetNote.ambiguousDates" } };
  }
  const read = dayFirst ?? monthFirst;
  if (read === null) return null;
  const hasTime = read.some((value) => value !== null && value.time !== null);
  const values = read.map((value) => {
    if (value === null) return null;
    return hasTime ? `${value.date}T${value.time ?? "00:00:00"}` : value.date;
  });
  const isShifted = cells.some((cell) => cell !== null && /:\d\d\S*\s*[+-](?!00:?00)\d\d:?\d\d$/.test(cell));
  const note: Message = { key: "datasetNote.timeOffsets" };
  return { type: hasTime ? "datetime" : "date", values, ...(isShifted ? { note } : {}) };
}

function inferMonths(cells: readonly (string | null)[]): TypedColumn | null {
  const read = parseAll(cells, (text) => parseMonth(toAscii(text)));
  if (read === null || cells.every((cell) => cell === null || isYearSpan(cell))) return null;
  const note: Message = { key: "datasetNote.months" };
  return { type: "date", values: read.map((value) => value?.date ?? null), note };
}

function inferTexts(cells: readonly (string | null)[]): TypedColumn {
  const isNumeric = parseAll(cells, (text) => parseNumber(toAscii(text), ".")) !== null;
  const note: Message | undefined = isNumeric
    ? { key: "datasetNote.severalUnits" }
    : (describeNearMiss(cells, 1 / 10, "datasetNote.otherThanNumbers", (text) => parseNumber(text, ".")) ??
      describeNearMiss(cells, 1 / 4, "datasetNote.otherThanDates", parseAnyDate));
  return { type: "text", values: cells, ...(note === undefined ? {} : { note }) };
}

/** Parses a date in either order. */
const parseAnyDate = (text: string) => parseDate(text, "day_first") ?? parseDate(text, "month_first");

/**
 * Returns a note if only a few cells prevent the column from being numeric or a date, because that is usually a
 * mistake.
 */
function describeNearMiss(
  cells: readonly (string | null)[],
  maxShare: number,
  key: MessageKey,
  parse: (text: string) => object | null,
): Message | undefined {
  const filled = cells.filter((cell): cell is string => cell !== null && !isMissing(cell));
  const others: string[] = [];
  // One wrong cell among a few is treated as a mistake, too.
  const allowed = Math.max(filled.length * maxShare, filled.length > 3 ? 1 : 0);
  for (const cell of filled) {
    if (parse(toAscii(cell)) !== null) continue;
    others.push(cell);
    if (others.length > allowed) return undefined;
  }
  if (others.length === 0) return undefined;
  const examples = [...new Set(others)].slice(0, 3).map((cell) => `“${cell.slice(0, 40)}”`);
  return { key, params: { count: others.length, examples } };
}
