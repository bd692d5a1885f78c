// Parses operations on a blueprint and applies them as pure functions.

import {
  blueprintPatchSchema,
  type Blueprint,
  type BlueprintPatch,
  type BlueprintSlot,
} from "../../../protocol/pages/blueprint-schema.ts";
import { componentTypeSchema } from "../../../protocol/pages/page.ts";
import { isAiContentSlot, getNodeDependencies, listSlots, findWriterNode } from "./blueprint-parts.ts";
import type { BlueprintProblem } from "./blueprint-problem.ts";
import { isRecord, type DataRow } from "../blocks/data-shapes.ts";

/** The changed blueprint, or the problems of the first operation that cannot be applied. */
export type PatchResult =
  | {
      readonly ok: true;
      readonly blueprint: Blueprint;
      /** Ids of the slots whose texts have to be written again. */
      readonly recompose: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly BlueprintProblem[] };

/** Properties that define the text of a written slot. */
const WORDING_PROPS = ["instruction", "prompt"];

/**
 * Parses the operations of a model. Invalid operations are reported as problems and left out of `patches`. An added
 * block without an id gets an id that contains the version of `blueprint`.
 */
export function parseOperations(
  operations: readonly unknown[],
  blueprint: Blueprint,
): { readonly patches: BlueprintPatch[]; readonly problems: BlueprintProblem[] } {
  const patches: BlueprintPatch[] = [];
  const problems: BlueprintProblem[] = [];
  for (const [i, operation] of operations.entries()) {
    const { success, data, error } = blueprintPatchSchema.safeParse(
      isRecord(operation) ? withSlotId(operation, `block-${blueprint.version}-${i + 1}`) : operation,
    );
    if (success) patches.push(data);
    else
      problems.push(
        ...error.issues.map(({ path, message }) => ({ place: ["operations", i, ...path].join("."), message })),
      );
  }
  return { patches, problems };
}

function withSlotId(operation: DataRow, id: string): DataRow {
  const { slot } = operation;
  return isRecord(slot) ? { ...operation, slot: { id, ...slot } } : operation;
}

/**
 * Applies the operations in order and increments the version by 1. Also removes AI nodes whose text is not shown or
 * needed any more. Stops at the first operation that cannot be applied and returns its problem. Does not change
 * `before`. The caller has to check the resulting blueprint.
 */
export function applyPatch(before: Blueprint, patches: readonly BlueprintPatch[]): PatchResult {
  const recompose = new Set<string>();
  let blueprint = before;
  for (const [i, patch] of patches.entries()) {
    const next = applyOperation(blueprint, patch);
    if ("message" in next) return { ok: false, problems: [{ ...next, place: `operations.${i}.${next.place}` }] };
    blueprint = next.blueprint;
    for (const id of next.recompose ?? []) recompose.add(id);
  }
  const remainingIds = new Set(listSlots(blueprint).map(({ id }) => id));
  return {
    ok: true,
    blueprint: { ...removeUnusedNodes(before, blueprint), version: before.version + 1 },
    recompose: [...recompose].filter((id) => remainingIds.has(id)),
  };
}

/** The blueprint after one operation, with the slots whose texts it outdates. */
type PatchStep = { readonly blueprint: Blueprint; readonly recompose?: readonly string[] };

function applyOperation(blueprint: Blueprint, patch: BlueprintPatch): PatchStep | BlueprintProblem {
  switch (patch.op) {
    case "update_props":
      return updateProps(blueprint, patch);
    case "reorder":
      return reorderSlots(blueprint, patch);
    case "add_block":
      return addSlot(blueprint, patch);
    case "remove_block":
      if (!listSlots(blueprint).some(({ id }) => id === patch.slotId))
        return createNoSlotProblem(blueprint, patch.slotId, "slotId");
      return { blueprint: mapSlots(blueprint, (slots) => slots.filter(({ id }) => id !== patch.slotId)) };
    case "recompose":
      return recomposeTexts(blueprint, patch);
  }
}

/** Merges properties into a slot; null removes a property. Changed wording or a changed component outdates the text. */
function updateProps(
  blueprint: Blueprint,
  { slotId, props }: Extract<BlueprintPatch, { op: "update_props" }>,
): PatchStep | BlueprintProblem {
  const slot = listSlots(blueprint).find(({ id }) => id === slotId);
  if (slot === undefined) return createNoSlotProblem(blueprint, slotId, "slotId");
  // Models often write members of the slot itself as properties.
  const { dataBinding, componentType, ...rest } = props;
  const type = componentTypeSchema.safeParse(componentType);
  const merged = Object.entries({ ...slot.props, ...rest }).filter(([, value]) => value !== null);
  const after: BlueprintSlot = {
    ...slot,
    props: Object.fromEntries(merged),
    ...(typeof dataBinding === "string" ? { dataBinding } : {}),
    ...(type.success ? { componentType: type.data } : {}),
  };
  const isReworded =
    hasWrittenText(blueprint, after) &&
    (WORDING_PROPS.some((name) => name in rest) || after.componentType !== slot.componentType);
  const next = mapSlots(blueprint, (slots) => slots.map((candidate) => (candidate.id === slotId ? after : candidate)));
  return { blueprint: next, recompose: isReworded ? [slotId] : [] };
}

