// Analyses of a table of the person.

import type { Language } from "../../../protocol/words/language.ts";
import { binding, say, shown, type Binding, type Draft, type Json } from "./draft.ts";
import { groupsOf, measuresOf, type Column } from "./material.ts";
import { columnBinding, correlation, distribution, histogram } from "./over-columns.ts";
import { filterOf, isFiltered, rowsOf } from "./rows.ts";
import type { TablePlan } from "./plan.ts";
import type { Bucket, Reckoning } from "./said.ts";

export function overTable(plan: TablePlan, language: Language): Draft {
  switch (plan.kind) {
    case "trend":
      return overTime(plan, language);
    case "distribution":
      return distribution(plan, language) ?? grouped(counted(plan), language);
    case "compare":
    case "ranking":
      return plan.by === null ? listed(plan, language) : grouped(plan, language);
    case "correlation":
      return correlation(plan, language);
    case "summary":
      return summary(plan, language);
  }
}

/** Counts values if there is no number to distribute. */
function counted(plan: TablePlan): TablePlan {
  const by = plan.by ?? groupsOf(plan.table)[0] ?? plan.table.columns[0] ?? null;
  return { ...plan, kind: "compare", measure: null, reckoning: "count", by };
}

const RECKONED: Readonly<Record<Reckoning, readonly [en: string, zh: string]>> = {
  sum: ["total", "合计"],
  mean: ["average", "平均"],
  median: ["median", "中位数"],
  min: ["lowest", "最小"],
  max: ["highest", "最大"],
  count: ["rows", "行数"],
};

/** Returns the title of an aggregated column. */
function titleOf(measure: Column | null, reckoning: Reckoning, language: Language): string {
  const [en, zh] = RECKONED[reckoning];
  if (measure === null) return say(language, "rows", "行数");
  return say(language, `${en} ${measure.name}`, `${measure.name}${zh}`);
}

function reckoned(measure: Column | null, reckoning: Reckoning, language: Language): Json {
  const as = titleOf(measure, reckoning, language);
  return measure === null ? { function: "count", as } : { function: reckoning, column: measure.name, as };
}

type Asked = { readonly query: Binding; readonly x: string; readonly y: string };

function timeQuery(plan: TablePlan, language: Language, id = "by_time"): Asked {
  const { table, date, bucket, by, measure, reckoning } = plan;
  const y = titleOf(measure, reckoning, language);
  const x = date?.name ?? "";
  const query = {
    dataset: table.name,
    ...filterOf(plan),
    group: [{ column: x, bucket, as: x }, ...(by === null ? [] : [{ column: by.name }])],
    aggregate: [reckoned(measure, reckoning, language)],
    order: [{ by: x, direction: "asc" }],
    limit: 1_000,
  };
  return { query: binding(id, "query_dataset", query), x, y };
}

const EVERY: Readonly<Record<Bucket, string>> = { day: "日", week: "周", month: "月", quarter: "季度", year: "年" };

