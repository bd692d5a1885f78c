// What the Worker asks of a conversation object. Failures are values: errors lose their class across RPC.

import type { Push } from "../protocol/a2a-push.ts";
import type { Cancel, Resume, Send } from "../protocol/commands.ts";
import type { Conversation, UpdateConversation } from "../protocol/conversation.ts";
import type { Frame } from "../protocol/events.ts";
import type { Item } from "../protocol/items.ts";
import type { PlanInstance, ResumeInstance, StartedInstance } from "../protocol/plan-instance.ts";
import type { Context } from "../protocol/question.ts";
import type { RunResults, Schedule, UpdatedSchedule, UpdateSchedule } from "../protocol/recurring.ts";
import type { Plan, Task, TaskStatus } from "../protocol/plan.ts";
import { answering, type Result } from "../protocol/result.ts";
import type { ThreadStatus } from "../protocol/thread-state.ts";

import type { InstanceStart } from "./instance-start.ts";

export { valueOf, type Failure, type Result } from "../protocol/result.ts";

/** Runs a verb and turns what it throws into a value. */
export const answer = answering((thrown) => console.error("A call failed", thrown));

/** Where a message went; `is_first` when it made the conversation. */
export type Accepted = {
  readonly conversation_id: string;
  readonly thread_id: string;
  readonly seq: number;
  readonly is_first: boolean;
};

/** A thread that a command began, as it stands: its frames, when the last of them was stored, and its commands by number. */
export type ThreadRecord = {
  readonly thread_id: string;
  /** Of its first event. */
  readonly seq: number;
  /** Of its last event so far. */
  readonly last_seq: number;
  readonly updated_at: number;
  readonly frames: readonly Frame[];
  readonly commands: readonly { readonly id: string; readonly seq: number }[];
};

/** Threads, those last updated first; `next` is what to ask for after them, and `total` how many there are of the kind. */
export type ThreadRecords = {
  readonly threads: ThreadRecord[];
  readonly next: number | null;
  readonly total: number;
};

/** What messages began, for the agent that is named, that stands so, and was updated since (epoch milliseconds). */
export type Sought = { readonly agent?: string; readonly status?: ThreadStatus; readonly since: number };

/** One thread, or those of a kind whose last event comes before a number. */
export type ThreadsWanted =
  | { readonly thread_id: string }
  | { readonly sought: Sought; readonly before: number; readonly limit: number };

/** `create` makes a conversation that is not there, called `title`; `push` is notified of what becomes of the thread. */
export type SendOptions = { readonly create: boolean; readonly title?: string | undefined; readonly push?: Push };

export type PushChange = { readonly put: Push } | { readonly remove: string };

export type Page<T> = { readonly events: T[]; readonly next: number };

/**
 * One conversation of one user: the object's name is `objectName(user, conversation)`, so another
 * user's conversation of the same id is a different object and cannot be told from none (U1).
 * Every method but `create`, `startInstance` and `send` with `create` answers `not_found` for a conversation that does not exist.
 */
export type ConversationApi = {
  create(title?: string): Promise<Result<Conversation>>;
  read(): Promise<Result<Conversation>>;
  update(patch: UpdateConversation): Promise<Result<Conversation>>;
  remove(): Promise<Result<{ conversation_id: string; deleted: true }>>;
  /** `commandId` makes it idempotent (T2). Resolves once stored (L3), before any work. */
  send(commandId: string, message: Send, options: SendOptions): Promise<Result<Accepted>>;
  /** Answers an open question, once: `commandId` makes it idempotent. */
  resume(commandId: string, answer: Resume): Promise<Result<Accepted>>;
  cancel(commandId: string, target: Cancel): Promise<Result<{ cancelled: string[] }>>;
  /** Frames after `after`, oldest first; `next` is what to ask for next. With `task`, only that task's. */
  events(after: number, limit: number, task?: string): Promise<Result<Page<Frame>>>;
  items(task?: string): Promise<Result<Item[]>>;
  plans(): Promise<Result<Plan[]>>;
  tasks(filter: { status?: TaskStatus }): Promise<Result<Task[]>>;
  /** What is paused, without secrets: the open questions and where the thread stopped. With `task`, only that task's. */
  context(task?: string): Promise<Result<Context>>;
  /**
   * Hands over a tick that is due. Answers when the schedule wants the next one: null while it wants none,
   * because it is paused; `not_found` when it is gone (S3). The same tick again changes nothing (S1).
   */
  tick(scheduleId: string, dueAt: number): Promise<Result<{ next_run_at: number | null }>>;
  schedule(scheduleId: string): Promise<Result<Schedule>>;
  updateSchedule(scheduleId: string, patch: UpdateSchedule): Promise<Result<UpdatedSchedule>>;
  /** Runs it now, besides its times; `conflict` while a run of it is going on. */
  runSchedule(commandId: string, scheduleId: string): Promise<Result<Accepted>>;
  /** Ends the schedule, and a run of it that is going on. */
  removeSchedule(scheduleId: string): Promise<Result<{ schedule_id: string; deleted: true }>>;
  /** Newest first, those due before `before`. */
  runResults(scheduleId: string, limit: number, before?: number): Promise<Result<RunResults>>;
  /** Makes this conversation an instance of a plan, and starts it. `conflict` for one that is something else already. */
  startInstance(commandId: string, start: InstanceStart): Promise<Result<StartedInstance>>;
  /** `not_found`, as for the next two, for a conversation that is no instance. */
  instance(): Promise<Result<PlanInstance>>;
  /** Tries again what holds the instance; `conflict` when nothing does. */
  resumeInstance(commandId: string, resume: ResumeInstance): Promise<Result<StartedInstance>>;
  /** `conflict` for one that is over. */
  cancelInstance(): Promise<Result<PlanInstance>>;
  /** Threads that commands began; `not_found` when there is none of the id that is named. */
  threads(wanted: ThreadsWanted): Promise<Result<ThreadRecords>>;
  /**
   * Who is notified of what becomes of a thread, in the order of their ids, after the change if there is one: `put`
   * adds or replaces, `remove` takes away if it is there. `invalid_request` for an address that must not be called.
   */
  pushes(threadId: string, change?: PushChange): Promise<Result<Push[]>>;
  /**
   * Frames after `after` as JSON lines, then live ones. With `thread`, only that thread's, and the
   * stream ends after its `done`; otherwise it stays open until the reader goes.
   */
  follow(after: number, thread?: string): Promise<Result<ReadableStream<Uint8Array>>>;
};

export function objectName(userId: string, conversationId: string): string {
  return `${encodeURIComponent(userId)}/${conversationId}`;
}

export type ConversationName = { readonly userId: string; readonly conversationId: string };

/** The parts of an object's name. */
export function nameParts(name: string): ConversationName {
  const slash = name.indexOf("/");
  return { userId: decodeURIComponent(name.slice(0, slash)), conversationId: name.slice(slash + 1) };
}
