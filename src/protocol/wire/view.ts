// The view of a client: the fold of all frames of one conversation.
//
// Views are immutable: each fold returns a new view and shares unchanged parts with the old one.
// Invariants: a frame whose `seq` is not greater than `view.seq` changes nothing, so a repeated frame is harmless (L2).
// Events must be folded in the order of `seq`. `pending` is replaced by the list of a `ready` frame.

import type { ConversationInfo } from "./conversation-info.ts";
import type { EventOf, Frame, TriageResult, Usage } from "./events.ts";
import type { ServerFrame } from "./server-frames.ts";
import { applyEventToItems, type Item, type ItemMap } from "./items.ts";
import type { Plan } from "../plans/task-plan.ts";
import type { PendingQuestion } from "./question.ts";
import { foldPlans } from "../plans/fold-plans.ts";

export type ThreadView = {
  readonly thread_id: string;
  readonly query: string;
  /** `failed` after a failure event of the thread itself. A following `done` does not change it. */
  readonly status: "open" | "done" | "failed";
  /** Present if the thread was cancelled. */
  readonly is_cancelled?: true;
  readonly triage?: TriageResult;
  /** The result of the verification; `results` are the entries of the checklist. */
  readonly verification?: EventOf<"verification_completed">["data"]["payload"];
  readonly usage?: Usage;
};

export type ConversationView = {
  readonly conversation: ConversationInfo | null;
  /** The highest folded `seq`. A reconnect requests the events after it. */
  readonly seq: number;
  readonly isCaughtUp: boolean;
  readonly threads: readonly ThreadView[];
  readonly items: ItemMap;
  readonly plans: readonly Plan[];
  /** The open questions to the user, oldest first. */
  readonly pending: readonly PendingQuestion[];
};

export const EMPTY_VIEW: ConversationView = {
  conversation: null,
  seq: 0,
  isCaughtUp: false,
  threads: [],
  items: new Map(),
  plans: [],
  pending: [],
};

/**
 * Folds server frames with a single copy of the items. Returns the same view for events that were folded before, and for
 * `ack` and `error`.
 */
export function foldFrames(view: ConversationView, frames: Iterable<ServerFrame>): ConversationView {
  let next = view;
  let items: Map<string, Item> | null = null;
  for (const frame of frames) {
    if ("type" in frame) {
      next = foldControlFrame(next, frame);
      continue;
    }
    if (frame.seq <= next.seq) continue;
    items ??= new Map(view.items);
    applyEventToItems(items, frame.seq, frame);
    next = {
      ...next,
      seq: frame.seq,
      threads: foldThreadViews(next.threads, frame),
      plans: foldPlans(next.plans, frame),
      pending: foldPendingQuestions(next.pending, frame),
    };
  }
  return items === null ? next : { ...next, items };
}

/** Returns the items of one thread, in order. */
export function listThreadItems(view: ConversationView, threadId: string): Item[] {
  return [...view.items.values()].filter((item) => item.thread_id === threadId);
}

function foldControlFrame(view: ConversationView, frame: Extract<ServerFrame, { type: string }>): ConversationView {
  switch (frame.type) {
    case "ready":
      return { ...view, conversation: frame.conversation, pending: frame.pending, isCaughtUp: false };
    case "caught_up":
      return { ...view, isCaughtUp: true };
    case "ack":
    case "error":
      return view;
  }
}

/**
 * Folds one event into the open questions, oldest first. A question is open until it is answered or its task or thread
 * ends; a new one replaces that with the same `request_id`. Returns the same array if nothing changed.
 */
export function foldPendingQuestions(pending: readonly PendingQuestion[], frame: Frame): readonly PendingQuestion[] {
  if (frame.event === "plan_require_user_input" || frame.event === "task_waiting") {
    const { thread_id, task_id, agent_name, payload } = frame.data;
    const { content: prompt, ...question } = payload;
    const scope = { thread_id, ...(task_id === undefined ? {} : { task_id }) };
    const others = pending.filter(({ request_id }) => request_id !== payload.request_id);
    return [...others, { ...scope, ...(agent_name === undefined ? {} : { agent_name }), prompt, ...question }];
  }
  if (pending.length === 0) return pending;
  const remaining = pending.filter((question) => !closesQuestion(frame, question));
  return remaining.length === pending.length ? pending : remaining;
}

function closesQuestion(frame: Frame, question: PendingQuestion): boolean {
  switch (frame.event) {
    case "message":
      return frame.data.metadata?.["request_id"] === question.request_id;
    case "task_completed":
    case "task_failed":
    case "task_cancelled":
      return frame.data.task_id === question.task_id;
    case "plan_failed":
    case "done":
      return frame.data.thread_id === question.thread_id;
    default:
      return false;
  }
}

function foldThreadViews(threads: readonly ThreadView[], frame: Frame): readonly ThreadView[] {
  if (frame.event === "thread_started") {
    return [...threads, { thread_id: frame.data.thread_id, query: frame.data.payload.content, status: "open" }];
  }
  const threadId = "thread_id" in frame.data ? frame.data.thread_id : undefined;
  // Events usually belong to one of the last threads, so the search starts at the end.
  const index = threads.findLastIndex((thread) => thread.thread_id === threadId);
  const thread = threads[index];
  if (thread === undefined) return threads;
  switch (frame.event) {
    case "triage_completed":
      return threads.with(index, { ...thread, triage: frame.data.payload });
    case "verification_completed":
      return threads.with(index, { ...thread, verification: frame.data.payload });
    case "system_failed":
    case "plan_failed":
      return threads.with(index, { ...thread, status: "failed" });
    case "done": {
      const usage = frame.data.metadata?.["usage"] as Usage | undefined;
      const status = thread.status === "failed" ? "failed" : "done";
      const stopped = frame.data.metadata?.["cancelled"] === true ? { is_cancelled: true as const } : {};
      return threads.with(index, { ...thread, status, ...stopped, ...(usage === undefined ? {} : { usage }) });
    }
    default:
      return threads;
  }
}
