// The texts of a page: lists the texts to write, and writes one text with a model that may call tools.

import type { ComputeNode, BlueprintSlot } from "../../../protocol/pages/blueprint-schema.ts";
import type { PageEvent } from "../../../protocol/pages/page.ts";
import { NumberGate } from "../../../protocol/provenance/number-gate.ts";
import { findUnsourcedNumbers, formatNumberCorrection } from "../../../protocol/provenance/number-sources.ts";
import type { ModelMessage } from "../../kit/agent-prompt.ts";
import { toToolSpecs, callModel, type AgentCompletion } from "../../kit/call-model.ts";
import { truncateToFit } from "../truncate-json.ts";
import { isAiContentSlot, getNodeDependencies, listSlots, findWriterNode } from "../blueprint/blueprint-parts.ts";
import { collectPageSources } from "./page-numbers.ts";
import { createTextPrompt, type TextTask } from "./text-prompt.ts";
import { callPageTool } from "../execute/page-tool-call.ts";
import { MarkdownSanitizer } from "./sanitize-markdown.ts";
import { localizeText, type PageBuild, type EmitPageEvent, createPageFailure } from "../execute/page-build.ts";
import { isRecord } from "../blocks/data-shapes.ts";

/** Maximum model calls for one text, the last one without tools, and maximum tool calls in one reply. */
const MAX_ROUNDS = 3;
const MAX_CALLS = 4;
/** Maximum characters of a tool result that the model receives. */
const MAX_RESULT_CHARS = 8_000;

/**
 * Returns the texts to write in the order of their slots, followed by those of AI nodes that no slot shows. A node that
 * several slots show is one text, at the first of them.
 */
export function listTextTasks({ blueprint }: PageBuild): TextTask[] {
  const nodes = blueprint.computeGraph.nodes.filter(({ type }) => type === "ai");
  const dependencies = getNodeDependencies(blueprint);
  const slots = listSlots(blueprint).map((slot) => ({ slot, node: findWriterNode(blueprint, slot) }));
  const createNodeTask = (node: ComputeNode, slot: BlueprintSlot | null): TextTask => ({
    id: `node:${node.id}`,
    node,
    slot,
    dependencies: (dependencies.get(node.id) ?? []).map((id) => `node:${id}`),
  });
  const shownTasks = slots.flatMap(({ slot, node }, i): TextTask[] => {
    if (node === null) return isAiContentSlot(slot) ? [{ id: `slot:${slot.id}`, node, slot, dependencies: [] }] : [];
    return slots.findIndex((candidate) => candidate.node === node) === i ? [createNodeTask(node, slot)] : [];
  });
  const hiddenNodes = nodes.filter((node) => !slots.some((candidate) => candidate.node === node));
  return [...shownTasks, ...hiddenNodes.map((node) => createNodeTask(node, null))];
}

/** Returns the id of the text that the slot shows; null if the slot shows data. */
export function getTextTaskId({ blueprint }: PageBuild, slot: BlueprintSlot): string | null {
  const node = findWriterNode(blueprint, slot);
  if (node !== null) return `node:${node.id}`;
  return isAiContentSlot(slot) ? `slot:${slot.id}` : null;
}

/** Returns the ids of the slots with a written text. */
export function listTextSlots(build: PageBuild): string[] {
  return listSlots(build.blueprint)
    .filter((slot) => getTextTaskId(build, slot) !== null && !build.missing.has(`slot.${slot.id}`))
    .map(({ id }) => id);
}

/**
 * F113. Writes one text and returns it, trimmed. The model may call tools in the first two of three rounds. If the text
 * has a number without a source, the model may correct it once. Emits `SLOT_DELTA` events for markdown slots, up to the
 * first sentence with such a number. Rejects with a `Failure` (`page_failed`) if the model wrote nothing,
 * `agent_exhausted`, errors of the model, and the reason of an aborted signal.
 */
