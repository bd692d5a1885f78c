// The queue of open threads, as pure functions of the head, and the events with which threads begin.
//
//   T1. One thread runs at a time. Messages keep their order and precede waiting schedule runs; schedule runs do not
//       wait for a thread that is paused for the person.

import type * as z from "zod";
import type { EventDraft } from "../core/ports.ts";
import { commandIdSchema, exceedsBytes, type SendCommand } from "../protocol/wire/commands.ts";
import { Fault, parseNamedValue, parseOrThrow } from "../protocol/wire/fault.ts";
import { deriveId } from "../protocol/wire/ids.ts";
import type { ConversationHead, OpenThread } from "./conversation-head.ts";

/** The position of a thread or an answer in the log: its thread and the `seq` of its event. */
export type ThreadPosition = { readonly thread_id: string; readonly seq: number };

/**
 * The maximum number of waiting schedule runs. Each is part of the head, which is stored as a whole on every change.
 */
export const MAX_WAITING_RUNS = 200;

/** Returns the thread that may run now; undefined if none can. */
export function pickNextThread({ open }: ConversationHead): OpenThread | undefined {
  const first = open.find(({ tick }) => tick === undefined);
  if (first !== undefined && first.is_paused === undefined) return first;
  return open.find(({ tick, is_paused }) => tick !== undefined && is_paused === undefined);
}

/** Returns the number of messages that have not begun and of schedule runs that are not done. */
export function countQueued({ open }: ConversationHead): { readonly waiting: number; readonly runs: number } {
  const messages = open.filter(({ tick }) => tick === undefined);
  // A paused or answered message has begun.
  return { waiting: messages.filter(({ attempts }) => attempts === 0).length, runs: open.length - messages.length };
}

export function findThread(open: readonly OpenThread[], threadId: string): OpenThread | undefined {
  return open.find((thread) => thread.thread_id === threadId);
}

/** Appends a thread to the head. If it is the only one, it counts as started, which saves a write. */
export function enqueueThread(head: ConversationHead, thread: OpenThread): ConversationHead {
  const attempts = head.open.length === 0 ? 1 : 0;
  const open = [...head.open, { ...thread, attempts }];
  if (thread.tick !== undefined) return { ...head, open };
  return { ...head, open, conversation: { ...head.conversation, status: "active", updated_at: Date.now() } };
}

/** Creates the first event of a message's thread. */
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

/** Creates the first event of a thread that no message starts: a schedule run, or a change of a schedule. */
export function createSystemDraft(threadId: string, content: string, scheduleId: string): EventDraft {
  const scope = { thread_id: threadId, task_id: deriveId(threadId, "ask") };
  const metadata = { created_at: Date.now(), schedule_id: scheduleId };
  return { event: "thread_started", data: { ...scope, role: "system", payload: { content }, metadata } };
}

/**
 * Validates a command from any interface, whatever that interface has checked. Throws a `Fault` if the command does not
 * match the schema or its message exceeds `mostBytes`.
 */
export function validateCommand<T extends { readonly message: string }>(
  schema: z.ZodType<T>,
  command: T,
  maxBytes: number,
): T {
  const valid = parseOrThrow(schema, command);
  if (!exceedsBytes(valid.message, maxBytes)) return valid;
  throw new Fault("too_large", `message: must not exceed ${maxBytes} bytes`, { field: "message" });
}

/** Validates a command id. Throws a `Fault`. */
export function validateCommandId(id: string): string {
  return parseNamedValue("id", commandIdSchema, id);
}
