// Analyses of a table of the person.

import type { Language } from "../../language/detect-language.ts";
import {
  createBinding,
  pickByLanguage,
  createDataSlot,
  type DraftBinding,
  type BlueprintDraft,
  type RuleJson,
} from "./blueprint-parts.ts";
import { getGroupColumns, getMeasureColumns, type DatasetColumn } from "./analysis-data.ts";
import { createColumnBinding, draftCorrelation, draftDistribution, createHistogramSlot } from "./column-blueprints.ts";
import { buildRowFilter, hasRowFilter, formatRowSelection } from "./row-selection.ts";
import type { TableAnalysisPlan } from "./analysis-plan.ts";
import type { TimeBucket, AggregateFunction } from "./analysis-keywords.ts";

export function draftTableAnalysis(plan: TableAnalysisPlan, language: Language): BlueprintDraft {
  switch (plan.kind) {
    case "trend":
      return draftTableTrend(plan, language);
    case "distribution":
      return draftDistribution(plan, language) ?? draftGroups(toCountPlan(plan), language);
    case "compare":
    case "ranking":
      return plan.by === null ? draftRows(plan, language) : draftGroups(plan, language);
    case "correlation":
      return draftCorrelation(plan, language);
    case "summary":
      return draftSummary(plan, language);
  }
}

/** Counts values if there is no number to distribute. */
function toCountPlan(plan: TableAnalysisPlan): TableAnalysisPlan {
  const by = plan.by ?? getGroupColumns(plan.table)[0] ?? plan.table.columns[0] ?? null;
  return { ...plan, kind: "compare", measure: null, reckoning: "count", by };
}

const AGGREGATE_NAMES: Readonly<Record<AggregateFunction, readonly [en: string, zh: string]>> = {
  sum: ["total", "合计"],
  mean: ["average", "平均"],
  median: ["median", "中位数"],
  min: ["lowest", "最小"],
  max: ["highest", "最大"],
  count: ["rows", "行数"],
};

/** Returns the title of an aggregated column. */
function formatAggregateTitle(measure: DatasetColumn | null, reckoning: AggregateFunction, language: Language): string {
  const [en, zh] = AGGREGATE_NAMES[reckoning];
  if (measure === null) return pickByLanguage(language, "rows", "行数");
  return pickByLanguage(language, `${en} ${measure.name}`, `${measure.name}${zh}`);
}

function createAggregate(measure: DatasetColumn | null, reckoning: AggregateFunction, language: Language): RuleJson {
  const as = formatAggregateTitle(measure, reckoning, language);
  return measure === null ? { function: "count", as } : { function: reckoning, column: measure.name, as };
}

type PlannedQuery = { readonly query: DraftBinding; readonly x: string; readonly y: string };

function createTimeQuery(plan: TableAnalysisPlan, language: Language, id = "by_time"): PlannedQuery {
  const { table, date, bucket, by, measure, reckoning } = plan;
  const y = formatAggregateTitle(measure, reckoning, language);
  const x = date?.name ?? "";
  const query = {
    dataset: table.name,
    ...buildRowFilter(plan),
    group: [{ column: x, bucket, as: x }, ...(by === null ? [] : [{ column: by.name }])],
    aggregate: [createAggregate(measure, reckoning, language)],
    order: [{ by: x, direction: "asc" }],
    limit: 1_000,
  };
  return { query: createBinding(id, "query_dataset", query), x, y };
}

const BUCKET_NAMES_ZH: Readonly<Record<TimeBucket, string>> = {
  day: "日",
  week: "周",
  month: "月",
  quarter: "季度",
  year: "年",
};

function formatTrendTitle(y: string, bucket: TimeBucket, language: Language): string {
  return capitalizeFirst(pickByLanguage(language, `${y} by ${bucket}`, `${y}：按${BUCKET_NAMES_ZH[bucket]}`));
}

const capitalizeFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

function draftTableTrend(plan: TableAnalysisPlan, language: Language): BlueprintDraft {
  const { table, by, bucket } = plan;
  const { query, x, y } = createTimeQuery(plan, language);
  const split = by === null ? {} : { seriesField: by.name };
  const name = formatTrendTitle(y, bucket, language);
  return {
    name: `${table.name}: ${name}`,
    description: pickByLanguage(
      language,
      `${name}, from ${formatRowSelection(plan, language)}`,
      `${name}（${formatRowSelection(plan, language)}）`,
    ),
    bindings: [query],
    nodes: [],
    slots: [
      createDataSlot("chart", "chart", "$data.by_time", {
        title: name,
        variant: "line",
        xField: x,
        yFields: [y],
        ...split,
      }),
      createDataSlot("table", "table", "$data.by_time", { title: name }),
    ],
    text: {
      task: pickByLanguage(language, `Say how “${y}” developed.`, `说明“${y}”的变化。`),
      about: ["by_time"],
    },
  };
}

function createGroupQuery(
  plan: TableAnalysisPlan,
  by: DatasetColumn,
  language: Language,
  id = "by_group",
): PlannedQuery {
  const { table, measure, reckoning, isLowest, limit } = plan;
  const y = formatAggregateTitle(measure, reckoning, language);
  const query = {
    dataset: table.name,
    ...buildRowFilter(plan),
    group: [{ column: by.name }],
    aggregate: [createAggregate(measure, reckoning, language)],
    order: [{ by: y, direction: isLowest ? "asc" : "desc" }],
    limit,
  };
  return { query: createBinding(id, "query_dataset", query), x: by.name, y };
}

