// Builds blueprints from their parts.

import type { Language } from "../../../protocol/words/language.ts";

export type Json = Readonly<Record<string, unknown>>;
export type Binding = {
  readonly id: string;
  readonly toolName: string;
  readonly paramMapping: Json;
  readonly dependsOn: readonly string[];
};
export type Node = { readonly id: string; readonly type: "tool" | "ai"; readonly outputKey: string } & Json;
export type Slot = {
  readonly id: string;
  readonly componentType: string;
  readonly dataBinding?: string;
  readonly props: Json;
  readonly aiContentSlot?: boolean;
};

export type Draft = {
  readonly name: string;
  readonly description: string;
  readonly bindings: readonly Binding[];
  readonly nodes: readonly Node[];
  readonly slots: readonly Slot[];
  /** The prompt of the text, and the ids of the data it uses. */
  readonly text: { readonly task: string; readonly about: readonly string[] };
};

export const say = (language: Language, en: string, zh: string): string => (language === "zh" ? zh : en);

export function binding(id: string, toolName: string, paramMapping: Json): Binding {
  const needs = [...JSON.stringify(paramMapping).matchAll(/"\$data\.([\w-]+)/g)].map(([, need = ""]) => need);
  return { id, toolName, paramMapping, dependsOn: [...new Set(needs)] };
}

export function reckon(id: string, toolName: string, toolArgs: Json): Node {
  return { id, type: "tool", toolName, toolArgs, dependsOn: [], outputKey: id };
}

/** Creates a slot that shows data. */
export function shown(
  id: string,
  componentType: "kpi_grid" | "chart" | "table",
  dataBinding: string | null,
  props: Json,
): Slot {
  return { id, componentType, ...(dataBinding === null ? {} : { dataBinding }), props };
}

export function written(id: string, componentType: "markdown" | "suggestion_list", props: Json): Slot {
  return { id, componentType, props, aiContentSlot: true };
}

/** Assembles the blueprint; the text follows the figures. */
export function blueprintOf({ name, description, bindings, nodes, slots, text }: Draft, language: Language): Json {
  const insight: Node = {
    id: "insight",
    type: "ai",
    promptTemplate: text.task,
    dependsOn: text.about,
    outputKey: "insight",
  };
  const words: Slot = {
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
          label: say(language, "Overview", "概览"),
          slots: slots.toSpliced(at < 0 ? slots.length : at, 0, words),
        },
      ],
    },
  };
}
