// Reads the parts of a blueprint: its slots, the nodes that write them, and the dependencies of bindings and nodes.

import type { Blueprint, ComputeNode, Slot } from "../../protocol/blueprint.ts";
import { readReference, referencesIn, referencesWithin, type Reference } from "./references.ts";
import type { Needs } from "./graph.ts";

/** Components that a generated text can fill. */
export const AI_COMPONENTS: ReadonlySet<string> = new Set(["markdown", "suggestion_list", "question_generator"]);

/** Returns the slots of all tabs in page order. */
export function slotsOf({ uiComposition }: Blueprint): Slot[] {
  return uiComposition.tabs.flatMap(({ slots }) => slots);
}

/** True if a model writes the content of the slot. */
export function isWritten({ componentType, aiContentSlot }: Slot): boolean {
  return aiContentSlot && AI_COMPONENTS.has(componentType);
}

/** Returns the AI node whose text the slot shows; null if the slot shows something else. */
export function writerOf({ computeGraph }: Blueprint, { dataBinding, componentType }: Slot): ComputeNode | null {
  const reference = readReference(dataBinding ?? "");
  if (reference?.root !== "compute" || !AI_COMPONENTS.has(componentType)) return null;
  return computeGraph.nodes.find(({ type, outputKey }) => type === "ai" && outputKey === reference.path[0]) ?? null;
}

/** Returns all references in the arguments and the prompt of a node. */
export function referencesOf({ toolArgs, promptTemplate }: ComputeNode): Reference[] {
  const inArgs = referencesIn(toolArgs ?? {}, "").map(({ reference }) => reference);
  return [...inArgs, ...referencesWithin(promptTemplate ?? "")];
}

/** Returns for each binding the ids of the bindings it depends on, both declared and referenced. */
export function bindingNeeds({ dataContract }: Blueprint): Needs {
  const inputs = new Set(dataContract.inputs.map(({ id }) => id));
  return new Map(
    dataContract.bindings.map(({ id, dependsOn, paramMapping }) => {
      // A binding may have the same id as an input that it depends on.
      const named = dependsOn.filter((need) => need !== id || !inputs.has(need));
      const referred = referencesIn(paramMapping, "").flatMap(({ reference: { root, path } }) =>
        root === "data" ? [path[0] ?? ""] : [],
      );
      return [id, [...new Set([...named, ...referred])]];
    }),
  );
}

/**
 * Returns for each node the ids of the nodes it depends on. A dependency may name the id of a node or its output key.
 * Dependencies on bindings are left out.
 */
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
