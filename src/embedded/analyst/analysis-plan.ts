// Turns a parsed request into an analysis plan, or into the question that completes it.

import type { LocalizedText } from "../../language/detect-language.ts";
import { normalizeCharacters } from "../../language/text-spans.ts";
import {
  getGroupColumns,
  isDateColumn,
  getMeasureColumns,
  type DatasetColumn,
  type AnalysisData,
  type DatasetTable,
} from "./analysis-data.ts";
import type { RowFilter } from "./row-filters.ts";
import type { TimeBucket, AnalysisKind, AggregateFunction } from "./analysis-keywords.ts";
import type { ClassSelection, ParsedAnalysis } from "./parse-analysis.ts";

export type AnalysisPlan =
  | {
      readonly type: "classes";
      readonly kind: AnalysisKind;
      readonly teacher: string;
      readonly groups: readonly ClassSelection[];
      readonly assignment: NonNullable<ParsedAnalysis["assignment"]>;
      readonly isLowest: boolean;
    }
  | { readonly type: "student"; readonly teacher: string; readonly name: string }
  | TableAnalysisPlan;

export type TableAnalysisPlan = {
  readonly type: "table";
  readonly kind: AnalysisKind;
  readonly table: DatasetTable;
  /** Null if rows are counted. */
  readonly measure: DatasetColumn | null;
  readonly reckoning: AggregateFunction;
  readonly by: DatasetColumn | null;
  readonly date: DatasetColumn | null;
  readonly bucket: TimeBucket;
  readonly year: string | null;
  readonly filters: readonly RowFilter[];
  /** The columns of a correlation. */
  readonly pair: readonly [DatasetColumn, DatasetColumn] | null;
  readonly limit: number;
  readonly isLowest: boolean;
};

export type AnalysisPlanResult =
  | { readonly kind: "plan"; readonly plan: AnalysisPlan }
  | { readonly kind: "ask"; readonly hint: "needClassId" | null; readonly question: LocalizedText }
  | { readonly kind: "beyond" }
  | { readonly kind: "none" };

const WHICH_CLASS: LocalizedText = { en: "Which class should I look at?", zh: "要分析哪个班级？" };
const WHICH_DATASET: LocalizedText = {
  en: "Which data should I look at? Choose a dataset.",
  zh: "要分析哪些数据？请选择一个数据集。",
};
const WHICH_DATA: LocalizedText = {
  en: "Which data should I look at? Choose a dataset, or name a class.",
  zh: "要分析哪些数据？请选择一个数据集，或说出班级。",
};

export function planAnalysis(wish: ParsedAnalysis, material: AnalysisData): AnalysisPlanResult {
  const isSaid =
    wish.filters !== undefined || wish.kind !== undefined || wish.bucket !== undefined || wish.reckoning !== undefined;
  // An unknown table has no columns.
  if (wish.table?.columns.length === 0) return { kind: "plan", plan: createSummaryPlan(wish.table, wish) };
  if (wish.table !== undefined) {
    if (!isSaid && wish.by === undefined && wish.measure === undefined && wish.missing === undefined) {
      return wish.isBeyond === true ? { kind: "beyond" } : { kind: "plan", plan: createSummaryPlan(wish.table, wish) };
    }
    return wish.isBeyond === true ? { kind: "beyond" } : planTableAnalysis(wish, wish.table);
  }
  if (wish.isBeyond === true) return wish.isAboutClasses === true || isSaid ? { kind: "beyond" } : { kind: "none" };
  const { student, groups, isAboutClasses, isAllGroups } = wish;
  const teacher = material.teacher_id;
  if (student !== undefined && groups === undefined)
    return { kind: "plan", plan: { type: "student", teacher, name: student } };
  if (groups === undefined && isAboutClasses !== true) {
    if (wish.kind === undefined) return { kind: "none" };
    return { kind: "ask", hint: null, question: material.classes.length === 0 ? WHICH_DATASET : WHICH_DATA };
  }
  const all = material.classes.map((room): ClassSelection => ({ id: room.class_id, name: room.name, room }));
  const chosen = groups ?? (isAllGroups === true || all.length === 1 ? all : []);
  const isPair = wish.kind === "compare" && chosen.length === 1;
  if (chosen.length === 0) {
    return isSaid || isAboutClasses === true
      ? { kind: "ask", hint: "needClassId", question: WHICH_CLASS }
      : { kind: "none" };
  }
  const others = isPair && isAllGroups === true ? all : chosen;
  const { assignment = {}, isLowest = false } = wish;
  if (wish.kind === "correlation") return { kind: "beyond" };
  const kind = wish.kind === undefined || (wish.kind === "compare" && others.length === 1) ? "summary" : wish.kind;
  return { kind: "plan", plan: { type: "classes", kind, teacher, groups: others.slice(0, 6), assignment, isLowest } };
}

