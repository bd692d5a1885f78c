// The texts of a page: which there are, and the writing of one.

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

/** Calls of the model for one text, the last of which may call no tool; and calls of tools in one answer. */
const MOST_ROUNDS = 3;
const MOST_CALLS = 4;
/** Characters of a result that the model sees. */
const MOST_RESULT = 8_000;

/** The texts of a page in the order of their slots; those that no slot shows last. */
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

/** The id of the writing whose text a slot shows; null for a slot that shows data. */
export function writingFor({ blueprint }: Scene, slot: Slot): string | null {
  const node = writerOf(blueprint, slot);
  if (node !== null) return `node:${node.id}`;
  return isWritten(slot) ? `slot:${slot.id}` : null;
}

/** Writes one text, which may take calls of tools (F113). Throws what the model throws. */
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

async function heardTo(thinking: ReturnType<typeof think>, take: (text: string) => void): Promise<Completion> {
  for (;;) {
    const { done, value } = await thinking.next();
    if (done === true) return value;
    if (value.type === "text") take(value.text);
  }
}

/** Tells what is heard of a text that people can read while it grows. */
function hearing({ slot }: Writing, tell: Tell) {
  const harmless = new Harmless();
  const told = (deltaText: string) => {
    if (slot?.componentType !== "markdown" || deltaText === "") return;
    tell({ type: "SLOT_DELTA", blockId: slot.id, slotKey: "content", deltaText } satisfies PageEvent);
  };
  return { take: (text: string) => told(harmless.feed(text)), end: () => told(harmless.end()) };
}

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

function argumentsIn(text: string): Record<string, unknown> | null {
  try {
    const given: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
    return isRecord(given) ? { ...given } : null;
  } catch {
    return null;
  }
}
