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
    ...findPlainBindings(blueprint),
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

/** Returns the references in the data bindings, and those in the nodes and slots, which are resolved later. */
function locateReferences({ dataContract, computeGraph, uiComposition }: Blueprint) {
  const fetched = dataContract.bindings.flatMap(({ paramMapping }, i) =>
    findReferences(paramMapping, `dataContract.bindings.${i}.paramMapping`),
  );
  const nodes = computeGraph.nodes.flatMap(({ toolArgs, promptTemplate }, i): LocatedReference[] => {
    const place = `computeGraph.nodes.${i}`;
    const inPrompt = findInlineReferences(promptTemplate ?? "");
    return [
      ...findReferences(toolArgs, `${place}.toolArgs`),
      ...inPrompt.map((reference) => ({ reference, place: `${place}.promptTemplate` })),
    ];
  });
  const slots = uiComposition.tabs.flatMap((tab, t) =>
    tab.slots.flatMap(({ props, dataBinding }, s) => findReferences({ props, dataBinding }, getSlotPlace(t, s))),
  );
  return { fetched, later: [...nodes, ...slots] };
}

const getSlotPlace = (tab: number, slot: number): string => `uiComposition.tabs.${tab}.slots.${slot}`;

/**
 * Returns a problem for every reference to an unknown name or a later phase. Data is fetched before computing, and
 * computing ends before the page is composed.
 */
function findInvalidReferences(blueprint: Blueprint): BlueprintProblem[] {
  const { dataContract, computeGraph } = blueprint;
  const known: Readonly<Record<ReferenceRoot, readonly string[] | null>> = {
    context: null,
    input: dataContract.inputs.map(({ id }) => id),
    data: dataContract.bindings.map(({ id }) => id),
    compute: computeGraph.nodes.map(({ outputKey }) => outputKey),
  };
  const checkTarget = ({ reference, place }: LocatedReference): BlueprintProblem[] => {
    const names = known[reference.root];
    if (names === null || names.includes(reference.path[0] ?? "")) return [];
    const available = names.map((name) => `$${reference.root}.${name}`).join(", ") || "nothing of that kind";
    return [{ place, message: `${formatReference(reference)} refers to nothing. There is: ${available}.` }];
  };
  const checkFetched = (located: LocatedReference): BlueprintProblem[] => {
    const { reference, place } = located;
    if (reference.root !== "compute") return checkTarget(located);
    return [{ place, message: `${formatReference(reference)} is not known yet when data is fetched.` }];
  };
  const { fetched, later } = locateReferences(blueprint);
  return [...fetched.flatMap(checkFetched), ...later.flatMap(checkTarget)];
}

/** Returns a problem for every data binding of a slot that is not a reference. */
function findPlainBindings({ uiComposition }: Blueprint): BlueprintProblem[] {
  return uiComposition.tabs.flatMap((tab, t) =>
    tab.slots.flatMap(({ dataBinding }, s) => {
      if (typeof dataBinding !== "string" || dataBinding === "" || parseReference(dataBinding) !== null) return [];
      const message = `${dataBinding} is no reference, as $data.${dataBinding} would be.`;
      return [{ place: `${getSlotPlace(t, s)}.dataBinding`, message }];
    }),
  );
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
