// The head of a conversation: its only mutable row, with functions that return a changed copy.
//
// The head is stored as one JSON row and read once when the object loads. It is replaced only by `EventLog.publish`, in
// the same transaction as the events that explain the change. Member names are stored data and must not change.

import type { ScheduleTick } from "../../../core/turn/turn-context.ts";
import type { ConversationInfo } from "../../../protocol/wire/conversation-info.ts";
import type { Frame } from "../../../protocol/wire/events.ts";
import type { ConversationKey } from "../../conversation-api.ts";
import type { Interruptions } from "../threads/interruptions.ts";
import type { InstanceRecord } from "../instance-start.ts";

/**
 * A thread that is not done: a message, a schedule run, or a workflow instance. `thread-queue.ts` selects the one that
 * runs (T1).
 */
export type OpenThread = {
  readonly thread_id: string;
  readonly command_id: string;
  /** The `seq` of its `thread_started`. */
  readonly seq: number;
  /** How often the thread was started since its last progress; greater than 1 if a host died while it ran. */
  readonly attempts: number;
  /** The deaths of its hosts since its last progress, and the state of its recovery. */
  readonly interruptions?: Interruptions;
  /** True once the person cancelled it. After a crash it is only ended, not resumed (T5). */
  readonly is_cancelled?: true;
  /** The tasks that the person cancelled. */
  readonly cancelled_tasks?: readonly string[];
  /** True while the thread cannot continue without an answer of the person. */
  readonly is_paused?: true;
  /** The provisional conversation title that its message gave, until a task provides the title (F80). */
  readonly title?: string;
  /** Present for a schedule run, which no message started. */
  readonly tick?: ScheduleTick;
  /** True for the thread that executes the workflow instance of this conversation. */
  readonly is_instance?: true;
};

/** The state of a conversation besides its log. */
export type ConversationHead = {
  readonly conversation: ConversationInfo;
  /** The upper bound of the reserved seqs (L1). No assigned `seq` exceeds it. */
  readonly reserved: number;
  /** The threads that are not done, oldest first. */
  readonly open: readonly OpenThread[];
  readonly instance?: InstanceRecord;
};

/** Returns the head of a new, active conversation without threads. It is not stored yet. */
export function createHead({ userId, conversationId }: ConversationKey, title: string | undefined): ConversationHead {
  const now = Date.now();
  const conversation: ConversationInfo = {
    conversation_id: conversationId,
    user_id: userId,
    ...(title === undefined ? {} : { title }),
    status: "active",
    created_at: now,
    updated_at: now,
  };
  return { conversation, reserved: 0, open: [] };
}

/** Returns the head with one open thread replaced by `change(thread)`; unchanged if the thread is not open. */
export function updateThread(
  head: ConversationHead,
  threadId: string,
  change: (open: OpenThread) => OpenThread,
): ConversationHead {
  return { ...head, open: head.open.map((open) => (open.thread_id === threadId ? change(open) : open)) };
}

/** Returns the thread after progress: earlier deaths of its hosts are forgotten. */
export function withProgress({ interruptions: _, ...thread }: OpenThread): OpenThread {
  return { ...thread, attempts: 1 };
}

/**
 * Sets the title if there is none yet and `title` is not empty. Used at the end of a thread whose tasks gave no title.
 */
export function withTitle(head: ConversationHead, title: string): ConversationHead {
  if (head.conversation.title !== undefined || title === "") return head;
  return { ...head, conversation: { ...head.conversation, title } };
}

/**
 * Sets a provisional title if there is none: a question is asked before the first task exists. The thread remembers the
 * title, so that the first task can replace it.
 */
export function withProvisionalTitle(head: ConversationHead, threadId: string, title: string): ConversationHead {
  if (head.conversation.title !== undefined || title === "") return head;
  return updateThread(withTitle(head, title), threadId, (open) => ({ ...open, title }));
}

/** Sets the status to `require_user_input` and `updated_at` to now, after a question was stored. */
export function markAwaitingInput(head: ConversationHead): ConversationHead {
  return { ...head, conversation: { ...head.conversation, status: "require_user_input", updated_at: Date.now() } };
}

/**
 * Removes a thread that is done and computes the conversation status. While other threads are open, the status is
 * theirs. Otherwise a message sets its own result, and a schedule run `completed`, unless the status is `failed` or
 * `inactive`. `updated_at` is set to now. If the thread executed an instance, its end is recorded.
 */
export function removeThread(
  head: ConversationHead,
  { thread_id, tick, is_instance }: OpenThread,
  ended: "completed" | "failed",
  cancelled: boolean,
): ConversationHead {
  const { instance } = head;
  const isOver = is_instance === true && instance !== undefined;
  const now = Date.now();
  const end = cancelled ? ({ end: "cancelled" } as const) : ({ end: "ended", has_failed: ended === "failed" } as const);
  const instanceEnd = isOver ? { instance: { ...instance, ...end, ended_at: now } } : {};
  const open = head.open.filter((thread) => thread.thread_id !== thread_id);
  const { status: previousStatus } = head.conversation;
  const ownStatus =
    tick === undefined
      ? ended
      : previousStatus === "failed" || previousStatus === "inactive"
        ? previousStatus
        : "completed";
  const isWaiting = open.some(({ is_paused }) => is_paused === true);
  const isAnswering = open.some((thread) => thread.tick === undefined);
  const status = isWaiting ? "require_user_input" : isAnswering ? "active" : ownStatus;
  return { ...head, ...instanceEnd, open, conversation: { ...head.conversation, status, updated_at: now } };
}

/** Keeps `updated_at` from decreasing if the clock was set back: the directory keeps the newest version. */
export function ensureLatestUpdate(
  head: ConversationHead,
  { conversation: { updated_at } }: ConversationHead,
): ConversationHead {
  if (head.conversation.updated_at >= updated_at) return head;
  return { ...head, conversation: { ...head.conversation, updated_at } };
}

/** F80. If the title is missing or provisional, sets it to the title of the first planned task. */
export function withTaskTitle(head: ConversationHead, frames: readonly Frame[]): ConversationHead {
  const { title: before } = head.conversation;
  if (before !== undefined && head.open.every(({ title }) => title !== before)) return head;
  const plan = frames.find((frame) => frame.event === "plan_created");
  const title = plan?.data.payload.plan.tasks[0]?.title;
  return title === undefined ? head : { ...head, conversation: { ...head.conversation, title } };
}
