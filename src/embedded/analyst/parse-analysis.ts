// Parses a request for an analysis. Later lines change the result of earlier ones.

import { normalizeCharacters } from "../../language/text-spans.ts";
import { findMissingDataset } from "./missing-dataset.ts";
import { findGroupColumn, findColumns, asksForRows } from "./column-mentions.ts";
import { parseFilters, mergeFilters, REMOVES_FILTERS, type RowFilter } from "./row-filters.ts";
import {
  replaceRelativeYears,
  findHintedColumns,
  isDateColumn,
  isNumberColumn,
  findMentions,
  findNamedClasses,
  findNamedTables,
  type DatasetColumn,
  type AnalysisData,
  type SchoolClass,
  type DatasetTable,
} from "./analysis-data.ts";
import { parseKeywords, ROW_LIMIT, YEAR, type AnalysisKind, type AnalysisKeywords } from "./analysis-keywords.ts";
import { hasUnreadWords } from "./unsupported-words.ts";

/** A class; `room` is null if it does not exist. */
export type ClassSelection = { readonly id: string; readonly name: string; readonly room: SchoolClass | null };

export type ParsedAnalysis = AnalysisKeywords & {
  readonly groups?: readonly ClassSelection[];
  /** All classes. */
  readonly isAllGroups?: boolean;
  readonly isAboutClasses?: boolean;
  readonly student?: string;
  /** The title of an assignment, or the type of the latest one. */
  readonly assignment?: { readonly title?: string; readonly type?: "exam" | "homework" };
  readonly table?: DatasetTable;
  readonly measure?: DatasetColumn;
  readonly by?: DatasetColumn;
  /** Named columns that do not exist. */
  readonly missing?: string;
  /** A column that would be numeric without some of its values. */
  readonly broken?: DatasetColumn;
  /** Two numeric columns to correlate. */
  readonly pair?: readonly [DatasetColumn, DatasetColumn];
  /** Single rows are asked for instead of aggregates. */
  readonly isListed?: boolean;
  /** The filters on rows. */
  readonly filters?: readonly RowFilter[];
  /** Something that the rules do not support. */
  readonly isBeyond?: boolean;
};

const BEYOND =
  /\b(?:predict|forecast|regress|cluster|caus(?:e|al)|why|outliers?|anomal\w*|excluding|except|where|only(?! the (?:top|first|last|bottom))|without|greater than|less than|more than|fewer than|above|below|join|merge|pivot|percent(?:age)? change|growth rate|year over year|yoy)\b|预测|回归|聚类|原因|为什么|异常|排除|除了|仅|只[看要](?!前|后)|大于|小于|超过|低于|高于|不含|同比|环比|增长率|合并/i;

/** Asks for a replacement. */
export const INSTEAD = /\binstead\b|\brather\b|改|换/i;

export const isUnsupportedAnalysis = (text: string): boolean => BEYOND.test(text);

const CLASS_WORDS =
  /\b(?:class(?:es)?|students?|assignments?|homework|exams?|tests?|quiz(?:zes)?|essays?|grades|pupils?)\b|班|学生|作业|考试|测验|成绩|同学|作文/i;
const DATA_WORDS =
  /\b(?:my|the|this|these|uploaded) (?:[\w-]+ )?(?:data|dataset|table|csv|file|spreadsheet|upload)\b|数据|表格|文件|上传|这[张个]表/i;

/** Parses all lines; each continues the lines before it unless it says otherwise. */
export function parseAnalysisRequest(
  text: string,
  material: AnalysisData,
  before: ParsedAnalysis = {},
): ParsedAnalysis {
  return normalizeCharacters(replaceRelativeYears(text, material))
    .split("\n")
    .filter((line) => line.trim() !== "")
    .reduce(
      (wish, line) =>
        mergeAnalyses(REMOVES_FILTERS.test(line) ? removeFilters(wish) : wish, parseAnalysisLine(line, material, wish)),
      before,
    );
}

function removeFilters({ filters: _, year: __, ...wish }: ParsedAnalysis): ParsedAnalysis {
  return wish;
}

function mergeAnalyses(before: ParsedAnalysis, next: ParsedAnalysis): ParsedAnalysis {
  const isOther = next.table !== undefined && before.table !== undefined && next.table.name !== before.table.name;
  const isMoved = isOther || (next.groups !== undefined && before.table !== undefined);
  const kept = isMoved
    ? keepKindOnly(before)
    : mergeGrouping(mergeMeasure(dropGroupingOfOtherKind(before, next), next), next);
  const filters = mergeFilters(kept.filters ?? [], next.filters ?? []);
  const { broken, ...rest } = kept;
  const still = broken === undefined || next.measure !== undefined ? {} : { broken };
  return { ...rest, ...still, ...next, ...(filters.length === 0 ? {} : { filters }) };
}

