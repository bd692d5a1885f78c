// Questions of a thread to the person: creation, events, pending list, and validation of answers.

import * as z from "zod";
import type { Resume } from "../protocol/commands.ts";
import { Fault } from "../protocol/fault.ts";
import { resumeInstanceSchema } from "../protocol/plan-instance.ts";
import { decisionOf, type Answer, type Approval, type Context, type Pending } from "../protocol/question.ts";
import type { Draft, Question } from "./ports.ts";
import type { Scene } from "./scene.ts";
import type { Place } from "./voice.ts";

/** Creates an open question of a stage or task. It expires after `questionSeconds` (H2). */
export function question(
  scene: Scene,
  place: Place,
  asked: Pick<Question, "stage" | "prompt" | "query"> & {
    readonly options?: readonly string[] | undefined;
    approval?: Approval | undefined;
  },
): Question {
  const { stage, prompt, query, options, approval } = asked;
  const now = scene.ports.now();
  return {
    request_id: scene.ports.mint("req"),
    stage,
    ...place,
    prompt,
    ...(options === undefined || options.length === 0 ? {} : { options }),
    ...(approval === undefined ? {} : { approval }),
    query,
    created_at: now,
    expires_at: now + scene.limits.questionSeconds * 1000,
  };
}

/** Creates the event that shows a question to readers: `plan_require_user_input` or `task_waiting`. */
export function askedDraft(asked: Question): Draft {
  const { request_id, thread_id, task_id, agent_name, prompt, expires_at, options, approval } = asked;
  const payload = {
    content: prompt,
    request_id,
    ...(options === undefined ? {} : { options: [...options] }),
    ...(approval === undefined ? {} : { approval }),
    expires_at,
  };
  return asked.stage === "planning"
    ? { event: "plan_require_user_input", data: { role: "system", thread_id, agent_name, payload } }
    : { event: "task_waiting", data: { role: "agent", thread_id, task_id, agent_name, payload } };
}

/** Creates the message event of the person's answer. A later retraction of the task's output does not remove it. */
export function answeredDraft(
  { request_id, thread_id, task_id }: Question,
  { message, arguments: edited }: Answer,
): Draft {
  const metadata = { request_id, ...(edited === undefined ? {} : { arguments: edited }) };
  const data = { role: "user", thread_id, task_id, payload: { content: message }, metadata } as const;
  return { event: "message", data };
}

/** Returns the public form of an open question. */
export function pendingOf(asked: Question): Pending {
  const { request_id, thread_id, task_id, agent_name, prompt, options, approval, expires_at } = asked;
  return {
    request_id,
    thread_id,
    ...(asked.stage === "executing" ? { task_id } : {}),
    agent_name,
    prompt,
    ...(options === undefined ? {} : { options: [...options] }),
    ...(approval === undefined ? {} : { approval }),
    expires_at,
  };
}

/**
 * Returns the public form of all open questions, with the execution context of the first one. Transcripts of the
 * planner and checkpoints of agents are not included.
 */
export function contextOf(
  open: readonly Question[],
  { userId: user_id, conversationId: conversation_id }: { readonly userId: string; readonly conversationId: string },
): Context {
  const pending = open.map(pendingOf);
  const [first] = open;
  if (first === undefined) return { pending };
  const { stage, thread_id, created_at, expires_at, agent_name, query, request_id } = first;
  const metadata = { agent_name, query, request_id };
  return { stage, conversation_id, thread_id, user_id, created_at, expires_at, metadata, pending };
}

/** Returns the message of an expired question, in English. */
export function expiryWords(prompt: string): string {
  return `Nobody answered in time, so this was given up. The question was: ${prompt}`;
}

/**
 * Parses and validates the answer to a question. An approval requires a decision as its message and may change the
 * tool's arguments; a held plan accepts values. Throws a `Fault` (`unprocessable`, with the field) for any other input.
 */
export function readAnswer({ approval, takesValues }: Question, { message, arguments: edited }: Resume): Answer {
  if (approval === undefined) {
    if (edited === undefined) return { message };
    if (takesValues === true) {
      check(resumeInstanceSchema, edited, "values of a plan");
      return { message, arguments: edited };
    }
    throw new Fault("unprocessable", "arguments: this question is answered with words alone.", { field: "arguments" });
  }
  const decision = decisionOf(message);
  if (decision === null) {
    throw new Fault("unprocessable", "message: answer “approve” or “refuse”.", { field: "message" });
  }
  if (edited === undefined) return { message, decision };
  if (decision === "refuse") {
    throw new Fault("unprocessable", "arguments: a refusal takes none.", { field: "arguments" });
  }
  checkArguments(approval, edited);
  return { message, decision, arguments: edited };
}

/** Validates edited arguments against the tool's schema, if the agent sent one. */
function checkArguments({ tool, parameters }: Approval, edited: Record<string, unknown>): void {
  if (parameters !== undefined) check(schemaOf(parameters, tool), edited, `arguments of ${tool}`);
}

/** Converts the JSON Schema that an agent sent. Throws a `Fault` if it cannot be converted. */
function schemaOf(parameters: Record<string, unknown>, tool: string): z.ZodType {
  try {
    return z.fromJSONSchema(parameters);
  } catch {
    const words = `arguments: they cannot be changed, for what ${tool} takes is said in a way that cannot be read. Approve or refuse.`;
    throw new Fault("unprocessable", words, { field: "arguments" });
  }
}

/** Throws a `Fault` with the path of the first issue if the values do not match the schema. */
function check(schema: z.ZodType, edited: Record<string, unknown>, what: string): void {
  const [issue] = schema.safeParse(edited).error?.issues ?? [];
  if (issue === undefined) return;
  const field = ["arguments", ...issue.path].join(".");
  throw new Fault("unprocessable", `${field}: ${issue.message} (${what})`, { field });
}
