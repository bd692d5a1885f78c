// Decides what becomes of a request for an analysis: a page, a question, or nothing that the rules do.

import type { Language, LocalizedText } from "../../language/detect-language.ts";
import { isDate, isGroup, isMeasure, type AnalysisData, type DatasetTable, type SchoolClass } from "./analysis-data.ts";
import { draftClassPage } from "./class-pages.ts";
import { assembleBlueprint, type DraftedPage, type RuleJson } from "./page-draft.ts";
import { parseAnalysisRequest, type ClassRequest, type TableRequest } from "./parse-analysis.ts";
import { draftGroups, draftTotals, draftTrend, type TableView } from "./table-pages.ts";

export type AnalysisPlan =
  | { readonly kind: "page"; readonly createBlueprint: (language: Language) => RuleJson }
  | { readonly kind: "ask"; readonly isAboutClasses: boolean; readonly question: LocalizedText }
  /** An analysis that the rules do not make, or no analysis. */
  | { readonly kind: "unsupported" };

/** Work that the rules do not do, though they may know each word of it. */
const UNSUPPORTED =
  /\b(?:why|predict\w*|forecast\w*|correlat\w*|join|merge|pivot|percent\w*|shares?|ratios?|growth|distinct|unique|without|not|or|(?:pie|line|bar)(?: chart)?)\b|饼图|折线图|曲线图|柱状?图|为什么|原因|预测|回归|相关|合并|占比|比例|百分|同比|环比|增长|不同的|几种|种类|加上|人均|或者|(?<=[各每][^,，。]{1,9})最[高低大小好差](?:的|是谁)|(?<=\b(?:top|best|highest|most)\b.*)\b(?:in|of|for) each\b/i;

const UNSUPPORTED_PLAN: AnalysisPlan = { kind: "unsupported" };

const ask = (en: string, zh: string, isAboutClasses = false): AnalysisPlan => ({
  kind: "ask",
  isAboutClasses,
  question: { en, zh },
});

export function planAnalysis(text: string, data: AnalysisData): AnalysisPlan {
  const request = parseAnalysisRequest(text, data);
  if (UNSUPPORTED.test(text)) return UNSUPPORTED_PLAN;
  if (request.about === "table") return planTablePage(request);
  if (request.about === "classes") return planClassPage(request, data);
  if (request.kind === undefined) return UNSUPPORTED_PLAN;
  return data.classes.length === 0
    ? ask("Which data should I look at? Choose a dataset.", "要分析哪些数据？请选择一个数据集。")
    : ask(
        "Which data should I look at? Choose a dataset, or name a class.",
        "要分析哪些数据？请选择一个数据集，或说出班级。",
      );
}

function planClassPage(request: ClassRequest, { classes: all, teacher_id: teacher }: AnalysisData): AnalysisPlan {
  const { unread, kind = "summary", assignment } = request;
  if (unread.length > 0) {
    const titles = all.flatMap(({ assignments }) => assignments.map(({ title }) => title));
    const known = [...all.map(({ name }) => name), ...new Set(titles)];
    return ask(
      `I find no "${unread.join(" ")}" in the classes. There are: ${known.join(", ")}.`,
      `班级数据里没有“${unread.join(" ")}”。现有：${known.join("、")}。`,
      true,
    );
  }
  const isAll = request.classes.length === 0 && (kind === "compare" || all.length === 1);
  const classes = isAll ? all : request.classes;
  if (classes.length === 0) return ask("Which class should I look at?", "要分析哪个班级？", true);
  const isThere = ({ assignments }: SchoolClass) =>
    assignments.some(({ title }) => assignment === undefined || title === assignment);
  const isPair = classes.length === 2 && kind !== "distribution";
  if (kind === "trend" || kind === "ranking" || !classes.every(isThere) || !(classes.length === 1 || isPair))
    return UNSUPPORTED_PLAN;
  return {
    kind: "page",
    createBlueprint: (language) =>
      assembleBlueprint(draftClassPage({ classes, teacher, assignment, language }), language),
  };
}

const listNames = (columns: readonly { readonly name: string }[], comma: string): string =>
  columns.map(({ name }) => name).join(comma);

function askForColumn({ name, columns }: DatasetTable, unread: readonly string[] = []): AnalysisPlan {
  const [en, zh, words] = [listNames(columns, ", "), listNames(columns, "、"), unread.join(" ")];
  return words === ""
    ? ask(`Which column of "${name}" do you mean? It has: ${en}.`, `是“${name}”的哪一列？列有：${zh}。`)
    : ask(
        `"${name}" has no column or value "${words}". Its columns: ${en}.`,
        `“${name}”没有“${words}”这一列或值。列有：${zh}。`,
      );
}

function planTablePage({ table, ...request }: TableRequest): AnalysisPlan {
  const { aggregate = null, bucket, unread, kind } = request;
  if (request.isUnsupported || kind === "distribution") return UNSUPPORTED_PLAN;
  if (unread.length > 0) return askForColumn(table, unread);
  const groups = table.columns.filter(isGroup);
  const isTrend = bucket !== undefined || kind === "trend";
  const by = request.by ?? (kind === "compare" && !isTrend && groups.length === 1 ? groups[0] : undefined);
  const isNamed = request.measures.length > 0;
  // `which region has the most orders` and `requests per path` count rows.
  const isCount = !isNamed && (aggregate === "count" || (request.isOfRows && (by !== undefined || isTrend)));
  const all = isCount ? [] : table.columns.filter(isMeasure).slice(0, 3);
  const measures = isNamed ? request.measures : all;
  const create = (draft: (view: TableView) => DraftedPage): AnalysisPlan => ({
    kind: "page",
    createBlueprint: (language) => assembleBlueprint(draft({ table, measures, aggregate, language }), language),
  });
  if (!isCount && aggregate !== null && measures.length === 0) return askForColumn(table);
  if (isTrend) {
    const date = table.columns.find(isDate)?.name;
    return date === undefined || by !== undefined
      ? askForColumn(table)
      : create((view) => draftTrend(view, date, bucket ?? "month"));
  }
  const isRankable = isCount || (isNamed && measures.length > 0) || measures.length === 1;
  if ((kind === "ranking" || kind === "compare") && (by === undefined || (kind === "ranking" && !isRankable)))
    return askForColumn(table);
  const order = { limit: request.limit ?? (kind === "ranking" ? 10 : 20), isLowest: request.isLowest ?? false };
  if (by !== undefined) return create((view) => draftGroups(view, by.name, order));
  return create(draftTotals);
}
