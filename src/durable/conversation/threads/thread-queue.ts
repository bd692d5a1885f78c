// The queue of open threads, as pure functions of the head, and the events with which threads begin.
//
//   T1. One thread runs at a time. Messages keep their order and precede waiting schedule runs; schedule runs do not
//       wait for a thread that is paused for the person.

import type * as z from "zod";
import type { EventDraft } from "../../../core/ports.ts";
import { commandIdSchema, exceedsBytes, type SendCommand } from "../../../protocol/wire/commands.ts";
import { createMessage } from "../../../language/messages.ts";
import { createFault } from "../../../protocol/wire/message-error.ts";
import { parseNamedValue, parseOrThrow } from "../../../protocol/wire/fault.ts";
import { deriveId } from "../../../protocol/wire/ids.ts";
import type { ConversationHead, OpenThread } from "../storage/conversation-head.ts";

/** The position of a thread or an answer in the log: its thread and the `seq` of its event. */
export type ThreadPosition = { readonly thread_id: string; readonly seq: number };

/** The maximum number of open schedule runs. Each is part of the head, which is stored as a whole on every change. */
export const MAX_WAITING_RUNS = 200;

/**
 * Returns the thread that runs or may run next; undefined if none can. The oldest message comes first, then the oldest
 * schedule run that is not paused. If the oldest message is paused, later messages wait, but not schedule runs.
 */
export function pickNextThread({ open }: ConversationHead): OpenThread | undefined {
  const first = open.find(({ tick }) => tick === undefined);
  if (first !== undefined && first.is_paused === undefined) return first;
  return open.find(({ tick, is_paused }) => tick !== undefined && is_paused === undefined);
}

/** Returns the number of messages that have not begun (`waiting`) and of schedule runs that are not done (`runs`). */
export function countQueued({ open }: ConversationHead): { readonly waiting: number; readonly runs: number } {
  const messages = open.filter(({ tick }) => tick === undefined);
  // A paused or answered message has begun.
  return { waiting: messages.filter(({ attempts }) => attempts === 0).length, runs: open.length - messages.length };
}

/** Returns the open thread with this id; undefined if it is not open. */
export function findThread(open: readonly OpenThread[], threadId: string): OpenThread | undefined {
  return open.find((thread) => thread.thread_id === threadId);
}

/**
 * Appends a thread to the head; a message or instance also makes the conversation `active` and sets `updated_at` to
 * now. `attempts` of the thread is replaced: 1 if it is the only one, as it starts at once (which saves a write), else
 * 0.
 */
export function enqueueThread(head: ConversationHead, thread: OpenThread): ConversationHead {
  const attempts = head.open.length === 0 ? 1 : 0;
  const open = [...head.open, { ...thread, attempts }];
  if (thread.tick !== undefined) return { ...head, open };
  return { ...head, open, conversation: { ...head.conversation, status: "active", updated_at: Date.now() } };
}

/** Creates the first event (`thread_started`) of a message's thread. */
export function createMessageDraft(threadId: string, { message, agent, language, timezone }: SendCommand): EventDraft {
  const metadata = {
    created_at: Date.now(),
    ...(agent === undefined ? {} : { agent }),
    ...(language === undefined ? {} : { language }),
    ...(timezone === undefined ? {} : { timezone }),
  };
  const scope = { thread_id: threadId, task_id: deriveId(threadId, "ask") };
  return { event: "thread_started", data: { ...scope, role: "user", payload: { content: message }, metadata } };
}

/**
 * Creates the first event (`thread_started`) of a thread that no message starts: a schedule run, or a schedule change.
 */
export function createSystemDraft(threadId: string, content: string, scheduleId: string): EventDraft {
  const scope = { thread_id: threadId, task_id: deriveId(threadId, "ask") };
  const metadata = { created_at: Date.now(), schedule_id: scheduleId };
  return { event: "thread_started", data: { ...scope, role: "system", payload: { content }, metadata } };
}

/**
 * Validates a command from any interface, whatever that interface has checked, and returns the parsed command. Throws
 * `invalid_request` if it does not match the schema, `too_large` if its message exceeds `maxBytes` in UTF-8.
 */
export function validateCommand<T extends { readonly message: string }>(
  schema: z.ZodType<T>,
  command: T,
  maxBytes: number,
): T {
  const valid = parseOrThrow(schema, command);
  if (!exceedsBytes(valid.message, maxBytes)) return valid;
  const field = "message";
  throw createFault("too_large", createMessage("field.tooLarge", { field, maxBytes }), { field });
}

/** Returns the id; throws `invalid_request` if it is not a valid command id. */
export function validateCommandId(id: string): string {
  return parseNamedValue("id", commandIdSchema, id);
}
