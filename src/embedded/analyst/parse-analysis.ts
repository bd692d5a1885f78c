// Parses a request for an analysis line by line; a later line changes what the lines before it asked for.

import { normalizeCharacters } from "../../language/text-spans.ts";
import {
  findMentions,
  isDate,
  isGroup,
  isMeasure,
  listClassSubjects,
  listTableSubjects,
  type AnalysisData,
  type DatasetColumn,
  type DatasetTable,
  type Mention,
  type SchoolClass,
} from "./analysis-data.ts";
import { blankAll, findUnreadWords, parseKeywords, ROW_NOUN, type AnalysisWords } from "./analysis-words.ts";
import { CHART_WORDS } from "./page-edits.ts";

export type RowFilter = { readonly column: string } & (
  | { readonly operator: "in"; readonly value: readonly string[] }
  | { readonly operator: "ne"; readonly value: string }
);

/** A table, classes, or neither is named. */
export type ParsedAnalysis = AnalysisWords & {
  readonly table?: DatasetTable | undefined;
  readonly measures?: readonly DatasetColumn[];
  readonly by?: DatasetColumn;
  readonly filters?: readonly RowFilter[];
  /** The rows themselves are counted or ranked. */
  readonly isOfRows?: boolean;
  readonly isAboutClasses?: boolean;
  readonly classes?: readonly SchoolClass[];
  /** The title of an assignment, or the type of the latest one. */
  readonly assignment?: string;
  /** The last line names a column that the rules cannot use so. */
  readonly isUnsupported?: boolean;
  /** Words of the last line that were not read. */
  readonly unread?: readonly string[];
};

export const REMOVES_FILTERS =
  /\b(?:no|remove|clear|without)(?: the| all)* filters?\b|(?:去掉|取消|清除)(?:所有)?筛选/gi;
const CLASS_WORDS =
  /\b(?:class(?:es)?|students?|assignments?|homework|exams?|tests?|grades|pupils?|scores?|last|latest|did|well)\b|班级?|学生|作业|考试|测验|成绩|同学|分数|最近|最后|一次|上次/gi;
const TABLE_WORDS = /\b(?:data|dataset|table|csv|file|upload)\b|数据|表格?|文件/i;
const BEHIND_BY = /(?:\b(?:by|per|each|every|which|what)\s+(?:the\s+)?|[按各每哪]一?[个家间所]?)$/i;
const NOT = /(?:\b(?:except|excluding|without)(?: for)?(?: the)?|除了?|排除|不含)\s*$/i;
const LISTED = /^[\s,、]*(?:and|和|与|及)?[\s,、]*$/i;

export function parseAnalysisRequest(text: string, data: AnalysisData): ParsedAnalysis {
  return normalizeCharacters(text)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .reduce<ParsedAnalysis>((before, line) => mergeLine(before, parseLine(line, data, before), line), {});
}

function mergeLine(before: ParsedAnalysis, next: ParsedAnalysis, line: string): ParsedAnalysis {
  const isMoved = next.table?.name !== before.table?.name || next.isAboutClasses !== before.isAboutClasses;
  if (isMoved) return { ...(before.kind === undefined ? {} : { kind: before.kind }), ...next };
  const { filters = [], aggregate, by, bucket, kind, ...kept } = before;
  const columns = new Set(next.filters?.map(({ column }) => column));
  const isOther = next.kind !== undefined && next.kind !== kind;
  const isCleared = line.search(REMOVES_FILTERS) >= 0;
  return {
    ...kept,
    ...(isOther || aggregate === undefined || (aggregate === "count" && next.measures !== undefined)
      ? {}
      : { aggregate }),
    // Another grouping replaces a time series, and the reverse.
    ...(by === undefined || next.bucket !== undefined || next.kind === "trend" ? {} : { by }),
    ...(bucket === undefined || next.by !== undefined ? {} : { bucket }),
    ...(kind === undefined || (kind === "trend" && next.by !== undefined) ? {} : { kind }),
    ...next,
    filters: [...filters.filter(({ column }) => !isCleared && !columns.has(column)), ...(next.filters ?? [])],
  };
}

function parseLine(line: string, data: AnalysisData, before: ParsedAnalysis): ParsedAnalysis {
  const classes = findMentions(line, listClassSubjects(data));
  const tables = data.datasets
    .map((table) => ({ table, ...findMentions(line, listTableSubjects(table)) }))
    .map((found) => ({ ...found, score: scoreMentions(found.mentions) }))
    .filter(({ table, score }) => !table.is_sample || (score >= 10 && TABLE_WORDS.test(line)))
    .toSorted((a, b) => b.score - a.score);
  const current = tables.find(({ table }) => table.name === before.table?.name);
  const [best, second] = tables;
  if (best !== undefined && best.score > (classes.mentions.length > 0 ? 2 : 0)) {
    if (best.score === current?.score) return parseTableLine(line, current);
    // Several tables fit equally well.
    return best.score === second?.score
      ? { ...parseKeywords(line).words, table: undefined }
      : parseTableLine(line, best);
  }
  const hasClassWords = data.classes.length > 0 && current === undefined && line.search(CLASS_WORDS) >= 0;
  if (before.isAboutClasses === true || classes.mentions.length > 0 || hasClassWords)
    return parseClassLine(line, classes);
  if (current !== undefined) return parseTableLine(line, current);
  return tables.length === 1 && best !== undefined && TABLE_WORDS.test(line)
    ? parseTableLine(line, best)
    : parseKeywords(line).words;
}

