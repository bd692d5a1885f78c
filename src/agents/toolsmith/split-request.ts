// The first model call of the toolsmith: it splits the request into sub-tasks.

import type { AgentRunEvent } from "../kit/agent.ts";
import { formatQuery } from "../kit/agent-prompt.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import type { ToolsmithContext } from "./toolsmith-context.ts";
import { requestToolCall } from "../kit/request-tool-call.ts";
import { PLAN_SUBTASKS, type Subtask } from "./offered-tools.ts";
import { toCorrectionMessages } from "./toolsmith-prompts.ts";
import type { FailedAttempt } from "./toolsmith-state.ts";

const MAX_ATTEMPTS = 3;

/**
 * Returns the sub-tasks in their order (F91), or null after the model has answered the request itself (F90). Throws a
 * `Fault` (`unprocessable`) if the model gives no usable reply in three attempts.
 */
export async function* splitRequest(ctx: ToolsmithContext): AsyncGenerator<AgentRunEvent, Subtask[] | null> {
  const { query } = ctx.request;
  const attempts: FailedAttempt[] = [];
  while (attempts.length < MAX_ATTEMPTS) {
    const prompt = { role: "user", content: formatQuery(ctx.request) } as const;
    const corrections = toCorrectionMessages(PLAN_SUBTASKS.name, attempts);
    const reply = yield* requestToolCall(ctx, PLAN_SUBTASKS, [prompt, ...corrections]);
    switch (reply.kind) {
      case "text":
        if (reply.text === "") throw new Fault("unprocessable", "The model gave no answer.");
        // Text is emitted only here: text beside a plan is not an answer, and its numbers are unverified.
        yield { type: "text", text: reply.text };
        return null;
      case "malformed":
        attempts.push(reply);
        break;
      case "called":
        // An empty plan counts as one sub-task with the whole request.
        return reply.value.tasks.length > 0 ? reply.value.tasks : [{ id: "1", description: query, category: "other" }];
    }
  }
  throw new Fault("unprocessable", "The model could not split the request into parts. Please word it in another way.");
}
