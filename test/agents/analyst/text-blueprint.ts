// A page with three texts, and a model that selects its reply by the prompt.

import { ensurePresent } from "../../../src/lib/assert.ts";
import type { PageBlock, PageSpec } from "../../../src/protocol/pages/page.ts";
import type { BlueprintInput, BlueprintPart } from "./classroom.ts";
import { createModel, createBlueprint, type ModelReply } from "./run-execution.ts";

export const getSlots = (input: BlueprintInput): BlueprintPart[] =>
  ensurePresent(input.uiComposition.tabs[0], "tab").slots;
export const listBlocks = (page: PageSpec | null) => ensurePresent(page, "page").tabs.flatMap(({ blocks }) => blocks);
export const getBlock = (page: PageSpec | null, id: string): PageBlock =>
  ensurePresent(
    listBlocks(page).find((block) => block.id === id),
    id,
  );
export const getPrompt = (request: { messages: readonly { content: string }[] }) => request.messages[1]?.content ?? "";

/**
 * Creates a blueprint with three texts: two nodes, of which the second depends on the first, and a slot with its own
 * instruction.
 */
export const createThreeTexts = () =>
  createBlueprint((input) => {
    input.computeGraph.nodes.push({
      id: "advice",
      type: "ai",
      promptTemplate: "Advise, after $compute.insightText.",
      outputKey: "adviceText",
    });
    getSlots(input).push(
      { id: "advice", componentType: "suggestion_list", dataBinding: "$compute.adviceText", aiContentSlot: true },
      { id: "own", componentType: "markdown", aiContentSlot: true, props: { instruction: "Close kindly." } },
    );
  });

export const createModelByPrompt = (replies: Record<string, ModelReply | (() => Promise<ModelReply>)>) =>
  createModel(async (request) => {
    const found = Object.entries(replies).find(([text]) => getPrompt(request).includes(text));
    const reply = ensurePresent(found, getPrompt(request))[1];
    return typeof reply === "function" ? await reply() : reply;
  });

export const ADVICE_JSON = '{"items": [{"title": "Retest", "description": "those below 65"}]}';
