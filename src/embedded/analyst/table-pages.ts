// Pages about a table: groups, a time series, ranked rows, totals, an overview.

import type { Language } from "../../language/detect-language.ts";
import { normalizeCharacters } from "../../language/text-spans.ts";
import { isDate, isGroup, type DatasetColumn, type DatasetTable } from "./analysis-data.ts";
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
  /score|\b(?:maths?|english|chinese|science|physics|chemistry|biology|history|reading|writing|exam|test|quiz)\b|语文|数学|英语|物理|化学|生物|历史|地理|政治|考试|rate|price|age\b|temp|ratio|percent|avg|average|mean|grade|height|weight|speed|duration|latency|分数|成绩|得分|评分|率|价|龄|温|均|身高|体重/i;
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

const describePage = ({ table, language }: TableView, title: string): Pick<DraftedPage, "name" | "description"> => ({
  name: pick(language, `${table.name}: ${title}`, `${table.name}：${title}`),
  description: pick(language, `${title} (all rows of ${table.name})`, `${title}（${table.name} 的全部数据）`),
});

const createQuery = (id: string, { table }: TableView, query: RuleJson): RuleJson =>
  createBinding(id, "query_dataset", { dataset: table.name, ...query });

const formatTitles = (view: TableView): string =>
  listAggregates(view)
    .map(({ as }) => as)
    .join(pick(view.language, " and ", "、"));
const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** A query with groups and the chart of its result. */
type GroupedQuery = { readonly title: string; readonly query: RuleJson; readonly chart: RuleJson };

const BUCKETS_ZH: Readonly<Record<TimeBucket, string>> = {
  day: "日",
  week: "周",
  month: "月",
  quarter: "季度",
  year: "年",
};

function groupByTime(view: TableView, date: string, bucket: TimeBucket): GroupedQuery {
  const aggregate = listAggregates(view);
  const titles = formatTitles(view);
  const title = capitalize(pick(view.language, `${titles} by ${bucket}`, `${titles}：按${BUCKETS_ZH[bucket]}`));
  const group = [{ column: date, bucket, as: date }];
  const query = { group, aggregate, order: [{ by: date, direction: "asc" }], limit: 1_000 };
  return { title, query, chart: { title, variant: "line", xField: date, yFields: aggregate.map(({ as }) => as) } };
}

export type RowOrder = { readonly limit: number; readonly isLowest: boolean };

function groupByColumn(view: TableView, { name }: DatasetColumn, { limit, isLowest }: RowOrder): GroupedQuery {
  const aggregate = listAggregates(view);
  const yFields = aggregate.map(({ as }) => as);
  const title = capitalize(pick(view.language, `${formatTitles(view)} by ${name}`, `各${name}的${formatTitles(view)}`));
  const order = [{ by: yFields[0], direction: isLowest ? "asc" : "desc" }];
  const query = { group: [{ column: name }], aggregate, order, limit };
  return { title, query, chart: { title, variant: "bar", xField: name, yFields } };
}

/** A chart and a table of one query. */
function draftQuery(view: TableView, { title, query, chart }: GroupedQuery): DraftedPage {
  return {
    ...describePage(view, title),
    bindings: [createQuery("shown", view, query)],
    blocks: [
      createSlot("chart", "chart", "$data.shown", chart),
      createSlot("table", "table", "$data.shown", { title }),
    ],
    task: pick(view.language, `Describe “${title}”.`, `说明“${title}”。`),
    about: ["shown"],
  };
}

export const draftTrend = (view: TableView, date: string, bucket: TimeBucket): DraftedPage =>
  draftQuery(view, groupByTime(view, date, bucket));
export const draftGroups = (view: TableView, by: DatasetColumn, order: RowOrder): DraftedPage =>
  draftQuery(view, groupByColumn(view, by, order));

/** The number of rows, the aggregates, and the first rows. */
export function draftTotals(view: TableView): DraftedPage {
  const { language, table, measures } = view;
  const count = listAggregates({ ...view, measures: [] });
  const aggregate = measures.length === 0 ? count : [...count, ...listAggregates(view)];
  return {
    ...describePage(view, capitalize(formatTitles(view))),
    bindings: [createQuery("totals", view, { aggregate }), createQuery("rows", view, { limit: 20 })],
    figures: [createSlot("figures", "kpi_grid", "$data.totals", {})],
    blocks: [createSlot("table", "table", "$data.rows", { title: pick(language, "First rows", "前几行") })],
    task: pick(language, `Sum up “${table.name}”.`, `概括“${table.name}”。`),
    about: ["totals"],
  };
}

/** The totals with a chart over time and one of groups. */
export function draftOverview(view: TableView): DraftedPage {
  const { columns } = view.table;
  const totals = draftTotals(view);
  const [date, by] = [columns.find(isDate), columns.find(isGroup)];
  const charts = [
    ...(date === undefined ? [] : [groupByTime(view, date.name, "month")]),
    ...(by === undefined ? [] : [groupByColumn(view, by, { limit: 10, isLowest: false })]),
  ].map(({ query, chart }, i) => ({
    binding: createQuery(`groups_${i + 1}`, view, query),
    slot: createSlot(`chart_${i + 1}`, "chart", `$data.groups_${i + 1}`, chart),
  }));
  return {
    ...totals,
    ...describePage(view, pick(view.language, "summary", "概况")),
    bindings: [...totals.bindings, ...charts.map(({ binding }) => binding)],
    blocks: [...charts.map(({ slot }) => slot), ...totals.blocks],
    about: [...totals.about, ...charts.map((_, i) => `groups_${i + 1}`)],
  };
}
