// What a client shows: the fold of everything it has received.

import type { Conversation } from "./conversation.ts";
import type { Triage, Usage } from "./events.ts";
import type { ServerFrame } from "./frames.ts";
import { shapeItems, type Item, type Items } from "./items.ts";
import type { Plan } from "./plan.ts";
import { foldPlans } from "./tasks.ts";

export type ThreadView = {
  readonly thread_id: string;
  readonly query: string;
  /** `failed` once a failure of the thread itself was told; `done` comes after it all the same. */
  readonly status: "open" | "done" | "failed";
  readonly triage?: Triage;
  readonly usage?: Usage;
};

export type View = {
  readonly conversation: Conversation | null;
  /** The highest `seq` folded in: what to ask for after a reconnect. */
  readonly seq: number;
  readonly isCaughtUp: boolean;
  readonly threads: readonly ThreadView[];
  readonly items: Items;
  readonly plans: readonly Plan[];
};

export const EMPTY_VIEW: View = {
  conversation: null,
  seq: 0,
  isCaughtUp: false,
  threads: [],
  items: new Map(),
  plans: [],
};

/** Folds one server frame. A frame that was already folded (its `seq` is not new) changes nothing. */
export function fold(view: View, frame: ServerFrame): View {
  return foldAll(view, [frame]);
}

/** Folds many frames at the cost of one copy of the items: for histories. */
export function foldAll(view: View, frames: Iterable<ServerFrame>): View {
  let next = view;
  let items: Map<string, Item> | null = null;
  for (const frame of frames) {
    if ("type" in frame) {
      next = foldControl(next, frame);
      continue;
    }
    if (frame.seq <= next.seq) continue;
    items ??= new Map(view.items);
    shapeItems(items, frame.seq, frame);
    next = {
      ...next,
      seq: frame.seq,
      threads: foldThreads(next.threads, frame),
      plans: foldPlans(next.plans, frame),
    };
  }
  return items === null ? next : { ...next, items };
}

/** The items of one thread, in order. */
export function itemsOf(view: View, threadId: string): Item[] {
  return [...view.items.values()].filter((item) => item.thread_id === threadId);
}

function foldControl(view: View, frame: Extract<ServerFrame, { type: string }>): View {
  switch (frame.type) {
    case "ready":
      return { ...view, conversation: frame.conversation, isCaughtUp: false };
    case "caught_up":
      return { ...view, isCaughtUp: true };
    case "ack":
    case "error":
      return view;
  }
}

function foldThreads(
  threads: readonly ThreadView[],
  frame: Exclude<ServerFrame, { type: string }>,
): readonly ThreadView[] {
  if (frame.event === "thread_started") {
    return [...threads, { thread_id: frame.data.thread_id, query: frame.data.payload.content, status: "open" }];
  }
  const threadId = "thread_id" in frame.data ? frame.data.thread_id : undefined;
  const index = threads.findIndex((thread) => thread.thread_id === threadId);
  const thread = threads[index];
  if (thread === undefined) return threads;
  switch (frame.event) {
    case "triage_completed":
      return threads.with(index, { ...thread, triage: frame.data.payload });
    case "system_failed":
    case "plan_failed":
      return threads.with(index, { ...thread, status: "failed" });
    case "done": {
      const usage = frame.data.metadata?.["usage"] as Usage | undefined;
      const status = thread.status === "failed" ? "failed" : "done";
      return threads.with(index, { ...thread, status, ...(usage === undefined ? {} : { usage }) });
    }
    default:
      return threads;
  }
}
