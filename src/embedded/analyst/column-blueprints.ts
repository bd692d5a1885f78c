// Analyses of column values: distribution and correlation.

import type { Language } from "../../language/detect-language.ts";
import {
  createBinding,
  createToolNode,
  pickByLanguage,
  createDataSlot,
  type DraftBinding,
  type BlueprintDraft,
  type DraftSlot,
} from "./blueprint-parts.ts";
import { getMeasureColumns, type DatasetColumn } from "./analysis-data.ts";
import type { TableAnalysisPlan } from "./analysis-plan.ts";
import { buildRowFilter, hasRowFilter, formatRowSelection } from "./row-selection.ts";

/** Returns null if no numeric column is named. */
export function draftDistribution(plan: TableAnalysisPlan, language: Language): BlueprintDraft | null {
  const { table, by, measure } = plan;
  if (measure === null || (by !== null && measure === getMeasureColumns(table)[0] && plan.reckoning === "count"))
    return null;
  const name = pickByLanguage(language, `Distribution of ${measure.name}`, `${measure.name}的分布`);
  return {
    name: `${table.name}: ${name}`,
    description: pickByLanguage(
      language,
      `${name}, from ${formatRowSelection(plan, language)}`,
      `${name}（${formatRowSelection(plan, language)}）`,
    ),
    ...(hasRowFilter(plan)
      ? draftFilteredDistribution(plan, measure, language)
      : draftColumnDistribution(plan, measure, language)),
  };
}

const METRICS = { metrics: ["mean", "median", "min", "max", "stddev", "count"] };

/** Column statistics cover all rows. */
function draftColumnDistribution(
  { table }: TableAnalysisPlan,
  measure: DatasetColumn,
  language: Language,
): ColumnDraftParts {
  return {
    bindings: [createColumnBinding(table.name, measure)],
    nodes: [],
    slots: [
      createDataSlot("figures", "kpi_grid", "$data.column", METRICS),
      createHistogramSlot("chart", measure, language),
    ],
    text: {
      task: pickByLanguage(language, `Describe “${measure.name}”.`, `说明“${measure.name}”的分布。`),
      about: ["column"],
    },
  };
}

type ColumnDraftParts = Pick<BlueprintDraft, "bindings" | "nodes" | "slots" | "text">;
const MAX_QUERY_ROWS = 10_000;

/** With filters the values are read row by row. */
function draftFilteredDistribution(
  plan: TableAnalysisPlan,
  measure: DatasetColumn,
  language: Language,
): ColumnDraftParts {
  const select = [{ column: measure.name, as: "value" }];
  const data = "$data.chosen.values.value";
  const title = pickByLanguage(language, `Distribution of ${measure.name}`, `${measure.name}的分布`);
  return {
    bindings: [
      createBinding("chosen", "query_dataset", {
        dataset: plan.table.name,
        ...buildRowFilter(plan),
        select,
        limit: MAX_QUERY_ROWS,
      }),
    ],
    nodes: [createToolNode("stats", "calculate_stats", { data }), createToolNode("spread", "histogram", { data })],
    slots: [
      createDataSlot("figures", "kpi_grid", "$compute.stats", METRICS),
      createDataSlot("chart", "chart", "$compute.spread", { title, variant: "distribution" }),
    ],
    text: {
      task: pickByLanguage(language, `Describe “${measure.name}”.`, `说明“${measure.name}”的分布。`),
      about: ["stats"],
    },
  };
}

export function draftCorrelation(plan: TableAnalysisPlan, language: Language): BlueprintDraft {
  const { table, pair, by } = plan;
  const none = by ?? { name: "", type: "number", unit: undefined, values: [] };
  const [x, y] = pair ?? [plan.measure ?? none, none];
  const name = pickByLanguage(language, `${x.name} and ${y.name}`, `${x.name}与${y.name}的相关性`);
  const select = [
    { column: x.name, as: "x" },
    { column: y.name, as: "y" },
  ];
  const query = { dataset: table.name, ...buildRowFilter(plan), select, limit: MAX_QUERY_ROWS };
  const labels = { x: x.name, y: y.name };
  return {
    name: `${table.name}: ${name}`,
    description: pickByLanguage(
      language,
      `How ${name} go together, from ${formatRowSelection(plan, language)}`,
      `${name}（${formatRowSelection(plan, language)}）`,
    ),
    bindings: [createBinding("pairs", "query_dataset", query)],
    nodes: [createToolNode("together", "correlation", { x: "$data.pairs.values.x", y: "$data.pairs.values.y" })],
    slots: [
      createDataSlot("figures", "kpi_grid", "$compute.together", { metrics: ["r", "r_squared", "count"] }),
      createDataSlot("table", "table", "$data.pairs", { title: name, labels }),
    ],
    text: {
      task: pickByLanguage(
        language,
        `Say how “${x.name}” and “${y.name}” go together.`,
        `说明“${x.name}”和“${y.name}”的关系。`,
      ),
      about: ["together"],
    },
  };
}

export function createColumnBinding(dataset: string, { name: column }: DatasetColumn): DraftBinding {
  return createBinding("column", "column_stats", { dataset, column });
}

export function createHistogramSlot(id: string, { name }: DatasetColumn, language: Language): DraftSlot {
  const title = pickByLanguage(language, `Distribution of ${name}`, `${name}的分布`);
  return createDataSlot(id, "chart", "$data.column.histogram", { title, variant: "distribution" });
}
