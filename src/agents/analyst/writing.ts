// The texts of a page: lists the texts to write, and writes one text with a model that may call tools.

import type { ComputeNode, Slot } from "../../protocol/blueprint.ts";
import type { PageEvent } from "../../protocol/page.ts";
import type { ChatMessage } from "../kit/prompt.ts";
import { specsOf, think, type Completion } from "../kit/think.ts";
import { fitting } from "./abridge.ts";
import { isWritten, nodeNeeds, slotsOf, writerOf } from "./blueprint-parts.ts";
import { promptFor, type Writing } from "./compose-prompt.ts";
import { callTool } from "./execute-call.ts";
import { NOTHING_WRITTEN } from "./execute-phrases.ts";
import { Harmless } from "./markdown.ts";
import { Halt, say, type Scene, type Tell } from "./scene.ts";
import { isRecord } from "./shapes.ts";

/** Maximum model calls for one text, the last one without tools, and maximum tool calls in one reply. */
const MOST_ROUNDS = 3;
const MOST_CALLS = 4;
/** Maximum characters of a tool result that the model receives. */
const MOST_RESULT = 8_000;

/** Returns the texts to write in the order of their slots, followed by the AI nodes that no slot shows. */
export function writingsOf({ blueprint }: Scene): Writing[] {
  const nodes = blueprint.computeGraph.nodes.filter(({ type }) => type === "ai");
  const needs = nodeNeeds(blueprint);
  const slots = slotsOf(blueprint).map((slot) => ({ slot, node: writerOf(blueprint, slot) }));
  const byNode = (node: ComputeNode, slot: Slot | null): Writing => ({
    id: `node:${node.id}`,
    node,
    slot,
    needs: (needs.get(node.id) ?? []).map((id) => `node:${id}`),
  });
  const shown = slots.flatMap(({ slot, node }, i): Writing[] => {
    if (node === null) return isWritten(slot) ? [{ id: `slot:${slot.id}`, node, slot, needs: [] }] : [];
    return slots.findIndex((one) => one.node === node) === i ? [byNode(node, slot)] : [];
  });
  const unseen = nodes.filter((node) => !slots.some((one) => one.node === node));
  return [...shown, ...unseen.map((node) => byNode(node, null))];
}

/** Returns the id of the text that the slot shows; null if the slot shows data. */
export function writingFor({ blueprint }: Scene, slot: Slot): string | null {
  const node = writerOf(blueprint, slot);
  if (node !== null) return `node:${node.id}`;
  return isWritten(slot) ? `slot:${slot.id}` : null;
}

/**
 * F113. Writes one text and returns it, trimmed. The model may call tools in between. Sends `SLOT_DELTA` events for
 * markdown slots. Throws a `Halt` if the model wrote nothing; model errors pass through.
 */
export async function write(scene: Scene, tell: Tell, writing: Writing): Promise<string> {
  const { used, model, signal } = scene;
  const messages: ChatMessage[] = promptFor(scene, writing);
  let text = "";
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    const tools = round < MOST_ROUNDS ? specsOf([...scene.tools.infos]) : [];
    const heard = hearing(writing, tell);
    const thinking = think(model, { role: "compose", messages, tools, signal }, used);
    const completion = await heardTo(thinking, heard.take);
    heard.end();
    text = completion.text.trim() || text;
    const calls = completion.toolCalls.slice(0, round < MOST_ROUNDS ? MOST_CALLS : 0);
    if (calls.length === 0) break;
    messages.push({ role: "assistant", content: completion.text, toolCalls: calls });
    for (const call of calls) {
      messages.push({ role: "tool", toolCallId: call.id, content: await resultOf(scene, tell, writing, call) });
    }
  }
  if (text === "") throw new Halt(say(scene, NOTHING_WRITTEN));
  return text;
}

/** Reads a completion to its end and passes on its text deltas. */
async function heardTo(thinking: ReturnType<typeof think>, take: (text: string) => void): Promise<Completion> {
  for (;;) {
    const { done, value } = await thinking.next();
    if (done === true) return value;
    if (value.type === "text") take(value.text);
  }
}

/**
 * Returns functions that send sanitized text deltas. Only markdown slots show a growing text; for others nothing is
 * sent.
 */
function hearing({ slot }: Writing, tell: Tell) {
  const harmless = new Harmless();
  const told = (deltaText: string) => {
    if (slot?.componentType !== "markdown" || deltaText === "") return;
    tell({ type: "SLOT_DELTA", blockId: slot.id, slotKey: "content", deltaText } satisfies PageEvent);
  };
  return { take: (text: string) => told(harmless.feed(text)), end: () => told(harmless.end()) };
}

/** Runs a tool call of the model and returns its result or error as JSON text for the model. */
async function resultOf(
  scene: Scene,
  tell: Tell,
  { id, slot }: Writing,
  { name, arguments: given }: Completion["toolCalls"][number],
): Promise<string> {
  const names = scene.tools.infos.map((info) => info.name);
  if (!names.includes(name)) return `There is no tool ${name}. There are: ${names.join(", ")}.`;
  const args = argumentsIn(given);
  if (args === null) return "The arguments are not a JSON object.";
  const call = { callId: slot?.id ?? id, tool: name, args, signal: scene.signal, isShown: false };
  const outcome = await callTool(scene, tell, call);
  return JSON.stringify(
    outcome.ok ? fitting(outcome.value, MOST_RESULT) : { error: outcome.message, ...outcome.notFound },
  );
}

/** Parses the arguments of a tool call; null if they are not a JSON object. An empty text means no arguments. */
function argumentsIn(text: string): Record<string, unknown> | null {
  try {
    const given: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
    return isRecord(given) ? { ...given } : null;
  } catch {
    return null;
  }
}
