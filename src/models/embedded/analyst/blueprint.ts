// Creates blueprints by rules, and applies the changes that a message asks for.

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

/** Returns a blueprint for the request; null if the rules cannot plan it. */
export function newBlueprint(request: string, material: Material, language: Language): Json | null {
  const planned = plannedFrom(wishOf(request, material), material);
  return planned.kind === "plan" ? pageOf(planned.plan, request, language) : null;
}

/** Builds the page of a plan; its chart has the kind that the first line of the request names. */
function pageOf(plan: Plan, request: string, language: Language): Page | null {
  const read = pageSchema.safeParse(blueprintOf(draftOf(plan, language), language));
  if (!read.success) return null;
  const variant = chartIn(request.split("\n")[0] ?? "");
  const charts = slotsOf(read.data).filter(({ componentType }) => componentType === "chart");
  // A time series stays a line chart if the page also has a bar chart.
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

/** Reads the request without later lines that are edits of the page. */
function wishOf(request: string, material: Material): Wish {
  const [first = "", ...later] = request.split("\n");
  return readWish([first, ...later.filter((line) => editIn(line) === null)].join("\n"), material);
}

export type Change =
  | { readonly type: "patch"; readonly operations: readonly Operation[] }
  | { readonly type: "whole"; readonly blueprint: Json };

/** Returns the change of a blueprint that a message asks for; null if the rules cannot read it. */
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

/** Adds a text block if the page has none; a complete blueprint must have one. */
function withText(page: Page, language: Language): Json {
  const isText = ({ componentType, ...slot }: Json) => componentType === "markdown" && slot["aiContentSlot"] === true;
  if (slotsOf(page).some(isText)) return page;
  const instruction = say(language, "Say what stands out.", "说明要点。");
  const slot = { ...written("text", "markdown", { instruction }), id: freshId("text", slotsOf(page)) };
  return applied(page, [{ op: "add_block", slot }]);
}

/** True if the chart to add needs data that the page does not have. */
function addsData(message: string, { sourcePrompt }: Page, material: Material): boolean {
  const { table, measure, by, bucket } = readWish(message, material, wishOf(sourcePrompt, material));
  const before = wishOf(sourcePrompt, material);
  return table !== undefined && (measure !== before.measure || by !== before.by || bucket !== before.bucket);
}

/** Plans the same analysis with other data: other columns, another assignment, other classes. */
function anew(message: string, page: Page, material: Material, language: Language): Page | null {
  const { sourcePrompt } = page;
  const planned = plannedFrom(readWish(message, material, wishOf(sourcePrompt, material)), material);
  if (planned.kind !== "plan") return null;
  const fresh = pageOf(planned.plan, sourcePrompt, language);
  if (fresh === null) return null;
  // Apply the earlier edits to the new page.
  const [, ...later] = sourcePrompt.split("\n");
  return later.reduce((before, line) => {
    const edit = editIn(line);
    if (edit?.type === "rename" && edit.component === null) return { ...before, name: edit.title };
    const operations = edit === null ? null : operationsFor(before, edit, language);
    return operations === null ? before : applied(before, operations);
  }, fresh);
}

/** Adds a chart and its data to the page. */
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

/** Prefixes ids in all nested strings and references. */
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
