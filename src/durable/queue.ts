// The threads that are not done, in the order in which they came, and how each of them begins.
//
// T1. One thread runs at a time. What the person says keeps its order and goes before runs of schedules that wait as
//     well; runs do not wait for a thread that waits for the person.

import type * as z from "zod";
import type { Draft } from "../core/ports.ts";
import { commandIdSchema, exceedsBytes, type Send } from "../protocol/commands.ts";
import { Fault, parseAt, parseWith } from "../protocol/fault.ts";
import { companion } from "../protocol/ids.ts";
import type { Head, OpenThread } from "./head.ts";

/** Where a thread or an answer was stored: its thread and the number of its event. */
export type Begun = { readonly thread_id: string; readonly seq: number };

/** Runs that may wait at once: each stands in the head, which is stored as a whole whenever one begins or ends. */
export const MOST_RUNS = 200;

/** The thread that may run now. */
export function nextIn({ open }: Head): OpenThread | undefined {
  const first = open.find(({ tick }) => tick === undefined);
  if (first !== undefined && first.is_paused === undefined) return first;
  return open.find(({ tick, is_paused }) => tick !== undefined && is_paused === undefined);
}

/** How many messages wait to begin, and how many runs of schedules are not done. */
export function lengthsOf({ open }: Head): { readonly waiting: number; readonly runs: number } {
  const messages = open.filter(({ tick }) => tick === undefined);
  // One that asks the person, or goes on from their answer, has begun.
  return { waiting: messages.filter(({ attempts }) => attempts === 0).length, runs: open.length - messages.length };
}

export function threadOf(open: readonly OpenThread[], threadId: string): OpenThread | undefined {
  return open.find((thread) => thread.thread_id === threadId);
}

/** The head with one more thread at its end. One that can begin at once counts as begun: that saves a write. */
export function queued(head: Head, thread: OpenThread): Head {
  const attempts = head.open.length === 0 ? 1 : 0;
  const open = [...head.open, { ...thread, attempts }];
  if (thread.tick !== undefined) return { ...head, open };
  return { ...head, open, conversation: { ...head.conversation, status: "active", updated_at: Date.now() } };
}

/** A message of the person, which begins a thread. */
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

/** The beginning of a thread that no message has begun: a run of a schedule, or a change of one. */
export function systemDraft(threadId: string, content: string, scheduleId: string): Draft {
  const place = { thread_id: threadId, task_id: companion(threadId, "ask") };
  const metadata = { created_at: Date.now(), schedule_id: scheduleId };
  return { event: "thread_started", data: { ...place, role: "system", payload: { content }, metadata } };
}

/**
 * What the person says, checked: every door leads here, whatever it has looked at itself. Throws a `Fault` for anything
 * that does not fit the schema, and for a message of more bytes than that.
 */
export function admitted<T extends { readonly message: string }>(schema: z.ZodType<T>, said: T, mostBytes: number): T {
  const admitted = parseWith(schema, said);
  if (!exceedsBytes(admitted.message, mostBytes)) return admitted;
  throw new Fault("too_large", `message: must not exceed ${mostBytes} bytes`, { field: "message" });
}

/** The id of a command, checked. Throws a `Fault`. */
export function commandOf(id: string): string {
  return parseAt("id", commandIdSchema, id);
}
