// Runs an agent's generator and parses the A2A message that starts it.
//
// The generator runs ahead of its reader until the mailbox is full. Exactly one final event is emitted (`completed`,
// `failed` or `input_required`), unless the signal aborts: then the mailbox closes at once and the generator is
// closed at its next event. Errors never reach the reader: those meant for people become `failed` with their message,
// all others `failed` with a neutral reason. The cause is logged.

import type { Message } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { EVENTS_EXTENSION, messageParamsSchema, type MessageParams } from "../../protocol/a2a.ts";
import { agentMetadataSchema, MAX_STATE_CHARS, type AgentMetadata, type AgentRequest } from "../../protocol/agent.ts";
import type { AgentDefinition, RunContext, Said } from "./agent.ts";
import { told } from "./failure.ts";
import { Mailbox } from "./mailbox.ts";
import { withoutMeans } from "./scope.ts";

/**
 * Starts the agent and returns the mailbox with its events. Never throws. The caller must read the mailbox to its end
 * or abort the signal.
 */
export function perform(agent: AgentDefinition, request: AgentRequest, context: RunContext): Mailbox {
  const box = new Mailbox();
  const source = guarded(agent, request, context);
  const stop = () => box.close();
  context.signal.addEventListener("abort", stop, { once: true });
  const pumped = pump(source, box, context.signal).finally(() => context.signal.removeEventListener("abort", stop));
  pumped.catch((thrown: unknown) => console.error(`${agent.card.name}: cannot be closed`, thrown));
  return box;
}

async function pump(source: AsyncIterable<Said>, box: Mailbox, signal: AbortSignal): Promise<void> {
  try {
    for await (const said of source) {
      if (signal.aborted) return;
      box.push(said);
      const room = box.room();
      if (room !== undefined) await room;
    }
  } finally {
    box.close();
  }
}

/**
 * Yields the events of the agent up to the final one. A read-only request does not run an agent that does not honour
 * the scope. Checkpoints that are too large are dropped.
 */
async function* guarded(agent: AgentDefinition, request: AgentRequest, context: RunContext): AsyncGenerator<Said> {
  try {
    const isTrusted = request.metadata.scope !== "read_only" || agent.honours_scope === true;
    for await (const said of isTrusted ? agent.run(request, context) : withoutMeans(request)) {
      if (said.type === "checkpoint" && said.state.length > MAX_STATE_CHARS) continue;
      yield said.type === "input_required" ? bounded(said) : said;
      if (said.type === "completed" || said.type === "failed" || said.type === "input_required") return;
    }
    yield { type: "completed" };
  } catch (thrown) {
    if (context.signal.aborted) return;
    console.error(`${agent.card.name} failed`, thrown);
    yield told(thrown) ?? { type: "failed", reason: "The agent stopped unexpectedly.", code: "agent_failed" };
  }
}

/** Returns the question, or `failed` if it is too large: a question and its state are stored in one row. */
function bounded(question: Extract<Said, { type: "input_required" }>): Said {
  const { length } = JSON.stringify(question);
  if (length <= MAX_STATE_CHARS) return question;
  const reason = `The agent wanted to ask something, but what it would have to remember until the answer is too large (${length} characters, at most ${MAX_STATE_CHARS}).`;
  return { type: "failed", reason, code: "agent_too_large" };
}

/**
 * Converts an A2A message to an agent request. Messages of clients without our extension lack most fields. Throws
 * `RequestMalformedError` if the parameters of our extension are invalid.
 */
export function requestOf(message: Message, runId: string, contextId: string): AgentRequest {
  const { task_id = runId, query = "", reply, checkpoint } = paramsOf(message);
  return {
    message_id: message.messageId,
    task_id,
    conversation_id: contextId,
    query: reply === undefined ? textOf(message) : query,
    metadata: metadataOf(message.metadata ?? {}),
    ...(reply === undefined ? {} : { reply }),
    ...(checkpoint === undefined ? {} : { checkpoint }),
  };
}

/** Joins the text parts of a message with line breaks. */
export function textOf({ parts }: Message): string {
  return parts.flatMap(({ content }) => (content?.$case === "text" ? [content.value] : [])).join("\n");
}

function paramsOf({ metadata }: Message): MessageParams {
  const parsed = messageParamsSchema.safeParse(metadata?.[EVENTS_EXTENSION] ?? {});
  if (parsed.success) return parsed.data;
  throw new RequestMalformedError(`What the message says under ${EVENTS_EXTENSION} cannot be read.`);
}

/**
 * Parses the metadata. If the whole does not validate, it keeps the keys that do, so that an invalid `language` does
 * not cost the `timezone`.
 */
function metadataOf(given: Readonly<Record<string, unknown>>): AgentMetadata {
  const whole = agentMetadataSchema.safeParse(given);
  if (whole.success) return whole.data;
  const known = Object.entries(agentMetadataSchema.shape).filter(
    ([key, schema]) => schema.safeParse(given[key]).success,
  );
  return agentMetadataSchema.parse(Object.fromEntries(known.map(([key]) => [key, given[key]])));
}
