// The third phase of an execution: creates the blocks of the page.
//
// Texts are written concurrently, at most three at a time, in the order of their dependencies. Each text has an
// `AsyncQueue`; blocks are emitted one after the other, first those that show data, then those with texts, while
// later texts are still being written. `startTexts` owns the channels and results. The text of an AI node is also
// stored in `build.compute`, where later texts read it.
//
// A failed text never stops the page: its block becomes a note with the reason, and texts that depend on it fail with
// the same reason. An aborted signal ends `composeBlocks` by throwing its reason.

import type { BlueprintSlot } from "../../../protocol/pages/blueprint-schema.ts";
import type { PageBlock, PageEvent, PageSpec } from "../../../protocol/pages/page.ts";
import { ensurePresent } from "../../../lib/assert.ts";
import { createMessage } from "../../../language/messages.ts";
import { createBlock } from "../blocks/create-block.ts";
import { createNoteBlock } from "../blocks/markdown-block.ts";
import { createWrittenBlock } from "./written-block.ts";
import { listSlots } from "../blueprint/blueprint-parts.ts";
import { AsyncQueue } from "../../../lib/async-queue.ts";
import type { TextTask } from "./text-prompt.ts";
import { runInDependencyOrder } from "../../../lib/graph.ts";
import { getReferencedValue, parseReference, resolveReferences, resolveRecord } from "../blueprint/value-references.ts";
import { localizeError } from "../localize.ts";
import { getBindingMissingReason, localizeText, findMissingReason, type PageBuild } from "../execute/page-build.ts";
import { isRecord } from "../blocks/data-shapes.ts";
import { writeText, getTextTaskId, listTextTasks } from "./write-text.ts";
import { Failure } from "../../../protocol/wire/message-error.ts";

/** Maximum number of texts written at the same time. */
const MAX_CONCURRENT_TEXTS = 3;

/** A written text, or the reason why it is missing, in the person's language. */
export type TextResult = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

/** The running texts of one page, as `startTexts` returns them. */
export type RunningTexts = {
  /** Returns the id of the text that the slot waits for; null if the slot shows data or keeps its block. */
  readonly getTextId: (slot: BlueprintSlot) => string | null;
  /**
   * Yields the events of one text while it is written and returns the text. Only the first reader of a text receives
   * its events.
   */
  readonly readText: (id: string) => AsyncGenerator<PageEvent, TextResult>;
  /** Resolves when no text is being written any more. Never rejects. */
  readonly finished: Promise<void>;
};

/** Written blocks of an earlier page that stay unchanged, by slot id. */
export type KeptBlocks = ReadonlyMap<string, PageBlock>;

/**
 * Starts writing all texts that no kept block shows and returns at once. A failed text has a reason instead of content.
 * Texts that no slot shows are written only if nothing is kept. The texts of AI nodes, written or kept, are stored in
 * `build.compute` under the node's output key.
 */
export function startTexts(build: PageBuild, keptBlocks: KeptBlocks): RunningTexts {
  const tasks = listTextTasks(build).filter((task) => !isTextKept(build, task, keptBlocks));
  const running = new Map(tasks.map((task) => [task.id, { task, channel: new AsyncQueue<PageEvent>() }]));
  const texts = new Map<string, TextResult>();
  const dependencies = new Map(tasks.map((task) => [task.id, task.dependencies]));
  const finished = runInDependencyOrder(dependencies, MAX_CONCURRENT_TEXTS, async (id) => {
    const { task, channel } = ensurePresent(running.get(id), id);
    const text = await produceText(build, channel.push, task, texts);
    texts.set(id, text);
    if (task.node !== null && text.ok) build.compute[task.node.outputKey] = text.text;
    channel.close();
  });
  return {
    finished,
    getTextId(slot) {
      const id = getTextTaskId(build, slot);
      return id !== null && running.has(id) ? id : null;
    },
    async *readText(id) {
      yield* ensurePresent(running.get(id), id).channel;
      return ensurePresent(texts.get(id), id);
    },
  };
}

/**
 * True if the text is not needed because kept blocks show it. Stores a kept markdown text as the output of its node.
 */
function isTextKept(build: PageBuild, { node, slot, id }: TextTask, blocks: KeptBlocks): boolean {
  if (slot === null) return blocks.size > 0;
  if (node === null) return blocks.has(slot.id);
  const shownSlots = listSlots(build.blueprint).filter((shownSlot) => getTextTaskId(build, shownSlot) === id);
  if (!shownSlots.every((shownSlot) => blocks.has(shownSlot.id))) return false;
  const block = blocks.get(slot.id);
  if (block?.type === "markdown") build.compute[node.outputKey] = block.content;
  return true;
}

