// Creates blueprints, and applies the changes that a message asks for.

import type { Language } from "../../language/detect-language.ts";
import type { AnalysisData } from "./analysis-data.ts";
import { assembleBlueprint, type RuleJson } from "./page-draft.ts";
import { buildOperations, editablePageSchema, findChartVariant, parseEdit } from "./page-edits.ts";
import { planAnalysis, type AnalysisPlan } from "./plan-analysis.ts";

/** The change of a page, or the reason why there is none. */
export type PageChange =
  | { readonly kind: "whole"; readonly blueprint: RuleJson }
  | { readonly kind: "patch"; readonly operations: readonly RuleJson[] }
  | Exclude<AnalysisPlan, { kind: "page" }>;

export function createPage(request: string, data: AnalysisData, language: Language): PageChange {
  const plan = planAnalysis(request, data);
  if (plan.kind !== "page") return plan;
  const page = plan.draft(language);
  const variant = findChartVariant(request);
  // A time series stays a line chart if the page also has bars.
  const charts = page.blocks.filter(({ componentType }) => componentType === "chart");
  const chart = charts.find(({ props }) => props["variant"] === "bar") ?? charts[0];
  const blocks = page.blocks.map((block) =>
    block === chart && variant !== undefined ? { ...block, props: { ...block.props, variant } } : block,
  );
  return { kind: "whole", blueprint: assembleBlueprint({ ...page, blocks }, language) };
}

/** Returns the edit of a blueprint that a message asks for. */
export function updatePage(message: string, given: unknown, language: Language): PageChange {
  const page = editablePageSchema.safeParse(given).data;
  const edit = parseEdit(message);
  const operations = page === undefined || edit === null ? [] : buildOperations(page, edit, language);
  return operations.length === 0 ? { kind: "unsupported" } : { kind: "patch", operations };
}
