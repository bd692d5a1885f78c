// Builds blueprints from their parts.

import type { Language } from "../../language/detect-language.ts";

export type RuleJson = Readonly<Record<string, unknown>>;
export type DraftBinding = {
  readonly id: string;
  readonly toolName: string;
  readonly paramMapping: RuleJson;
  readonly dependsOn: readonly string[];
};
export type DraftNode = { readonly id: string; readonly type: "tool" | "ai"; readonly outputKey: string } & RuleJson;
export type DraftSlot = {
  readonly id: string;
  readonly componentType: string;
  readonly dataBinding?: string;
  readonly props: RuleJson;
  readonly aiContentSlot?: boolean;
};

export type BlueprintDraft = {
  readonly name: string;
  readonly description: string;
  readonly bindings: readonly DraftBinding[];
  readonly nodes: readonly DraftNode[];
  readonly slots: readonly DraftSlot[];
  /** The prompt of the text, and the ids of the data it uses. */
  readonly text: { readonly task: string; readonly about: readonly string[] };
};

export const pickByLanguage = (language: Language, en: string, zh: string): string => (language === "zh" ? zh : en);

export function createBinding(id: string, toolName: string, paramMapping: RuleJson): DraftBinding {
  const needs = [...JSON.stringify(paramMapping).matchAll(/"\$data\.([\w-]+)/g)].map(([, need = ""]) => need);
  return { id, toolName, paramMapping, dependsOn: [...new Set(needs)] };
}

export function createToolNode(id: string, toolName: string, toolArgs: RuleJson): DraftNode {
  return { id, type: "tool", toolName, toolArgs, dependsOn: [], outputKey: id };
}

/** Creates a slot that shows data. */
export function createDataSlot(
  id: string,
  componentType: "kpi_grid" | "chart" | "table",
  dataBinding: string | null,
  props: RuleJson,
): DraftSlot {
  return { id, componentType, ...(dataBinding === null ? {} : { dataBinding }), props };
}

export function createTextSlot(id: string, componentType: "markdown" | "suggestion_list", props: RuleJson): DraftSlot {
  return { id, componentType, props, aiContentSlot: true };
}

/** Assembles the blueprint; the text follows the figures. */
export function assembleBlueprint(
  { name, description, bindings, nodes, slots, text }: BlueprintDraft,
  language: Language,
): RuleJson {
  const insight: DraftNode = {
    id: "insight",
    type: "ai",
    promptTemplate: text.task,
    dependsOn: text.about,
    outputKey: "insight",
  };
  const words: DraftSlot = {
    id: "text",
    componentType: "markdown",
    dataBinding: "$compute.insight",
    props: { variant: "insight" },
    aiContentSlot: true,
  };
  const at = slots.findIndex(({ componentType }) => componentType !== "kpi_grid");
  return {
    name,
    description,
    dataContract: { inputs: [], bindings },
    computeGraph: { nodes: [...nodes, insight] },
    uiComposition: {
      layout: "single_page",
      tabs: [
        {
          id: "overview",
          label: pickByLanguage(language, "Overview", "概览"),
          slots: slots.toSpliced(at < 0 ? slots.length : at, 0, words),
        },
      ],
    },
  };
}
