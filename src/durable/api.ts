// The RPC interface of a conversation object, as the Worker calls it.
//
// Failures are returned as values, because an error loses its class when it crosses RPC. Method names and argument
// shapes are wire: a Worker and an object of two releases may talk to each other during a deployment.

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

/**
 * Runs an operation and returns its `Result`. A `Fault` becomes its failure value; any other error is logged and
 * hidden.
 */
export const answer = answering((thrown) => console.error("A call failed", thrown));

/** The position at which a command was stored. `is_first` is true if the command created the conversation. */
export type Accepted = {
  readonly conversation_id: string;
  readonly thread_id: string;
  readonly seq: number;
  readonly is_first: boolean;
};

/**
 * One thread that a command started: its frames, the time of its last stored event (ms), and its commands with their
 * seqs.
 */
export type ThreadRecord = {
  readonly thread_id: string;
  /** The `seq` of its first event. */
  readonly seq: number;
  /** The `seq` of its last event so far. */
  readonly last_seq: number;
  readonly updated_at: number;
  readonly frames: readonly Frame[];
  readonly commands: readonly { readonly id: string; readonly seq: number }[];
};

/**
 * Threads in descending order of `last_seq`. `next` is the `before` of the next page, null on the last; `total` counts
 * all matches.
 */
export type ThreadRecords = {
  readonly threads: ThreadRecord[];
  readonly next: number | null;
  readonly total: number;
};

/**
 * Filters the threads that commands started: by requested agent, status, and time of the last update (ms since the
 * epoch).
 */
export type Sought = { readonly agent?: string; readonly status?: ThreadStatus; readonly since: number };

/**
 * Selects one thread by id, or a page of the threads that match a filter and whose `last_seq` is less than `before`.
 */
export type ThreadsWanted =
  | { readonly thread_id: string }
  | { readonly sought: Sought; readonly before: number; readonly limit: number };

/**
 * `create` allows `send` to create the conversation, with `title`. `push` is registered for the thread before it runs.
 */
export type SendOptions = { readonly create: boolean; readonly title?: string | undefined; readonly push?: Push };

/** A change of the push notifications of a thread: add or replace one, or remove one by its id. */
export type PushChange = { readonly put: Push } | { readonly remove: string };

/**
 * A page of events. `next` is the cursor for the next request; equal to the request's `after` if there is nothing new.
 */
export type Page<T> = { readonly events: T[]; readonly next: number };

/**
 * One conversation of one user.
 * The name of the object is `formatObjectName(user, conversation)`. The same conversation id of another user is a
 * different object, and a client cannot distinguish it from a missing one (U1).
 * Every method except `create`, `startInstance` and `send` with `create` returns `not_found` if the conversation does
 * not exist.
 */
export type ConversationApi = {
  create(title?: string): Promise<Result<Conversation>>;
  read(): Promise<Result<Conversation>>;
  update(patch: UpdateConversation): Promise<Result<Conversation>>;
  remove(): Promise<Result<{ conversation_id: string; deleted: true }>>;
  /**
   * Accepts a message. Idempotent by `commandId` (T2). Resolves as soon as the message is stored (L3), before any work
   * on it.
   */
  send(commandId: string, message: Send, options: SendOptions): Promise<Result<Accepted>>;
  /** Answers an open question. Idempotent by `commandId`. */
  resume(commandId: string, answer: Resume): Promise<Result<Accepted>>;
  /**
   * Stops a thread or a task, or ends a schedule; without a target, the oldest open message. Returns the ids that were
   * stopped.
   */
  cancel(commandId: string, target: Cancel): Promise<Result<{ cancelled: string[] }>>;
  /** Returns frames with `seq > after`, oldest first. With `task`, only frames of that task. */
  events(after: number, limit: number, task?: string): Promise<Result<Page<Frame>>>;
  items(task?: string): Promise<Result<Item[]>>;
  plans(): Promise<Result<Plan[]>>;
  tasks(filter: { status?: TaskStatus }): Promise<Result<Task[]>>;
  /**
   * Returns the open questions and the stages at which their threads paused, without secrets. With `task`, only that
   * task's.
   */
  context(task?: string): Promise<Result<Context>>;
  /**
   * Delivers a due tick. Returns the next due time in ms since the epoch, null while the schedule is paused;
   * `not_found` after its deletion (S3). Repeating a tick changes nothing (S1).
   */
  tick(scheduleId: string, dueAt: number): Promise<Result<{ next_run_at: number | null }>>;
  schedule(scheduleId: string): Promise<Result<Schedule>>;
  updateSchedule(scheduleId: string, patch: UpdateSchedule): Promise<Result<UpdatedSchedule>>;
  /** Runs the schedule at once, in addition to its due times. `conflict` while a run of it is in progress. */
  runSchedule(commandId: string, scheduleId: string): Promise<Result<Accepted>>;
  /** Deletes the schedule and cancels its run, if one is in progress. */
  removeSchedule(scheduleId: string): Promise<Result<{ schedule_id: string; deleted: true }>>;
  /** Returns run results, newest first. With `before`, only those with an earlier due time (ms since the epoch). */
  runResults(scheduleId: string, limit: number, before?: number): Promise<Result<RunResults>>;
  /**
   * Creates this conversation as a workflow instance and starts it. `conflict` if the conversation exists for anything
   * else.
   */
  startInstance(commandId: string, start: InstanceStart): Promise<Result<StartedInstance>>;
  /** Returns the instance; `not_found`, as the next two methods, if the conversation is not an instance. */
  instance(): Promise<Result<PlanInstance>>;
  /** Retries the step at which the instance is held; `conflict` if it is not held. */
  resumeInstance(commandId: string, resume: ResumeInstance): Promise<Result<StartedInstance>>;
  /** Cancels the instance; `conflict` if it has ended. */
  cancelInstance(): Promise<Result<PlanInstance>>;
  /** Returns threads that commands started; `not_found` if the thread named by id does not exist. */
  threads(wanted: ThreadsWanted): Promise<Result<ThreadRecords>>;
  /**
   * Returns the push notifications of a thread, ordered by id, after applying `change`: `put` adds or replaces,
   * `remove` is idempotent. `invalid_request` if the URL is not allowed.
   */
  pushes(threadId: string, change?: PushChange): Promise<Result<Push[]>>;
  /**
   * Streams frames with `seq > after` as JSON lines, then live frames. With `thread`, only frames of that thread: the
   * stream ends after its `done`, or when it pauses. Otherwise it stays open until the reader cancels.
   */
  follow(after: number, thread?: string): Promise<Result<ReadableStream<Uint8Array>>>;
};

/**
 * Returns the name of the object of a conversation. The user id is URL-encoded, so the first slash separates the parts.
 */
export function objectName(userId: string, conversationId: string): string {
  return `${encodeURIComponent(userId)}/${conversationId}`;
}

/** The identity of a conversation object. */
export type ConversationName = { readonly userId: string; readonly conversationId: string };

/** Inverse of `formatObjectName`. */
export function nameParts(name: string): ConversationName {
  const slash = name.indexOf("/");
  return { userId: decodeURIComponent(name.slice(0, slash)), conversationId: name.slice(slash + 1) };
}
