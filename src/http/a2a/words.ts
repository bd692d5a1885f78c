// The messages, parts and status events of a thread in A2A. Snapshots and streams share them, so both look the same.

import { Part, TaskState, type Message } from "@a2a-js/sdk";
import * as z from "zod";
import { agentMessage, dataPart, textPart, userMessage } from "../../a2a/parts.ts";
import type { AgentEvent } from "../../protocol/agent.ts";
import type { Frame, Usage } from "../../protocol/events.ts";
import { jsonOrText } from "../../protocol/json-text.ts";
import type { Plan } from "../../protocol/plan.ts";
import type { Pending } from "../../protocol/question.ts";
import { isAnswer } from "../../protocol/tasks.ts";
import type { ThreadState, ThreadStatus } from "../../protocol/thread-state.ts";

/** The A2A ids of a thread: the conversation is the context, the thread is the task. */
export type Place = { readonly contextId: string; readonly taskId: string };

/**
 * The component that links to the conversation of an agent. It is meaningful in our own interface only and is never
 * sent.
 */
export const SUB_CONVERSATION = "subagent_conversation";

/** The A2A state of each thread status. */
export const STATES = {
  submitted: TaskState.TASK_STATE_SUBMITTED,
  working: TaskState.TASK_STATE_WORKING,
  input_required: TaskState.TASK_STATE_INPUT_REQUIRED,
  completed: TaskState.TASK_STATE_COMPLETED,
  failed: TaskState.TASK_STATE_FAILED,
  cancelled: TaskState.TASK_STATE_CANCELED,
} as const satisfies Record<ThreadStatus, TaskState>;

/** Returns the thread status of an A2A state; null for a state that no thread has. */
export function statusOfState(wanted: TaskState): ThreadStatus | null {
  const found = Object.entries(STATES).find(([, state]) => state === wanted);
  return found === undefined ? null : (found[0] as ThreadStatus);
}

/**
 * Returns the message of a task's status: its questions or its failure; undefined for other states. The message id is
 * derived from the question or the task, so repeated snapshots have the same ids.
 */
export function messageOf(place: Place, { status, pending, failure }: ThreadState): Message | undefined {
  const [first] = pending;
  if (status === "input_required" && first !== undefined)
    return agentMessage(place, pending.flatMap(askedParts), first.request_id);
  if (status === "failed" && failure !== undefined)
    return agentMessage(place, [textPart(failure.content)], `${place.taskId}.failure`);
  return undefined;
}

/** Returns a question as parts: its text for people, and its data for programs that answer. */
export function askedParts({ prompt, request_id, options, approval, expires_at }: Pending): Part[] {
  return [textPart(prompt), dataPart(plain({ request_id, options, approval, expires_at }))];
}

/**
 * Returns the history message of a frame: a message of the user or a question; null for other frames. `getMessageId`
 * returns the id that the client gave to the message with a `seq`.
 */
export function historyEntry(place: Place, frame: Frame, idAt: (seq: number) => string | undefined): Message | null {
  switch (frame.event) {
    case "thread_started":
      return userMessage(place, [textPart(frame.data.payload.content)], idAt(frame.seq) ?? frame.data.item_id);
    case "plan_require_user_input":
    case "task_waiting": {
      const { content: prompt, ...asked } = frame.data.payload;
      const parts = askedParts({ thread_id: frame.data.thread_id, prompt, ...asked });
      return agentMessage(place, parts, asked.request_id);
    }
    default:
      if (!isAnswer(frame)) return null;
      return userMessage(place, [textPart(frame.data.payload.content)], idAt(frame.seq) ?? frame.data.item_id);
  }
}

/** Returns a component as a part: a file as a file part, others as data. */
export function componentPart(component_type: string, content: string): Part {
  const value = jsonOrText(content);
  const file = component_type === "file" ? fileSchema.safeParse(value).data : undefined;
  if (file?.url === undefined && file?.bytes === undefined) return dataPart(value);
  const { name: filename, media_type: mediaType, url, bytes: raw } = file;
  return Part.fromJSON({ filename, mediaType, ...(url === undefined ? { raw } : { url }) });
}

/** The content of a `file` component; it has a URL or bytes. */
const fileSchema = z.object({
  name: z.string().default(""),
  media_type: z.string().default(""),
  url: z.string().optional(),
  bytes: z.base64().optional(),
});

/** Returns a plan as text: its message, or its tasks line by line. */
export function planWords({ guidance_message, tasks }: Plan): string {
  return guidance_message ?? tasks.map(({ title, agent_name }) => `${agent_name}: ${title}`).join("\n");
}

export function usageEvent({ model_calls, input_tokens, output_tokens }: Usage): AgentEvent {
  return { type: "usage", usage: { model_calls, input_tokens, output_tokens } };
}

/**
 * Returns the question or the failure of a thread as an event of our extension; undefined for other states. Several
 * questions are joined into one prompt.
 */
export function lastEvent({ status, pending, failure }: ThreadState): AgentEvent | undefined {
  const [first] = pending;
  if (status === "input_required" && first !== undefined) {
    const { prompt, options, approval } = first;
    const words = pending.length === 1 ? prompt : pending.map((asked) => asked.prompt).join("\n\n");
    return plain({ type: "input_required" as const, prompt: words, options, approval });
  }
  if (status !== "failed" || failure === undefined) return undefined;
  return plain({ type: "failed" as const, reason: failure.content, code: failure.code });
}

/** Returns a copy without undefined members. */
function plain<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
