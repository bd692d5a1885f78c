// Questions to the person and checkpoints: the events with which a run ends early or saves its state.

import type * as z from "zod";
import type { AgentRequest } from "../../protocol/agents/agent.ts";
import { type Message } from "../../language/messages.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { tryParseJson } from "../../lib/parse-json.ts";
import type { AgentRunEvent } from "./agent.ts";

/**
 * A question to the person. With `approval`, the answer approves, refuses or changes the arguments of a tool call.
 */
export type RunQuestion = Pick<Extract<AgentRunEvent, { type: "input_required" }>, "prompt" | "options" | "approval">;

/** A question about a tool call. Its prompt is a message to be formatted, or a text of the model. */
export type ToolQuestion = Omit<RunQuestion, "prompt"> & { readonly prompt: Message | string };

/**
 * Creates the event that asks the person. It must be the last event of a run. With the answer the agent runs again,
 * with the same request and `request.reply`, possibly in another isolate or after a deploy. `state` is any JSON value,
 * which `parseState` returns in that run. Without `options` the answer is free text.
 */
export function ask(
  prompt: string,
  { options, state }: { readonly options?: readonly string[]; readonly state?: unknown } = {},
): AgentRunEvent {
  return {
    type: "input_required",
    prompt,
    ...(options === undefined ? {} : { options: [...options] }),
    ...(state === undefined ? {} : { state: JSON.stringify(state) }),
  };
}

/**
 * Creates an event that saves the progress of a run. After a crash the run starts again with the last checkpoint as
 * `request.checkpoint`, and the output before it stays. `state` is any JSON value; a checkpoint of more than
 * `MAX_AGENT_STATE_CHARS` is dropped.
 */
export function checkpoint(state: unknown): AgentRunEvent {
  return { type: "checkpoint", state: JSON.stringify(state) };
}

/**
 * Parses the state in the reply or, without a reply, the checkpoint. Throws a `Fault` (`invalid_request`), which fails
 * the task, if it does not match the schema; a missing state is parsed as undefined. The state comes from the caller of
 * the agent and is not trusted, like the query.
 */
export function parseState<Schema extends z.ZodType>(request: AgentRequest, schema: Schema): z.output<Schema> {
  const text = request.reply === undefined ? request.checkpoint : request.reply.state;
  const parsed = schema.safeParse(text === undefined ? undefined : tryParseJson(text));
  if (parsed.success) return parsed.data;
  throw createFault("invalid_request", "agent.stateMissing", { cause: parsed.error });
}
