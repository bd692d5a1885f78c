// The third phase of an execution: creates the blocks of the page.
//
// Texts are written concurrently, at most three at a time, in the order of their dependencies. Each text has an
// `EventChannel`; blocks are emitted one after the other, first those that show data, then those with texts, while
// later texts are still being written. `startTexts` owns the channels and results. The text of an AI node is also
// stored in `build.compute`, where later texts read it.
//
// A failed text never stops the page: its block becomes a note with the reason, and texts that depend on it fail with
// the same reason. An aborted signal ends `composeBlocks` by throwing its reason.

import type { Slot } from "../../protocol/blueprint.ts";
import type { Block, PageEvent, PageSpec } from "../../protocol/page.ts";
import { isModelFault } from "../kit/failure.ts";
import { Exhausted } from "../kit/limits.ts";
import { blockOf } from "./blocks.ts";
import { noteOf } from "./blocks-markdown.ts";
import { notWritten } from "./blocks-phrases.ts";
import { writtenBlock } from "./blocks-text.ts";
import { slotsOf } from "./blueprint-parts.ts";
import { Channel } from "./channel.ts";
import type { Writing } from "./compose-prompt.ts";
import { LEFT_OUT, OUR_SIDE } from "./execute-phrases.ts";
import { sideBySide } from "./graph.ts";
import { lookUp, readReference, resolve, resolveAll } from "./references.ts";
import { Halt, isMissing, say, whyMissing, type Scene } from "./scene.ts";
import { isRecord } from "./shapes.ts";
import { write, writingFor, writingsOf } from "./writing.ts";

/** Maximum number of texts written at the same time. */
const MOST_AT_ONCE = 3;

/** A written text, or the reason why it is missing, in the person's language. */
export type Text = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

/** The running texts of one page, as `startTexts` returns them. */
export type Texts = {
  /** Returns the id of the text that the slot waits for; null if the slot shows data or keeps its block. */
  readonly of: (slot: Slot) => string | null;
  /**
   * Yields the events of one text while it is written and returns the text. Only the first reader of a text receives
   * its events.
   */
  readonly hear: (id: string) => AsyncGenerator<PageEvent, Text>;
  /** Resolves when no text is being written any more. Never rejects. */
  readonly ended: Promise<void>;
};

/** Written blocks of an earlier page that stay unchanged, by slot id. */
export type Kept = ReadonlyMap<string, Block>;

/**
 * Starts writing all texts that are not kept and returns at once. A failed text has a reason instead of content.
 * Successful texts of AI nodes are stored under the node's output key.
 */
export function beginTexts(scene: Scene, kept: Kept): Texts {
  const writings = writingsOf(scene).filter((writing) => !isKept(scene, writing, kept));
  const channels = new Map(writings.map(({ id }) => [id, new Channel<PageEvent>()]));
  const texts = new Map<string, Text>();
  const byId = new Map(writings.map((writing) => [writing.id, writing]));
  const needs = new Map(writings.map((writing) => [writing.id, writing.needs]));
  const ended = sideBySide(needs, MOST_AT_ONCE, async (id) => {
    const writing = byId.get(id);
    const channel = channels.get(id);
    if (writing === undefined || channel === undefined) return;
    const text = await textOf(scene, channel.tell, writing, texts);
    texts.set(id, text);
    if (writing.node !== null && text.ok) scene.compute[writing.node.outputKey] = text.text;
    channel.close();
  });
  return {
    ended,
    of(slot) {
      const id = writingFor(scene, slot);
      return id !== null && byId.has(id) ? id : null;
    },
    async *hear(id) {
      yield* channels.get(id) ?? [];
      return texts.get(id) ?? { ok: false, reason: say(scene, OUR_SIDE) };
    },
  };
}

/**
 * True if the text is not needed because kept blocks show it. Stores a kept markdown text as the output of its node.
 */
function isKept(scene: Scene, { node, slot, id }: Writing, blocks: Kept): boolean {
  if (slot === null) return blocks.size > 0;
  if (node === null) return blocks.has(slot.id);
  const shown = slotsOf(scene.blueprint).filter((one) => writingFor(scene, one) === id);
  if (!shown.every((one) => blocks.has(one.id))) return false;
  const block = blocks.get(slot.id);
  if (block?.type === "markdown") scene.compute[node.outputKey] = block.content;
  return true;
}

