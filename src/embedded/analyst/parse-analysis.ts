// Parses a request for an analysis: the table or the classes that it names, and what it asks about them.

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

export type TableRequest = AnalysisWords & {
  readonly about: "table";
  readonly table: DatasetTable;
  readonly measures: readonly DatasetColumn[];
  readonly by: DatasetColumn | undefined;
  /** The rows themselves are counted or ranked. */
  readonly isOfRows: boolean;
  /** It names a column that the rules cannot use so. */
  readonly isUnsupported: boolean;
  /** Words that were not read. */
  readonly unread: readonly string[];
};
export type ClassRequest = AnalysisWords & {
  readonly about: "classes";
  readonly classes: readonly SchoolClass[];
  /** The title of an assignment; by default the latest. */
  readonly assignment: string | undefined;
  readonly unread: readonly string[];
};
export type ParsedAnalysis = TableRequest | ClassRequest | (AnalysisWords & { readonly about: "nothing" });

const CLASS_WORDS =
  /\b(?:class(?:es)?|students?|assignments?|scores?|last|latest|did|well)\b|班级?|学生|作业|成绩|同学|分数|最近|最后|一次|上次/gi;
const TABLE_WORDS = /\b(?:data|dataset|table|csv|file|upload)\b|数据|表格?|文件/i;
const BEHIND_BY = /(?:\b(?:by|per|each|every|which|what)\s+(?:the\s+)?|[按各每哪]一?[个家间所]?)$/i;

export function parseAnalysisRequest(text: string, data: AnalysisData): ParsedAnalysis {
  const request = normalizeCharacters(text);
  const classes = findMentions(request, listClassSubjects(data));
  const tables = data.datasets
    .map((table) => ({ table, ...findMentions(request, listTableSubjects(table)) }))
    .map((found) => ({ ...found, score: scoreMentions(found.mentions) }))
    .filter(({ table, score }) => !table.is_sample || (score >= 10 && TABLE_WORDS.test(request)))
    .toSorted((a, b) => b.score - a.score);
  const [best, second] = tables;
  if (best !== undefined && best.score > (classes.mentions.length > 0 ? 2 : 0) && best.score !== second?.score)
    return parseTableRequest(request, best);
  const hasClassWords = data.classes.length > 0 && request.search(CLASS_WORDS) >= 0;
  if (classes.mentions.length > 0 || hasClassWords) return parseClassRequest(classes);
  return tables.length === 1 && best !== undefined && TABLE_WORDS.test(request)
    ? parseTableRequest(request, best)
    : { about: "nothing", ...parseKeywords(request).words };
}

const scoreMentions = (mentions: readonly Mention[]): number =>
  mentions.reduce((sum, { subject: { type } }) => sum + (type === "table" ? 10 : 2), 0);

type FoundTable = { readonly table: DatasetTable; readonly mentions: readonly Mention[]; readonly rest: string };

function parseTableRequest(request: string, { table, mentions, rest: bare }: FoundTable): TableRequest {
  const { words, rest } = parseKeywords(bare);
  const { isByDate, ...columns } = parseColumns(request, mentions, words);
  const isOfRows = request.replace(/\b(?:in|of|from) (?:my |the )?\w+/gi, "").search(ROW_NOUN) >= 0;
  const unread = findUnreadWords(rest);
  return { about: "table", table, ...(isByDate ? { bucket: "day" } : {}), ...words, ...columns, isOfRows, unread };
}

/** Decides what each named column is for. */
function parseColumns(request: string, mentions: readonly Mention[], { kind, aggregate }: AnalysisWords) {
  const columns = mentions.flatMap(({ subject, start }) => {
    const isBy = BEHIND_BY.test(request.slice(0, start));
    return subject.type === "column" ? [{ column: subject.column, start, isBy }] : [];
  });
  const numbers = columns.filter(({ column }) => isMeasure(column));
  // A number behind `by` groups the rows only if something else is counted or added up.
  const isGrouped = kind !== "ranking" && (aggregate === "count" || numbers.some(({ isBy }) => !isBy));
  const measures = new Set(numbers.flatMap(({ column, isBy }) => (isBy && isGrouped ? [] : [column])));
  const dates = columns.filter(({ column, isBy }) => isDate(column) && isBy);
  const [group] = columns.filter(
    ({ column, isBy }) => isGroup(column) || (isBy && !isDate(column) && !measures.has(column)),
  );
  const used = new Set([...measures, ...dates.map(({ column }) => column), group?.column]);
  const isUnsupported =
    // Only one grouping is possible, and other numbers cannot be used.
    columns.some(({ column }) => !used.has(column)) ||
    // `number of regions` counts values and not rows.
    (aggregate === "count" && group?.isBy === false) ||
    // Rows are not sorted by date, and `revenue per unit` is a ratio.
    (kind === "ranking" && dates.length > 0) ||
    numbers.some(({ start }) => /\bper\s+$/i.test(request.slice(0, start)));
  return {
    measures: aggregate === "count" ? [] : [...measures],
    by: group?.column,
    isByDate: dates.length > 0,
    isUnsupported,
  };
}

function parseClassRequest({ mentions, rest: bare }: ReturnType<typeof findMentions>): ClassRequest {
  const { words, rest } = parseKeywords(bare);
  const classes = new Set(mentions.flatMap(({ subject }) => (subject.type === "class" ? [subject.room] : [])));
  const assignment = mentions.find(({ subject }) => subject.type === "assignment")?.subject.name;
  const unread = findUnreadWords(blankAll(rest, CLASS_WORDS));
  return { about: "classes", ...words, classes: [...classes], assignment, unread };
}
