// Questions to the person and checkpoints: the events with which a run ends early or saves its state.

import type * as z from "zod";
import type { AgentRequest } from "../../protocol/agents/agent.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import { tryParseJson } from "../../protocol/text/parse-json.ts";
import type { AgentRunEvent } from "./agent.ts";

/**
 * A question to the person. With `approval`, the answer approves, refuses or changes the arguments of a tool call.
 */
export type RunQuestion = Pick<Extract<AgentRunEvent, { type: "input_required" }>, "prompt" | "options" | "approval">;

/**
 * Creates the event that asks the person. It must be the last event of a run. With the answer the agent runs again,
 * with the same request and `request.reply`, possibly in another isolate or after a deploy. `state` is any JSON
 * value; `parseState` reads it then.
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
 * `request.checkpoint`, and the output before it stays. `state` is any JSON value.
 */
export function checkpoint(state: unknown): AgentRunEvent {
  return { type: "checkpoint", state: JSON.stringify(state) };
}

/**
 * Parses the state that came back with the reply or, without a reply, as the checkpoint. Throws a `Fault`
 * (`invalid_request`), which fails the task, if it does not match the schema. The state comes from the caller of the
 * agent, so it is no more trusted than the query.
 */
export function parseState<Schema extends z.ZodType>(request: AgentRequest, schema: Schema): z.output<Schema> {
  const text = request.reply === undefined ? request.checkpoint : request.reply.state;
  const parsed = schema.safeParse(text === undefined ? undefined : tryParseJson(text));
  if (parsed.success) return parsed.data;
  throw new Fault("invalid_request", "What the agent had noted for itself did not come back, so it cannot go on.", {
    cause: parsed.error,
  });
}
