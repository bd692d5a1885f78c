// Operations on a blueprint, read leniently and applied purely.

import { patchSchema, type Blueprint, type Patch, type Slot } from "../../protocol/blueprint.ts";
import { componentTypeSchema } from "../../protocol/page.ts";
import { isWritten, nodeNeeds, slotsOf, writerOf } from "./blueprint-parts.ts";
import type { Problem } from "./problem.ts";
import { isRecord, type Row } from "./shapes.ts";

export type Applied =
  | {
      readonly ok: true;
      readonly blueprint: Blueprint;
      /** The slots whose texts are to be written anew. */
      readonly recompose: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Properties of a written slot that say what is to be written. */
const WORDING = ["instruction", "prompt"];

/** Reads what a model calls operations; null with a problem for one that makes no sense. */
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

/** An operation under the names of the schema. A block without an id gets one that no other has. */
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

/** Applies operations one after the other. The blueprint that comes of them is still to be checked. */
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

function updated(blueprint: Blueprint, { slotId, props }: Extract<Patch, { op: "update_props" }>): Step | Problem {
  const slot = slotsOf(blueprint).find(({ id }) => id === slotId);
  if (slot === undefined) return noSlot(blueprint, slotId, "slotId");
  // Models put what belongs to the slot itself among its properties.
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

/** Those that are named come first, in that order, also from other tabs; the others stay behind them. */
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

function added(blueprint: Blueprint, { tabId, slot, index }: Extract<Patch, { op: "add_block" }>): Step | Problem {
  const tab = tabFor(blueprint, tabId, undefined);
  if (tab === null) return noTab(blueprint, tabId);
  const next = mapSlots(blueprint, (slots, id) =>
    id === tab ? slots.toSpliced(index ?? slots.length, 0, slot) : slots,
  );
  return { blueprint: next, recompose: isText(blueprint, slot) ? [slot.id] : [] };
}

/** What is wanted goes into the prompt, so that it is wanted the next time as well. */
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

/** AI nodes whose text was shown and is no longer, and that nothing needs. */
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

/** The tab that is named; without a name the one with the slot, else the first. */
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
