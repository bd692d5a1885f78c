// Parses the classes and tables in a prompt, and finds what a text names of them.

import * as z from "zod";
import { normalizeCharacters } from "../../language/text-spans.ts";
import { parseJsonAfter } from "../prompt-context.ts";

/** A list in a prompt may end with a note about omitted entries. */
const createListSchema = <T>(schema: z.ZodType<T>) => {
  const parseItem = (item: unknown) => schema.safeParse(item).data;
  return z
    .array(z.unknown())
    .catch([])
    .transform((all) => all.map(parseItem).filter((item) => item !== undefined));
};

const columnSchema = z.object({
  /** A name that looks like a reference cannot be used in a blueprint. */
  name: z.string().regex(/^(?!\$(?:context|input|data|compute)\.)./s),
  type: z.string().catch("text"),
});
const tableSchema = z.object({
  name: z.string().min(1),
  is_sample: z.boolean().catch(false),
  columns: createListSchema(columnSchema),
});
const classSchema = z.object({
  class_id: z.string(),
  name: z.string(),
  assignments: createListSchema(z.object({ assignment_id: z.string(), title: z.string() })),
});
const dataSchema = z.object({
  teacher_id: z.string().catch(""),
  classes: createListSchema(classSchema),
  datasets: createListSchema(tableSchema),
});

export type DatasetColumn = z.infer<typeof columnSchema>;
export type DatasetTable = z.infer<typeof tableSchema>;
export type SchoolClass = z.infer<typeof classSchema>;
export type AnalysisData = z.infer<typeof dataSchema>;

export function parseAnalysisData(message: string): AnalysisData {
  const read = dataSchema.safeParse(parseJsonAfter("Data that exists:", message));
  return read.data ?? { teacher_id: "", classes: [], datasets: [] };
}

export const isNumber = ({ type }: DatasetColumn): boolean => type === "integer" || type === "number";
export const isDate = ({ type }: DatasetColumn): boolean => type === "date" || type === "datetime";
const IDENTIFIER = /(?:^|[_\s])(?:id|no|code|year|status)$|Id$|编号|学号|序号|年份/i;
/** True if sums and means of the column make sense. */
export const isMeasure = (column: DatasetColumn): boolean => isNumber(column) && !IDENTIFIER.test(column.name);
/** True if the column divides rows into groups by itself, without the word `by`. */
export const isGroup = ({ type, name }: DatasetColumn): boolean => type === "text" && !IDENTIFIER.test(name);

/** Something that a text can name, with a pattern for its name. */
export type Subject = { readonly name: string; readonly pattern: string } & (
  | { readonly type: "table" }
  | { readonly type: "column"; readonly column: DatasetColumn }
  | { readonly type: "class"; readonly room: SchoolClass }
  | { readonly type: "assignment" }
);
export type Mention = { readonly subject: Subject; readonly start: number };

/** Matches a name in the singular or plural, with any separators between its words. */
export function buildNamePattern(name: string): string {
  const words = normalizeCharacters(name)
    .trim()
    .split(/[\s_-]+/);
  const body = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("[\\s_-]*");
  if (!/^[\x20-\x7e]+$/.test(name)) return body;
  return `(?<![a-z\\d])${/[a-z]{3}s$/i.test(name) ? `${body}?` : `${body}(?:e?s)?`}(?![a-z\\d])`;
}

export function listTableSubjects({ name, columns }: DatasetTable): Subject[] {
  const table = name.replace(/\.\w+$/, "");
  return [
    { type: "table", name: table, pattern: buildNamePattern(table) },
    ...columns.flatMap((column): Subject[] => [
      { type: "column", name: column.name, pattern: buildNamePattern(column.name), column },
      // 各班 names 班级.
      ...(/^[\u3400-\u9fff]{2}$/.test(column.name)
        ? [{ type: "column", name: "各", pattern: `(?<=[各每按哪]一?[个家间所]?)${column.name[0]}`, column } as const]
        : []),
    ]),
  ];
}

export function listClassSubjects({ classes }: AnalysisData): Subject[] {
  return classes.flatMap((room): Subject[] => {
    const [, digits = "0", letter = "$"] = /(\d{1,2})[\s-]?([a-z])$/i.exec(room.name) ?? [];
    const han = "零一二三四五六七八九"[Number(digits)] ?? digits;
    const code = `(?<![a-z\\d-])(?:f|form |class |[中初高])?(?:${digits}|${han}年?级?)[\\s-]?${letter}(?![a-z\\d])班?`;
    const patterns = [buildNamePattern(room.name), buildNamePattern(room.class_id), code];
    return [
      { type: "class", name: room.name, pattern: patterns.join("|"), room },
      ...room.assignments.map(({ title, assignment_id }): Subject => {
        // `Unit 5` for `Unit 5 Test`.
        const short = title.split(" ").slice(0, -1).join(" ") || title;
        const pattern = [title, short, assignment_id].map(buildNamePattern).join("|");
        return { type: "assignment", name: title, pattern };
      }),
    ];
  });
}

/** Finds everything that a folded text names, in order, and blanks it in `rest`. Longer names win over those in them. */
export function findMentions(text: string, subjects: readonly Subject[]): { mentions: Mention[]; rest: string } {
  const mentions: Mention[] = [];
  let rest = text;
  for (const subject of subjects.toSorted((a, b) => b.name.length - a.name.length)) {
    rest = rest.replace(new RegExp(subject.pattern, "gi"), (match: string, ...groups: unknown[]) => {
      const start = Number(groups.find((group) => typeof group === "number"));
      mentions.push({ subject, start });
      return " ".repeat(match.length);
    });
  }
  return { mentions: mentions.toSorted((a, b) => a.start - b.start), rest };
}
