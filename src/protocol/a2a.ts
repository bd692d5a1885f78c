// What A2A 1.0 has no place for, and under which name it travels.

import * as z from "zod";
import { MAX_STATE_CHARS } from "./agent.ts";
import { answerSchema } from "./question.ts";

/**
 * The A2A extension of this runtime. A card that lists it carries `extensionParamsSchema` as `params`; a
 * status update that has it in `metadata` carries one `AgentEvent`; a task may carry an array of them; a message
 * carries `messageParamsSchema`. Peers that do not know it still see a valid A2A exchange: an answer is a plain
 * message to the task that asked.
 */
export const EVENTS_EXTENSION = "urn:orrery:a2a:events:1";

/** The facts of a card that A2A does not know. */
export const extensionParamsSchema = z.object({
  display_name: z.string().optional(),
  planner_passthrough: z.boolean().optional(),
  hidden: z.boolean().optional(),
});

/**
 * What a message says besides its text. With `reply` the text is the answer to the task's question and `query`
 * what the task was asked at first, so that the agent need not have kept anything.
 */
export const messageParamsSchema = z.object({
  task_id: z.string().max(256).exactOptional(),
  query: z.string().exactOptional(),
  /** The last checkpoint of an attempt that was interrupted: the text is the request itself. */
  checkpoint: z.string().max(MAX_STATE_CHARS).exactOptional(),
  reply: z
    .object({
      answer: answerSchema,
      remote_task_id: z.string().exactOptional(),
      state: z.string().max(MAX_STATE_CHARS).exactOptional(),
    })
    .exactOptional(),
});
export type MessageParams = z.infer<typeof messageParamsSchema>;

/** The id of the A2A task that a thread is: it leads to the thread without a register. Neither id has a dot. */
export function taskIdOf(conversationId: string, threadId: string): string {
  return `${conversationId}.${threadId}`;
}

/** The conversation and the thread of an A2A task; null for what is no id of ours. */
export function placeOf(taskId: string): { readonly conversationId: string; readonly threadId: string } | null {
  const [, conversationId, threadId] = /^([A-Za-z0-9_-]{1,128})\.(th-[0-9a-f]{32})$/.exec(taskId) ?? [];
  return conversationId === undefined || threadId === undefined ? null : { conversationId, threadId };
}
