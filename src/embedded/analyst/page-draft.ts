// The parts of a page, and the blueprint that they make up.

import type { Language } from "../../language/detect-language.ts";

export type RuleJson = Readonly<Record<string, unknown>>;

export type PageSlot = RuleJson & { readonly componentType: string; readonly props: RuleJson };

/** A page without its text. `figures` stand above the text, `blocks` below it. */
export type DraftedPage = {
  readonly name: string;
  readonly description: string;
  readonly bindings: readonly RuleJson[];
  readonly nodes?: readonly RuleJson[];
  readonly figures?: readonly PageSlot[];
  readonly blocks: readonly PageSlot[];
  /** The prompt of the text, and the ids of the data it is about. */
  readonly task: string;
  readonly about: readonly string[];
};

export const pick = (language: Language, en: string, zh: string): string => (language === "zh" ? zh : en);

export function createBinding(id: string, toolName: string, paramMapping: RuleJson): RuleJson {
  const needs = [...JSON.stringify(paramMapping).matchAll(/"\$data\.([\w-]+)/g)].map(([, need]) => need);
  return { id, toolName, paramMapping, dependsOn: [...new Set(needs)] };
}

export const createToolNode = (id: string, toolName: string, toolArgs: RuleJson): RuleJson => ({
  id,
  type: "tool",
  toolName,
  toolArgs,
  dependsOn: [],
  outputKey: id,
});

export const createSlot = (id: string, componentType: string, dataBinding: string, props: RuleJson): PageSlot => ({
  id,
  componentType,
  dataBinding,
  props,
});

export function assembleBlueprint(draft: DraftedPage, language: Language): RuleJson {
  const { name, description, bindings, nodes = [], figures = [], blocks, task, about } = draft;
  const text = { ...createSlot("text", "markdown", "$compute.insight", { variant: "insight" }), aiContentSlot: true };
  const insight = { id: "insight", type: "ai", promptTemplate: task, dependsOn: about, outputKey: "insight" };
  const label = pick(language, "Overview", "概览");
  return {
    name,
    description,
    dataContract: { inputs: [], bindings },
    computeGraph: { nodes: [...nodes, insight] },
    uiComposition: { layout: "single_page", tabs: [{ id: "overview", label, slots: [...figures, text, ...blocks] }] },
  };
}
