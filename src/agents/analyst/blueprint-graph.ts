// Checks the references and dependencies in a blueprint: every target exists, no cycles, no reference to a later phase.

import type { Blueprint } from "../../protocol/blueprint.ts";
import { bindingNeeds, nodeNeeds } from "./blueprint-parts.ts";
import type { Problem } from "./problem.ts";
import { circleIn } from "./graph.ts";
import { readReference, referencesIn, referencesWithin, textOf, type Reference, type Root } from "./references.ts";

type Placed = { readonly reference: Reference; readonly place: string };

/** Returns all problems of references and dependencies; an empty list if there are none. */
export function graphProblems(blueprint: Blueprint): Problem[] {
  return [
    ...danglingNeeds(blueprint),
    ...danglingReferences(blueprint),
    ...circles(blueprint),
    ...toolsAfterText(blueprint),
  ];
}

/** Returns a problem for every `dependsOn` entry that names nothing. */
function danglingNeeds({ dataContract, computeGraph }: Blueprint): Problem[] {
  const bindings = new Set(dataContract.bindings.map(({ id }) => id));
  const inputs = new Set(dataContract.inputs.map(({ id }) => id));
  const nodes = new Set([...bindings, ...computeGraph.nodes.flatMap(({ id, outputKey }) => [id, outputKey])]);
  const missing = (known: ReadonlySet<string>, needs: readonly string[], place: string) =>
    needs.flatMap((need, i) => (known.has(need) ? [] : [{ place: `${place}.${i}`, message: `There is no ${need}.` }]));
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
const EARLIER: Readonly<Record<"binding" | "later", readonly Root[]>> = {
  binding: ["context", "input", "data"],
  later: ["context", "input", "data", "compute"],
};

/**
 * Returns a problem for every reference to an unknown name or a later phase, and for every data binding that is not a
 * reference.
 */
function danglingReferences(blueprint: Blueprint): Problem[] {
  const { dataContract, computeGraph, uiComposition } = blueprint;
  const known: Readonly<Record<Root, ReadonlySet<string> | null>> = {
    context: null,
    input: new Set(dataContract.inputs.map(({ id }) => id)),
    data: new Set(dataContract.bindings.map(({ id }) => id)),
    compute: new Set(computeGraph.nodes.map(({ outputKey }) => outputKey)),
  };
  const judge = (placed: readonly Placed[], allowed: readonly Root[]) =>
    placed.flatMap(({ reference, place }) => {
      const names = known[reference.root];
      if (!allowed.includes(reference.root))
        return [{ place, message: `${textOf(reference)} is not known yet when data is fetched.` }];
      if (names === null || names.has(reference.path[0] ?? "")) return [];
      const there = [...names].map((name) => `$${reference.root}.${name}`).join(", ");
      return [
        { place, message: `${textOf(reference)} refers to nothing. There is: ${there || "nothing of that kind"}.` },
      ];
    });
  const ofBindings = dataContract.bindings.flatMap(({ paramMapping }, i) =>
    referencesIn(paramMapping, `dataContract.bindings.${i}.paramMapping`),
  );
  const ofNodes = computeGraph.nodes.flatMap(({ toolArgs, promptTemplate }, i) => {
    const place = `computeGraph.nodes.${i}`;
    const inPrompt = referencesWithin(promptTemplate ?? "").map((reference) => ({
      reference,
      place: `${place}.promptTemplate`,
    }));
    return [...referencesIn(toolArgs ?? {}, `${place}.toolArgs`), ...inPrompt];
  });
  const slots = uiComposition.tabs.flatMap((tab, t) =>
    tab.slots.map((slot, s) => ({ slot, place: `uiComposition.tabs.${t}.slots.${s}` })),
  );
  const ofSlots = slots.flatMap(({ slot, place }) => [
    ...referencesIn(slot.props, `${place}.props`),
    ...referencesIn(slot.dataBinding ?? "", `${place}.dataBinding`),
  ]);
  const noReferences = slots.flatMap(({ slot: { dataBinding }, place }) =>
    typeof dataBinding !== "string" || dataBinding === "" || readReference(dataBinding) !== null
      ? []
      : [
          {
            place: `${place}.dataBinding`,
            message: `${dataBinding} is no reference, as $data.${dataBinding} would be.`,
          },
        ],
  );
  return [...judge(ofBindings, EARLIER.binding), ...judge([...ofNodes, ...ofSlots], EARLIER.later), ...noReferences];
}

/** Returns one problem for each of the three graphs that contains a cycle. */
function circles(blueprint: Blueprint): Problem[] {
  const told = (circle: string[] | null, place: string) =>
    circle === null ? [] : [{ place, message: `These need one another in a circle: ${circle.join(" → ")}.` }];
  const inputs = new Map(
    blueprint.dataContract.inputs.map(({ id, dependsOn }) => [id, typeof dependsOn === "string" ? [dependsOn] : []]),
  );
  return [
    ...told(circleIn(inputs), "dataContract.inputs"),
    ...told(circleIn(bindingNeeds(blueprint)), "dataContract.bindings"),
    ...told(circleIn(nodeNeeds(blueprint)), "computeGraph.nodes"),
  ];
}

/**
 * Rejects tools that depend on the text of an AI node. Numbers come from tools alone, so generated text is never
 * computed with.
 */
function toolsAfterText(blueprint: Blueprint): Problem[] {
  const { nodes } = blueprint.computeGraph;
  const texts = new Set(nodes.flatMap(({ id, type }) => (type === "ai" ? [id] : [])));
  const needs = nodeNeeds(blueprint);
  return nodes.flatMap(({ id, type }, i) => {
    const text = type === "tool" ? needs.get(id)?.find((need) => texts.has(need)) : undefined;
    if (text === undefined) return [];
    return [{ place: `computeGraph.nodes.${i}`, message: `A tool cannot work on the text of the AI node ${text}.` }];
  });
}
