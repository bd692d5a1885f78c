// Creates blueprints, and applies the changes that a message asks for.

import type { Language } from "../../language/detect-language.ts";
import type { AnalysisData } from "./analysis-data.ts";
import { assembleBlueprint, type RuleJson } from "./page-draft.ts";
import { buildOperations, editablePageSchema, findChartVariant, parseEdit } from "./page-edits.ts";
import { parseAnalysisRequest, type ParsedAnalysis } from "./parse-analysis.ts";
import { planAnalysis, type AnalysisPlan } from "./plan-analysis.ts";

/** Reads a request whose later lines may be edits of the page. */
export function planRequest(
  request: string,
  data: AnalysisData,
): { readonly wish: ParsedAnalysis; readonly plan: AnalysisPlan } {
  const [first = "", ...later] = request.split("\n");
  const lines = [first, ...later.filter((line) => parseEdit(line) === null)];
  const wish = parseAnalysisRequest(lines.join("\n"), data);
  return { wish, plan: planAnalysis(wish, lines.at(-1) ?? "", data) };
}

/** The change of a page, or the reason why there is none. */
export type PageChange =
  | { readonly kind: "whole"; readonly blueprint: RuleJson }
  | { readonly kind: "patch"; readonly operations: readonly RuleJson[] }
  | Exclude<AnalysisPlan, { kind: "page" }>;

export function createPage(request: string, data: AnalysisData, language: Language): PageChange {
  const { plan } = planRequest(request, data);
  if (plan.kind !== "page") return plan;
  const page = plan.draft(language);
  const variant = request
    .split("\n")
    .map(findChartVariant)
    .findLast((one) => one !== undefined);
  // A time series stays a line chart if the page also has bars.
  const charts = page.blocks.filter(({ componentType }) => componentType === "chart");
  const chart = charts.find(({ props }) => props["variant"] === "bar") ?? charts[0];
  const blocks = page.blocks.map((block) =>
    block === chart && variant !== undefined ? { ...block, props: { ...block.props, variant } } : block,
  );
  return { kind: "whole", blueprint: assembleBlueprint({ ...page, blocks }, language) };
}

/** Returns the change of a blueprint that a message asks for. */
export function updatePage(message: string, given: unknown, data: AnalysisData, language: Language): PageChange {
  const page = editablePageSchema.safeParse(given).data;
  if (page === undefined) return { kind: "none" };
  const edit = parseEdit(message);
  if (edit === null) return createPage(`${page.sourcePrompt}\n${message}`, data, language);
  const operations = buildOperations(page, edit, language);
  return operations.length === 0 ? { kind: "none" } : { kind: "patch", operations };
}
