// Reads the parts of a blueprint: its slots, the nodes that write them, and the dependencies of bindings and nodes.

import type { Blueprint, ComputeNode, BlueprintSlot } from "../../../protocol/pages/blueprint-schema.ts";
import { parseReference, findReferences, findInlineReferences, type ValueReference } from "./value-references.ts";
import type { DependencyGraph } from "../../../lib/graph.ts";

/** Components that a generated text can fill. */
export const AI_COMPONENTS: ReadonlySet<string> = new Set(["markdown", "suggestion_list", "question_generator"]);

/** Returns the slots of all tabs in page order. */
export function listSlots({ uiComposition }: Blueprint): BlueprintSlot[] {
  return uiComposition.tabs.flatMap(({ slots }) => slots);
}

/**
 * True if the slot asks for a generated text and its component can show a text. A slot that is bound to an AI node
 * shows a generated text too: see `findWriterNode`.
 */
export function isAiContentSlot({ componentType, aiContentSlot }: BlueprintSlot): boolean {
  return aiContentSlot && AI_COMPONENTS.has(componentType);
}

/** Returns the AI node whose text the slot shows; null if it is bound to anything else or cannot show a text. */
export function findWriterNode(
  { computeGraph }: Blueprint,
  { dataBinding, componentType }: BlueprintSlot,
): ComputeNode | null {
  const reference = parseReference(dataBinding ?? "");
  if (reference?.root !== "compute" || !AI_COMPONENTS.has(componentType)) return null;
  return computeGraph.nodes.find(({ type, outputKey }) => type === "ai" && outputKey === reference.path[0]) ?? null;
}

/** Returns all references in the arguments of a node, then those in its prompt. Equal references may repeat. */
export function listNodeReferences({ toolArgs, promptTemplate }: ComputeNode): ValueReference[] {
  const inArgs = findReferences(toolArgs ?? {}, "").map(({ reference }) => reference);
  return [...inArgs, ...findInlineReferences(promptTemplate ?? "")];
}

/**
 * Returns for each binding the ids it depends on, declared (`dependsOn`) and referenced as `$data.…`. They may include
 * ids of inputs and unknown ids, which are not keys of the graph.
 */
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
 * Returns for each node the ids of the nodes it depends on, declared (`dependsOn`, by id or output key) and referenced
 * as `$compute.…` (by output key) in its arguments or prompt. Bindings and unknown names are left out.
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
