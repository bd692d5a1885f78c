// The messages, parts and status events of a thread in A2A. Snapshots and streams share them, so both look the same.

import { Part, TaskState, type Message } from "@a2a-js/sdk";
import * as z from "zod";
import { createAgentMessage, createDataPart, createTextPart, createUserMessage } from "../../a2a/data-model.ts";
import type { AgentEvent } from "../../protocol/agents/agent.ts";
import type { Frame, Usage } from "../../protocol/wire/events.ts";
import { parseJsonOrText } from "../../lib/parse-json.ts";
import type { Plan } from "../../protocol/plans/task-plan.ts";
import type { PendingQuestion } from "../../protocol/wire/question.ts";
import { isUserAnswer } from "../../protocol/plans/fold-plans.ts";
import type { ThreadState, ThreadStatus } from "../../protocol/wire/thread-state.ts";

/** The A2A ids of a thread: the conversation is the context, the thread is the task. */
export type A2ATaskRef = { readonly contextId: string; readonly taskId: string };

/**
 * The component that links to the conversation of an agent. It is meaningful in our own interface only and is never
 * sent.
 */
export const SUB_CONVERSATION = "subagent_conversation";

/** The A2A state of each thread status. */
export const A2A_STATES = {
  submitted: TaskState.TASK_STATE_SUBMITTED,
  working: TaskState.TASK_STATE_WORKING,
  input_required: TaskState.TASK_STATE_INPUT_REQUIRED,
  completed: TaskState.TASK_STATE_COMPLETED,
  failed: TaskState.TASK_STATE_FAILED,
  cancelled: TaskState.TASK_STATE_CANCELED,
} as const satisfies Record<ThreadStatus, TaskState>;

/** Returns the thread status of an A2A state; null for a state that no thread has. */
export function toThreadStatus(taskState: TaskState): ThreadStatus | null {
  const found = Object.entries(A2A_STATES).find(([, state]) => state === taskState);
  return found === undefined ? null : (found[0] as ThreadStatus);
}

/**
 * Returns the message of a task's status: its questions or its failure; undefined for other states. The message id is
 * derived from the question or the task, so repeated snapshots have the same ids.
 */
export function buildStatusMessage(
  taskRef: A2ATaskRef,
  { status, pending, failure }: ThreadState,
): Message | undefined {
  const [first] = pending;
  if (status === "input_required" && first !== undefined)
    return createAgentMessage(taskRef, pending.flatMap(toQuestionParts), first.request_id);
  if (status === "failed" && failure !== undefined)
    return createAgentMessage(taskRef, [createTextPart(failure.content)], `${taskRef.taskId}.failure`);
  return undefined;
}

/** Returns a question as parts: its text for people, and its data for programs that answer. */
export function toQuestionParts({ prompt, request_id, options, approval, expires_at }: PendingQuestion): Part[] {
  return [createTextPart(prompt), createDataPart(omitUndefined({ request_id, options, approval, expires_at }))];
}

/**
 * Returns the history message of a frame: a message of the user or a question; null for other frames. `getMessageId`
 * returns the id that the client gave to the message with a `seq`.
 */
export function toHistoryMessage(
  taskRef: A2ATaskRef,
  frame: Frame,
  getMessageId: (seq: number) => string | undefined,
): Message | null {
  if (frame.event === "plan_require_user_input" || frame.event === "task_waiting") {
    const { content: prompt, ...asked } = frame.data.payload;
    const parts = toQuestionParts({ thread_id: frame.data.thread_id, prompt, ...asked });
    return createAgentMessage(taskRef, parts, asked.request_id);
  }
  if (frame.event !== "thread_started" && !isUserAnswer(frame)) return null;
  const { item_id, payload } = frame.data;
  return createUserMessage(taskRef, [createTextPart(payload.content)], getMessageId(frame.seq) ?? item_id);
}

/** Returns a component as a part: a file with a URL or bytes as a file part, others as data. */
export function toComponentPart(component_type: string, content: string): Part {
  const value = parseJsonOrText(content);
  const file = component_type === "file" ? fileComponentSchema.safeParse(value).data : undefined;
  if (file?.url === undefined && file?.bytes === undefined) return createDataPart(value);
  const { name: filename, media_type: mediaType, url, bytes: raw } = file;
  return Part.fromJSON({ filename, mediaType, ...(url === undefined ? { raw } : { url }) });
}

/** The content of a `file` component; it has a URL or bytes. */
const fileComponentSchema = z.object({
  name: z.string().default(""),
  media_type: z.string().default(""),
  url: z.string().optional(),
  bytes: z.base64().optional(),
});

/** Returns a plan as text: its guidance message, or without one its agents and tasks line by line. */
export function formatPlan({ guidance_message, tasks }: Plan): string {
  return guidance_message ?? tasks.map(({ title, agent_name }) => `${agent_name}: ${title}`).join("\n");
}

/** Returns the usage of a thread as an event of our extension. */
export function toUsageEvent({ model_calls, input_tokens, output_tokens }: Usage): AgentEvent {
  return { type: "usage", usage: { model_calls, input_tokens, output_tokens } };
}

/**
 * Returns the question or the failure of a thread as an event of our extension; undefined for other states. Several
 * questions are joined into one prompt.
 */
export function toFinalEvent({ status, pending, failure }: ThreadState): AgentEvent | undefined {
  const [first] = pending;
  if (status === "input_required" && first !== undefined) {
    const { prompt, options, approval } = first;
    const promptText = pending.length === 1 ? prompt : pending.map((asked) => asked.prompt).join("\n\n");
    return omitUndefined({ type: "input_required" as const, prompt: promptText, options, approval });
  }
  if (status !== "failed" || failure === undefined) return undefined;
  return omitUndefined({ type: "failed" as const, reason: failure.content, code: failure.code });
}

/** Returns a copy without undefined members. */
function omitUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
