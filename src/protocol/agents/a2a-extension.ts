// The A2A extension for data that A2A 1.0 has no field for, and the mapping of threads to A2A task ids.

import * as z from "zod/mini";
import { agentChecksSchema, MAX_AGENT_STATE_CHARS } from "./agent.ts";
import { questionAnswerSchema } from "../wire/question.ts";

/**
 * The URI of the extension. A card that lists it has `extensionParamsSchema` as `params`. In `metadata` under this URI,
 * a status update contains one `AgentEvent`, a task an array of them, and a message `messageParamsSchema`. Peers
 * without the extension see a valid A2A exchange: an answer is a plain message to the task with the question.
 */
export const EVENTS_EXTENSION = "urn:orrery:a2a:events:1";

/** Members of an agent card that A2A does not define. */
export const extensionParamsSchema = z.object({
  display_name: z.optional(z.string()),
  planner_passthrough: z.optional(z.boolean()),
  hidden: z.optional(z.boolean()),
  checks: z.exactOptional(agentChecksSchema),
});

/**
 * Data of a message besides its text. With `reply`, the text is the answer to the question of the task, and `query` is
 * the original request, so that the agent need not store anything.
 */
export const messageParamsSchema = z.object({
  task_id: z.exactOptional(z.string().check(z.maxLength(256))),
  query: z.exactOptional(z.string()),
  /** The last checkpoint of an interrupted attempt. The text is then the original request. */
  checkpoint: z.exactOptional(z.string().check(z.maxLength(MAX_AGENT_STATE_CHARS))),
  reply: z.exactOptional(
    z.object({
      answer: questionAnswerSchema,
      remote_task_id: z.exactOptional(z.string()),
      state: z.exactOptional(z.string().check(z.maxLength(MAX_AGENT_STATE_CHARS))),
    }),
  ),
});
export type MessageParams = z.infer<typeof messageParamsSchema>;

/** Formats the A2A task id of a thread. It contains both ids, so no lookup table is needed; neither id has a dot. */
export function formatA2ATaskId(conversationId: string, threadId: string): string {
  return `${conversationId}.${threadId}`;
}

/** Parses an A2A task id. Returns null if it does not have our format. */
export function parseA2ATaskId(taskId: string): { readonly conversationId: string; readonly threadId: string } | null {
  const [, conversationId, threadId] = /^([A-Za-z0-9_-]{1,128})\.(th-[0-9a-f]{32})$/.exec(taskId) ?? [];
  return conversationId === undefined || threadId === undefined ? null : { conversationId, threadId };
}
