// The question whether to try again, for a thread that was interrupted too often without progress.

import type { Language } from "../../language/detect-language.ts";
import { createMessage, formatMessage } from "../../language/messages.ts";
import { assertNever } from "../../lib/assert.ts";
import type { QuestionState, ThreadQuestion } from "../ports.ts";
import { createExpiryMessage, createQuestion, type QuestionLimits } from "./questions.ts";
import { StopReason } from "./stop-reason.ts";
import { getStageScope } from "./turn-context.ts";

/** Creates the open question. `count` is the number of interruptions since the last progress. */
export function createRetryQuestion(
  threadId: string,
  turn: QuestionLimits,
  { count, query, language }: { readonly count: number; readonly query: string; readonly language: Language },
): ThreadQuestion {
  const format = (key: "answer.yes" | "answer.no") => formatMessage(language, createMessage(key));
  const fields = {
    stage: "planning",
    prompt: formatMessage(language, createMessage("turn.retryQuestion", { count })),
    query,
    options: [format("answer.yes"), format("answer.no")],
  } as const;
  return { ...createQuestion(turn, getStageScope(threadId, "recovery"), fields), takesDecision: true };
}

/** Returns the reason to stop the thread after its question was closed; null if the thread continues. */
export function createRetryStop({ prompt }: ThreadQuestion, closed: QuestionState): StopReason | null {
  switch (closed.state) {
    case "answered":
      return closed.answer.decision === "approve" ? null : new StopReason("person", createMessage("turn.cancelled"));
    case "expired":
      return new StopReason("expiry", createExpiryMessage(prompt));
    // The person acted on the thread otherwise.
    case "cancelled":
    case "open":
      return null;
    default:
      return assertNever(closed);
  }
}