/** Writes one text. Returns a failure if a text it needs failed, if its data is missing, or if writing throws. */
async function textOf(
  scene: Scene,
  tell: (event: PageEvent) => void,
  writing: Writing,
  texts: ReadonlyMap<string, Text>,
): Promise<Text> {
  const lacking = writing.needs.map((need) => texts.get(need)).find((text) => text?.ok === false);
  if (lacking !== undefined) return lacking;
  const reason = isMissing(scene, writing.slot?.dataBinding);
  if (reason !== null) return { ok: false, reason };
  try {
    return { ok: true, text: await write(scene, tell, writing) };
  } catch (thrown) {
    return { ok: false, reason: reasonOf(scene, thrown) };
  }
}

/** Returns the reason shown to the person. Unexpected errors are logged and get a general text. */
function reasonOf(scene: Scene, thrown: unknown): string {
  if (thrown instanceof Halt || thrown instanceof Exhausted || isModelFault(thrown)) return thrown.message;
  if (!scene.signal.aborted) console.error("A text could not be written", thrown);
  return say(scene, OUR_SIDE);
}

/**
 * Emits a start and a completion event for every block and returns the blocks by slot id. Returns only after all texts
 * have ended. Throws the reason of the signal if it aborts.
 */
export async function* compose(scene: Scene, texts: Texts, kept: Kept): AsyncGenerator<PageEvent, Map<string, Block>> {
  const slots = slotsOf(scene.blueprint);
  const blocks = new Map<string, Block>();
  const isLater = (slot: Slot) => texts.of(slot) !== null;
  for (const slot of [...slots.filter((one) => !isLater(one)), ...slots.filter(isLater)]) {
    scene.signal.throwIfAborted();
    const id = texts.of(slot);
    const shown = id === null ? (keptBlock(scene, slot, kept) ?? dataBlock(scene, slot)) : null;
    const componentType = shown?.type ?? slot.componentType;
    yield { type: "BLOCK_START", blockId: slot.id, componentType };
    let block = shown;
    if (id !== null) {
      block = textBlock(scene, slot, yield* texts.hear(id));
    }
    if (block === null) continue;
    blocks.set(slot.id, block);
    yield { type: "BLOCK_COMPLETE", blockId: slot.id, block };
  }
  await texts.ended;
  scene.signal.throwIfAborted();
  return blocks;
}

/** Creates a block that shows data, or a note if the data is missing. */
function dataBlock(scene: Scene, slot: Slot): Block {
  const reason = isMissing(scene, slot.dataBinding) ?? whyMissing(scene, slot.props);
  if (reason !== null) return noteOf(slot.id, say(scene, LEFT_OUT(reason)));
  const props = { ...besides(scene, slot), ...resolveAll(slot.props, scene) };
  return blockOf(slot, resolve(slot.dataBinding ?? null, scene), props, scene.language);
}

/** Returns the full score that is stored next to the data of the slot, as the `maxScore` property. */
function besides(scene: Scene, { dataBinding }: Slot): Record<string, unknown> {
  const reference = readReference(dataBinding ?? "");
  const around = reference === null ? null : lookUp({ ...reference, path: reference.path.slice(0, -1) }, scene);
  return isRecord(around) && typeof around["max_score"] === "number" ? { maxScore: around["max_score"] } : {};
}

/** Creates the block of a text. A failed text becomes a note and is recorded as missing. */
function textBlock(scene: Scene, slot: Slot, text: Text): Block {
  if (!text.ok) {
    scene.missing.set(`slot.${slot.id}`, text.reason);
    return noteOf(slot.id, say(scene, notWritten(text.reason)));
  }
  return writtenBlock(slot, text.text, resolveAll(slot.props, scene), scene.language);
}

/** Returns the kept block with the current title or variant of its slot; null if the slot keeps none. */
function keptBlock(scene: Scene, slot: Slot, kept: Kept): Block | null {
  const block = kept.get(slot.id);
  if (block === undefined) return null;
  const { title, variant } = resolveAll(slot.props, scene);
  if (block.type === "markdown")
    return writtenBlock(
      { id: slot.id, componentType: "markdown" },
      block.content,
      { variant: variant ?? block.variant },
      scene.language,
    );
  return "title" in block && typeof title === "string" ? { ...block, title } : block;
}

/** Returns the written blocks of an earlier page that the blueprint still contains, except those in `recompose`. */
export function keptOf(scene: Scene, page: PageSpec, recompose: readonly string[]): Kept {
  const written = new Set(
    slotsOf(scene.blueprint).flatMap((slot) => (writingFor(scene, slot) === null ? [] : [slot.id])),
  );
  const blocks = page.tabs.flatMap((tab) => tab.blocks);
  return new Map(
    blocks.filter(({ id }) => written.has(id) && !recompose.includes(id)).map((block) => [block.id, block] as const),
  );
}
