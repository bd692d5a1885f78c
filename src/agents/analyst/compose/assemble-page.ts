// Creates the finished page: its metadata, its blocks, and the list of unverified numbers.

import { createMessage } from "../../../language/messages.ts";
import type { PageBlock, PageSpec } from "../../../protocol/pages/page.ts";
import { localizeText, type PageBuild } from "../execute/page-build.ts";
import { listUnverifiedNumbers, markPageNumbers } from "./page-numbers.ts";
import { listTextSlots } from "./write-text.ts";

/**
 * Builds the page from its blueprint: places the blocks, by slot id, in their tabs and leaves out slots without a
 * block. The metadata contain the current time, the tool names of the data bindings, and the numbers of the blocks
 * that come neither from a tool nor from the request.
 */
export function assemblePage(build: PageBuild, blocks: ReadonlyMap<string, PageBlock>): PageSpec {
  const { name, description, dataContract, uiComposition } = build.blueprint;
  const sources = dataContract.bindings.flatMap(({ toolName }) => (typeof toolName === "string" ? [toolName] : []));
  const unverified = listUnverifiedNumbers(build, blocks);
  return {
    meta: {
      pageTitle: markPageNumbers(build, name),
      summary: markPageNumbers(build, description),
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

/**
 * Returns the chat message for the page: its written markdown texts, in which numbers without a source are marked, or a
 * note that it is ready if there are none.
 */
export function createPageMessage(build: PageBuild, page: PageSpec): string {
  const written = new Set(listTextSlots(build));
  const texts = page.tabs
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.type === "markdown" && written.has(block.id) ? [block.content] : []));
  return texts.length === 0
    ? localizeText(build, createMessage("analyst.pageReady", { name: page.meta.pageTitle }))
    : markPageNumbers(build, texts.join("\n\n"));
}
