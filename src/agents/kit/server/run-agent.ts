// Runs an agent's generator and parses the A2A message that starts it.
//
// The generator runs ahead of its reader until the queue is full. Exactly one final event is emitted (`completed`,
// `failed` or `input_required`), unless the signal aborts: then the queue closes at once and the generator is
// closed at its next event. Errors never reach the reader: those meant for people become `failed` with their message,
// all others `failed` with a neutral reason. The cause is logged.

import type { Message } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { EVENTS_EXTENSION, messageParamsSchema, type MessageParams } from "../../../protocol/agents/a2a-extension.ts";
import {
  agentMetadataSchema,
  MAX_AGENT_STATE_CHARS,
  type AgentMetadata,
  type AgentRequest,
} from "../../../protocol/agents/agent.ts";
import { detectRequestLanguage, type Language } from "../../../language/detect-language.ts";
import { formatAgentMessage } from "../../../language/agent-messages.ts";
import type { AgentDefinition, RunContext, AgentRunEvent } from "../agent.ts";
import { toPublicFailedEvent } from "../public-failure.ts";
import { createEventQueue, type EventQueue } from "../event-queue.ts";
import { refuseReadOnlyRequest } from "../read-only-scope.ts";

/**
 * Starts the agent and returns at once with the queue of its events. The last one is the final event, unless
 * `context.signal` aborts. Never throws. The caller must read the queue to its end or abort the signal.
 */
export function startAgent(agent: AgentDefinition, request: AgentRequest, context: RunContext): EventQueue {
  const queue = createEventQueue();
  const source = runToFinalEvent(agent, request, context);
  const stop = () => queue.close();
  context.signal.addEventListener("abort", stop, { once: true });
  const filling = fillQueue(source, queue, context.signal).finally(() =>
    context.signal.removeEventListener("abort", stop),
  );
  filling.catch((thrown: unknown) => console.error(`${agent.card.name}: cannot be closed`, thrown));
  return queue;
}

async function fillQueue(source: AsyncIterable<AgentRunEvent>, queue: EventQueue, signal: AbortSignal): Promise<void> {
  try {
    for await (const event of source) {
      if (signal.aborted) return;
      queue.push(event);
      const space = queue.waitForSpace();
      if (space !== undefined) await space;
    }
  } finally {
    queue.close();
  }
}

/**
 * Yields the events of the agent up to the final one. A read-only request does not run an agent that does not honour
 * the scope. Checkpoints that are too large are dropped.
 */
async function* runToFinalEvent(
  agent: AgentDefinition,
  request: AgentRequest,
  context: RunContext,
): AsyncGenerator<AgentRunEvent> {
  const language = detectRequestLanguage(request);
  try {
    const mayRun = request.metadata.scope !== "read_only" || agent.honours_scope === true;
    for await (const event of mayRun ? agent.run(request, context) : refuseReadOnlyRequest(request)) {
      if (event.type === "checkpoint" && event.state.length > MAX_AGENT_STATE_CHARS) continue;
      yield event.type === "input_required" ? limitQuestionSize(event, language) : event;
      if (event.type === "completed" || event.type === "failed" || event.type === "input_required") return;
    }
    yield { type: "completed" };
  } catch (thrown) {
    if (context.signal.aborted) return;
    console.error(`${agent.card.name} failed`, thrown);
    yield (
      toPublicFailedEvent(thrown, (error) => agent.describeError?.(error, language) ?? error.message) ?? {
        type: "failed",
        reason: formatAgentMessage(language, "agent.crashed"),
        code: "agent_failed",
      }
    );
  }
}

/** Returns the question, or `failed` if it is too large: a question and its state are stored in one row. */
function limitQuestionSize(
  question: Extract<AgentRunEvent, { type: "input_required" }>,
  language: Language,
): AgentRunEvent {
  const { length } = JSON.stringify(question);
  if (length <= MAX_AGENT_STATE_CHARS) return question;
  const reason = formatAgentMessage(language, "agent.questionTooLarge", {
    length: length.toLocaleString(language),
    limit: MAX_AGENT_STATE_CHARS.toLocaleString(language),
  });
  return { type: "failed", reason, code: "agent_too_large" };
}

/**
 * Converts an A2A message to an agent request. The query is the text of the message or, in a reply, that of the
 * extension's parameters. `runId` is the task id for clients without our extension. Invalid metadata members are left
 * out. Throws `RequestMalformedError` if the parameters of our extension are invalid.
 */
export function toAgentRequest(message: Message, runId: string, contextId: string): AgentRequest {
  const { task_id = runId, query = "", reply, checkpoint } = parseExtensionParams(message);
  return {
    message_id: message.messageId,
    task_id,
    conversation_id: contextId,
    query: reply === undefined ? joinTextParts(message) : query,
    metadata: parseMetadata(message.metadata ?? {}),
    ...(reply === undefined ? {} : { reply }),
    ...(checkpoint === undefined ? {} : { checkpoint }),
  };
}

/** Joins the text parts of a message with line breaks and ignores other parts. Empty if there are none. */
export function joinTextParts({ parts }: Message): string {
  return parts.flatMap(({ content }) => (content?.$case === "text" ? [content.value] : [])).join("\n");
}

function parseExtensionParams({ metadata }: Message): MessageParams {
  const parsed = messageParamsSchema.safeParse(metadata?.[EVENTS_EXTENSION] ?? {});
  if (parsed.success) return parsed.data;
  throw new RequestMalformedError(`What the message says under ${EVENTS_EXTENSION} cannot be read.`);
}

/**
 * Parses the metadata. If the whole does not validate, it keeps the keys that do, so that an invalid `language` does
 * not cost the `timezone`.
 */
function parseMetadata(rawMetadata: Readonly<Record<string, unknown>>): AgentMetadata {
  const parsed = agentMetadataSchema.safeParse(rawMetadata);
  if (parsed.success) return parsed.data;
  const validEntries = Object.entries(agentMetadataSchema.shape).filter(
    ([key, schema]) => schema.safeParse(rawMetadata[key]).success,
  );
  return agentMetadataSchema.parse(Object.fromEntries(validEntries.map(([key]) => [key, rawMetadata[key]])));
}
