// A page with three texts, and a model that writes each by its prompt.

import { ensurePresent } from "../../../src/protocol/assert.ts";
import type { PageBlock, PageSpec } from "../../../src/protocol/pages/page.ts";
import type { Input, Part } from "./classroom.ts";
import { answering, blueprintOf, type Reply } from "./stage.ts";

export const slotsIn = (input: Input): Part[] => ensurePresent(input.uiComposition.tabs[0], "tab").slots;
export const blocksOf = (page: PageSpec | null) => ensurePresent(page, "page").tabs.flatMap(({ blocks }) => blocks);
export const blockOf = (page: PageSpec | null, id: string): PageBlock =>
  ensurePresent(
    blocksOf(page).find((block) => block.id === id),
    id,
  );
export const promptOf = (asked: { messages: readonly { content: string }[] }) => asked.messages[1]?.content ?? "";

/** Three texts: two nodes, the second of which needs the first, and a slot of its own. */
export const three = () =>
  blueprintOf((input) => {
    input.computeGraph.nodes.push({
      id: "advice",
      type: "ai",
      promptTemplate: "Advise, after $compute.insightText.",
      outputKey: "adviceText",
    });
    slotsIn(input).push(
      { id: "advice", componentType: "suggestion_list", dataBinding: "$compute.adviceText", aiContentSlot: true },
      { id: "own", componentType: "markdown", aiContentSlot: true, props: { instruction: "Close kindly." } },
    );
  });

export const byPrompt = (replies: Record<string, Reply | (() => Promise<Reply>)>) =>
  answering(async (asked) => {
    const found = Object.entries(replies).find(([words]) => promptOf(asked).includes(words));
    const reply = ensurePresent(found, promptOf(asked))[1];
    return typeof reply === "function" ? await reply() : reply;
  });

export const ADVICE = '{"items": [{"title": "Retest", "description": "those below 65"}]}';
