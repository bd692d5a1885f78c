// The first model call of the toolsmith: it splits the request into sub-tasks.

import type { Said } from "../kit/agent.ts";
import { questionOf } from "../kit/prompt.ts";
import { Fault } from "../../protocol/fault.ts";
import type { Bench } from "./bench.ts";
import { consult } from "../kit/consult.ts";
import { planSubtasks, type Subtask } from "./contract.ts";
import { attemptsAsTurns } from "./prompts.ts";
import type { Attempt } from "./state.ts";

const MOST_ATTEMPTS = 3;

/**
 * Returns the sub-tasks in their order (F91), or null after the model has answered the request itself (F90). Throws a
 * `Fault` (`unprocessable`) if the model gives no usable reply in three attempts.
 */
export async function* split(bench: Bench): AsyncGenerator<Said, Subtask[] | null> {
  const { query } = bench.request;
  const attempts: Attempt[] = [];
  while (attempts.length < MOST_ATTEMPTS) {
    const prompt = { role: "user", content: questionOf(bench.request) } as const;
    const turns = attemptsAsTurns(planSubtasks.name, attempts);
    const reply = yield* consult(bench, planSubtasks, [prompt, ...turns]);
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
