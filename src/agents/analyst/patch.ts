// F115. Refines a blueprint: by operations, by a complete new blueprint, or by restoring an earlier version.

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

/** A refined blueprint and the scope of its changes. */
export type Patched = {
  readonly blueprint: Blueprint;
  /**
   * The work needed to show the page: `patch_layout` reuses all data and texts, `patch_compose` also writes the texts
   * of the slots in `recompose`, `full` builds everything.
   */
  readonly scope: "patch_layout" | "patch_compose" | "full";
  readonly recompose: readonly string[];
  /** Versions that can be restored from here, oldest first. */
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

/** Offered only if there are earlier versions. */
const restoreTool = {
  name: "restore_blueprint",
  description: "Takes the last changes back, as many as the person wants: the page is what it was before them.",
  schema: z.object({ steps: z.int().min(1).catch(1) }),
} as const satisfies Wanted;

const CHANGING = `Change the blueprint as the person wants. Use patch_blueprint if the data and computations that are there suffice, else create_blueprint with the whole new blueprint; leave alone what they do not mention.
按用户的要求修改方案。已有的数据和计算够用就用 patch_blueprint，否则用 create_blueprint 给出完整的新方案；没有提到的部分保持不变。`;

/**
 * Returns the refined blueprint with the same id and the next version. Throws a `Fault` (`agent_failed`) if the model
 * produced no valid change after all attempts; model errors pass through.
 */
export async function* patchBlueprint(
  planning: Planning,
  order: {
    readonly blueprint: Blueprint;
    /** Earlier versions of the blueprint, oldest first. */
    readonly earlier?: readonly Blueprint[];
    /** The page that the person sees, if known. */
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

/**
 * Parses and applies the operations of a reply and checks the result. The problem of a rejection is written for the
 * model.
 */
function patched(value: unknown, before: Blueprint, infos: readonly ToolInfo[]): Judged<Changed> {
  const given = operationsIn(value);
  // A model that replies in plain text may have written the whole blueprint there.
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

/** Returns the version from `steps` changes ago, or the oldest one, as a new version. */
function restored(value: unknown, before: Blueprint, earlier: readonly Blueprint[]): Patched {
  const { steps } = restoreTool.schema.parse(value);
  const at = Math.max(0, earlier.length - steps);
  const blueprint = { ...(earlier[at] ?? before), version: before.version + 1 };
  return { blueprint, scope: "full", recompose: [], earlier: earlier.slice(0, at) };
}

/** Validates a complete new blueprint and gives it the id and the next version of the old one. */
function rebuilt(value: unknown, before: Blueprint, infos: readonly ToolInfo[]): Judged<Changed> {
  const judged = judgeBlueprint(value, infos, before.sourcePrompt);
  if (!judged.ok) return judged;
  const blueprint = { ...judged.value, id: before.id, version: before.version + 1 };
  return { ok: true, value: { blueprint, scope: "full", recompose: [] } };
}