function createSummaryPlan(table: DatasetTable, wish: ParsedAnalysis): TableAnalysisPlan {
  return createTablePlan({ ...wish, kind: "summary" }, table, "summary");
}

function planTableAnalysis(wish: ParsedAnalysis, table: DatasetTable): AnalysisPlanResult {
  if (wish.broken !== undefined) return { kind: "ask", hint: null, question: formatBrokenColumnQuestion(wish.broken) };
  const kind =
    wish.kind ??
    (wish.bucket !== undefined ? "trend" : wish.by !== undefined || wish.missing !== undefined ? "compare" : "summary");
  // "Which months are best" and "sales by month, highest first" are trends.
  const isAlong = kind === "summary" || kind === "compare" || (kind === "ranking" && wish.by === undefined);
  const isTrend = kind === "trend" || (wish.bucket !== undefined && isAlong);
  if (isTrend && !table.columns.some(isDateColumn)) {
    // `by month` may name a text column.
    if (wish.by !== undefined && wish.bucket !== undefined)
      return { kind: "plan", plan: createTablePlan(wish, table, "compare") };
    const question = {
      en: `"${table.name}" has no column of dates, so there is no trend in it. By which column should I compare instead?`,
      zh: `“${table.name}”没有日期列，无法看趋势。要按哪一列对比？`,
    };
    return { kind: "ask", hint: null, question };
  }
  const isOfNumbers = wish.reckoning !== undefined && wish.reckoning !== "count" && wish.reckoning !== "sum";
  if (isOfNumbers && getMeasureColumns(table).length === 0) return { kind: "beyond" };
  // Statistics and bars would mix all groups.
  if (kind === "distribution" && wish.by !== undefined && wish.measure !== undefined) return { kind: "beyond" };
  if (kind === "correlation" && wish.missing === undefined && wish.pair === undefined) return { kind: "beyond" };
  return { kind: "plan", plan: createTablePlan(wish, table, isTrend ? "trend" : kind) };
}

function formatBrokenColumnQuestion({ name, values }: DatasetColumn): LocalizedText {
  const others = values.filter((value) => !/^[-+]?\d/.test(value)).slice(0, 3);
  return {
    en: `Some values of "${name}" are no numbers (${others.join(", ")}). Mend them and upload the file again, or name another column.`,
    zh: `“${name}”含有不是数字的值（${others.join("、")}）。请修正后重新上传，或换一列。`,
  };
}

/** Columns for which a sum is meaningless. */
const MEAN_ONLY =
  /score|\b(?:maths?|english|chinese|science|physics|chemistry|biology|history|reading|writing|exam|test|quiz)\b|语文|数学|英语|物理|化学|生物|历史|地理|政治|考试|rate|price|age\b|temp|ratio|percent|share|avg|average|mean|grade|height|weight|speed|分数|成绩|得分|评分|率|价|龄|温|均|占比|身高|体重/i;

function createTablePlan(wish: ParsedAnalysis, table: DatasetTable, kind: AnalysisKind): TableAnalysisPlan {
  const [first] = getMeasureColumns(table);
  // "How many units" sums a column of that name.
  const isCount = wish.reckoning === "count" && wish.measure === undefined;
  const measure = isCount ? null : (wish.measure ?? first ?? null);
  const usual: AggregateFunction =
    measure !== null && (measure.unit === "%" || MEAN_ONLY.test(normalizeCharacters(measure.name))) ? "mean" : "sum";
  const named =
    wish.missing === undefined ? undefined : { name: wish.missing, type: "text", unit: undefined, values: [] };
  const isSplit = kind === "compare" || kind === "ranking";
  return {
    type: "table",
    kind,
    table,
    measure,
    reckoning:
      measure === null ? "count" : wish.reckoning === undefined || wish.reckoning === "count" ? usual : wish.reckoning,
    by: wish.by ?? named ?? (isSplit && wish.isListed !== true ? (getGroupColumns(table)[0] ?? null) : null),
    date: table.columns.find(isDateColumn) ?? null,
    bucket: wish.bucket ?? "month",
    year: wish.year ?? null,
    filters: wish.filters ?? [],
    pair: wish.pair ?? null,
    limit: wish.limit ?? (kind === "ranking" ? 10 : 20),
    isLowest: wish.isLowest ?? false,
  };
}
