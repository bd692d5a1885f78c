// The texts of a page: lists the texts to write, and writes one text with a model that may call tools.

import type { ComputeNode, BlueprintSlot } from "../../../protocol/pages/blueprint-schema.ts";
import type { PageEvent } from "../../../protocol/pages/page.ts";
import type { ModelMessage } from "../../kit/agent-prompt.ts";
import { toToolSpecs, callModel, type AgentCompletion } from "../../kit/call-model.ts";
import { truncateToFit } from "../truncate-json.ts";
import { isAiContentSlot, getNodeDependencies, listSlots, findWriterNode } from "../blueprint/blueprint-parts.ts";
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

/**
 * F113. Writes one text and returns it, trimmed. The model may call tools in the first two of three rounds. Emits
 * `SLOT_DELTA` events for markdown slots. Rejects with a `Failure` (`page_failed`) if the model wrote nothing,
 * `agent_exhausted`, errors of the model, and the reason of an aborted signal.
 */
export async function writeText(build: PageBuild, emit: EmitPageEvent, task: TextTask): Promise<string> {
  const { budget, model, signal } = build;
  const messages: ModelMessage[] = createTextPrompt(build, task);
  let text = "";
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const tools = round < MAX_ROUNDS ? toToolSpecs([...build.tools.infos]) : [];
    const deltaSender = createDeltaSender(task, emit);
    const modelCall = callModel(model, { role: "compose", messages, tools, signal }, budget);
    const completion = await readCompletion(modelCall, deltaSender.take);
    deltaSender.end();
    text = completion.text.trim() || text;
    const calls = completion.toolCalls.slice(0, round < MAX_ROUNDS ? MAX_CALLS : 0);
    if (calls.length === 0) break;
    messages.push({ role: "assistant", content: completion.text, toolCalls: calls });
    for (const call of calls) {
      messages.push({ role: "tool", toolCallId: call.id, content: await runModelToolCall(build, emit, task, call) });
    }
  }
  if (text === "") throw createPageFailure(localizeText(build, "analyst.noTextWritten"));
  return text;
}

/** Reads a completion to its end and passes on its text deltas. */
async function readCompletion(
  modelCall: ReturnType<typeof callModel>,
  take: (text: string) => void,
): Promise<AgentCompletion> {
  for (;;) {
    const { done, value } = await modelCall.next();
    if (done === true) return value;
    if (value.type === "text") take(value.text);
  }
}

/**
 * Returns functions that send sanitized text deltas. Only markdown slots show a growing text; for others nothing is
 * sent.
 */
function createDeltaSender({ slot }: TextTask, emit: EmitPageEvent) {
  const sanitizer = new MarkdownSanitizer();
  const sendDelta = (deltaText: string) => {
    if (slot?.componentType !== "markdown" || deltaText === "") return;
    emit({ type: "SLOT_DELTA", blockId: slot.id, slotKey: "content", deltaText } satisfies PageEvent);
  };
  return { take: (text: string) => sendDelta(sanitizer.feed(text)), end: () => sendDelta(sanitizer.flush()) };
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
