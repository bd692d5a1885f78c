// F115. Refines a blueprint: by operations, by a complete new blueprint, or by restoring an earlier version.

import * as z from "zod";
import { blueprintPatchSchema, type Blueprint } from "../../../protocol/pages/blueprint-schema.ts";
import type { PageSpec } from "../../../protocol/pages/page.ts";
import type { AgentRunEvent } from "../../kit/agent.ts";
import type { ExpectedTool, ReplyVerdict } from "../../kit/tools/request-tool-call.ts";
import { formatUntrusted } from "../../../protocol/provenance/untrusted-block.ts";
import { formatFencedJson } from "../../kit/agent-prompt.ts";
import { truncateToFit } from "../truncate-json.ts";
import { requestUntilValid } from "./request-blueprint.ts";
import { checkBlueprint, formatProblems } from "./blueprint-check.ts";
import { listSlots } from "./blueprint-parts.ts";
import {
  CREATE_BLUEPRINT_TOOL,
  BLUEPRINT_INSTRUCTIONS,
  validateModelBlueprint,
  formatToolList,
  type BlueprintContext,
} from "./create-blueprint.ts";
import { addPageFilters } from "./blueprint-queries.ts";
import { appendVersion } from "./blueprint-history.ts";
import { formatMaterial, type PromptMaterial } from "../prompt-material.ts";
import { applyPatch, parseOperations } from "./apply-patch.ts";
import { isRecord } from "../blocks/data-shapes.ts";
import type { ToolInfo } from "../tools.ts";

/** A refined blueprint and the scope of its changes. */
export type RefinedBlueprint = {
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

const MAX_PAGE_CHARS = 12_000;
const MAX_PROMPT_CHARS = 60_000;

const PATCH_TOOL = {
  name: "patch_blueprint",
  description:
    "Changes the blueprint: update_props (title, variant, columns, fields …), reorder, add_block, remove_block, recompose (write texts anew). For all that the data and computations which are there suffice for.",
  schema: z.looseObject({}),
  parameters: z.toJSONSchema(z.object({ operations: z.array(blueprintPatchSchema).min(1).max(32) }), {
    io: "input",
    unrepresentable: "any",
  }),
} as const satisfies ExpectedTool;

/** Offered only if there are earlier versions. */
const RESTORE_TOOL = {
  name: "restore_blueprint",
  description: "Takes the last changes back, as many as the person wants: the page is what it was before them.",
  schema: z.object({ steps: z.int().min(1).catch(1) }),
} as const satisfies ExpectedTool;

const CHANGE_INSTRUCTIONS = `Change the blueprint as the person wants. Use patch_blueprint if the data and computations that are there suffice, else create_blueprint with the whole new blueprint; leave alone what they do not mention.
按用户的要求修改方案。已有的数据和计算够用就用 patch_blueprint，否则用 create_blueprint 给出完整的新方案；没有提到的部分保持不变。`;

/**
 * Asks a model to change, replace or restore the blueprint until the result is valid, and returns it with the same id
 * and the next version. Throws a `Fault` (`agent_failed`) after three attempts, `agent_exhausted`, and errors of the
 * model.
 */
export async function* refineBlueprint(
  ctx: BlueprintContext,
  request: {
    readonly blueprint: Blueprint;
    /** Earlier versions of the blueprint, oldest first. */
    readonly earlier?: readonly Blueprint[];
    /** The page that the person sees, if known. */
    readonly page: PageSpec | null;
    readonly message: string;
    readonly material?: PromptMaterial;
    readonly language: string;
  },
): AsyncGenerator<AgentRunEvent, RefinedBlueprint> {
  const { blueprint, earlier = [], page, message, material, language } = request;
  const { infos } = ctx.tools;
  const parts = [
    CHANGE_INSTRUCTIONS,
    formatFencedJson("Message:", message),
    formatFencedJson("Blueprint:", blueprint),
    ...(page === null ? [] : [formatUntrusted("Page", truncateToFit(page.tabs, MAX_PAGE_CHARS))]),
    ...formatMaterial(material),
    formatToolList(infos),
  ];
  const expectedTools = [PATCH_TOOL, CREATE_BLUEPRINT_TOOL, ...(earlier.length === 0 ? [] : [RESTORE_TOOL])] as const;
  const blueprintPrompt = { instructions: BLUEPRINT_INSTRUCTIONS, language, prompt: parts.join("\n\n"), expectedTools };
  const sourcePrompt = `${blueprint.sourcePrompt}\n${message}`.trim().slice(-MAX_PROMPT_CHARS);
  return yield* requestUntilValid(ctx, blueprintPrompt, (name, value) => {
    if (name === RESTORE_TOOL.name) return { ok: true, value: restoreVersion(value, blueprint, earlier) };
    const verdict =
      name === CREATE_BLUEPRINT_TOOL.name
        ? replaceBlueprint(value, blueprint, infos)
        : applyModelPatch(value, blueprint, infos);
    if (!verdict.ok) return verdict;
    const changed = { ...verdict.value, blueprint: { ...verdict.value.blueprint, sourcePrompt } };
    return { ok: true, value: { ...changed, earlier: appendVersion(earlier, blueprint) } };
  });
}

type BlueprintChange = Omit<RefinedBlueprint, "earlier">;

/**
 * Parses and applies the operations of a reply and checks the result. The problem of a rejection is written for the
 * model.
 */
function applyModelPatch(value: unknown, before: Blueprint, infos: readonly ToolInfo[]): ReplyVerdict<BlueprintChange> {
  // A model that replies in plain text may have written the whole blueprint there.
  if (isRecord(value) && "uiComposition" in value) return replaceBlueprint(value, before, infos);
  const operations: unknown = isRecord(value) ? value["operations"] : null;
  if (!Array.isArray(operations) || operations.length === 0)
    return { ok: false, problem: "operations must be a list of operations." };
  const { patches, problems } = parseOperations(operations, before);
  if (problems.length > 0) return { ok: false, problem: formatProblems(problems) };
  const applied = applyPatch(before, patches);
  if (!applied.ok) return { ok: false, problem: formatProblems(applied.problems) };
  if (listSlots(applied.blueprint).length === 0) return { ok: false, problem: "A page must keep one block at least." };
  const checked = checkBlueprint(applied.blueprint, infos);
  if (!checked.ok) return { ok: false, problem: `After these operations:\n${formatProblems(checked.problems)}` };
  const { recompose } = applied;
  const scope = recompose.length === 0 ? "patch_layout" : "patch_compose";
  return { ok: true, value: { blueprint: checked.blueprint, scope, recompose } };
}

/** Returns the version from `steps` changes ago, or the oldest one, as a new version. */
function restoreVersion(value: unknown, before: Blueprint, earlier: readonly Blueprint[]): RefinedBlueprint {
  const { steps } = RESTORE_TOOL.schema.parse(value);
  const at = Math.max(0, earlier.length - steps);
  const blueprint = { ...(earlier[at] ?? before), version: before.version + 1 };
  return { blueprint, scope: "full", recompose: [], earlier: earlier.slice(0, at) };
}

/** Validates a complete new blueprint and gives it the id and the next version of the old one. */
function replaceBlueprint(
  value: unknown,
  before: Blueprint,
  infos: readonly ToolInfo[],
): ReplyVerdict<BlueprintChange> {
  const verdict = validateModelBlueprint(value, infos, before.sourcePrompt);
  if (!verdict.ok) return verdict;
  const blueprint = { ...verdict.value, id: before.id, version: before.version + 1 };
  return { ok: true, value: { blueprint: addPageFilters(before, blueprint), scope: "full", recompose: [] } };
}
