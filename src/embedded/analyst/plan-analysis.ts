// Decides what becomes of a parsed request: a page, a question, or nothing that the rules do.

import type { Language, LocalizedText } from "../../language/detect-language.ts";
import { isDate, isGroup, isMeasure, type AnalysisData, type DatasetTable, type SchoolClass } from "./analysis-data.ts";
import { draftClassPage } from "./class-pages.ts";
import type { DraftedPage } from "./page-draft.ts";
import type { ParsedAnalysis } from "./parse-analysis.ts";
import { draftGroups, draftOverview, draftRows, draftTotals, draftTrend } from "./table-pages.ts";

export type AnalysisPlan =
  | { readonly kind: "page"; readonly draft: (language: Language) => DraftedPage }
  | { readonly kind: "ask"; readonly hint: "needClassId" | null; readonly question: LocalizedText }
  /** `unsupported`: an analysis that the rules do not make. `none`: no analysis. */
  | { readonly kind: "unsupported" | "none" };

/** Work that the rules do not do, though they may know each word of it. */
const UNSUPPORTED =
  /\b(?:why|predict\w*|forecast\w*|correlat\w*|join|merge|pivot|percent\w*|shares?|ratios?|growth|distinct|unique|add|not|or)\b|为什么|原因|预测|回归|相关|合并|占比|比例|百分|同比|环比|增长|不同的|几种|种类|加上|人均|或者|(?<=[各每][^,，。]{1,9})最[高低大小好差](?:的|是谁)|(?<=\b(?:top|best|highest|most)\b.*)\b(?:in|of|for) each\b/i;

const ask = (en: string, zh: string, hint: "needClassId" | null = null): AnalysisPlan => ({
  kind: "ask",
  hint,
  question: { en, zh },
});

export function planAnalysis(wish: ParsedAnalysis, lastLine: string, data: AnalysisData): AnalysisPlan {
  if (wish.isUnsupported === true || UNSUPPORTED.test(lastLine)) return { kind: "unsupported" };
  if (wish.table !== undefined) return planTablePage(wish, wish.table);
  if (wish.isAboutClasses === true) return planClassPage(wish, data);
  if (wish.kind === undefined) return { kind: "none" };
  return data.classes.length === 0
    ? ask("Which data should I look at? Choose a dataset.", "要分析哪些数据？请选择一个数据集。")
    : ask(
        "Which data should I look at? Choose a dataset, or name a class.",
        "要分析哪些数据？请选择一个数据集，或说出班级。",
      );
}

function planClassPage(wish: ParsedAnalysis, { classes: all, teacher_id }: AnalysisData): AnalysisPlan {
  const { unread = [], kind = "summary", assignment, isLowest = false } = wish;
  if (unread.length > 0) {
    const titles = all.flatMap(({ assignments }) => assignments.map(({ title }) => title));
    const known = [...all.map(({ name }) => name), ...new Set(titles)];
    return ask(
      `I find no "${unread.join(" ")}" in the classes. There are: ${known.join(", ")}.`,
      `班级数据里没有“${unread.join(" ")}”。现有：${known.join("、")}。`,
      "needClassId",
    );
  }
  const classes = wish.classes ?? (kind === "compare" || all.length === 1 ? all : []);
  if (classes.length === 0) return ask("Which class should I look at?", "要分析哪个班级？", "needClassId");
  const isThere = ({ assignments }: SchoolClass) =>
    assignments.some(({ title, type }) => assignment === undefined || title === assignment || type === assignment);
  if (!classes.every(isThere)) return { kind: "unsupported" };
  if (kind === "trend" || classes.length > 2 || (classes.length === 2 && kind === "distribution"))
    return { kind: "unsupported" };
  const view = { classes, kind, teacher: teacher_id, assignment, isLowest };
  return { kind: "page", draft: (language) => draftClassPage({ ...view, language }) };
}

const listNames = (columns: readonly { readonly name: string }[], comma: string): string =>
  columns.map(({ name }) => name).join(comma);

function askForColumn({ name, columns }: DatasetTable, unread: readonly string[]): AnalysisPlan {
  const [en, zh, words] = [listNames(columns, ", "), listNames(columns, "、"), unread.join(" ")];
  return words === ""
    ? ask(`Which column of "${name}" do you mean? It has: ${en}.`, `是“${name}”的哪一列？列有：${zh}。`)
    : ask(
        `"${name}" has no column or value "${words}". Its columns: ${en}.`,
        `“${name}”没有“${words}”这一列或值。列有：${zh}。`,
      );
}

function planTablePage(wish: ParsedAnalysis, table: DatasetTable): AnalysisPlan {
  const { aggregate = null, bucket, unread = [], kind, filters = [] } = wish;
  if (unread.length > 0) return askForColumn(table, unread);
  if (kind === "distribution") return { kind: "unsupported" };
  const numbers = table.columns.filter(isMeasure);
  const groups = table.columns.filter(isGroup);
  const isTrend = bucket !== undefined || kind === "trend";
  const by = wish.by ?? (kind === "compare" && !isTrend && groups.length === 1 ? groups[0] : undefined);
  // `which region has the most orders` and `requests per path` count rows.
  const isCounted = wish.isOfRows === true && (by !== undefined || isTrend);
  const isCount = wish.measures === undefined && (isCounted || aggregate === "count");
  const measures = wish.measures ?? (isCount ? [] : numbers.slice(0, 3));
  const isAmbiguous = wish.measures === undefined && measures.length > 1;
  const order = { limit: wish.limit ?? (kind === "ranking" ? 10 : 20), isLowest: wish.isLowest ?? false };
  const create = (draft: typeof draftTotals): AnalysisPlan => ({
    kind: "page",
    draft: (language) => draft({ table, filters, measures, aggregate, language }),
  });
  const date = table.columns.find(isDate)?.name;
  const [measure] = measures;
  if (!isCount && aggregate !== null && measure === undefined) return askForColumn(table, []);
  if (isTrend) {
    if (date === undefined || (by !== undefined && measures.length > 1)) return askForColumn(table, []);
    return create((view) => draftTrend(view, date, bucket ?? "month", by));
  }
  if (kind === "ranking" && ((measure === undefined && !isCount) || isAmbiguous)) return askForColumn(table, []);
  if (by !== undefined) return create((view) => draftGroups(view, by, order));
  if (kind === "ranking" && measure !== undefined) return create((view) => draftRows(view, measure.name, order));
  if (kind === "ranking" || kind === "compare") return askForColumn(table, []);
  return create(
    kind === "summary" || (aggregate === null && wish.measures === undefined) ? draftOverview : draftTotals,
  );
}
