// Parses the classes and datasets in a prompt, and finds those that a text names.

import * as z from "zod";
import { fold } from "../../../protocol/words/text.ts";
import { dateAt, yearIn } from "../dates.ts";
import { jsonAfter } from "../talk.ts";

/** A list in a prompt may end with a note about omitted entries. */
const listOf = <T>(schema: z.ZodType<T>) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((all) =>
      all.flatMap((one) => {
        const read = schema.safeParse(one);
        return read.success ? [read.data] : [];
      }),
    );

const columnSchema = z.object({
  /** A name that looks like a reference cannot be used in a blueprint. */
  name: z.string().regex(/^(?!\$(?:context|input|data|compute)\.)./s),
  type: z.string().catch("text"),
  unit: z.string().optional().catch(undefined),
  /** The most frequent values of a text column. */
  values: z.array(z.string()).catch([]),
});
const tableSchema = z.object({
  name: z.string().min(1),
  rows: z.number().catch(0),
  is_sample: z.boolean().catch(false),
  columns: listOf(columnSchema),
});
const roomSchema = z.object({
  class_id: z.string(),
  name: z.string(),
  students: listOf(z.string()),
  assignments: listOf(
    z.object({
      assignment_id: z.string(),
      title: z.string(),
      type: z.string().catch(""),
      max_score: z.number().nullable().catch(null),
    }),
  ),
});
const materialSchema = z.object({
  teacher_id: z.string().catch(""),
  classes: listOf(roomSchema),
  datasets: listOf(tableSchema),
});

export type Column = z.infer<typeof columnSchema>;
export type Table = z.infer<typeof tableSchema>;
export type Room = z.infer<typeof roomSchema>;
/** `now` is needed to resolve `last year`. */
export type Material = z.infer<typeof materialSchema> & { readonly now?: number };

export function materialIn(message: string): Material {
  const read = materialSchema.safeParse(jsonAfter("Data that exists:", message));
  return read.success ? read.data : { teacher_id: "", classes: [], datasets: [] };
}

/** Replaces relative years by numbers. */
export function dated(text: string, { now }: Material): string {
  if (now === undefined) return text;
  const today = dateAt(now, undefined);
  return text.replace(/\b(?:in )?(?:last|this) year\b|[前去今]年(?![级龄])/gi, (year) => `in ${yearIn(year, today)}`);
}

export const isNumber = ({ type }: Column): boolean => type === "integer" || type === "number";
export const isDate = ({ type }: Column): boolean => type === "date" || type === "datetime";
/** Numbers that are identifiers. */
const isKey = ({ name }: Column): boolean =>
  /(?:^|[_\s])(?:id|no|code|year)$|Id$|编号|学号|序号|年份/i.test(fold(name));

/** Returns the columns that can be aggregated; `getGroupColumns` those that group rows. */
export const measuresOf = ({ columns }: Table): Column[] => columns.filter((one) => isNumber(one) && !isKey(one));
export const groupsOf = ({ columns }: Table): Column[] =>
  columns.filter((one) => (one.type === "text" || one.type === "boolean") && !isKey(one));

export const escaped = (text: string): string => fold(text).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Matches a name with any separators between its words. Expects folded text. */
function patternOf(name: string): RegExp | null {
  const words = fold(name)
    .trim()
    .toLowerCase()
    .split(/[\s_-]+/)
    .filter((word) => word !== "");
  if (words.length === 0) return null;
  const body = words.map(escaped).join("[\\s_-]*");
  const isLatin = /^[\x20-\x7e]+$/.test(name);
  return new RegExp(isLatin ? `(?<![a-z\\d])${body}(?:e?s)?(?![a-z\\d])` : body, "i");
}

export type Mention<T> = { readonly what: T; readonly at: number; readonly length: number };

/** Returns the named items in order of appearance; a longer name wins over one inside it. */
export function mentioned<T extends { readonly name: string }>(text: string, things: readonly T[]): Mention<T>[] {
  let rest = text;
  const found: Mention<T>[] = [];
  for (const what of things.toSorted((a, b) => b.name.length - a.name.length)) {
    const match = patternOf(what.name)?.exec(rest) ?? singular(what.name)?.exec(rest);
    if (match === null || match === undefined) continue;
    const [{ length }, at] = [match[0], match.index];
    found.push({ what, at, length });
    rest = rest.slice(0, at) + " ".repeat(length) + rest.slice(at + length);
  }
  return found.toSorted((a, b) => a.at - b.at);
}

function singular(name: string): RegExp | null {
  return /^[a-z ]{4,}s$/i.test(name) ? patternOf(name.slice(0, -1)) : null;
}

/** Returns columns of which the text has a part: `amount` for `total_amount`, `销售` for `销售额`. */
export function hinted(text: string, columns: readonly Column[]): Column[] {
  const lower = text.toLowerCase();
  return columns.filter((column) => {
    const name = fold(column.name);
    const words = name.toLowerCase().match(/[a-z]{4,}/g) ?? [];
    const han = /[\u3400-\u9fff]{3,}/.exec(name)?.[0] ?? "";
    return (
      words.some((word) => new RegExp(`(?<![a-z])${word}s?(?![a-z])`).test(lower)) ||
      (han !== "" && (lower.includes(han.slice(0, 2)) || lower.includes(han.slice(-2))))
    );
  });
}

/** Finds datasets by name, with or without the file extension. */
export function tablesNamed(text: string, { datasets }: Material): Table[] {
  const named = datasets.map((table) => ({ table, name: table.name.replace(/\.(?:csv|json|tsv|txt)$/i, "") }));
  const whole = datasets.map((table) => ({ table, name: table.name }));
  return [...new Set(mentioned(text, [...named, ...whole]).map(({ what }) => what.table))];
}

const CODE = /(\d{1,2})[\s-]?([a-z])$/i;

/** Finds classes by name, id or short form: `1A`, `中一A`. `unknown` are class codes that do not exist. */
export function roomsNamed(text: string, { classes }: Material): { known: Room[]; unknown: string[] } {
  const lower = text.toLowerCase();
  const places = classes.flatMap((room) => {
    const [, digits = "", letter = ""] = CODE.exec(room.name) ?? [];
    const han = "零一二三四五六七八九"[Number(digits)] ?? digits;
    const short = new RegExp(
      `(?<![a-z\\d])(?:f|form\\s?|class\\s?)?(?:${digits}|[中初高]?${han}年?级?)[\\s-]?${letter}(?![a-z\\d])`,
      "i",
    );
    const at = [
      lower.indexOf(room.name.toLowerCase()),
      lower.indexOf(room.class_id.toLowerCase()),
      digits === "" ? -1 : text.search(short),
    ].filter((place) => place >= 0);
    return at.length === 0 ? [] : [{ room, at: Math.min(...at), code: `${digits}${letter}`.toLowerCase() }];
  });
  const codes = new Set(places.map(({ code }) => code));
  const shaped = [...text.matchAll(/(?<![\w-])(?:F(?:orm )?|[Cc]lass )?(\d{1,2}[A-Z])(?![\w])/g)];
  return {
    known: places.toSorted((a, b) => a.at - b.at).map(({ room }) => room),
    unknown:
      classes.length === 0
        ? []
        : [...new Set(shaped.map(([, code = ""]) => code))].filter((code) => !codes.has(code.toLowerCase())),
  };
}
