// What a thread asks the person: how a question is put, and what answers it.

import * as z from "zod";
import type { Resume } from "../protocol/commands.ts";
import { Fault } from "../protocol/fault.ts";
import { resumeInstanceSchema } from "../protocol/plan-instance.ts";
import { decisionOf, type Answer, type Approval, type Context, type Pending } from "../protocol/question.ts";
import type { Draft, Question } from "./ports.ts";
import type { Scene } from "./scene.ts";
import type { Place } from "./voice.ts";

/** A new question of a stage or a task, open until the limit has passed. */
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

/** The event that puts the question to readers. */
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

/** The person's answer as readers see it. What the task says after it may be taken back without it. */
export function answeredDraft(
  { request_id, thread_id, task_id }: Question,
  { message, arguments: edited }: Answer,
): Draft {
  const metadata = { request_id, ...(edited === undefined ? {} : { arguments: edited }) };
  const data = { role: "user", thread_id, task_id, payload: { content: message }, metadata } as const;
  return { event: "message", data };
}

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

/** The open questions as the person may see them: what the planner or the agent keeps for itself stays out. */
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

/** What a person reads when nobody answered in time. */
export function expiryWords(prompt: string): string {
  return `Nobody answered in time, so this was given up. The question was: ${prompt}`;
}

/** Reads an answer to a question. Throws a `Fault` when it does not fit: an approval wants a decision. */
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

function checkArguments({ tool, parameters }: Approval, edited: Record<string, unknown>): void {
  if (parameters !== undefined) check(schemaOf(parameters, tool), edited, `arguments of ${tool}`);
}

/** The schema of a tool's arguments, which any agent may have written. */
function schemaOf(parameters: Record<string, unknown>, tool: string): z.ZodType {
  try {
    return z.fromJSONSchema(parameters);
  } catch {
    const words = `arguments: they cannot be changed, for what ${tool} takes is said in a way that cannot be read. Approve or refuse.`;
    throw new Fault("unprocessable", words, { field: "arguments" });
  }
}

function check(schema: z.ZodType, edited: Record<string, unknown>, what: string): void {
  const [issue] = schema.safeParse(edited).error?.issues ?? [];
  if (issue === undefined) return;
  const field = ["arguments", ...issue.path].join(".");
  throw new Fault("unprocessable", `${field}: ${issue.message} (${what})`, { field });
}