/** Writes one text. Returns a failure if a text it needs failed, if its data is missing, or if writing throws. */
async function produceText(
  build: PageBuild,
  emit: (event: PageEvent) => void,
  task: TextTask,
  texts: ReadonlyMap<string, TextResult>,
): Promise<TextResult> {
  const failedDependency = task.dependencies.map((need) => texts.get(need)).find((text) => text?.ok === false);
  if (failedDependency !== undefined) return failedDependency;
  const reason = getBindingMissingReason(build, task.slot?.dataBinding);
  if (reason !== null) return { ok: false, reason };
  try {
    return { ok: true, text: await writeText(build, emit, task) };
  } catch (thrown) {
    return { ok: false, reason: getFailureReason(build, thrown) };
  }
}

/** Returns the reason shown to the person. Unexpected errors are logged and get a general text. */
function getFailureReason(build: PageBuild, thrown: unknown): string {
  if (thrown instanceof Failure) return localizeError(thrown, build.language);
  if (!build.signal.aborted) console.error("A text could not be written", thrown);
  return localizeText(build, "internal");
}

/**
 * Creates the block of every slot, or takes its kept block, and returns them by slot id after all texts have ended.
 * Yields `BLOCK_START` and `BLOCK_COMPLETE` for each, with the deltas of its text between them. Missing data and failed
 * texts give a note block. Throws the reason of the signal if it aborts.
 */
export async function* composeBlocks(
  build: PageBuild,
  texts: RunningTexts,
  keptBlocks: KeptBlocks,
): AsyncGenerator<PageEvent, Map<string, PageBlock>> {
  const slots = listSlots(build.blueprint);
  const blocks = new Map<string, PageBlock>();
  const isText = (slot: BlueprintSlot) => texts.getTextId(slot) !== null;
  for (const slot of [...slots.filter((candidate) => !isText(candidate)), ...slots.filter(isText)]) {
    build.signal.throwIfAborted();
    const id = texts.getTextId(slot);
    const shown = id === null ? (getKeptBlock(build, slot, keptBlocks) ?? createDataBlock(build, slot)) : null;
    yield { type: "BLOCK_START", blockId: slot.id, componentType: shown?.type ?? slot.componentType };
    const block = shown ?? createTextBlock(build, slot, yield* texts.readText(ensurePresent(id, "a text")));
    blocks.set(slot.id, block);
    yield { type: "BLOCK_COMPLETE", blockId: slot.id, block };
  }
  await texts.finished;
  build.signal.throwIfAborted();
  return blocks;
}

/** Creates a block that shows data, or a note if the data is missing. */
function createDataBlock(build: PageBuild, slot: BlueprintSlot): PageBlock {
  const reason = getBindingMissingReason(build, slot.dataBinding) ?? findMissingReason(build, slot.props);
  if (reason !== null)
    return createNoteBlock(slot.id, localizeText(build, createMessage("analyst.blockDataFailed", { reason })));
  const props = { ...getFullScoreProps(build, slot), ...resolveRecord(slot.props, build) };
  return createBlock(slot, resolveReferences(slot.dataBinding ?? null, build), props, build.language);
}

/** Returns the full score that is stored next to the data of the slot, as the `maxScore` property. */
function getFullScoreProps(build: PageBuild, { dataBinding }: BlueprintSlot): Record<string, unknown> {
  const reference = parseReference(dataBinding ?? "");
  const container =
    reference === null ? null : getReferencedValue({ ...reference, path: reference.path.slice(0, -1) }, build);
  return isRecord(container) && typeof container["max_score"] === "number" ? { maxScore: container["max_score"] } : {};
}

/** Creates the block of a text. A failed text becomes a note and is recorded as missing. */
function createTextBlock(build: PageBuild, slot: BlueprintSlot, text: TextResult): PageBlock {
  if (!text.ok) {
    build.missing.set(`slot.${slot.id}`, text.reason);
    return createNoteBlock(slot.id, localizeText(build, createMessage("analyst.textFailed", { reason: text.reason })));
  }
  return createWrittenBlock(slot, text.text, resolveRecord(slot.props, build), build.language);
}

/** Returns the kept block with the current title or variant of its slot; null if the slot keeps none. */
function getKeptBlock(build: PageBuild, slot: BlueprintSlot, keptBlocks: KeptBlocks): PageBlock | null {
  const block = keptBlocks.get(slot.id);
  if (block === undefined) return null;
  const { title, variant } = resolveRecord(slot.props, build);
  if (block.type === "markdown")
    return createWrittenBlock(
      { id: slot.id, componentType: "markdown" },
      block.content,
      { variant: variant ?? block.variant },
      build.language,
    );
  return "title" in block && typeof title === "string" ? { ...block, title } : block;
}

/**
 * Returns the blocks of an earlier page whose slots still show a generated text, by slot id, except those in
 * `recompose`.
 */
export function collectKeptBlocks(build: PageBuild, page: PageSpec, recompose: readonly string[]): KeptBlocks {
  const written = new Set(
    listSlots(build.blueprint).flatMap((slot) => (getTextTaskId(build, slot) === null ? [] : [slot.id])),
  );
  const blocks = page.tabs.flatMap((tab) => tab.blocks);
  return new Map(
    blocks.filter(({ id }) => written.has(id) && !recompose.includes(id)).map((block) => [block.id, block] as const),
  );
}
