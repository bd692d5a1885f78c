// Reads the parts of a blueprint: its slots, the nodes that write them, and the dependencies of bindings and nodes.

import type { Blueprint, ComputeNode, BlueprintSlot } from "../../protocol/pages/blueprint-schema.ts";
import { parseReference, findReferences, findInlineReferences, type ValueReference } from "./value-references.ts";
import type { DependencyGraph } from "./dependency-graph.ts";

/** Components that a generated text can fill. */
export const AI_COMPONENTS: ReadonlySet<string> = new Set(["markdown", "suggestion_list", "question_generator"]);

/** Returns the slots of all tabs in page order. */
export function listSlots({ uiComposition }: Blueprint): BlueprintSlot[] {
  return uiComposition.tabs.flatMap(({ slots }) => slots);
}

/** True if a model writes the content of the slot. */
export function isWrittenSlot({ componentType, aiContentSlot }: BlueprintSlot): boolean {
  return aiContentSlot && AI_COMPONENTS.has(componentType);
}

/** Returns the AI node whose text the slot shows; null if the slot shows something else. */
export function findWriterNode(
  { computeGraph }: Blueprint,
  { dataBinding, componentType }: BlueprintSlot,
): ComputeNode | null {
  const reference = parseReference(dataBinding ?? "");
  if (reference?.root !== "compute" || !AI_COMPONENTS.has(componentType)) return null;
  return computeGraph.nodes.find(({ type, outputKey }) => type === "ai" && outputKey === reference.path[0]) ?? null;
}

/** Returns all references in the arguments and the prompt of a node. */
export function listNodeReferences({ toolArgs, promptTemplate }: ComputeNode): ValueReference[] {
  const inArgs = findReferences(toolArgs ?? {}, "").map(({ reference }) => reference);
  return [...inArgs, ...findInlineReferences(promptTemplate ?? "")];
}

/** Returns for each binding the ids of the bindings it depends on, both declared and referenced. */
export function getBindingDependencies({ dataContract }: Blueprint): DependencyGraph {
  const inputs = new Set(dataContract.inputs.map(({ id }) => id));
  return new Map(
    dataContract.bindings.map(({ id, dependsOn, paramMapping }) => {
      // A binding may have the same id as an input that it depends on.
      const declared = dependsOn.filter((need) => need !== id || !inputs.has(need));
      const referenced = findReferences(paramMapping, "").flatMap(({ reference: { root, path } }) =>
        root === "data" ? [path[0] ?? ""] : [],
      );
      return [id, [...new Set([...declared, ...referenced])]];
    }),
  );
}

/**
 * Returns for each node the ids of the nodes it depends on. A dependency may name the id of a node or its output key.
 * Dependencies on bindings are left out.
 */
export function getNodeDependencies({ computeGraph: { nodes } }: Blueprint): DependencyGraph {
  const idByName = new Map([
    ...nodes.map(({ id, outputKey }) => [outputKey, id] as const),
    ...nodes.map(({ id }) => [id, id] as const),
  ]);
  const idByOutputKey = new Map(nodes.map(({ id, outputKey }) => [outputKey, id]));
  return new Map(
    nodes.map((node) => {
      const declared = node.dependsOn.map((need) => idByName.get(need));
      const referenced = listNodeReferences(node).map(({ root, path }) =>
        root === "compute" ? idByOutputKey.get(path[0] ?? "") : undefined,
      );
      return [node.id, [...new Set([...declared, ...referenced])].filter((id) => id !== undefined)];
    }),
  );
}
