import type * as z from "zod";
import type { AgentRequest } from "../../protocol/agent.ts";
import { Fault } from "../../protocol/fault.ts";
import { jsonIn } from "../../protocol/json-text.ts";
import type { Said } from "./agent.ts";

/** What is put to the person. With `approval` the answer is leave, refusal, or other arguments. */
export type Question = Pick<Extract<Said, { type: "input_required" }>, "prompt" | "options" | "approval">;

/**
 * A question to the person: the last thing that a run yields. The agent runs again with the same request and
 * `request.reply`, perhaps in another isolate, perhaps after a deploy: what it has to remember until then is
 * `state`, any JSON value.
 */
export function ask(
  prompt: string,
  { options, state }: { readonly options?: readonly string[]; readonly state?: unknown } = {},
): Said {
  return {
    type: "input_required",
    prompt,
    ...(options === undefined ? {} : { options: [...options] }),
    ...(state === undefined ? {} : { state: JSON.stringify(state) }),
  };
}

/**
 * Says how far a run has come: after a crash it is begun again with the last one as `request.checkpoint`, and
 * what it had said up to there stays said.
 */
export function checkpoint(state: unknown): Said {
  return { type: "checkpoint", state: JSON.stringify(state) };
}

/**
 * The state that came back, with the answer or as the checkpoint. Throws a `Fault`, which fails the task, when it
 * is not what the schema says: whoever calls an agent can send any state, so it is no more to be trusted than
 * the query.
 */
export function stateOf<Schema extends z.ZodType>(request: AgentRequest, schema: Schema): z.output<Schema> {
  const text = request.reply === undefined ? request.checkpoint : request.reply.state;
  const parsed = schema.safeParse(text === undefined ? undefined : jsonIn(text));
  if (parsed.success) return parsed.data;
  throw new Fault("invalid_request", "What the agent had noted for itself did not come back, so it cannot go on.", {
    cause: parsed.error,
  });
}
