// Questions of a thread to the person: creation, events, pending list, and validation of answers.

import * as z from "zod";
import { truncateWithEllipsis } from "../../lib/truncate.ts";
import type { ResumeCommand } from "../../protocol/wire/commands.ts";
import { createMessage, type Message } from "../../language/messages.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { resumeInstanceSchema } from "../../protocol/workflows/workflow-instance.ts";
import {
  parseDecision,
  type QuestionAnswer,
  type Approval,
  type QuestionContext,
  type PendingQuestion,
} from "../../protocol/wire/question.ts";
import type { EventDraft, Ports, ThreadQuestion } from "../ports.ts";
import type { EventScope } from "../models/delta-writer.ts";

/** The parts of a turn that a question needs. */
export type QuestionLimits = {
  readonly ports: Pick<Ports, "now" | "mint">;
  readonly limits: { readonly questionSeconds: number };
};

/** The maximum length of the query that is stored with a question, in UTF-16 units. */
const MAX_QUERY_CHARS = 16_384;

/**
 * Creates an open question of a stage or task. It expires after `questionSeconds` (H2). Mints its id, so call it inside
 * a step. Publishes nothing.
 */
export function createQuestion(
  turn: QuestionLimits,
  eventScope: EventScope,
  fields: Pick<ThreadQuestion, "stage" | "prompt" | "query"> & {
    readonly options?: readonly string[] | undefined;
    approval?: Approval | undefined;
  },
): ThreadQuestion {
  const { stage, prompt, query, options, approval } = fields;
  const now = turn.ports.now();
  return {
    request_id: turn.ports.mint("req"),
    stage,
    ...eventScope,
    prompt,
    ...(options === undefined || options.length === 0 ? {} : { options }),
    ...(approval === undefined ? {} : { approval }),
    query: truncateWithEllipsis(query, MAX_QUERY_CHARS),
    created_at: now,
    expires_at: now + turn.limits.questionSeconds * 1000,
  };
}

/**
 * Creates the event that shows a question to readers: `plan_require_user_input` for the planning stage, else
 * `task_waiting`.
 */
export function createQuestionEvent(question: ThreadQuestion): EventDraft {
  const { request_id, thread_id, task_id, agent_name, prompt, expires_at, options, approval } = question;
  const payload = {
    content: prompt,
    request_id,
    ...(options === undefined ? {} : { options: [...options] }),
    ...(approval === undefined ? {} : { approval }),
    expires_at,
  };
  return question.stage === "planning"
    ? { event: "plan_require_user_input", data: { role: "system", thread_id, agent_name, payload } }
    : { event: "task_waiting", data: { role: "agent", thread_id, task_id, agent_name, payload } };
}

/** Creates the message event of the person's answer. A later retraction of the task's output does not remove it. */
export function createAnswerEvent(
  { request_id, thread_id, task_id }: ThreadQuestion,
  { message, arguments: edited }: QuestionAnswer,
): EventDraft {
  const metadata = { request_id, ...(edited === undefined ? {} : { arguments: edited }) };
  const data = { role: "user", thread_id, task_id, payload: { content: message }, metadata } as const;
  return { event: "message", data };
}

/** Returns the public form of an open question. */
export function toPendingQuestion(question: ThreadQuestion): PendingQuestion {
  const { request_id, thread_id, task_id, agent_name, prompt, options, approval, expires_at } = question;
  return {
    request_id,
    thread_id,
    ...(question.stage === "executing" ? { task_id } : {}),
    agent_name,
    prompt,
    ...(options === undefined ? {} : { options: [...options] }),
    ...(approval === undefined ? {} : { approval }),
    expires_at,
  };
}

/**
 * Returns the public form of all open questions, with the execution context of the first one; `{ pending: [] }` if
 * there is none. Transcripts of the planner and checkpoints of agents are not included.
 */
export function buildQuestionContext(
  open: readonly ThreadQuestion[],
  { userId: user_id, conversationId: conversation_id }: { readonly userId: string; readonly conversationId: string },
): QuestionContext {
  const pending = open.map(toPendingQuestion);
  const [first] = open;
  if (first === undefined) return { pending };
  const { stage, thread_id, created_at, expires_at, agent_name, query, request_id } = first;
  const metadata = { agent_name, query, request_id };
  return { stage, conversation_id, thread_id, user_id, created_at, expires_at, metadata, pending };
}

/** Creates the message that the question with this prompt was not answered in time. */
export function createExpiryMessage(question: string): Message {
  return createMessage("question.unanswered", { question });
}

/**
 * Parses and validates the answer to a question. A plain question takes a message only; an approval takes a decision as
 * the message and, unless it refuses, edited arguments of the tool; a held instance also takes values; a question that
 * takes a decision takes yes or no. Throws a `Fault` (`unprocessable`, with the field) for any other input.
 */
export function parseAnswer(
  { approval, takesValues, takesDecision }: ThreadQuestion,
  { message, arguments: edited }: ResumeCommand,
): QuestionAnswer {
  if (approval === undefined) {
    if (edited === undefined) return takesDecision === true ? parseYesOrNo(message) : { message };
    if (takesValues === true) {
      assertMatchesSchema(resumeInstanceSchema, edited, (issue) => createMessage("question.invalidValues", issue));
      return { message, arguments: edited };
    }
    throw createFault("unprocessable", "question.argumentsNotAllowed", { field: "arguments" });
  }
  const decision = parseDecision(message);
  if (decision === null) throw createFault("unprocessable", "question.decisionRequired", { field: "message" });
  if (edited === undefined) return { message, decision };
  if (decision === "refuse") {
    throw createFault("unprocessable", "question.refusalWithArguments", { field: "arguments" });
  }
  validateArguments(approval, edited);
  return { message, decision, arguments: edited };
}

function parseYesOrNo(message: string): QuestionAnswer {
  const decision = parseDecision(message);
  if (decision === null) throw createFault("unprocessable", "question.yesOrNoRequired", { field: "message" });
  return { message, decision };
}

/** Validates edited arguments against the tool's schema, if the agent sent one. */
function validateArguments({ tool, parameters }: Approval, edited: Record<string, unknown>): void {
  if (parameters === undefined) return;
  const schema = convertJsonSchema(parameters, tool);
  assertMatchesSchema(schema, edited, (issue) => createMessage("question.invalidArguments", { ...issue, tool }));
}

/** Converts the JSON Schema that an agent sent. Throws a `Fault` if it cannot be converted. */
function convertJsonSchema(parameters: Record<string, unknown>, tool: string): z.ZodType {
  try {
    return z.fromJSONSchema(parameters);
  } catch {
    throw createFault("unprocessable", createMessage("question.argumentsNotEditable", { tool }), {
      field: "arguments",
    });
  }
}

type ArgumentIssue = { readonly field: string; readonly problem: string };

/** Throws a `Fault` with the path of the first issue if the values do not match the schema. */
function assertMatchesSchema(
  schema: z.ZodType,
  values: Record<string, unknown>,
  createText: (issue: ArgumentIssue) => Message,
): void {
  const [issue] = schema.safeParse(values).error?.issues ?? [];
  if (issue === undefined) return;
  const field = ["arguments", ...issue.path].join(".");
  throw createFault("unprocessable", createText({ field, problem: issue.message }), { field });
}
