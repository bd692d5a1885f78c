// The queue of open threads, as pure functions of the head, and the events with which threads begin.
//
//   T1. One thread runs at a time. Messages keep their order and precede waiting schedule runs; schedule runs do not
//       wait for a thread that is paused for the person.

import type * as z from "zod";
import type { Draft } from "../core/ports.ts";
import { commandIdSchema, exceedsBytes, type Send } from "../protocol/commands.ts";
import { Fault, parseAt, parseWith } from "../protocol/fault.ts";
import { companion } from "../protocol/ids.ts";
import type { Head, OpenThread } from "./head.ts";

/** The position of a thread or an answer in the log: its thread and the `seq` of its event. */
export type Begun = { readonly thread_id: string; readonly seq: number };

/**
 * The maximum number of waiting schedule runs. Each is part of the head, which is stored as a whole on every change.
 */
export const MOST_RUNS = 200;

/** Returns the thread that may run now; undefined if none can. */
export function nextIn({ open }: Head): OpenThread | undefined {
  const first = open.find(({ tick }) => tick === undefined);
  if (first !== undefined && first.is_paused === undefined) return first;
  return open.find(({ tick, is_paused }) => tick !== undefined && is_paused === undefined);
}

/** Returns the number of messages that have not begun and of schedule runs that are not done. */
export function lengthsOf({ open }: Head): { readonly waiting: number; readonly runs: number } {
  const messages = open.filter(({ tick }) => tick === undefined);
  // A paused or answered message has begun.
  return { waiting: messages.filter(({ attempts }) => attempts === 0).length, runs: open.length - messages.length };
}

export function threadOf(open: readonly OpenThread[], threadId: string): OpenThread | undefined {
  return open.find((thread) => thread.thread_id === threadId);
}

/** Appends a thread to the head. If it is the only one, it counts as started, which saves a write. */
export function queued(head: Head, thread: OpenThread): Head {
  const attempts = head.open.length === 0 ? 1 : 0;
  const open = [...head.open, { ...thread, attempts }];
  if (thread.tick !== undefined) return { ...head, open };
  return { ...head, open, conversation: { ...head.conversation, status: "active", updated_at: Date.now() } };
}

/** Creates the first event of a message's thread. */
export function saidDraft(threadId: string, { message, agent, language, timezone }: Send): Draft {
  const metadata = {
    created_at: Date.now(),
    ...(agent === undefined ? {} : { agent }),
    ...(language === undefined ? {} : { language }),
    ...(timezone === undefined ? {} : { timezone }),
  };
  const place = { thread_id: threadId, task_id: companion(threadId, "ask") };
  return { event: "thread_started", data: { ...place, role: "user", payload: { content: message }, metadata } };
}

/** Creates the first event of a thread that no message starts: a schedule run, or a change of a schedule. */
export function systemDraft(threadId: string, content: string, scheduleId: string): Draft {
  const place = { thread_id: threadId, task_id: companion(threadId, "ask") };
  const metadata = { created_at: Date.now(), schedule_id: scheduleId };
  return { event: "thread_started", data: { ...place, role: "system", payload: { content }, metadata } };
}

/**
 * Validates a command from any interface, whatever that interface has checked. Throws a `Fault` if the command does not
 * match the schema or its message exceeds `mostBytes`.
 */
export function admitted<T extends { readonly message: string }>(schema: z.ZodType<T>, said: T, mostBytes: number): T {
  const admitted = parseWith(schema, said);
  if (!exceedsBytes(admitted.message, mostBytes)) return admitted;
  throw new Fault("too_large", `message: must not exceed ${mostBytes} bytes`, { field: "message" });
}

/** Validates a command id. Throws a `Fault`. */
export function commandOf(id: string): string {
  return parseAt("id", commandIdSchema, id);
}
