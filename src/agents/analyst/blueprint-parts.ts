// What there is in a blueprint, as those who read it need it.

import type { Blueprint, ComputeNode, Slot } from "../../protocol/blueprint.ts";
import { readReference, referencesIn, referencesWithin, type Reference } from "./references.ts";
import type { Needs } from "./graph.ts";

/** The components that text can fill. */
export const AI_COMPONENTS: ReadonlySet<string> = new Set(["markdown", "suggestion_list", "question_generator"]);

export function slotsOf({ uiComposition }: Blueprint): Slot[] {
  return uiComposition.tabs.flatMap(({ slots }) => slots);
}

/** Whether a model writes the slot's content. */
export function isWritten({ componentType, aiContentSlot }: Slot): boolean {
  return aiContentSlot && AI_COMPONENTS.has(componentType);
}

/** The AI node that a slot shows the text of; null when it shows something else. */
export function writerOf({ computeGraph }: Blueprint, { dataBinding, componentType }: Slot): ComputeNode | null {
  const reference = readReference(dataBinding ?? "");
  if (reference?.root !== "compute" || !AI_COMPONENTS.has(componentType)) return null;
  return computeGraph.nodes.find(({ type, outputKey }) => type === "ai" && outputKey === reference.path[0]) ?? null;
}

/** Every reference in what a node is given. */
export function referencesOf({ toolArgs, promptTemplate }: ComputeNode): Reference[] {
  const inArgs = referencesIn(toolArgs ?? {}, "").map(({ reference }) => reference);
  return [...inArgs, ...referencesWithin(promptTemplate ?? "")];
}

/** Which bindings each binding needs: those it names, and those it refers to. */
export function bindingNeeds({ dataContract }: Blueprint): Needs {
  const inputs = new Set(dataContract.inputs.map(({ id }) => id));
  return new Map(
    dataContract.bindings.map(({ id, dependsOn, paramMapping }) => {
      // A binding may be called as the input that it depends on.
      const named = dependsOn.filter((need) => need !== id || !inputs.has(need));
      const referred = referencesIn(paramMapping, "").flatMap(({ reference: { root, path } }) =>
        root === "data" ? [path[0] ?? ""] : [],
      );
      return [id, [...new Set([...named, ...referred])]];
    }),
  );
}

/** Which nodes each node needs. A node may be named by its id or by the key of its output. */
export function nodeNeeds({ computeGraph: { nodes } }: Blueprint): Needs {
  const idOf = new Map([
    ...nodes.map(({ id, outputKey }) => [outputKey, id] as const),
    ...nodes.map(({ id }) => [id, id] as const),
  ]);
  const byKey = new Map(nodes.map(({ id, outputKey }) => [outputKey, id]));
  return new Map(
    nodes.map((node) => {
      const named = node.dependsOn.map((need) => idOf.get(need));
      const referred = referencesOf(node).map(({ root, path }) =>
        root === "compute" ? byKey.get(path[0] ?? "") : undefined,
      );
      return [node.id, [...new Set([...named, ...referred])].filter((id) => id !== undefined)];
    }),
  );
}
