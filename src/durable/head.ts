// The one row that says how a conversation stands, and how it changes.

import type { Tick } from "../core/scene.ts";
import type { Conversation } from "../protocol/conversation.ts";
import type { ConversationName } from "./api.ts";
import type { InstanceMark } from "./instance-start.ts";

/** A message, a run of a schedule, or an instance of a plan, that is not done yet. Which of them runs is for `queue.ts` to say (T1). */
export type OpenThread = {
  readonly thread_id: string;
  readonly command_id: string;
  /** The `seq` of its `thread_started`. */
  readonly seq: number;
  /** How often its work has begun; more than once means that it was interrupted. */
  readonly attempts: number;
  /** Set once the person has cancelled it: after a crash it is only brought to its end (T5). */
  readonly is_cancelled?: true;
  /** Tasks of it that the person has cancelled. */
  readonly cancelled_tasks?: readonly string[];
  /** Nothing of it can go on before the person answers. */
  readonly is_paused?: true;
  /** What its message called the conversation, until a task of it names it (F80). */
  readonly title?: string;
  /** Set for a run of a schedule, which no message has begun. */
  readonly tick?: Tick;
  /** The thread that carries out the instance which this conversation is. */
  readonly is_instance?: true;
};

/** The one row that says how a conversation stands. */
export type Head = {
  readonly conversation: Conversation;
  /** No number above it has been given out. */
  readonly reserved: number;
  readonly open: readonly OpenThread[];
  readonly instance?: InstanceMark;
};

/** How a conversation stands that is about to be made. */
export function newHead({ userId, conversationId }: ConversationName, title: string | undefined): Head {
  const now = Date.now();
  const conversation: Conversation = {
    conversation_id: conversationId,
    user_id: userId,
    ...(title === undefined ? {} : { title }),
    status: "active",
    created_at: now,
    updated_at: now,
  };
  return { conversation, reserved: 0, open: [] };
}

/** The head with one of its threads changed. */
export function changed(head: Head, threadId: string, change: (open: OpenThread) => OpenThread): Head {
  return { ...head, open: head.open.map((open) => (open.thread_id === threadId ? change(open) : open)) };
}

/** A conversation in which no task came up is called after its first message. */
export function called(head: Head, title: string): Head {
  if (head.conversation.title !== undefined || title === "") return head;
  return { ...head, conversation: { ...head.conversation, title } };
}

/** A conversation that asks before a task has come up goes by its first message till then. */
export function named(head: Head, threadId: string, title: string): Head {
  if (head.conversation.title !== undefined || title === "") return head;
  return changed(called(head, title), threadId, (open) => ({ ...open, title }));
}

/** The head once a question was put. */
export function asking(head: Head): Head {
  return { ...head, conversation: { ...head.conversation, status: "require_user_input", updated_at: Date.now() } };
}

/** The head once a thread is over. A run of a schedule leaves the conversation as the person left it. */
export function without(
  head: Head,
  { thread_id, tick, is_instance }: OpenThread,
  ended: "completed" | "failed",
  cancelled: boolean,
): Head {
  const { instance } = head;
  const isOver = is_instance === true && instance !== undefined;
  const now = Date.now();
  const end = cancelled ? ({ end: "cancelled" } as const) : ({ end: "ended", has_failed: ended === "failed" } as const);
  const over = isOver ? { instance: { ...instance, ...end, ended_at: now } } : {};
  const open = head.open.filter((thread) => thread.thread_id !== thread_id);
  const { status: before } = head.conversation;
  const said = tick === undefined ? ended : before === "failed" || before === "inactive" ? before : "completed";
  const isWaiting = open.some(({ is_paused }) => is_paused === true);
  const isAnswering = open.some((thread) => thread.tick === undefined);
  const status = isWaiting ? "require_user_input" : isAnswering ? "active" : said;
  return { ...head, ...over, open, conversation: { ...head.conversation, status, updated_at: now } };
}