/** Moves the named slots to the start of the tab, in that order and also from other tabs. The other slots follow. */
function reorderSlots(
  blueprint: Blueprint,
  { tabId, slotIds }: Extract<BlueprintPatch, { op: "reorder" }>,
): PatchStep | BlueprintProblem {
  const all = new Map(listSlots(blueprint).map((slot) => [slot.id, slot]));
  const missing = slotIds.find((id) => !all.has(id));
  if (missing !== undefined) return createNoSlotProblem(blueprint, missing, "slotIds");
  const tab = findTabId(blueprint, tabId, slotIds[0]);
  if (tab === null) return createNoTabProblem(blueprint, tabId);
  const namedSlots = [...new Set(slotIds)].flatMap((id) => all.get(id) ?? []);
  const next = mapSlots(blueprint, (slots, id) => {
    const others = slots.filter((slot) => !slotIds.includes(slot.id));
    return id === tab ? [...namedSlots, ...others] : others;
  });
  return { blueprint: next };
}

/** Adds a slot at the index, or at the end of the tab. */
function addSlot(
  blueprint: Blueprint,
  { tabId, slot, index }: Extract<BlueprintPatch, { op: "add_block" }>,
): PatchStep | BlueprintProblem {
  const tab = findTabId(blueprint, tabId, undefined);
  if (tab === null) return createNoTabProblem(blueprint, tabId);
  const next = mapSlots(blueprint, (slots, id) =>
    id === tab ? slots.toSpliced(index ?? slots.length, 0, slot) : slots,
  );
  return { blueprint: next, recompose: hasWrittenText(blueprint, slot) ? [slot.id] : [] };
}

/** Outdates the texts of the slots. Appends the instruction to the prompt, so that it also applies to later runs. */
function recomposeTexts(
  blueprint: Blueprint,
  { slotIds, instruction }: Extract<BlueprintPatch, { op: "recompose" }>,
): PatchStep | BlueprintProblem {
  const slots = listSlots(blueprint);
  for (const id of slotIds) {
    const slot = slots.find((candidate) => candidate.id === id);
    if (slot === undefined) return createNoSlotProblem(blueprint, id, "slotIds");
    if (!hasWrittenText(blueprint, slot)) return { place: "slotIds", message: `${id} shows data and is not written.` };
  }
  if (instruction === "") return { blueprint, recompose: slotIds };
  const chosen = slots.filter(({ id }) => slotIds.includes(id));
  const writers = new Set(chosen.map((slot) => findWriterNode(blueprint, slot)?.id));
  const nodes = blueprint.computeGraph.nodes.map((node) =>
    writers.has(node.id)
      ? { ...node, promptTemplate: `${node.promptTemplate ?? ""}\n${instruction}`.slice(-8_000) }
      : node,
  );
  const isOwn = (slot: BlueprintSlot) => slotIds.includes(slot.id) && findWriterNode(blueprint, slot) === null;
  const next = mapSlots(blueprint, (all) =>
    all.map((slot) => (isOwn(slot) ? { ...slot, props: { ...slot.props, instruction } } : slot)),
  );
  return { blueprint: { ...next, computeGraph: { nodes } }, recompose: slotIds };
}

/** Removes AI nodes whose text was shown before, is not shown any more, and is needed by no other node. */
function removeUnusedNodes(before: Blueprint, after: Blueprint): Blueprint {
  const listShownNodes = (blueprint: Blueprint) =>
    new Set(listSlots(blueprint).map((slot) => findWriterNode(blueprint, slot)?.id));
  const [shownBefore, shownNow] = [listShownNodes(before), listShownNodes(after)];
  const needed = new Set([...getNodeDependencies(after).values()].flat());
  const nodes = after.computeGraph.nodes.filter(({ id }) => !shownBefore.has(id) || shownNow.has(id) || needed.has(id));
  return { ...after, computeGraph: { nodes } };
}

function hasWrittenText(blueprint: Blueprint, slot: BlueprintSlot): boolean {
  return isAiContentSlot(slot) || findWriterNode(blueprint, slot) !== null;
}

function mapSlots(blueprint: Blueprint, change: (slots: BlueprintSlot[], tabId: string) => BlueprintSlot[]): Blueprint {
  const { uiComposition } = blueprint;
  const tabs = uiComposition.tabs.map((tab) => ({ ...tab, slots: change(tab.slots, tab.id) }));
  return { ...blueprint, uiComposition: { ...uiComposition, tabs } };
}

/**
 * Returns the id of the named tab. Without a name, returns the tab of the slot, or the first tab. Null if the name is
 * unknown.
 */
function findTabId({ uiComposition: { tabs } }: Blueprint, tabId: string, slotId: string | undefined): string | null {
  if (tabId !== "") return tabs.find(({ id }) => id === tabId)?.id ?? null;
  return (tabs.find(({ slots }) => slots.some(({ id }) => id === slotId)) ?? tabs[0])?.id ?? null;
}

function createNoSlotProblem(blueprint: Blueprint, id: string, place: string): BlueprintProblem {
  const names = listSlots(blueprint)
    .map((slot) => slot.id)
    .join(", ");
  return { place, message: `There is no slot ${id}. There are: ${names}.` };
}

function createNoTabProblem({ uiComposition: { tabs } }: Blueprint, id: string): BlueprintProblem {
  return { place: "tabId", message: `There is no tab ${id}. There are: ${tabs.map((tab) => tab.id).join(", ")}.` };
}
