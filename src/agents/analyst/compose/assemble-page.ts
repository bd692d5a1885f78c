// Creates the finished page: its metadata, its blocks, and the list of unverified numbers.

import { assertNever } from "../../../lib/assert.ts";
import { createMessage } from "../../../language/messages.ts";
import type { PageBlock, PageSpec } from "../../../protocol/pages/page.ts";
import { listSlots } from "../blueprint/blueprint-parts.ts";
import { collectKnownNumbers, findUnverifiedNumbers } from "../execute/verify-numbers.ts";
import { localizeText, type PageBuild } from "../execute/page-build.ts";
import { getTextTaskId } from "./write-text.ts";

/**
 * Builds the page from its blueprint: places the blocks, by slot id, in their tabs and leaves out slots without a
 * block. The metadata contain the current time, the tool names of the data bindings, and the numbers of the generated
 * texts that come neither from a tool nor from the request.
 */
export function assemblePage(build: PageBuild, blocks: ReadonlyMap<string, PageBlock>): PageSpec {
  const { name, description, dataContract, uiComposition } = build.blueprint;
  const sources = dataContract.bindings.flatMap(({ toolName }) => (typeof toolName === "string" ? [toolName] : []));
  const unverified = findUnverifiedTexts(build, blocks);
  return {
    meta: {
      pageTitle: name,
      summary: description,
      generatedAt: new Date().toISOString(),
      dataSource: [...new Set(sources)].join(", "),
      ...(unverified.length === 0 ? {} : { unverifiedNumbers: unverified }),
    },
    layout: uiComposition.layout,
    tabs: uiComposition.tabs.map(({ id, label, slots }) => ({
      id,
      label,
      blocks: slots.map((slot) => blocks.get(slot.id)).filter((block) => block !== undefined),
    })),
  };
}

/** Returns the chat message for the page: its written markdown texts, or a note that it is ready if there are none. */
export function createPageMessage(build: PageBuild, page: PageSpec): string {
  const written = new Set(listTextSlots(build));
  const texts = page.tabs
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.type === "markdown" && written.has(block.id) ? [block.content] : []));
  return texts.length === 0
    ? localizeText(build, createMessage("analyst.pageReady", { name: page.meta.pageTitle }))
    : texts.join("\n\n");
}

/**
 * Returns the numbers in written texts that come neither from a tool nor from the request. Exercises are not checked,
 * because they invent their own.
 */
function findUnverifiedTexts(build: PageBuild, blocks: ReadonlyMap<string, PageBlock>) {
  const known = collectKnownNumbers(
    build.results.map(({ result }) => result),
    build.context,
    build.input,
    build.blueprint.sourcePrompt,
  );
  return listTextSlots(build).flatMap((blockId) => {
    const block = blocks.get(blockId);
    const text = block === undefined ? "" : getCheckedText(block);
    return findUnverifiedNumbers(text, known).map((number) => ({ blockId, number }));
  });
}

/** Returns the ids of the slots with a written text. */
function listTextSlots(build: PageBuild): string[] {
  return listSlots(build.blueprint)
    .filter((slot) => getTextTaskId(build, slot) !== null && !build.missing.has(`slot.${slot.id}`))
    .map(({ id }) => id);
}

/** Returns the generated text of a block; an empty text for blocks that are not checked. */
function getCheckedText(block: PageBlock): string {
  switch (block.type) {
    case "markdown":
      return block.content;
    case "suggestion_list":
      return block.items.map(({ title, description }) => `${title}\n${description}`).join("\n");
    case "kpi_grid":
    case "chart":
    case "table":
    case "question_generator":
      return "";
    default:
      return assertNever(block);
  }
}
