// Checks that a blueprint can be carried out. No blueprint is trusted, neither from a model nor from a client. Every
// problem carries its path, such as `computeGraph.nodes.2.toolName`.

import { blueprintSchema, type Blueprint } from "../../../protocol/pages/blueprint-schema.ts";
import { omitNullMembers } from "../../../lib/json-value.ts";
import { checkToolArguments } from "./check-arguments.ts";
import { AI_COMPONENTS } from "./blueprint-parts.ts";
import { checkDependencies } from "./blueprint-dependencies.ts";
import type { ToolInfo } from "../tools.ts";
import type { BlueprintProblem } from "./blueprint-problem.ts";

/** The result of a check. A blueprint with warnings can be carried out, but its page will be incomplete. */
export type BlueprintCheck =
  | { readonly ok: true; readonly blueprint: Blueprint; readonly warnings: readonly BlueprintProblem[] }
  | { readonly ok: false; readonly problems: readonly BlueprintProblem[] };

/** Maximum number of problems reported for one blueprint. */
const MAX_PROBLEMS = 20;
const MAX_BLUEPRINT_CHARS = 262_144;
/** Maximum nesting of objects and lists. */
const MAX_DEPTH = 32;

/**
 * Parses and checks a blueprint: size and nesting, schema, unique ids, tools and their arguments, references and
 * cycles. Returns at most 20 problems and does not throw for any JSON. Members that are null count as missing. Adds an
 * id, `sourcePrompt` and a creation time (`now`, epoch ms) if the input has none.
 */
export function checkBlueprint(
  input: unknown,
  tools: readonly ToolInfo[],
  { sourcePrompt = "", now = Date.now() }: { readonly sourcePrompt?: string; readonly now?: number } = {},
): BlueprintCheck {
  if (exceedsDepth(input, MAX_DEPTH))
    return createRejection([{ place: "", message: `Nested more than ${MAX_DEPTH} deep.` }]);
  if ((JSON.stringify(input) ?? "").length > MAX_BLUEPRINT_CHARS)
    return createRejection([{ place: "", message: `Longer than ${MAX_BLUEPRINT_CHARS} characters.` }]);
  const parsed = blueprintSchema.safeParse(ensureId(omitNullMembers(input)));
  if (!parsed.success)
    return createRejection(parsed.error.issues.map(({ path, message }) => ({ place: path.join("."), message })));
  const blueprint = {
    ...parsed.data,
    sourcePrompt: parsed.data.sourcePrompt || sourcePrompt,
    createdAt: parsed.data.createdAt || new Date(now).toISOString(),
  };
  const problems = [
    ...findDuplicateIds(blueprint),
    ...checkBindings(blueprint, tools),
    ...checkNodes(blueprint, tools),
    ...checkDependencies(blueprint),
  ];
  return problems.length > 0 ? createRejection(problems) : { ok: true, blueprint, warnings: findWarnings(blueprint) };
}

/** Formats problems for a model or a person, one per line with its path. */
export function formatProblems(problems: readonly BlueprintProblem[]): string {
  return problems.map(({ place, message }) => (place === "" ? message : `${place}: ${message}`)).join("\n");
}

function createRejection(problems: readonly BlueprintProblem[]): BlueprintCheck {
  return { ok: false, problems: problems.slice(0, MAX_PROBLEMS) };
}

/** Adds a random id if the blueprint has none. Models often leave it out. */
function ensureId(input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const { id } = input as { id?: unknown };
  if (id !== undefined && id !== null && id !== "") return input;
  return { ...input, id: `bp-${crypto.randomUUID().replaceAll("-", "")}` };
}