/** A missing column replaces the grouping before it, and vice versa. */
function mergeGrouping(before: ParsedAnalysis, next: ParsedAnalysis): ParsedAnalysis {
  const { by, missing, ...rest } = before;
  if (next.missing !== undefined && next.by === undefined) return rest;
  if (next.by !== undefined && missing !== undefined) return { ...rest, ...(by === undefined ? {} : { by }) };
  return before;
}

/** Kinds that share their grouping. */
const SPLIT: readonly AnalysisKind[] = ["compare", "ranking", "summary"];

/** Another table keeps only the kind of analysis. */
function keepKindOnly({ kind }: ParsedAnalysis): ParsedAnalysis {
  return kind === undefined ? {} : { kind };
}

/** Another kind of analysis drops the old grouping. */
function dropGroupingOfOtherKind(before: ParsedAnalysis, { kind }: ParsedAnalysis): ParsedAnalysis {
  if (kind === undefined || before.kind === undefined || kind === before.kind) return before;
  const { by, bucket: _, missing: __, limit: ___, ...rest } = before;
  const isSplit = by !== undefined && SPLIT.includes(kind) && SPLIT.includes(before.kind);
  return isSplit ? { ...rest, by } : rest;
}

/** A count of rows drops the measure, and a named measure ends the count. */
function mergeMeasure(before: ParsedAnalysis, next: ParsedAnalysis): ParsedAnalysis {
  const { measure, reckoning, ...rest } = before;
  if (next.reckoning === "count" && next.measure === undefined) return rest;
  if (next.measure === undefined || reckoning !== "count") return before;
  return { ...rest, ...(measure === undefined ? {} : { measure }) };
}

function parseAnalysisLine(line: string, material: AnalysisData, before: ParsedAnalysis): ParsedAnalysis {
  const rooms = findNamedClasses(line, material);
  const students = material.classes.flatMap((room) => room.students.map((name) => ({ name })));
  const [student] = findMentions(line, students);
  const table = findTable(line, material, before, rooms.known.length > 0);
  const groups = [
    ...rooms.known.map((room): ClassSelection => ({ id: room.class_id, name: room.name, room })),
    // A name of a column is not a class.
    ...(table === undefined ? rooms.unknown.map((name): ClassSelection => ({ id: name, name, room: null })) : []),
  ];
  const words = parseKeywords(line);
  const isThere = (one: DatasetTable | undefined) => one !== undefined && one.columns.length > 0;
  const absent = words.kind === undefined || isThere(table) || isThere(before.table) ? null : findMissingDataset(line);
  if (absent !== null && rooms.known.length + rooms.unknown.length === 0 && student === undefined)
    return { ...words, table: { name: absent, rows: 0, is_sample: false, columns: [] } };
  if (table !== undefined) {
    const found = parseFilters(line, table, material, before.table?.name === table.name ? before.measure : undefined);
    const { rest } = found;
    const { year, ...told } = parseKeywords(rest);
    const ofYear =
      year === undefined || table.columns.some(isDateColumn) ? null : buildYearFilters(table, Number(year));
    const filters = [...found.filters, ...(ofYear ?? [])];
    const measure = told.reckoning === "count" || before.table !== undefined ? undefined : found.named;
    const columns = { ...(measure === undefined ? {} : { measure }), ...findColumns(rest, table) };
    const isTimeless = before.kind === "trend" && !table.columns.some(isDateColumn);
    const isRegrouped = columns.by !== undefined && words.kind === undefined && (INSTEAD.test(line) || isTimeless);
    const compared = filters.find(
      ({ value }) => Array.isArray(value) && value.length > 1 && typeof value[0] === "string",
    );
    const by = table.columns.find(({ name }) => name === compared?.column);
    const open = REMOVES_FILTERS.test(line) ? rest.replace(REMOVES_FILTERS, "") : rest;
    return {
      ...told,
      ...(year === undefined || ofYear !== null ? {} : { year }),
      ...(isRegrouped ? { kind: "compare" } : {}),
      ...(by === undefined || words.kind !== "compare" ? {} : { by }),
      ...columns,
      ...(isUnsupportedAnalysis(open) ||
      hasUnreadWords(open, table, material, [ROW_LIMIT, YEAR]) ||
      ofYear?.length === 0
        ? { isBeyond: true }
        : {}),
      ...(filters.length === 0 ? {} : { filters }),
      ...(columns.by === undefined && asksForRows(line, table) ? { isListed: true } : {}),
      table,
    };
  }
  const titles = material.classes.flatMap((room) => room.assignments.map(({ title }) => ({ name: title })));
  const [title] = findMentions(line, titles);
  const byId = material.classes.find(({ assignments }) => assignments.some((one) => line.includes(one.assignment_id)));
  const idTitle = byId?.assignments.find((one) => line.includes(one.assignment_id))?.title;
  const name = title?.what.name ?? idTitle ?? findTitleByPart(line, titles);
  const type = /\b(?:exam|test|quiz)\b|考试|测验/i.test(line)
    ? "exam"
    : /\bhomework\b/i.test(line)
      ? "homework"
      : undefined;
  // "Only 1A" does not filter within 1A.
  const open = groups.length > 0 ? line.replace(/\bonly\b|仅|只[看要]?/gi, " ") : line;
  const isAboutClasses = CLASS_WORDS.test(line) && material.classes.length > 0;
  return {
    ...words,
    ...(isUnsupportedAnalysis(open) ? { isBeyond: true } : {}),
    ...(groups.length === 0
      ? byId === undefined || before.groups !== undefined
        ? {}
        : { groups: [{ id: byId.class_id, name: byId.name, room: byId }] }
      : { groups }),
    ...(student === undefined ? {} : { student: student.what.name }),
    ...(name === undefined ? (type === undefined ? {} : { assignment: { type } }) : { assignment: { title: name } }),
    ...(isAboutClasses || groups.length > 0 || student !== undefined ? { isAboutClasses: true } : {}),
    ...(/\b(?:all|both|each|every|the|my|these) (?:\w+ )?classes\b|\bwhich class\b|各班|[所全]有?班|两个?班|哪个班|班级之间/i.test(
      line,
    )
      ? { isAllGroups: true }
      : {}),
  };
}