const scoreMentions = (mentions: readonly Mention[]): number =>
  mentions.reduce((sum, { subject: { type } }) => sum + (type === "table" ? 10 : type === "column" ? 2 : 1), 0);

type FoundTable = { readonly table: DatasetTable; readonly mentions: readonly Mention[]; readonly rest: string };

function parseTableLine(line: string, { table, mentions, rest: bare }: FoundTable): ParsedAnalysis {
  const { words, rest } = parseKeywords(blankAll(blankAll(bare, CHART_WORDS), REMOVES_FILTERS));
  const columns = parseColumns(line, mentions, words);
  const filters = parseFilters(line, mentions);
  // `compare East and North` groups by the column of the two.
  const compared = filters.find(({ operator, value }) => operator === "in" && value.length > 1)?.column;
  const by = columns.groups[0] ?? table.columns.find(({ name }) => name === compared);
  const isOfRows = line.replace(/\b(?:in|of|from) (?:my |the )?\w+/gi, "").search(ROW_NOUN) >= 0;
  return {
    ...(columns.isByDate ? { bucket: "day" } : {}),
    ...words,
    ...(columns.measures.length === 0 || words.aggregate === "count" ? {} : { measures: columns.measures }),
    ...(by === undefined ? {} : { by }),
    ...(filters.length === 0 ? {} : { filters }),
    ...(isOfRows ? { isOfRows } : {}),
    ...(columns.isUnsupported ? { isUnsupported: true } : {}),
    unread: findUnreadWords(rest),
    table,
  };
}

/** Decides what each named column is for. */
function parseColumns(line: string, mentions: readonly Mention[], { kind, aggregate }: AnalysisWords) {
  const columns = mentions.flatMap(({ subject, start }) =>
    subject.type === "column" ? [{ column: subject.column, start, isBy: BEHIND_BY.test(line.slice(0, start)) }] : [],
  );
  const numbers = columns.filter(({ column }) => isMeasure(column));
  // A number behind `by` groups the rows only if something else is counted or added up.
  const isGrouped = kind !== "ranking" && (aggregate === "count" || numbers.some(({ isBy }) => !isBy));
  const measures = new Set(numbers.flatMap(({ column, isBy }) => (isBy && isGrouped ? [] : [column])));
  const dates = columns.filter(({ column, isBy }) => isDate(column) && isBy);
  const groups = columns.filter(
    ({ column, isBy }) => isGroup(column) || (isBy && !isDate(column) && !measures.has(column)),
  );
  const used = new Set([...measures, ...dates.map(({ column }) => column), groups[0]?.column]);
  const isUnsupported =
    // Only one grouping is possible, and other numbers cannot be used.
    columns.some(({ column }) => !used.has(column)) ||
    // `number of regions` counts values and not rows.
    (aggregate === "count" && groups[0]?.isBy === false) ||
    // Rows are not sorted by date, and `revenue per unit` is a ratio.
    (kind === "ranking" && dates.length > 0) ||
    numbers.some(({ start }) => /\bper\s+$/i.test(line.slice(0, start)));
  return {
    measures: [...measures],
    groups: groups.map(({ column }) => column),
    isByDate: dates.length > 0,
    isUnsupported,
  };
}

/** Reads the values that a line names. `excluding` applies to all values of its list. */
function parseFilters(line: string, mentions: readonly Mention[]): RowFilter[] {
  const chosen = new Map<string, string[]>();
  const excluded: RowFilter[] = [];
  let [last, isExcluded] = [0, false];
  for (const { subject, start, end } of mentions) {
    if (subject.type !== "value") continue;
    const gap = line.slice(last, start);
    isExcluded = NOT.test(gap) || (isExcluded && LISTED.test(gap));
    const { name: column } = subject.column;
    if (isExcluded) excluded.push({ column, operator: "ne", value: subject.name });
    else chosen.set(column, [...(chosen.get(column) ?? []), subject.name]);
    last = end;
  }
  return [...[...chosen].map(([column, value]): RowFilter => ({ column, operator: "in", value })), ...excluded];
}

function parseClassLine(line: string, { mentions, rest: bare }: ReturnType<typeof findMentions>): ParsedAnalysis {
  const { words, rest } = parseKeywords(blankAll(bare, CHART_WORDS));
  const classes = [...new Set(mentions.flatMap(({ subject }) => (subject.type === "class" ? [subject.room] : [])))];
  const title = mentions.find(({ subject }) => subject.type === "assignment")?.subject.name;
  const type = /\b(?:exam|test)s?\b|考试|测验/i.test(bare)
    ? "exam"
    : /\bhomework\b/i.test(bare)
      ? "homework"
      : undefined;
  const assignment = title ?? type;
  const unread = findUnreadWords(blankAll(rest, CLASS_WORDS));
  return {
    ...words,
    isAboutClasses: true,
    ...(classes.length === 0 ? {} : { classes }),
    ...(assignment === undefined ? {} : { assignment }),
    unread,
  };
}
