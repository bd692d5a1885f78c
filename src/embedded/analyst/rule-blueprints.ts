// Creates blueprints by rules, and applies the changes that a message asks for.

import type { Language } from "../../language/detect-language.ts";
import {
  applyOperations,
  detectChartVariant,
  parseEdit,
  createUniqueId,
  buildOperations,
  editablePageSchema,
  listSlots,
  type PageOperation,
  type EditablePage,
} from "./page-edits.ts";
import {
  assembleBlueprint,
  pickByLanguage,
  createTextSlot,
  type BlueprintDraft,
  type RuleJson,
} from "./blueprint-parts.ts";
import type { AnalysisData } from "./analysis-data.ts";
import { draftClassAnalysis, draftStudentAnalysis } from "./class-blueprints.ts";
import { draftTableAnalysis } from "./table-blueprints.ts";
import { planAnalysis, type AnalysisPlan } from "./analysis-plan.ts";
import { parseAnalysisRequest, type ParsedAnalysis } from "./parse-analysis.ts";

/** Returns a blueprint for the request; null if the rules cannot plan it. */
export function createRuleBlueprint(request: string, material: AnalysisData, language: Language): RuleJson | null {
  const planned = planAnalysis(parsePageRequest(request, material), material);
  return planned.kind === "plan" ? buildPage(planned.plan, request, language) : null;
}

/** Builds the page of a plan; its chart has the kind that the first line of the request names. */
function buildPage(plan: AnalysisPlan, request: string, language: Language): EditablePage | null {
  const read = editablePageSchema.safeParse(assembleBlueprint(buildDraft(plan, language), language));
  if (!read.success) return null;
  const variant = detectChartVariant(request.split("\n")[0] ?? "");
  const charts = listSlots(read.data).filter(({ componentType }) => componentType === "chart");
  // A time series stays a line chart if the page also has a bar chart.
  const chart = (variant === "line" ? undefined : charts.find(({ props }) => props["variant"] === "bar")) ?? charts[0];
  if (variant === null || chart === undefined) return read.data;
  return applyOperations(read.data, [{ op: "update_props", slotId: chart.id, props: { variant } }]);
}

function buildDraft(plan: AnalysisPlan, language: Language): BlueprintDraft {
  switch (plan.type) {
    case "classes":
      return draftClassAnalysis(plan, language);
    case "student":
      return draftStudentAnalysis(plan, language);
    case "table":
      return draftTableAnalysis(plan, language);
  }
}

/** Reads the request without later lines that are edits of the page. */
function parsePageRequest(request: string, material: AnalysisData): ParsedAnalysis {
  const [first = "", ...later] = request.split("\n");
  return parseAnalysisRequest([first, ...later.filter((line) => parseEdit(line) === null)].join("\n"), material);
}

export type RuleBlueprintChange =
  | { readonly type: "patch"; readonly operations: readonly PageOperation[] }
  | { readonly type: "whole"; readonly blueprint: RuleJson };

/** Returns the change of a blueprint that a message asks for; null if the rules cannot read it. */
export function parseBlueprintChange(
  message: string,
  given: unknown,
  material: AnalysisData,
  language: Language,
): RuleBlueprintChange | null {
  const read = editablePageSchema.safeParse(given);
  if (!read.success) return null;
  const page = read.data;
  const edit = parseEdit(message);
  if (edit?.type === "rename" && edit.component === null)
    return { type: "whole", blueprint: ensureTextBlock({ ...page, name: edit.title }, language) };
  const operations = edit === null ? null : buildOperations(page, edit, language);
  if (
    operations !== null &&
    !(edit?.type === "add" && edit.component === "chart" && needsMoreData(message, page, material))
  ) {
    return { type: "patch", operations };
  }
  if (edit !== null && (edit.type !== "add" || edit.component !== "chart")) return null;
  const blueprint =
    edit === null ? replanPage(message, page, material, language) : addChartWithData(message, page, material, language);
  return blueprint === null ? null : { type: "whole", blueprint: ensureTextBlock(blueprint, language) };
}

/** Adds a text block if the page has none; a complete blueprint must have one. */
function ensureTextBlock(page: EditablePage, language: Language): RuleJson {
  const isText = ({ componentType, ...slot }: RuleJson) =>
    componentType === "markdown" && slot["aiContentSlot"] === true;
  if (listSlots(page).some(isText)) return page;
  const instruction = pickByLanguage(language, "Say what stands out.", "说明要点。");
  const slot = { ...createTextSlot("text", "markdown", { instruction }), id: createUniqueId("text", listSlots(page)) };
  return applyOperations(page, [{ op: "add_block", slot }]);
}

