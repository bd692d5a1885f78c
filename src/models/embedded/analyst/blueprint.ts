// Blueprints by rules: a new one for a request, and changes to one that is there.

import type { Language } from "../../../protocol/words/language.ts";
import {
  applied,
  chartIn,
  editIn,
  freshId,
  operationsFor,
  pageSchema,
  slotsOf,
  type Operation,
  type Page,
} from "./edits.ts";
import { blueprintOf, say, written, type Draft, type Json } from "./draft.ts";
import type { Material } from "./material.ts";
import { overClasses, overStudent } from "./over-classes.ts";
import { overTable } from "./over-table.ts";
import { plannedFrom, type Plan } from "./plan.ts";
import { readWish, type Wish } from "./wish.ts";

/** Null when the request is nothing that rules can plan. */
export function newBlueprint(request: string, material: Material, language: Language): Json | null {
  const planned = plannedFrom(wishOf(request, material), material);
  return planned.kind === "plan" ? pageOf(planned.plan, request, language) : null;
}

/** The page of a plan, with a chart of the kind that the first line of the request names. */
function pageOf(plan: Plan, request: string, language: Language): Page | null {
  const read = pageSchema.safeParse(blueprintOf(draftOf(plan, language), language));
  if (!read.success) return null;
  const variant = chartIn(request.split("\n")[0] ?? "");
  const charts = slotsOf(read.data).filter(({ componentType }) => componentType === "chart");
  // What develops is a line on a page that has bars as well.
  const chart = (variant === "line" ? undefined : charts.find(({ props }) => props["variant"] === "bar")) ?? charts[0];
  if (variant === null || chart === undefined) return read.data;
  return applied(read.data, [{ op: "update_props", slotId: chart.id, props: { variant } }]);
}

function draftOf(plan: Plan, language: Language): Draft {
  switch (plan.type) {
    case "classes":
      return overClasses(plan, language);
    case "student":
      return overStudent(plan, language);
    case "table":
      return overTable(plan, language);
  }
}

/** Lines behind the first may be changes to the page: they say nothing about the data. */
function wishOf(request: string, material: Material): Wish {
  const [first = "", ...later] = request.split("\n");
  return readWish([first, ...later.filter((line) => editIn(line) === null)].join("\n"), material);
}

export type Change =
  | { readonly type: "patch"; readonly operations: readonly Operation[] }
  | { readonly type: "whole"; readonly blueprint: Json };

/** What a message changes about a blueprint; null when rules do not see what, or how. */
export function changeOf(message: string, given: unknown, material: Material, language: Language): Change | null {
  const read = pageSchema.safeParse(given);
  if (!read.success) return null;
  const page = read.data;
  const edit = editIn(message);
  if (edit?.type === "rename" && edit.component === null)
    return { type: "whole", blueprint: withText({ ...page, name: edit.title }, language) };
  const operations = edit === null ? null : operationsFor(page, edit, language);
  if (
    operations !== null &&
    !(edit?.type === "add" && edit.component === "chart" && addsData(message, page, material))
  ) {
    return { type: "patch", operations };
  }
  if (edit !== null && (edit.type !== "add" || edit.component !== "chart")) return null;
  const blueprint =
    edit === null ? anew(message, page, material, language) : extended(message, page, material, language);
  return blueprint === null ? null : { type: "whole", blueprint: withText(blueprint, language) };
}

/** A blueprint as a whole must have a text, also where the person took it off the page before. */
function withText(page: Page, language: Language): Json {
  const isText = ({ componentType, ...slot }: Json) => componentType === "markdown" && slot["aiContentSlot"] === true;
  if (slotsOf(page).some(isText)) return page;
  const instruction = say(language, "Say what stands out.", "说明要点。");
  const slot = { ...written("text", "markdown", { instruction }), id: freshId("text", slotsOf(page)) };
  return applied(page, [{ op: "add_block", slot }]);
}

