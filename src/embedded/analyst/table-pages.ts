// Pages about a table: groups of rows, a time series, totals.

import type { Language } from "../../language/detect-language.ts";
import { normalizeCharacters } from "../../language/text-spans.ts";
import type { DatasetColumn, DatasetTable } from "./analysis-data.ts";
import type { AggregateFunction, TimeBucket } from "./analysis-words.ts";
import { createBinding, createSlot, pick, type DraftedPage, type RuleJson } from "./page-draft.ts";

/** The rows and numbers of a page. Without measures, rows are counted. */
export type TableView = {
  readonly table: DatasetTable;
  readonly measures: readonly DatasetColumn[];
  readonly aggregate: AggregateFunction | null;
  readonly language: Language;
};

/** Columns for which a sum is meaningless. */
const MEAN_ONLY =
  /score|\b(?:maths?|english|chinese|science|exam|test)\b|语文|数学|英语|考试|rate|price|age\b|temp|ratio|percent|avg|average|mean|grade|height|weight|speed|duration|分数|成绩|得分|率|价|龄|温|均/i;
const AGGREGATES: Readonly<Record<AggregateFunction, readonly [en: string, zh: string]>> = {
  sum: ["total", "合计"],
  mean: ["average", "平均"],
  count: ["rows", "行数"],
};

function listAggregates({ measures, aggregate, language }: TableView): (RuleJson & { readonly as: string })[] {
  if (measures.length === 0) return [{ function: "count", as: pick(language, ...AGGREGATES.count) }];
  return measures.map(({ name: column }) => {
    const usual = MEAN_ONLY.test(normalizeCharacters(column)) ? "mean" : "sum";
    const used = aggregate === null || aggregate === "count" ? usual : aggregate;
    const [en, zh] = AGGREGATES[used];
    return { function: used, column, as: pick(language, `${en} ${column}`, `${column}${zh}`) };
  });
}

function describePage({ table, language }: TableView, words: string) {
  const title = words.slice(0, 1).toUpperCase() + words.slice(1);
  return {
    title,
    name: pick(language, `${table.name}: ${title}`, `${table.name}：${title}`),
    description: pick(language, `${title} (all rows of ${table.name})`, `${title}（${table.name} 的全部数据）`),
  };
}

const createQuery = (id: string, { table }: TableView, query: RuleJson): RuleJson =>
  createBinding(id, "query_dataset", { dataset: table.name, ...query });

const formatTitles = (view: TableView): string =>
  listAggregates(view)
    .map(({ as }) => as)
    .join(pick(view.language, " and ", "、"));

/** The column by which rows are grouped, and the order of the groups. */
type Grouping = {
  readonly words: string;
  readonly group: RuleJson & { readonly column: string };
  readonly order: RuleJson;
  readonly limit: number;
  readonly variant: "line" | "bar";
};

/** A chart and a table of one query. */
function draftGrouping(view: TableView, { words, group, order, limit, variant }: Grouping): DraftedPage {
  const aggregate = listAggregates(view);
  const { title, ...page } = describePage(view, words);
  const chart = { title, variant, xField: group.column, yFields: aggregate.map(({ as }) => as) };
  return {
    ...page,
    bindings: [createQuery("shown", view, { group: [group], aggregate, order: [order], limit })],
    blocks: [
      createSlot("chart", "chart", "$data.shown", chart),
      createSlot("table", "table", "$data.shown", { title }),
    ],
    task: pick(view.language, `Describe “${title}”.`, `说明“${title}”。`),
    about: ["shown"],
  };
}

const BUCKETS_ZH: Readonly<Record<TimeBucket, string>> = {
  day: "日",
  week: "周",
  month: "月",
  quarter: "季度",
  year: "年",
};

export function draftTrend(view: TableView, column: string, bucket: TimeBucket): DraftedPage {
  const titles = formatTitles(view);
  const words = pick(view.language, `${titles} by ${bucket}`, `${titles}：按${BUCKETS_ZH[bucket]}`);
  const group = { column, bucket, as: column };
  return draftGrouping(view, { words, group, order: { by: column, direction: "asc" }, limit: 1_000, variant: "line" });
}

export type RowOrder = { readonly limit: number; readonly isLowest: boolean };

export function draftGroups(view: TableView, column: string, { limit, isLowest }: RowOrder): DraftedPage {
  const titles = formatTitles(view);
  const words = pick(view.language, `${titles} by ${column}`, `各${column}的${titles}`);
  const order = { by: listAggregates(view)[0]?.as, direction: isLowest ? "asc" : "desc" };
  return draftGrouping(view, { words, group: { column }, order, limit, variant: "bar" });
}

/** The number of rows, the aggregates, and the first rows. */
export function draftTotals(view: TableView): DraftedPage {
  const { language, table, measures } = view;
  const count = listAggregates({ ...view, measures: [] });
  const aggregate = measures.length === 0 ? count : [...count, ...listAggregates(view)];
  const { title: _, ...page } = describePage(view, formatTitles(view));
  return {
    ...page,
    bindings: [createQuery("totals", view, { aggregate }), createQuery("rows", view, { limit: 20 })],
    figures: [createSlot("figures", "kpi_grid", "$data.totals", {})],
    blocks: [createSlot("table", "table", "$data.rows", { title: pick(language, "First rows", "前几行") })],
    task: pick(language, `Sum up “${table.name}”.`, `概括“${table.name}”。`),
    about: ["totals"],
  };
}
