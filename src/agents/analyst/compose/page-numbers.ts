// The numbers of a page that come neither from a tool nor from the request. A model writes texts and blueprints, and both
// may contain invented numbers.

import { assertNever } from "../../../lib/assert.ts";
import {
  collectNumberSources,
  findUnsourcedNumbers,
  markNumbers,
  type NumberSources,
} from "../../../protocol/provenance/number-sources.ts";
import type { PageBlock } from "../../../protocol/pages/page.ts";
import { listSlots } from "../blueprint/blueprint-parts.ts";
import { localizeText, type PageBuild } from "../execute/page-build.ts";

/** The sources of each execution, with the number of tool results that they were collected from. */
const collected = new WeakMap<PageBuild, { readonly count: number; readonly sources: NumberSources }>();

/** Collects the numbers of the tool results so far, of the context and of the request. */
export function collectPageSources(build: PageBuild): NumberSources {
  const count = build.results.length;
  const known = collected.get(build);
  if (known?.count === count) return known.sources;
  const results = build.results.map(({ result }) => result);
  const sources = collectNumberSources(results, build.context, build.input, build.blueprint.sourcePrompt);
  collected.set(build, { count, sources });
  return sources;
}

/** Marks the numbers of a text that have no source, in the language of the page. */
export function markPageNumbers(build: PageBuild, text: string): string {
  const unsourced = findUnsourcedNumbers(text, collectPageSources(build));
  return markNumbers(text, unsourced, localizeText(build, "answer.unverifiedNumber"));
}

/** Returns the numbers of the blocks that have no source, each once per block, as they are written. */
export function listUnverifiedNumbers(build: PageBuild, blocks: ReadonlyMap<string, PageBlock>) {
  const sources = collectPageSources(build);
  return listSlots(build.blueprint).flatMap(({ id: blockId }) => {
    const block = blocks.get(blockId);
    const text = block === undefined || build.missing.has(`slot.${blockId}`) ? "" : getCheckedText(block);
    const numbers = new Set(findUnsourcedNumbers(text, sources).map(({ raw }) => raw));
    return [...numbers].map((number) => ({ blockId, number }));
  });
}

/**
 * Returns the text of a block whose numbers need a source. Data blocks are included, because a blueprint may contain
 * values of its own. Exercises invent their numbers.
 */
function getCheckedText(block: PageBlock): string {
  switch (block.type) {
    case "markdown":
      return block.content;
    case "suggestion_list":
      return block.items.map(({ title, description }) => `${title}\n${description}`).join("\n");
    case "kpi_grid":
      return block.data.map(({ value, subtext }) => `${value}\n${subtext}`).join("\n");
    case "chart":
      return block.series.flatMap(({ data }) => data.map((value) => value ?? "")).join("\n");
    case "table":
      return block.rows.flatMap(({ cells }) => cells.filter((cell) => typeof cell === "number")).join("\n");
    case "question_generator":
      return "";
    default:
      return assertNever(block);
  }
}