/** Whether a chart that is to be added shows something that the page has not got. */
function addsData(message: string, { sourcePrompt }: Page, material: Material): boolean {
  const { table, measure, by, bucket } = readWish(message, material, wishOf(sourcePrompt, material));
  const before = wishOf(sourcePrompt, material);
  return table !== undefined && (measure !== before.measure || by !== before.by || bucket !== before.bucket);
}

/** The same analysis of other data: other columns, another assignment, other classes. */
function anew(message: string, page: Page, material: Material, language: Language): Page | null {
  const { sourcePrompt } = page;
  const planned = plannedFrom(readWish(message, material, wishOf(sourcePrompt, material)), material);
  if (planned.kind !== "plan") return null;
  const fresh = pageOf(planned.plan, sourcePrompt, language);
  if (fresh === null) return null;
  // What was changed about the old page holds for the new one.
  const [, ...later] = sourcePrompt.split("\n");
  return later.reduce((before, line) => {
    const edit = editIn(line);
    if (edit?.type === "rename" && edit.component === null) return { ...before, name: edit.title };
    const operations = edit === null ? null : operationsFor(before, edit, language);
    return operations === null ? before : applied(before, operations);
  }, fresh);
}

/** The page with one more chart, and the data for it. */
function extended(message: string, page: Page, material: Material, language: Language): Page | null {
  const { table, measure, groups, assignment, isAboutClasses, isAllGroups } = wishOf(page.sourcePrompt, material);
  const about = { table, groups, assignment, isAboutClasses, isAllGroups };
  const wish = readWish(
    message,
    material,
    Object.fromEntries(Object.entries(about).filter(([, one]) => one !== undefined)),
  );
  const planned = plannedFrom(measure === undefined ? wish : { measure, ...wish }, material);
  if (planned.kind !== "plan") return null;
  const draft = draftOf(planned.plan, language);
  const chart = draft.slots.find(({ componentType }) => componentType === "chart");
  if (chart === undefined) return null;
  const id = freshId("more", [...slotsOf(page), ...page.dataContract.bindings, ...page.computeGraph.nodes]);
  const ids = [...draft.bindings.map((one) => one.id), ...draft.nodes.map((one) => one.id)];
  const moved = <T extends Json>(value: T): T => renamed(value, ids, id) as T;
  const variant = editIn(message);
  const look = variant?.type === "add" && variant.variant !== null ? { variant: variant.variant } : {};
  const needed = draft.bindings.filter(
    (one) => JSON.stringify([chart, draft.nodes]).includes(`$data.${one.id}`) || draft.bindings.length === 1,
  );
  const { tabs } = page.uiComposition;
  const slot = moved({ ...chart, id: `${id}_chart`, props: { ...chart.props, ...look } });
  return {
    ...page,
    dataContract: {
      ...page.dataContract,
      bindings: [...page.dataContract.bindings, ...withNeeds(needed, draft.bindings).map(moved)],
    },
    computeGraph: { nodes: [...page.computeGraph.nodes, ...draft.nodes.map(moved)] },
    uiComposition: {
      ...page.uiComposition,
      tabs: tabs.map((tab, i) => (i === 0 ? { ...tab, slots: [...tab.slots, slot] } : tab)),
    },
  };
}

function withNeeds(chosen: Draft["bindings"], all: Draft["bindings"]): Draft["bindings"] {
  const needs = new Set(chosen.flatMap(({ dependsOn }) => dependsOn));
  return all.filter((one) => chosen.includes(one) || needs.has(one.id));
}

/** Ids with a beginning of their own, wherever they stand. */
function renamed(value: unknown, ids: readonly string[], prefix: string): unknown {
  if (typeof value === "string") {
    if (ids.includes(value)) return `${prefix}_${value}`;
    return value.replace(/^\$(data|compute)\.([\w-]+)/, (whole, root: string, id: string) =>
      ids.includes(id) ? `$${root}.${prefix}_${id}` : whole,
    );
  }
  if (Array.isArray(value)) return value.map((one) => renamed(one, ids, prefix));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, renamed(one, ids, prefix)]));
}
