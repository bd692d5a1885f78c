// Parses operations on a blueprint leniently and applies them as pure functions.

import { patchSchema, type Blueprint, type Patch, type Slot } from "../../protocol/blueprint.ts";
import { componentTypeSchema } from "../../protocol/page.ts";
import { isWritten, nodeNeeds, slotsOf, writerOf } from "./blueprint-parts.ts";
import type { Problem } from "./problem.ts";
import { isRecord, type Row } from "./shapes.ts";

/** The changed blueprint, or the problems of the first operation that cannot be applied. */
export type Applied =
  | {
      readonly ok: true;
      readonly blueprint: Blueprint;
      /** Ids of the slots whose texts have to be written again. */
      readonly recompose: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Properties that define the text of a written slot. */
const WORDING = ["instruction", "prompt"];

/** Parses the operations of a model. Invalid operations are reported as problems and left out of `patches`. */
export function readOperations(
  given: readonly unknown[],
  blueprint: Blueprint,
): { readonly patches: Patch[]; readonly problems: Problem[] } {
  const read = given.map((one, i) => {
    const parsed = patchSchema.safeParse(isRecord(one) ? plain(one, `block-${blueprint.version}-${i + 1}`) : one);
    if (parsed.success) return { patch: parsed.data, problems: [] };
    const problems = parsed.error.issues.map(({ path, message }) => ({
      place: ["operations", i, ...path].join("."),
      message,
    }));
    return { patch: null, problems };
  });
  return {
    patches: read.map(({ patch }) => patch).filter((patch) => patch !== null),
    problems: read.flatMap(({ problems }) => problems),
  };
}

/** Maps the member names that models use to those of the schema. A block without an id gets `freshId`. */
function plain(one: Row, freshId: string): Row {
  const slot = one["slot"] ?? one["block"] ?? one["component"];
  const slotId =
    one["slotId"] ?? one["slot_id"] ?? one["blockId"] ?? one["block_id"] ?? one["targetBlockId"] ?? one["target"];
  const slotIds =
    one["slotIds"] ??
    one["slot_ids"] ??
    one["blockIds"] ??
    one["order"] ??
    (slotId === undefined ? undefined : [slotId]);
  const op = one["op"] ?? one["operation"] ?? one["type"];
  return {
    ...one,
    op: typeof op === "string" ? op.trim().toLowerCase().replaceAll("-", "_") : op,
    slotId,
    slotIds,
    tabId: one["tabId"] ?? one["tab_id"] ?? one["tab"] ?? "",
    props: one["props"] ?? one["changes"],
    slot: isRecord(slot)
      ? { id: freshId, ...slot, componentType: slot["componentType"] ?? slot["component_type"] ?? slot["type"] }
      : slot,
  };
}

/** Applies the operations in order and increments the version. The caller has to check the resulting blueprint. */
export function applyPatch(before: Blueprint, patches: readonly Patch[]): Applied {
  const recompose = new Set<string>();
  let blueprint = before;
  for (const [i, patch] of patches.entries()) {
    const next = applied(blueprint, patch);
    if ("message" in next) return { ok: false, problems: [{ ...next, place: `operations.${i}.${next.place}` }] };
    blueprint = next.blueprint;
    for (const id of next.recompose ?? []) recompose.add(id);
  }
  const left = new Set(slotsOf(blueprint).map(({ id }) => id));
  return {
    ok: true,
    blueprint: { ...withoutIdleTexts(before, blueprint), version: before.version + 1 },
    recompose: [...recompose].filter((id) => left.has(id)),
  };
}

/** The blueprint after one operation, with the slots whose texts it outdates. */
type Step = { readonly blueprint: Blueprint; readonly recompose?: readonly string[] };

function applied(blueprint: Blueprint, patch: Patch): Step | Problem {
  switch (patch.op) {
    case "update_props":
      return updated(blueprint, patch);
    case "reorder":
      return reordered(blueprint, patch);
    case "add_block":
      return added(blueprint, patch);
    case "remove_block":
      if (!slotsOf(blueprint).some(({ id }) => id === patch.slotId)) return noSlot(blueprint, patch.slotId, "slotId");
      return { blueprint: mapSlots(blueprint, (slots) => slots.filter(({ id }) => id !== patch.slotId)) };
    case "recompose":
      return recomposed(blueprint, patch);
  }
}

/** Merges properties into a slot; null removes a property. Changed wording or a changed component outdates the text. */
function updated(blueprint: Blueprint, { slotId, props }: Extract<Patch, { op: "update_props" }>): Step | Problem {
  const slot = slotsOf(blueprint).find(({ id }) => id === slotId);
  if (slot === undefined) return noSlot(blueprint, slotId, "slotId");
  // Models often write members of the slot itself as properties.
  const { dataBinding, componentType, ...rest } = props;
  const type = componentTypeSchema.safeParse(componentType);
  const merged = Object.entries({ ...slot.props, ...rest }).filter(([, value]) => value !== null);
  const after: Slot = {
    ...slot,
    props: Object.fromEntries(merged),
    ...(typeof dataBinding === "string" ? { dataBinding } : {}),
    ...(type.success ? { componentType: type.data } : {}),
  };
  const isReworded =
    isText(blueprint, after) && (WORDING.some((name) => name in rest) || after.componentType !== slot.componentType);
  const next = mapSlots(blueprint, (slots) => slots.map((one) => (one.id === slotId ? after : one)));
  return { blueprint: next, recompose: isReworded ? [slotId] : [] };
}

/** Moves the named slots to the start of the tab, in that order and also from other tabs. The other slots follow. */
function reordered(blueprint: Blueprint, { tabId, slotIds }: Extract<Patch, { op: "reorder" }>): Step | Problem {
  const all = new Map(slotsOf(blueprint).map((slot) => [slot.id, slot]));
  const missing = slotIds.find((id) => !all.has(id));
  if (missing !== undefined) return noSlot(blueprint, missing, "slotIds");
  const tab = tabFor(blueprint, tabId, slotIds[0]);
  if (tab === null) return noTab(blueprint, tabId);
  const named = [...new Set(slotIds)].flatMap((id) => all.get(id) ?? []);
  const next = mapSlots(blueprint, (slots, id) => {
    const others = slots.filter((slot) => !slotIds.includes(slot.id));
    return id === tab ? [...named, ...others] : others;
  });
  return { blueprint: next };
}

/** Adds a slot at the index, or at the end of the tab. */
function added(blueprint: Blueprint, { tabId, slot, index }: Extract<Patch, { op: "add_block" }>): Step | Problem {
  const tab = tabFor(blueprint, tabId, undefined);
  if (tab === null) return noTab(blueprint, tabId);
  const next = mapSlots(blueprint, (slots, id) =>
    id === tab ? slots.toSpliced(index ?? slots.length, 0, slot) : slots,
  );
  return { blueprint: next, recompose: isText(blueprint, slot) ? [slot.id] : [] };
}

/** Outdates the texts of the slots. Appends the instruction to the prompt, so that it also applies to later runs. */
function recomposed(
  blueprint: Blueprint,
  { slotIds, instruction }: Extract<Patch, { op: "recompose" }>,
): Step | Problem {
  const slots = slotsOf(blueprint);
  for (const id of slotIds) {
    const slot = slots.find((one) => one.id === id);
    if (slot === undefined) return noSlot(blueprint, id, "slotIds");
    if (!isText(blueprint, slot)) return { place: "slotIds", message: `${id} shows data and is not written.` };
  }
  if (instruction === "") return { blueprint, recompose: slotIds };
  const chosen = slots.filter(({ id }) => slotIds.includes(id));
  const writers = new Set(chosen.map((slot) => writerOf(blueprint, slot)?.id));
  const nodes = blueprint.computeGraph.nodes.map((node) =>
    writers.has(node.id)
      ? { ...node, promptTemplate: `${node.promptTemplate ?? ""}\n${instruction}`.slice(-8_000) }
      : node,
  );
  const isOwn = (slot: Slot) => slotIds.includes(slot.id) && writerOf(blueprint, slot) === null;
  const next = mapSlots(blueprint, (all) =>
    all.map((slot) => (isOwn(slot) ? { ...slot, props: { ...slot.props, instruction } } : slot)),
  );
  return { blueprint: { ...next, computeGraph: { nodes } }, recompose: slotIds };
}

/** Removes AI nodes whose text was shown before, is not shown any more, and is needed by no other node. */
function withoutIdleTexts(before: Blueprint, after: Blueprint): Blueprint {
  const shownIn = (blueprint: Blueprint) => new Set(slotsOf(blueprint).map((slot) => writerOf(blueprint, slot)?.id));
  const [was, is] = [shownIn(before), shownIn(after)];
  const needed = new Set([...nodeNeeds(after).values()].flat());
  const nodes = after.computeGraph.nodes.filter(({ id }) => !was.has(id) || is.has(id) || needed.has(id));
  return { ...after, computeGraph: { nodes } };
}

function isText(blueprint: Blueprint, slot: Slot): boolean {
  return isWritten(slot) || writerOf(blueprint, slot) !== null;
}

function mapSlots(blueprint: Blueprint, change: (slots: Slot[], tabId: string) => Slot[]): Blueprint {
  const { uiComposition } = blueprint;
  const tabs = uiComposition.tabs.map((tab) => ({ ...tab, slots: change(tab.slots, tab.id) }));
  return { ...blueprint, uiComposition: { ...uiComposition, tabs } };
}

/**
 * Returns the id of the named tab. Without a name, returns the tab of the slot, or the first tab. Null if the name is
 * unknown.
 */
function tabFor({ uiComposition: { tabs } }: Blueprint, tabId: string, slotId: string | undefined): string | null {
  if (tabId !== "") return tabs.find(({ id }) => id === tabId)?.id ?? null;
  return (tabs.find(({ slots }) => slots.some(({ id }) => id === slotId)) ?? tabs[0])?.id ?? null;
}

function noSlot(blueprint: Blueprint, id: string, place: string): Problem {
  const names = slotsOf(blueprint)
    .map((slot) => slot.id)
    .join(", ");
  return { place, message: `There is no slot ${id}. There are: ${names}.` };
}

function noTab({ uiComposition: { tabs } }: Blueprint, id: string): Problem {
  return { place: "tabId", message: `There is no tab ${id}. There are: ${tabs.map((tab) => tab.id).join(", ")}.` };
}
