// The first stage of the toolsmith: a model splits the request into sub-tasks.

import type { AgentRunEvent } from "../kit/agent.ts";
import { formatQuery } from "../kit/agent-prompt.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import type { ToolsmithContext } from "./toolsmith-context.ts";
import { requestUntilAccepted } from "../kit/tools/request-tool-call.ts";
import { PLAN_SUBTASKS, type Subtask } from "./offered-tools.ts";

const MAX_ATTEMPTS = 3;

/**
 * Returns the sub-tasks in their order (F91), or null after it has yielded the model's own answer to the request (F90).
 * An empty plan gives one sub-task with the whole request. Throws a `Fault` (`unprocessable`) after an empty reply or
 * three malformed ones, `agent_exhausted`, and errors of the model.
 */
export async function* splitRequest(ctx: ToolsmithContext): AsyncGenerator<AgentRunEvent, Subtask[] | null> {
  const { query } = ctx.request;
  const prompt = formatQuery(ctx.request);
  const accepted = yield* requestUntilAccepted(ctx, PLAN_SUBTASKS, prompt, MAX_ATTEMPTS, (reply) =>
    reply.kind === "malformed" ? { ok: false } : { ok: true, value: reply },
  );
  if (accepted === null) throw createFault("unprocessable", "toolsmith.notSplit");
  const reply = accepted.value;
  if (reply.kind === "called")
    return reply.value.tasks.length > 0 ? reply.value.tasks : [{ id: "1", description: query, category: "other" }];
  if (reply.text === "") throw createFault("unprocessable", "model.emptyAnswer");
  // Text is emitted only here: text beside a plan is not an answer, and its numbers are unverified.
  yield { type: "text", text: reply.text };
  return null;
}
