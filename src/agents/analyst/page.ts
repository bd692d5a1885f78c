// Creates the finished page: its metadata, its blocks, and the list of unverified numbers.

import { unreachable } from "../../protocol/assert.ts";
import type { Block, PageSpec } from "../../protocol/page.ts";
import { slotsOf } from "./blueprint-parts.ts";
import { READY } from "./execute-phrases.ts";
import { knownNumbers, unverifiedNumbers } from "./numbers.ts";
import { say, type Scene } from "./scene.ts";
import { writingFor } from "./writing.ts";

/** Returns the page with the blocks placed in their tabs. Slots without a block are left out. */
export function pageOf(scene: Scene, blocks: ReadonlyMap<string, Block>): PageSpec {
  const { name, description, dataContract, uiComposition } = scene.blueprint;
  const sources = dataContract.bindings.flatMap(({ toolName }) => (typeof toolName === "string" ? [toolName] : []));
  const doubtful = unverifiedIn(scene, blocks);
  return {
    meta: {
      pageTitle: name,
      summary: description,
      generatedAt: new Date().toISOString(),
      dataSource: [...new Set(sources)].join(", "),
      ...(doubtful.length === 0 ? {} : { unverifiedNumbers: doubtful }),
    },
    layout: uiComposition.layout,
    tabs: uiComposition.tabs.map(({ id, label, slots }) => ({
      id,
      label,
      blocks: slots.map((slot) => blocks.get(slot.id)).filter((block) => block !== undefined),
    })),
  };
}

/** Returns the chat message for the page: its written texts, or a note that the page is ready. */
export function messageOf(scene: Scene, page: PageSpec): string {
  const written = new Set(textsOn(scene));
  const texts = page.tabs
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.type === "markdown" && written.has(block.id) ? [block.content] : []));
  return texts.length === 0 ? say(scene, READY(page.meta.pageTitle)) : texts.join("\n\n");
}

/**
 * Returns the numbers in written texts that come neither from a tool nor from the request. Exercises are not checked,
 * because they invent their own.
 */
function unverifiedIn(scene: Scene, blocks: ReadonlyMap<string, Block>) {
  const known = knownNumbers(
    scene.results.map(({ result }) => result),
    scene.context,
    scene.input,
    scene.blueprint.sourcePrompt,
  );
  return textsOn(scene).flatMap((blockId) => {
    const block = blocks.get(blockId);
    const text = block === undefined ? "" : textIn(block);
    return unverifiedNumbers(text, known).map((number) => ({ blockId, number }));
  });
}

/** Returns the ids of the slots with a written text. */
function textsOn(scene: Scene): string[] {
  return slotsOf(scene.blueprint)
    .filter((slot) => writingFor(scene, slot) !== null && !scene.missing.has(`slot.${slot.id}`))
    .map(({ id }) => id);
}

/** Returns the generated text of a block; an empty text for blocks that are not checked. */
function textIn(block: Block): string {
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
      return unreachable(block);
  }
}