/** `unit 4` for `Unit 4 Test`. */
function findTitleByPart(line: string, titles: readonly { readonly name: string }[]): string | undefined {
  const unit = /\bunit\s*(\d+)|(?:第\s*)?(\d+)\s*单元|单元\s*(\d+)/i.exec(line);
  const number = unit?.[1] ?? unit?.[2] ?? unit?.[3];
  if (number !== undefined)
    return titles.find(({ name }) => new RegExp(`\\bunit ${number}\\b`, "i").test(name))?.name ?? `Unit ${number}`;
  return /\bessay\b|作文/i.test(line) ? titles.find(({ name }) => /essay|作文/i.test(name))?.name : undefined;
}

/** Filters by year if the year has its own column. */
function buildYearFilters({ columns }: DatasetTable, year: number): RowFilter[] {
  const years = columns.filter((one) => isNumberColumn(one) && /year|年/i.test(one.name)).slice(0, 1);
  return years.map(({ name }) => ({ column: name, operator: "in", value: [year] }));
}

function scoreTable(line: string, table: DatasetTable, material: AnalysisData): number {
  const { filters } = parseFilters(line, table, material);
  const values = filters.filter(({ operator }) => operator === "in" || operator === "ne").length;
  const short = findGroupColumn(line, table) === undefined ? 0 : 1;
  return findMentions(line, table.columns).length * 2 + findHintedColumns(line, table.columns).length + values + short;
}

/** Returns the dataset that a line names, by its name or by its columns. */
function findTable(
  line: string,
  material: AnalysisData,
  before: ParsedAnalysis,
  hasRooms: boolean,
): DatasetTable | undefined {
  const named = findNamedTables(line, material);
  const own = named.find((table) => !table.is_sample);
  if (own !== undefined) return own;
  const ranked = material.datasets
    .filter((table) => !table.is_sample)
    .map((table) => ({ table, score: scoreTable(line, table, material) }))
    .toSorted((a, b) => b.score - a.score || Number(b.table === before.table) - Number(a.table === before.table));
  const [best] = ranked;
  if (hasRooms && (best?.score ?? 0) < 4) return undefined;
  if (best !== undefined && best.score > 0) return best.table;
  if (before.groups !== undefined || CLASS_WORDS.test(line)) {
    // Tables of the sample need the word table.
    return /\b(?:dataset|table)\b|数据集|表/i.test(line) ? named[0] : undefined;
  }
  if (before.table !== undefined) return before.table;
  return named[0] ?? (ranked.length === 1 && DATA_WORDS.test(line) ? best?.table : undefined);
}
