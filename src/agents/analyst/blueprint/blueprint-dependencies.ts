// Checks the references and dependencies in a blueprint: every target exists, no cycles, no reference to a later phase.

import type { Blueprint } from "../../../protocol/pages/blueprint-schema.ts";
import { getBindingDependencies, getNodeDependencies } from "./blueprint-parts.ts";
import type { BlueprintProblem } from "./blueprint-problem.ts";
import { findCycle } from "../../../lib/graph.ts";
import {
  parseReference,
  findReferences,
  findInlineReferences,
  formatReference,
  type ValueReference,
  type ReferenceRoot,
} from "./value-references.ts";

type LocatedReference = { readonly reference: ValueReference; readonly place: string };

/**
 * Returns all problems of references and dependencies, with their paths: missing targets, references to a later phase,
 * cycles, and tools that depend on generated text. Empty if there are none.
 */
export function checkDependencies(blueprint: Blueprint): BlueprintProblem[] {
  return [
    ...findMissingDependencies(blueprint),
    ...findInvalidReferences(blueprint),
    ...findCycles(blueprint),
    ...findToolsAfterText(blueprint),
  ];
}

/** Returns a problem for every `dependsOn` entry that names nothing. */
function findMissingDependencies({ dataContract, computeGraph }: Blueprint): BlueprintProblem[] {
  const bindings = new Set(dataContract.bindings.map(({ id }) => id));
  const inputs = new Set(dataContract.inputs.map(({ id }) => id));
  const nodes = new Set([...bindings, ...computeGraph.nodes.flatMap(({ id, outputKey }) => [id, outputKey])]);
  const missing = (known: ReadonlySet<string>, dependencyIds: readonly string[], place: string) =>
    dependencyIds.flatMap((dependencyId, i) =>
      known.has(dependencyId) ? [] : [{ place: `${place}.${i}`, message: `There is no ${dependencyId}.` }],
    );
  return [
    ...dataContract.inputs.flatMap(({ dependsOn }, i) =>
      typeof dependsOn !== "string" || inputs.has(dependsOn)
        ? []
        : [{ place: `dataContract.inputs.${i}.dependsOn`, message: `There is no input ${dependsOn}.` }],
    ),
    ...dataContract.bindings.flatMap(({ dependsOn }, i) =>
      missing(new Set([...bindings, ...inputs]), dependsOn, `dataContract.bindings.${i}.dependsOn`),
    ),
    ...computeGraph.nodes.flatMap(({ dependsOn }, i) => missing(nodes, dependsOn, `computeGraph.nodes.${i}.dependsOn`)),
  ];
}

/**
 * Roots that may be referenced, by place. Data is fetched before computing, and computing ends before the page is
 * composed.
 */
const ALLOWED_ROOTS: Readonly<Record<"binding" | "later", readonly ReferenceRoot[]>> = {
  binding: ["context", "input", "data"],
  later: ["context", "input", "data", "compute"],
};

/**
 * Returns a problem for every reference to an unknown name or a later phase, and for every data binding that is not a
 * reference.
 */
function findInvalidReferences(blueprint: Blueprint): BlueprintProblem[] {
  const { dataContract, computeGraph, uiComposition } = blueprint;
  const known: Readonly<Record<ReferenceRoot, ReadonlySet<string> | null>> = {
    context: null,
    input: new Set(dataContract.inputs.map(({ id }) => id)),
    data: new Set(dataContract.bindings.map(({ id }) => id)),
    compute: new Set(computeGraph.nodes.map(({ outputKey }) => outputKey)),
  };
  const checkReferences = (references: readonly LocatedReference[], allowed: readonly ReferenceRoot[]) =>
    references.flatMap(({ reference, place }) => {
      const names = known[reference.root];
      if (!allowed.includes(reference.root))
        return [{ place, message: `${formatReference(reference)} is not known yet when data is fetched.` }];
      if (names === null || names.has(reference.path[0] ?? "")) return [];
      const available = [...names].map((name) => `$${reference.root}.${name}`).join(", ");
      return [
        {
          place,
          message: `${formatReference(reference)} refers to nothing. There is: ${available || "nothing of that kind"}.`,
        },
      ];
    });
  const bindingReferences = dataContract.bindings.flatMap(({ paramMapping }, i) =>
    findReferences(paramMapping, `dataContract.bindings.${i}.paramMapping`),
  );
  const nodeReferences = computeGraph.nodes.flatMap(({ toolArgs, promptTemplate }, i) => {
    const place = `computeGraph.nodes.${i}`;
    const inPrompt = findInlineReferences(promptTemplate ?? "").map((reference) => ({
      reference,
      place: `${place}.promptTemplate`,
    }));
    return [...findReferences(toolArgs ?? {}, `${place}.toolArgs`), ...inPrompt];
  });
  const slots = uiComposition.tabs.flatMap((tab, t) =>
    tab.slots.map((slot, s) => ({ slot, place: `uiComposition.tabs.${t}.slots.${s}` })),
  );
  const slotReferences = slots.flatMap(({ slot, place }) => [
    ...findReferences(slot.props, `${place}.props`),
    ...findReferences(slot.dataBinding ?? "", `${place}.dataBinding`),
  ]);
  const unparsedBindings = slots.flatMap(({ slot: { dataBinding }, place }) =>
    typeof dataBinding !== "string" || dataBinding === "" || parseReference(dataBinding) !== null
      ? []
      : [
          {
            place: `${place}.dataBinding`,
            message: `${dataBinding} is no reference, as $data.${dataBinding} would be.`,
          },
        ],
  );
  return [
    ...checkReferences(bindingReferences, ALLOWED_ROOTS.binding),
    ...checkReferences([...nodeReferences, ...slotReferences], ALLOWED_ROOTS.later),
    ...unparsedBindings,
  ];
}

/** Returns one problem for each of the three graphs that contains a cycle. */
function findCycles(blueprint: Blueprint): BlueprintProblem[] {
  const createCycleProblems = (cycle: string[] | null, place: string) =>
    cycle === null ? [] : [{ place, message: `These need one another in a circle: ${cycle.join(" → ")}.` }];
  const inputs = new Map(
    blueprint.dataContract.inputs.map(({ id, dependsOn }) => [id, typeof dependsOn === "string" ? [dependsOn] : []]),
  );
  return [
    ...createCycleProblems(findCycle(inputs), "dataContract.inputs"),
    ...createCycleProblems(findCycle(getBindingDependencies(blueprint)), "dataContract.bindings"),
    ...createCycleProblems(findCycle(getNodeDependencies(blueprint)), "computeGraph.nodes"),
  ];
}

/**
 * Rejects tools that depend on the text of an AI node. Numbers come from tools alone, so generated text is never
 * computed with.
 */
function findToolsAfterText(blueprint: Blueprint): BlueprintProblem[] {
  const { nodes } = blueprint.computeGraph;
  const texts = new Set(nodes.flatMap(({ id, type }) => (type === "ai" ? [id] : [])));
  const dependencies = getNodeDependencies(blueprint);
  return nodes.flatMap(({ id, type }, i) => {
    const text = type === "tool" ? dependencies.get(id)?.find((dependencyId) => texts.has(dependencyId)) : undefined;
    if (text === undefined) return [];
    return [{ place: `computeGraph.nodes.${i}`, message: `A tool cannot work on the text of the AI node ${text}.` }];
  });
}