function draftGroups(plan: TableAnalysisPlan, language: Language): BlueprintDraft {
  const { table, by, kind, limit, isLowest } = plan;
  const { query, x, y } = createGroupQuery(
    plan,
    by ?? { name: "", type: "text", unit: undefined, values: [] },
    language,
  );
  const end = isLowest ? pickByLanguage(language, "lowest", "最低") : pickByLanguage(language, "highest", "最高");
  const name =
    kind === "ranking"
      ? pickByLanguage(language, `${capitalizeFirst(x)} by ${y}, ${end} first`, `${x}排名：${y}（${end}在前）`)
      : capitalizeFirst(pickByLanguage(language, `${y} by ${x}`, `各${x}的${y}`));
  return {
    name: `${table.name}: ${name}`,
    description: pickByLanguage(
      language,
      `${name}, at most ${limit}, from ${formatRowSelection(plan, language)}`,
      `${name}，最多 ${limit} 项（${formatRowSelection(plan, language)}）`,
    ),
    bindings: [query],
    nodes: [],
    slots: [
      createDataSlot("chart", "chart", "$data.by_group", { title: name, variant: "bar", xField: x, yFields: [y] }),
      createDataSlot("table", "table", "$data.by_group", { title: name }),
    ],
    text: {
      task: pickByLanguage(language, `Compare “${x}” by “${y}”.`, `按“${y}”比较“${x}”。`),
      about: ["by_group"],
    },
  };
}

/** Lists single rows if no column groups them. */
function draftRows(plan: TableAnalysisPlan, language: Language): BlueprintDraft {
  const { table, measure, isLowest, limit } = plan;
  const by = measure?.name ?? table.columns[0]?.name ?? "";
  const order = [{ by, direction: isLowest ? "asc" : "desc" }];
  const name = pickByLanguage(language, `Rows by ${by}`, `按${by}排序`);
  return {
    name: `${table.name}: ${name}`,
    description: pickByLanguage(
      language,
      `${name}, at most ${limit}, from ${formatRowSelection(plan, language)}`,
      `${name}，最多 ${limit} 行（${formatRowSelection(plan, language)}）`,
    ),
    bindings: [createBinding("rows", "query_dataset", { dataset: table.name, ...buildRowFilter(plan), order, limit })],
    nodes: [],
    slots: [
      createDataSlot("chart", "chart", "$data.rows", { title: name, variant: "bar", yFields: [by] }),
      createDataSlot("table", "table", "$data.rows", { title: name }),
    ],
    text: { task: pickByLanguage(language, `Describe “${by}”.`, `说明“${by}”。`), about: ["rows"] },
  };
}

const MAX_FIGURES = 3;

function draftSummary(plan: TableAnalysisPlan, language: Language): BlueprintDraft {
  const { table, measure, date } = plan;
  const measures = [...new Set([...(measure === null ? [] : [measure]), ...getMeasureColumns(table)])].slice(
    0,
    MAX_FIGURES,
  );
  const usual = (one: DatasetColumn): AggregateFunction =>
    one === measure && plan.reckoning !== "count" ? plan.reckoning : "mean";
  const figures = createBinding("totals", "query_dataset", {
    dataset: table.name,
    ...buildRowFilter(plan),
    aggregate: [
      createAggregate(null, "count", language),
      ...measures.map((one) => createAggregate(one, usual(one), language)),
    ],
  });
  const time = date === null ? null : createTimeQuery({ ...plan, by: null }, language);
  const by = plan.by ?? getGroupColumns(table)[0];
  const groups = by === undefined ? null : createGroupQuery({ ...plan, limit: 10 }, by, language);
  const isHistogram = time === null && groups === null && measure !== null && !hasRowFilter(plan);
  const columns = measure === null || !isHistogram ? [] : [createColumnBinding(table.name, measure)];
  const rows = createBinding("rows", "query_dataset", { dataset: table.name, ...buildRowFilter(plan), limit: 20 });
  const chartOf = (id: string, source: string, { x, y }: PlannedQuery, variant: string) => {
    const title =
      variant === "line"
        ? formatTrendTitle(y, plan.bucket, language)
        : capitalizeFirst(pickByLanguage(language, `${y} by ${x}`, `各${x}的${y}`));
    return createDataSlot(id, "chart", source, { title, variant, xField: x, yFields: [y] });
  };
  return {
    name: pickByLanguage(language, `${table.name}: summary`, `${table.name}：概况`),
    description: pickByLanguage(
      language,
      `An overview of ${formatRowSelection(plan, language)}`,
      `${formatRowSelection(plan, language)}概览`,
    ),
    bindings: [figures, ...[time, groups].flatMap((asked) => (asked === null ? [] : [asked.query])), ...columns, rows],
    nodes: [],
    slots: [
      createDataSlot("figures", "kpi_grid", "$data.totals", {}),
      ...(time === null ? [] : [chartOf("chart", "$data.by_time", time, "line")]),
      ...(groups === null ? [] : [chartOf(time === null ? "chart" : "chart_2", "$data.by_group", groups, "bar")]),
      ...(measure === null || !isHistogram ? [] : [createHistogramSlot("chart", measure, language)]),
      createDataSlot("table", "table", "$data.rows", { title: pickByLanguage(language, "First rows", "前几行") }),
    ],
    text: {
      task: pickByLanguage(language, `Sum up “${table.name}”.`, `概括“${table.name}”。`),
      about: [
        "totals",
        ...(time === null ? [] : ["by_time"]),
        ...(groups === null ? [] : ["by_group"]),
        ...columns.map(({ id }) => id),
      ],
    },
  };
}
