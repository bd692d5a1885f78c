// The question of a held instance, and its answer.

import type { WorkflowTaskContext } from "../../protocol/workflows/workflow-template.ts";
import { resumeInstanceSchema, type InstanceHold } from "../../protocol/workflows/workflow-instance.ts";
import type { ThreadQuestion, QuestionState } from "../ports.ts";
import { createQuestion } from "../turn/questions.ts";
import { getStageScope, type TurnContext } from "../turn/turn-context.ts";

/** The expiry of a hold: 30 days. */
const HOLD_EXPIRY_SECONDS = 30 * 86_400;

/** Creates the question of a hold, with the hold's id. It expires after 30 days and accepts values as its answer. */
export function createHoldQuestion(turn: TurnContext, { request_id, message }: InstanceHold): ThreadQuestion {
  const withHoldExpiry = { ...turn, limits: { ...turn.limits, questionSeconds: HOLD_EXPIRY_SECONDS } };
  const fields = { stage: "planning", prompt: message, query: turn.request.message } as const;
  return {
    ...createQuestion(withHoldExpiry, getStageScope(turn.threadId, "planner"), fields),
    request_id,
    takesValues: true,
  };
}

/**
 * Parses the values of an answer, by task and name; {} if it contains no valid ones. Without `arguments`, and if a
 * single value is missing, the message is that value, unless it is blank or only asks for a retry.
 */
export function parseAnswerValues(
  { answer }: Extract<QuestionState, { state: "answered" }>,
  { missing }: InstanceHold,
): Readonly<Record<string, WorkflowTaskContext>> {
  const resumed = resumeInstanceSchema.safeParse(answer.arguments ?? {});
  if (answer.arguments !== undefined) return resumed.success ? resumed.data.context : {};
  const [only, ...others] = missing;
  const message = answer.message.trim();
  if (only === undefined || others.length > 0 || message === "" || RETRY_PHRASE.test(message)) return {};
  return { [only.task_id]: { [only.name]: message } };
}

/** Matches answers that ask for a retry and are not a value. */
const RETRY_PHRASE = /^(?:try again|retry|again|resume|go on|continue|重试|再试一次|继续)[.!。！]?$/i;