export async function writeText(build: PageBuild, emit: EmitPageEvent, task: TextTask): Promise<string> {
  const messages: ModelMessage[] = createTextPrompt(build, task);
  let text = "";
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const tools = round < MAX_ROUNDS ? toToolSpecs([...build.tools.infos]) : [];
    const completion = await completeText(build, messages, tools, createDeltaSender(build, task, emit));
    text = completion.text.trim() || text;
    const calls = completion.toolCalls.slice(0, round < MAX_ROUNDS ? MAX_CALLS : 0);
    if (calls.length === 0) break;
    messages.push({ role: "assistant", content: completion.text, toolCalls: calls });
    for (const call of calls) {
      messages.push({ role: "tool", toolCallId: call.id, content: await runModelToolCall(build, emit, task, call) });
    }
  }
  if (text === "") throw createPageFailure(localizeText(build, "analyst.noTextWritten"));
  return await correctNumbers(build, task, messages, text);
}

/** Lets the model correct a text with numbers that have no source, once. Exercises invent their numbers. */
async function correctNumbers(
  build: PageBuild,
  { slot }: TextTask,
  messages: readonly ModelMessage[],
  text: string,
): Promise<string> {
  if (slot?.componentType === "question_generator") return text;
  const sources = collectPageSources(build);
  const unsourced = findUnsourcedNumbers(text, sources);
  if (unsourced.length === 0) return text;
  const correction = { role: "user", content: formatNumberCorrection(unsourced) } as const;
  const corrected = await completeText(
    build,
    [...messages, { role: "assistant", content: text }, correction],
    [],
    null,
  );
  return corrected.text.trim() || text;
}

/** Makes one model call and passes on its text deltas. */
async function completeText(
  { budget, model, signal }: PageBuild,
  messages: readonly ModelMessage[],
  tools: ReturnType<typeof toToolSpecs>,
  deltaSender: ReturnType<typeof createDeltaSender> | null,
): Promise<AgentCompletion> {
  const modelCall = callModel(model, { role: "compose", messages: [...messages], tools, signal }, budget);
  for (;;) {
    const { done, value } = await modelCall.next();
    if (done === true) {
      deltaSender?.end();
      return value;
    }
    if (value.type === "text") deltaSender?.take(value.text);
  }
}

/**
 * Returns functions that send sanitized text deltas. Only markdown slots show a growing text; for others nothing is
 * sent.
 */
function createDeltaSender(build: PageBuild, { slot }: TextTask, emit: EmitPageEvent) {
  const sanitizer = new MarkdownSanitizer();
  const gate = new NumberGate(collectPageSources(build), null);
  const sendDelta = (deltaText: string) => {
    if (slot?.componentType !== "markdown" || deltaText === "") return;
    emit({ type: "SLOT_DELTA", blockId: slot.id, slotKey: "content", deltaText } satisfies PageEvent);
  };
  return {
    take: (text: string) => sendDelta(sanitizer.feed(gate.feed(text))),
    end: () => sendDelta(sanitizer.feed(gate.flush()) + sanitizer.flush()),
  };
}

/** Runs a tool call of the model and returns its result or error as JSON text for the model. */
async function runModelToolCall(
  build: PageBuild,
  emit: EmitPageEvent,
  { id, slot }: TextTask,
  { name, arguments: argumentsText }: AgentCompletion["toolCalls"][number],
): Promise<string> {
  const names = build.tools.infos.map((info) => info.name);
  if (!names.includes(name)) return `There is no tool ${name}. There are: ${names.join(", ")}.`;
  const args = parseArguments(argumentsText);
  if (args === null) return "The arguments are not a JSON object.";
  const call = { callId: slot?.id ?? id, tool: name, args, signal: build.signal, isShown: false };
  const outcome = await callPageTool(build, emit, call);
  return JSON.stringify(
    outcome.ok ? truncateToFit(outcome.value, MAX_RESULT_CHARS) : { error: outcome.message, ...outcome.notFound },
  );
}

/** Parses the arguments of a tool call; null if they are not a JSON object. An empty text means no arguments. */
function parseArguments(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
    return isRecord(parsed) ? { ...parsed } : null;
  } catch {
    return null;
  }
}