/** True if the chart to add needs data that the page does not have. */
function needsMoreData(message: string, { sourcePrompt }: EditablePage, material: AnalysisData): boolean {
  const { table, measure, by, bucket } = parseAnalysisRequest(
    message,
    material,
    parsePageRequest(sourcePrompt, material),
  );
  const before = parsePageRequest(sourcePrompt, material);
  return table !== undefined && (measure !== before.measure || by !== before.by || bucket !== before.bucket);
}

/** Plans the same analysis with other data: other columns, another assignment, other classes. */
function replanPage(
  message: string,
  page: EditablePage,
  material: AnalysisData,
  language: Language,
): EditablePage | null {
  const { sourcePrompt } = page;
  const planned = planAnalysis(
    parseAnalysisRequest(message, material, parsePageRequest(sourcePrompt, material)),
    material,
  );
  if (planned.kind !== "plan") return null;
  const fresh = buildPage(planned.plan, sourcePrompt, language);
  if (fresh === null) return null;
  // Apply the earlier edits to the new page.
  const [, ...later] = sourcePrompt.split("\n");
  return later.reduce((before, line) => {
    const edit = parseEdit(line);
    if (edit?.type === "rename" && edit.component === null) return { ...before, name: edit.title };
    const operations = edit === null ? null : buildOperations(before, edit, language);
    return operations === null ? before : applyOperations(before, operations);
  }, fresh);
}

/** Adds a chart and its data to the page. */
function addChartWithData(
  message: string,
  page: EditablePage,
  material: AnalysisData,
  language: Language,
): EditablePage | null {
  const { table, measure, groups, assignment, isAboutClasses, isAllGroups } = parsePageRequest(
    page.sourcePrompt,
    material,
  );
  const about = { table, groups, assignment, isAboutClasses, isAllGroups };
  const wish = parseAnalysisRequest(
    message,
    material,
    Object.fromEntries(Object.entries(about).filter(([, one]) => one !== undefined)),
  );
  const planned = planAnalysis(measure === undefined ? wish : { measure, ...wish }, material);
  if (planned.kind !== "plan") return null;
  const draft = buildDraft(planned.plan, language);
  const chart = draft.slots.find(({ componentType }) => componentType === "chart");
  if (chart === undefined) return null;
  const id = createUniqueId("more", [...listSlots(page), ...page.dataContract.bindings, ...page.computeGraph.nodes]);
  const ids = [...draft.bindings.map((one) => one.id), ...draft.nodes.map((one) => one.id)];
  const moved = <T extends RuleJson>(value: T): T => prefixIds(value, ids, id) as T;
  const variant = parseEdit(message);
  const look = variant?.type === "add" && variant.variant !== null ? { variant: variant.variant } : {};
  const needed = draft.bindings.filter(
    (one) => JSON.stringify([chart, draft.nodes]).includes(`$data.${one.id}`) || draft.bindings.length === 1,
  );
  const { tabs } = page.uiComposition;
  const slot = moved({ ...chart, id: `${id}_chart`, props: { ...chart.props, ...look } });
  return {
    ...page,
    dataContract: {
      ...page.dataContract,
      bindings: [...page.dataContract.bindings, ...addDependencies(needed, draft.bindings).map(moved)],
    },
    computeGraph: { nodes: [...page.computeGraph.nodes, ...draft.nodes.map(moved)] },
    uiComposition: {
      ...page.uiComposition,
      tabs: tabs.map((tab, i) => (i === 0 ? { ...tab, slots: [...tab.slots, slot] } : tab)),
    },
  };
}

function addDependencies(
  chosen: BlueprintDraft["bindings"],
  all: BlueprintDraft["bindings"],
): BlueprintDraft["bindings"] {
  const needs = new Set(chosen.flatMap(({ dependsOn }) => dependsOn));
  return all.filter((one) => chosen.includes(one) || needs.has(one.id));
}

/** Prefixes ids in all nested strings and references. */
function prefixIds(value: unknown, ids: readonly string[], prefix: string): unknown {
  if (typeof value === "string") {
    if (ids.includes(value)) return `${prefix}_${value}`;
    return value.replace(/^\$(data|compute)\.([\w-]+)/, (whole, root: string, id: string) =>
      ids.includes(id) ? `$${root}.${prefix}_${id}` : whole,
    );
  }
  if (Array.isArray(value)) return value.map((one) => prefixIds(one, ids, prefix));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, prefixIds(one, ids, prefix)]));
}
