// F115. A refinement: operations on a blueprint, or another blueprint where operations do not do it.

import * as z from "zod";
import { patchSchema, type Blueprint } from "../../protocol/blueprint.ts";
import type { PageSpec } from "../../protocol/page.ts";
import type { Said } from "../kit/agent.ts";
import type { Wanted } from "../kit/consult.ts";
import { fence } from "../kit/prompt.ts";
import { fitting } from "./abridge.ts";
import { askUntil, type Judged } from "./blueprint-ask.ts";
import { checkBlueprint, problemsInWords } from "./blueprint-check.ts";
import { slotsOf } from "./blueprint-parts.ts";
import { createTool, INSTRUCTIONS, judgeBlueprint, toolsIn, type Planning } from "./blueprint.ts";
import { remembered } from "./earlier.ts";
import { materialIn, type Material } from "./material.ts";
import { applyPatch, readOperations } from "./patch-apply.ts";
import { isRecord } from "./shapes.ts";
import type { ToolInfo } from "./tools.ts";

export type Patched = {
  readonly blueprint: Blueprint;
  /**
   * What it takes to show the page anew: `patch_layout` the data that is there, `patch_compose` besides that the texts
   * of the slots in `recompose`, `full` everything.
   */
  readonly scope: "patch_layout" | "patch_compose" | "full";
  readonly recompose: readonly string[];
  /** What can be taken back from here, the oldest first. */
  readonly earlier: readonly Blueprint[];
};

const MOST_PAGE = 12_000;
const MOST_PROMPT = 60_000;

const patchTool = {
  name: "patch_blueprint",
  description:
    "Changes the blueprint: update_props (title, variant, columns, fields …), reorder, add_block, remove_block, recompose (write texts anew). For all that the data and computations which are there suffice for.",
  schema: z.looseObject({}),
  parameters: z.toJSONSchema(z.object({ operations: z.array(patchSchema).min(1).max(32) }), {
    io: "input",
    unrepresentable: "any",
  }),
} as const satisfies Wanted;

/** Only where there is something to take back. */
const restoreTool = {
  name: "restore_blueprint",
  description: "Takes the last changes back, as many as the person wants: the page is what it was before them.",
  schema: z.object({ steps: z.int().min(1).catch(1) }),
} as const satisfies Wanted;

const CHANGING = `Change the blueprint as the person wants. Use patch_blueprint if the data and computations that are there suffice, else create_blueprint with the whole new blueprint; leave alone what they do not mention.
按用户的要求修改方案。已有的数据和计算够用就用 patch_blueprint，否则用 create_blueprint 给出完整的新方案；没有提到的部分保持不变。`;

/** Refines a blueprint. Throws a `Fault` when the model has found no way, and what the model throws. */
export async function* patchBlueprint(
  planning: Planning,
  order: {
    readonly blueprint: Blueprint;
    /** What it was before it was changed, the oldest first. */
    readonly earlier?: readonly Blueprint[];
    /** What the person sees, as far as it is known. */
    readonly page: PageSpec | null;
    readonly message: string;
    readonly material?: Material;
    readonly language: string;
  },
): AsyncGenerator<Said, Patched> {
  const { blueprint, earlier = [], page, message, material, language } = order;
  const { infos } = planning.tools;
  const parts = [
    CHANGING,
    fence("Message:", message),
    fence("Blueprint:", blueprint),
    ...(page === null ? [] : [fence("Page:", fitting(page.tabs, MOST_PAGE))]),
    ...materialIn(material),
    toolsIn(infos),
  ];
  const wanted = [patchTool, createTool, ...(earlier.length === 0 ? [] : [restoreTool])] as const;
  const question = { instructions: INSTRUCTIONS, language, prompt: parts.join("\n\n"), wanted };
  const sourcePrompt = `${blueprint.sourcePrompt}\n${message}`.trim().slice(-MOST_PROMPT);
  return yield* askUntil(planning, question, (name, value) => {
    if (name === restoreTool.name) return { ok: true, value: restored(value, blueprint, earlier) };
    const judged = name === createTool.name ? rebuilt(value, blueprint, infos) : patched(value, blueprint, infos);
    if (!judged.ok) return judged;
    const changed = { ...judged.value, blueprint: { ...judged.value.blueprint, sourcePrompt } };
    return { ok: true, value: { ...changed, earlier: remembered(earlier, blueprint) } };
  });
}

type Changed = Omit<Patched, "earlier">;

function patched(value: unknown, before: Blueprint, infos: readonly ToolInfo[]): Judged<Changed> {
  const given = operationsIn(value);
  // A model that answers in plain text may have written the whole blueprint there.
  if (given === null && isRecord(value) && "uiComposition" in value) return rebuilt(value, before, infos);
  if (given === null || given.length === 0) return { ok: false, problem: "operations must be a list of operations." };
  const { patches, problems } = readOperations(given, before);
  if (problems.length > 0) return { ok: false, problem: problemsInWords(problems) };
  const applied = applyPatch(before, patches);
  if (!applied.ok) return { ok: false, problem: problemsInWords(applied.problems) };
  if (slotsOf(applied.blueprint).length === 0) return { ok: false, problem: "A page must keep one block at least." };
  const checked = checkBlueprint(applied.blueprint, infos);
  if (!checked.ok) return { ok: false, problem: `After these operations:\n${problemsInWords(checked.problems)}` };
  const { recompose } = applied;
  const scope = recompose.length === 0 ? "patch_layout" : "patch_compose";
  return { ok: true, value: { blueprint: checked.blueprint, scope, recompose } };
}

function operationsIn(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value as unknown[];
  if (!isRecord(value)) return null;
  const list = value["operations"] ?? value["patches"] ?? value["instructions"];
  if (Array.isArray(list)) return list as unknown[];
  return isRecord(list) ? [list] : null;
}

function restored(value: unknown, before: Blueprint, earlier: readonly Blueprint[]): Patched {
  const { steps } = restoreTool.schema.parse(value);
  const at = Math.max(0, earlier.length - steps);
  const blueprint = { ...(earlier[at] ?? before), version: before.version + 1 };
  return { blueprint, scope: "full", recompose: [], earlier: earlier.slice(0, at) };
}

function rebuilt(value: unknown, before: Blueprint, infos: readonly ToolInfo[]): Judged<Changed> {
  const judged = judgeBlueprint(value, infos, before.sourcePrompt);
  if (!judged.ok) return judged;
  const blueprint = { ...judged.value, id: before.id, version: before.version + 1 };
  return { ok: true, value: { blueprint, scope: "full", recompose: [] } };
}