function overBuckets(y: string, bucket: Bucket, language: Language): string {
  return capital(say(language, `${y} by ${bucket}`, `${y}：按${EVERY[bucket]}`));
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

function overTime(plan: TablePlan, language: Language): Draft {
  const { table, by, bucket } = plan;
  const { query, x, y } = timeQuery(plan, language);
  const split = by === null ? {} : { seriesField: by.name };
  const name = overBuckets(y, bucket, language);
  return {
    name: `${table.name}: ${name}`,
    description: say(language, `${name}, from ${rowsOf(plan, language)}`, `${name}（${rowsOf(plan, language)}）`),
    bindings: [query],
    nodes: [],
    slots: [
      shown("chart", "chart", "$data.by_time", { title: name, variant: "line", xField: x, yFields: [y], ...split }),
      shown("table", "table", "$data.by_time", { title: name }),
    ],
    text: {
      task: say(language, `Say how “${y}” developed.`, `说明“${y}”的变化。`),
      about: ["by_time"],
    },
  };
}

function groupQuery(plan: TablePlan, by: Column, language: Language, id = "by_group"): Asked {
  const { table, measure, reckoning, isLowest, limit } = plan;
  const y = titleOf(measure, reckoning, language);
  const query = {
    dataset: table.name,
    ...filterOf(plan),
    group: [{ column: by.name }],
    aggregate: [reckoned(measure, reckoning, language)],
    order: [{ by: y, direction: isLowest ? "asc" : "desc" }],
    limit,
  };
  return { query: binding(id, "query_dataset", query), x: by.name, y };
}

function grouped(plan: TablePlan, language: Language): Draft {
  const { table, by, kind, limit, isLowest } = plan;
  const { query, x, y } = groupQuery(plan, by ?? { name: "", type: "text", unit: undefined, values: [] }, language);
  const end = isLowest ? say(language, "lowest", "最低") : say(language, "highest", "最高");
  const name =
    kind === "ranking"
      ? say(language, `${capital(x)} by ${y}, ${end} first`, `${x}排名：${y}（${end}在前）`)
      : capital(say(language, `${y} by ${x}`, `各${x}的${y}`));
  return {
    name: `${table.name}: ${name}`,
    description: say(
      language,
      `${name}, at most ${limit}, from ${rowsOf(plan, language)}`,
      `${name}，最多 ${limit} 项（${rowsOf(plan, language)}）`,
    ),
    bindings: [query],
    nodes: [],
    slots: [
      shown("chart", "chart", "$data.by_group", { title: name, variant: "bar", xField: x, yFields: [y] }),
      shown("table", "table", "$data.by_group", { title: name }),
    ],
    text: {
      task: say(language, `Compare “${x}” by “${y}”.`, `按“${y}”比较“${x}”。`),
      about: ["by_group"],
    },
  };
}

/** Lists single rows if no column groups them. */
function listed(plan: TablePlan, language: Language): Draft {
  const { table, measure, isLowest, limit } = plan;
  const by = measure?.name ?? table.columns[0]?.name ?? "";
  const order = [{ by, direction: isLowest ? "asc" : "desc" }];
  const name = say(language, `Rows by ${by}`, `按${by}排序`);
  return {
    name: `${table.name}: ${name}`,
    description: say(
      language,
      `${name}, at most ${limit}, from ${rowsOf(plan, language)}`,
      `${name}，最多 ${limit} 行（${rowsOf(plan, language)}）`,
    ),
    bindings: [binding("rows", "query_dataset", { dataset: table.name, ...filterOf(plan), order, limit })],
    nodes: [],
    slots: [
      shown("chart", "chart", "$data.rows", { title: name, variant: "bar", yFields: [by] }),
      shown("table", "table", "$data.rows", { title: name }),
    ],
    text: { task: say(language, `Describe “${by}”.`, `说明“${by}”。`), about: ["rows"] },
  };
}

const MOST_FIGURES = 3;

function summary(plan: TablePlan, language: Language): Draft {
  const { table, measure, date } = plan;
  const measures = [...new Set([...(measure === null ? [] : [measure]), ...measuresOf(table)])].slice(0, MOST_FIGURES);
  const usual = (one: Column): Reckoning => (one === measure && plan.reckoning !== "count" ? plan.reckoning : "mean");
  const figures = binding("totals", "query_dataset", {
    dataset: table.name,
    ...filterOf(plan),
    aggregate: [reckoned(null, "count", language), ...measures.map((one) => reckoned(one, usual(one), language))],
  });
  const time = date === null ? null : timeQuery({ ...plan, by: null }, language);
  const by = plan.by ?? groupsOf(table)[0];
  const groups = by === undefined ? null : groupQuery({ ...plan, limit: 10 }, by, language);
  const isHistogram = time === null && groups === null && measure !== null && !isFiltered(plan);
  const columns = measure === null || !isHistogram ? [] : [columnBinding(table.name, measure)];
  const rows = binding("rows", "query_dataset", { dataset: table.name, ...filterOf(plan), limit: 20 });
  const chartOf = (id: string, source: string, { x, y }: Asked, variant: string) => {
    const title =
      variant === "line"
        ? overBuckets(y, plan.bucket, language)
        : capital(say(language, `${y} by ${x}`, `各${x}的${y}`));
    return shown(id, "chart", source, { title, variant, xField: x, yFields: [y] });
  };
  return {
    name: say(language, `${table.name}: summary`, `${table.name}：概况`),
    description: say(language, `An overview of ${rowsOf(plan, language)}`, `${rowsOf(plan, language)}概览`),
    bindings: [figures, ...[time, groups].flatMap((asked) => (asked === null ? [] : [asked.query])), ...columns, rows],
    nodes: [],
    slots: [
      shown("figures", "kpi_grid", "$data.totals", {}),
      ...(time === null ? [] : [chartOf("chart", "$data.by_time", time, "line")]),
      ...(groups === null ? [] : [chartOf(time === null ? "chart" : "chart_2", "$data.by_group", groups, "bar")]),
      ...(measure === null || !isHistogram ? [] : [histogram("chart", measure, language)]),
      shown("table", "table", "$data.rows", { title: say(language, "First rows", "前几行") }),
    ],
    text: {
      task: say(language, `Sum up “${table.name}”.`, `概括“${table.name}”。`),
      about: [
        "totals",
        ...(time === null ? [] : ["by_time"]),
        ...(groups === null ? [] : ["by_group"]),
        ...columns.map(({ id }) => id),
      ],
    },
  };
}
