// Analyses of column values: distribution and correlation.

import type { Language } from "../../../protocol/words/language.ts";
import { binding, reckon, say, shown, type Binding, type Draft, type Slot } from "./draft.ts";
import { measuresOf, type Column } from "./material.ts";
import type { TablePlan } from "./plan.ts";
import { filterOf, isFiltered, rowsOf } from "./rows.ts";

/** Returns null if no numeric column is named. */
export function distribution(plan: TablePlan, language: Language): Draft | null {
  const { table, by, measure } = plan;
  if (measure === null || (by !== null && measure === measuresOf(table)[0] && plan.reckoning === "count")) return null;
  const name = say(language, `Distribution of ${measure.name}`, `${measure.name}的分布`);
  return {
    name: `${table.name}: ${name}`,
    description: say(language, `${name}, from ${rowsOf(plan, language)}`, `${name}（${rowsOf(plan, language)}）`),
    ...(isFiltered(plan) ? ofChosen(plan, measure, language) : ofColumn(plan, measure, language)),
  };
}

const METRICS = { metrics: ["mean", "median", "min", "max", "stddev", "count"] };

/** Column statistics cover all rows. */
function ofColumn({ table }: TablePlan, measure: Column, language: Language): Rest {
  return {
    bindings: [columnBinding(table.name, measure)],
    nodes: [],
    slots: [shown("figures", "kpi_grid", "$data.column", METRICS), histogram("chart", measure, language)],
    text: { task: say(language, `Describe “${measure.name}”.`, `说明“${measure.name}”的分布。`), about: ["column"] },
  };
}

type Rest = Pick<Draft, "bindings" | "nodes" | "slots" | "text">;
const MOST_ROWS = 10_000;

/** With filters the values are read row by row. */
function ofChosen(plan: TablePlan, measure: Column, language: Language): Rest {
  const select = [{ column: measure.name, as: "value" }];
  const data = "$data.chosen.values.value";
  const title = say(language, `Distribution of ${measure.name}`, `${measure.name}的分布`);
  return {
    bindings: [
      binding("chosen", "query_dataset", { dataset: plan.table.name, ...filterOf(plan), select, limit: MOST_ROWS }),
    ],
    nodes: [reckon("stats", "calculate_stats", { data }), reckon("spread", "histogram", { data })],
    slots: [
      shown("figures", "kpi_grid", "$compute.stats", METRICS),
      shown("chart", "chart", "$compute.spread", { title, variant: "distribution" }),
    ],
    text: { task: say(language, `Describe “${measure.name}”.`, `说明“${measure.name}”的分布。`), about: ["stats"] },
  };
}

export function correlation(plan: TablePlan, language: Language): Draft {
  const { table, pair, by } = plan;
  const none = by ?? { name: "", type: "number", unit: undefined, values: [] };
  const [x, y] = pair ?? [plan.measure ?? none, none];
  const name = say(language, `${x.name} and ${y.name}`, `${x.name}与${y.name}的相关性`);
  const select = [
    { column: x.name, as: "x" },
    { column: y.name, as: "y" },
  ];
  const query = { dataset: table.name, ...filterOf(plan), select, limit: MOST_ROWS };
  const labels = { x: x.name, y: y.name };
  return {
    name: `${table.name}: ${name}`,
    description: say(
      language,
      `How ${name} go together, from ${rowsOf(plan, language)}`,
      `${name}（${rowsOf(plan, language)}）`,
    ),
    bindings: [binding("pairs", "query_dataset", query)],
    nodes: [reckon("together", "correlation", { x: "$data.pairs.values.x", y: "$data.pairs.values.y" })],
    slots: [
      shown("figures", "kpi_grid", "$compute.together", { metrics: ["r", "r_squared", "count"] }),
      shown("table", "table", "$data.pairs", { title: name, labels }),
    ],
    text: {
      task: say(language, `Say how “${x.name}” and “${y.name}” go together.`, `说明“${x.name}”和“${y.name}”的关系。`),
      about: ["together"],
    },
  };
}

export function columnBinding(dataset: string, { name: column }: Column): Binding {
  return binding("column", "column_stats", { dataset, column });
}

export function histogram(id: string, { name }: Column, language: Language): Slot {
  const title = say(language, `Distribution of ${name}`, `${name}的分布`);
  return shown(id, "chart", "$data.column.histogram", { title, variant: "distribution" });
}