/** Returns a problem for every id or output key that occurs a second time among its siblings. */
function findDuplicateIds({ dataContract, computeGraph, uiComposition }: Blueprint): BlueprintProblem[] {
  const { tabs } = uiComposition;
  const slots = tabs.flatMap((tab, t) =>
    tab.slots.map(({ id }, s) => ({ id, place: `uiComposition.tabs.${t}.slots.${s}.id` })),
  );
  const listIds = (path: string, all: readonly { readonly id: string }[]) =>
    all.map(({ id }, i) => ({ id, place: `${path}.${i}.id` }));
  const keys = computeGraph.nodes.map(({ outputKey }, i) => ({
    id: outputKey,
    place: `computeGraph.nodes.${i}.outputKey`,
  }));
  const groups = [
    listIds("dataContract.inputs", dataContract.inputs),
    listIds("dataContract.bindings", dataContract.bindings),
    listIds("computeGraph.nodes", computeGraph.nodes),
    keys,
    listIds("uiComposition.tabs", tabs),
    slots,
  ];
  return groups.flatMap((group) => {
    const first = new Map(group.toReversed().map(({ id, place }) => [id, place]));
    const later = group.filter(({ id, place }) => first.get(id) !== place);
    return later.map(({ id, place }) => ({ place, message: `${id} is there twice; ids must differ.` }));
  });
}

/** Returns problems of the data bindings. Bindings of type `api` are always rejected. */
function checkBindings({ dataContract }: Blueprint, tools: readonly ToolInfo[]): BlueprintProblem[] {
  return dataContract.bindings.flatMap((binding, i): BlueprintProblem[] => {
    const place = `dataContract.bindings.${i}`;
    switch (binding.sourceType) {
      case "static":
        return [];
      case "api":
        return [{ place: `${place}.sourceType`, message: "Addresses are not called. Use a tool, or static values." }];
      case "tool":
        return checkToolCall(tools, binding.toolName, binding.paramMapping, place, "paramMapping");
    }
  });
}

/** Returns problems of the compute nodes: unknown tools, wrong arguments and AI nodes without a prompt. */
function checkNodes({ computeGraph }: Blueprint, tools: readonly ToolInfo[]): BlueprintProblem[] {
  return computeGraph.nodes.flatMap((node, i): BlueprintProblem[] => {
    const place = `computeGraph.nodes.${i}`;
    if (node.type === "tool") return checkToolCall(tools, node.toolName, node.toolArgs ?? {}, place, "toolArgs");
    if ((node.promptTemplate ?? "").trim() !== "") return [];
    return [{ place: `${place}.promptTemplate`, message: "An AI node needs a prompt." }];
  });
}

/** Checks that the tool exists and accepts the arguments. */
function checkToolCall(
  tools: readonly ToolInfo[],
  name: string | null | undefined,
  args: Readonly<Record<string, unknown>>,
  place: string,
  member: "paramMapping" | "toolArgs",
): BlueprintProblem[] {
  const names = tools.map((tool) => tool.name).join(", ");
  if (name === undefined || name === null)
    return [{ place: `${place}.toolName`, message: `A tool has to be named. There are: ${names}.` }];
  const tool = tools.find((known) => known.name === name);
  if (tool === undefined)
    return [{ place: `${place}.toolName`, message: `There is no tool ${name}. There are: ${names}.` }];
  return checkToolArguments(tool, args, `${place}.${member}`);
}

/** Returns weaknesses that do not stop the execution: no written text, text in a data component, or an empty slot. */
function findWarnings({ uiComposition }: Blueprint): BlueprintProblem[] {
  const slots = uiComposition.tabs.flatMap((tab, t) =>
    tab.slots.map((slot, s) => ({ ...slot, place: `uiComposition.tabs.${t}.slots.${s}` })),
  );
  const isNarrative = slots.some(({ componentType, aiContentSlot }) => componentType === "markdown" && aiContentSlot);
  return [
    ...(isNarrative
      ? []
      : [{ place: "uiComposition.tabs", message: "There must be a markdown slot with aiContentSlot true." }]),
    ...slots.flatMap(({ componentType, aiContentSlot, dataBinding, props, place }) => {
      if (aiContentSlot && !AI_COMPONENTS.has(componentType))
        return [{ place: `${place}.aiContentSlot`, message: `Text cannot fill a ${componentType}: bind it to data.` }];
      if (aiContentSlot || typeof dataBinding === "string" || Object.keys(props).length > 0) return [];
      return [{ place: `${place}.dataBinding`, message: "Nothing fills this slot." }];
    }),
  ];
}

function exceedsDepth(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => exceedsDepth(member, levels - 1));
}
