// Parses the classes and datasets in a prompt, and finds those that a text names.

import * as z from "zod";
import { normalizeCharacters } from "../../language/text-spans.ts";
import { formatLocalDate, findYear } from "../spoken-dates.ts";
import { parseJsonAfter } from "../prompt-context.ts";

/** A list in a prompt may end with a note about omitted entries. */
const createListSchema = <T>(schema: z.ZodType<T>) =>
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
  columns: createListSchema(columnSchema),
});
const classSchema = z.object({
  class_id: z.string(),
  name: z.string(),
  students: createListSchema(z.string()),
  assignments: createListSchema(
    z.object({
      assignment_id: z.string(),
      title: z.string(),
      type: z.string().catch(""),
      max_score: z.number().nullable().catch(null),
    }),
  ),
});
const analysisDataSchema = z.object({
  teacher_id: z.string().catch(""),
  classes: createListSchema(classSchema),
  datasets: createListSchema(tableSchema),
});

export type DatasetColumn = z.infer<typeof columnSchema>;
export type DatasetTable = z.infer<typeof tableSchema>;
export type SchoolClass = z.infer<typeof classSchema>;
/** `now` is needed to resolve `last year`. */
export type AnalysisData = z.infer<typeof analysisDataSchema> & { readonly now?: number };

export function parseAnalysisData(message: string): AnalysisData {
  const read = analysisDataSchema.safeParse(parseJsonAfter("Data that exists:", message));
  return read.success ? read.data : { teacher_id: "", classes: [], datasets: [] };
}

/** Replaces relative years by numbers. */
export function replaceRelativeYears(text: string, { now }: AnalysisData): string {
  if (now === undefined) return text;
  const today = formatLocalDate(now, undefined);
  return text.replace(/\b(?:in )?(?:last|this) year\b|[前去今]年(?![级龄])/gi, (year) => `in ${findYear(year, today)}`);
}

export const isNumberColumn = ({ type }: DatasetColumn): boolean => type === "integer" || type === "number";
export const isDateColumn = ({ type }: DatasetColumn): boolean => type === "date" || type === "datetime";
/** Numbers that are identifiers. */
const isIdentifierColumn = ({ name }: DatasetColumn): boolean =>
  /(?:^|[_\s])(?:id|no|code|year)$|Id$|编号|学号|序号|年份/i.test(normalizeCharacters(name));

/** Returns the columns that can be aggregated; `getGroupColumns` those that group rows. */
export const getMeasureColumns = ({ columns }: DatasetTable): DatasetColumn[] =>
  columns.filter((one) => isNumberColumn(one) && !isIdentifierColumn(one));
export const getGroupColumns = ({ columns }: DatasetTable): DatasetColumn[] =>
  columns.filter((one) => (one.type === "text" || one.type === "boolean") && !isIdentifierColumn(one));

export const escapeFolded = (text: string): string => normalizeCharacters(text).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Matches a name with any separators between its words. Expects folded text. */
function buildMentionPattern(name: string): RegExp | null {
  const words = normalizeCharacters(name)
    .trim()
    .toLowerCase()
    .split(/[\s_-]+/)
    .filter((word) => word !== "");
  if (words.length === 0) return null;
  const body = words.map(escapeFolded).join("[\\s_-]*");
  const isLatin = /^[\x20-\x7e]+$/.test(name);
  return new RegExp(isLatin ? `(?<![a-z\\d])${body}(?:e?s)?(?![a-z\\d])` : body, "i");
}

export type NameMention<T> = { readonly what: T; readonly at: number; readonly length: number };

/** Returns the named items in order of appearance; a longer name wins over one inside it. */
export function findMentions<T extends { readonly name: string }>(
  text: string,
  things: readonly T[],
): NameMention<T>[] {
  let rest = text;
  const found: NameMention<T>[] = [];
  for (const what of things.toSorted((a, b) => b.name.length - a.name.length)) {
    const match = buildMentionPattern(what.name)?.exec(rest) ?? buildSingularPattern(what.name)?.exec(rest);
    if (match === null || match === undefined) continue;
    const [{ length }, at] = [match[0], match.index];
    found.push({ what, at, length });
    rest = rest.slice(0, at) + " ".repeat(length) + rest.slice(at + length);
  }
  return found.toSorted((a, b) => a.at - b.at);
}

function buildSingularPattern(name: string): RegExp | null {
  return /^[a-z ]{4,}s$/i.test(name) ? buildMentionPattern(name.slice(0, -1)) : null;
}

/** Returns columns of which the text has a part: `amount` for `total_amount`, `销售` for `销售额`. */
export function findHintedColumns(text: string, columns: readonly DatasetColumn[]): DatasetColumn[] {
  const lower = text.toLowerCase();
  return columns.filter((column) => {
    const name = normalizeCharacters(column.name);
    const words = name.toLowerCase().match(/[a-z]{4,}/g) ?? [];
    const han = /[\u3400-\u9fff]{3,}/.exec(name)?.[0] ?? "";
    return (
      words.some((word) => new RegExp(`(?<![a-z])${word}s?(?![a-z])`).test(lower)) ||
      (han !== "" && (lower.includes(han.slice(0, 2)) || lower.includes(han.slice(-2))))
    );
  });
}

/** Finds datasets by name, with or without the file extension. */
export function findNamedTables(text: string, { datasets }: AnalysisData): DatasetTable[] {
  const named = datasets.map((table) => ({ table, name: table.name.replace(/\.(?:csv|json|tsv|txt)$/i, "") }));
  const whole = datasets.map((table) => ({ table, name: table.name }));
  return [...new Set(findMentions(text, [...named, ...whole]).map(({ what }) => what.table))];
}

const CODE = /(\d{1,2})[\s-]?([a-z])$/i;

/** Finds classes by name, id or short form: `1A`, `中一A`. `unknown` are class codes that do not exist. */
export function findNamedClasses(text: string, { classes }: AnalysisData): { known: SchoolClass[]; unknown: string[] } {
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
