// The RPC interface of a conversation object, as the Worker calls it.
//
// Failures are returned as values, because an error loses its class when it crosses RPC. Method names and argument
// shapes are wire: a Worker and an object of two releases may talk to each other during a deployment.

import type { PushConfig } from "../protocol/agents/a2a-push.ts";
import type { CancelCommand, ResumeCommand, SendCommand } from "../protocol/wire/commands.ts";
import type { ConversationInfo, UpdateConversationRequest } from "../protocol/wire/conversation-info.ts";
import type { Frame } from "../protocol/wire/events.ts";
import type { Item } from "../protocol/wire/items.ts";
import type {
  WorkflowInstanceDetails,
  ResumeInstanceRequest,
  StartedInstance,
} from "../protocol/workflows/workflow-instance.ts";
import type { QuestionContext } from "../protocol/wire/question.ts";
import type {
  ScheduleRunResultList,
  Schedule,
  UpdatedSchedule,
  UpdateScheduleRequest,
} from "../protocol/schedules/schedule.ts";
import type { Plan, Task, TaskStatus } from "../protocol/plans/task-plan.ts";
import { createResultWrapper, type InternalResult } from "../protocol/wire/rpc-result.ts";
import type { ThreadStatus } from "../protocol/wire/thread-state.ts";

import type { InstanceStart } from "./conversation/instance-start.ts";

export { unwrapResult, type FaultData, type InternalResult, type RpcResult } from "../protocol/wire/rpc-result.ts";

/**
 * Runs an operation and resolves with its `InternalResult`. A `Fault` becomes its failure value; any other error is
 * logged and becomes a general `internal` failure. Never rejects.
 */
export const captureResult = createResultWrapper((thrown) => console.error("A call failed", thrown));

/** The position at which a command was stored. `is_first` is true if the command created the conversation. */
export type AcceptedCommand = {
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
export type ThreadRecordPage = {
  readonly threads: ThreadRecord[];
  readonly next: number | null;
  readonly total: number;
};

/**
 * Filters the threads that commands started: by requested agent, status, and time of the last update (ms since the
 * epoch).
 */
export type ThreadFilter = { readonly agent?: string; readonly status?: ThreadStatus; readonly since: number };

/**
 * Selects one thread by id, or a page of the threads that match a filter and whose `last_seq` is less than `before`.
 */
export type ThreadQuery =
  | { readonly thread_id: string }
  | { readonly sought: ThreadFilter; readonly before: number; readonly limit: number };

/**
 * `create` allows `send` to create the conversation, with `title`. `push` is registered for the thread before it runs.
 */
export type SendOptions = { readonly create: boolean; readonly title?: string | undefined; readonly push?: PushConfig };

/** A change of the push notifications of a thread: add or replace one, or remove one by its id. */
export type PushChange = { readonly put: PushConfig } | { readonly remove: string };

/**
 * A page of events. `next` is the cursor for the next request; equal to the request's `after` if there is nothing new.
 */
export type EventPage<T> = { readonly events: T[]; readonly next: number };

/**
 * One conversation of one user.
 * The name of the object is `formatObjectName(user, conversation)`. The same conversation id of another user is a
 * different object, and a client cannot distinguish it from a missing one (U1).
 * Every method except `create`, `startInstance` and `send` with `create` returns `not_found` if the conversation does
 * not exist.
 */
export type ConversationApi = {
  /** Creates the conversation if it does not exist, then with `title`, and returns it. */
  create(title?: string): Promise<InternalResult<ConversationInfo>>;
  read(): Promise<InternalResult<ConversationInfo>>;
  /** Sets title and status, as far as they are given. */
  update(patch: UpdateConversationRequest): Promise<InternalResult<ConversationInfo>>;
  /** Deletes the conversation with all its data, stops its work and closes its subscribers. */
  remove(): Promise<InternalResult<{ conversation_id: string; deleted: true }>>;
  /**
   * Accepts a message, as a new thread or, if a question is open, as its answer (`conflict` if several are). Idempotent
   * by `commandId` (T2). Resolves as soon as the message is stored (L3), before any work on it. `too_many_requests` if
   * the rate limit or the queue is exhausted.
   */
  send(commandId: string, message: SendCommand, options: SendOptions): Promise<InternalResult<AcceptedCommand>>;
  /**
   * Answers an open question, the only one if the answer names none. Idempotent by `commandId`. Fails with `not_found`,
   * `question_answered`, `question_expired`, `question_cancelled`, `conflict` (none or several open) or
   * `unprocessable`.
   */
  resume(commandId: string, answer: ResumeCommand): Promise<InternalResult<AcceptedCommand>>;
  /**
   * Stops a thread or a task, or deletes a schedule (`task_id` is its id); without a target, stops the oldest open
   * message. Returns the one id that was stopped. `not_found` if the target is not active, `conflict` if the task has
   * ended. Idempotent by `commandId`.
   */
  cancel(commandId: string, target: CancelCommand): Promise<InternalResult<{ cancelled: string[] }>>;
  /**
   * Returns at most `limit` frames with `seq > after`, oldest first; `seq_unknown` if `after` was never assigned. With
   * `task`, only frames of that task.
   */
  events(after: number, limit: number, task?: string): Promise<InternalResult<EventPage<Frame>>>;
  /** Folds the log to its items. With `task`, only that task's; without, all except those of schedule runs. */
  items(task?: string): Promise<InternalResult<Item[]>>;
  plans(): Promise<InternalResult<Plan[]>>;
  tasks(filter: { status?: TaskStatus }): Promise<InternalResult<Task[]>>;
  /**
   * Returns the open questions and the stages at which their threads paused, without secrets. With `task`, only that
   * task's.
   */
  context(task?: string): Promise<InternalResult<QuestionContext>>;
  /**
   * Handles a due tick. The stored schedule decides what is due, so `dueAt` is ignored. Returns the next due time in ms
   * since the epoch, null while the schedule is paused; `not_found` after its deletion (S3). Repeating a tick changes
   * nothing (S1).
   */
  tick(scheduleId: string, dueAt: number): Promise<InternalResult<{ next_run_at: number | null }>>;
  schedule(scheduleId: string): Promise<InternalResult<Schedule>>;
  /** Changes the given fields of a schedule. `webhook_secret` is returned only if the change sets the webhook. */
  updateSchedule(scheduleId: string, patch: UpdateScheduleRequest): Promise<InternalResult<UpdatedSchedule>>;
  /**
   * Runs the schedule at once, in addition to its due times. `conflict` while a run of it is in progress. Idempotent by
   * `commandId`.
   */
  runSchedule(commandId: string, scheduleId: string): Promise<InternalResult<AcceptedCommand>>;
  /** Deletes the schedule and cancels its run, if one is in progress. */
  removeSchedule(scheduleId: string): Promise<InternalResult<{ schedule_id: string; deleted: true }>>;
  /** Returns run results, newest first. With `before`, only those with an earlier due time (ms since the epoch). */
  runResults(scheduleId: string, limit: number, before?: number): Promise<InternalResult<ScheduleRunResultList>>;
  /**
   * Creates this conversation as a workflow instance and starts it. Idempotent by `commandId`. `conflict` if another
   * command has created the conversation.
   */
  startInstance(commandId: string, start: InstanceStart): Promise<InternalResult<StartedInstance>>;
  /** Returns the instance; `not_found`, as the next two methods, if the conversation is not an instance. */
  instance(): Promise<InternalResult<WorkflowInstanceDetails>>;
  /**
   * Retries the steps at which the instance is held, with new context values by task id. `conflict` if it is not held,
   * `unprocessable` for an unknown task. Idempotent by `commandId`.
   */
  resumeInstance(commandId: string, resume: ResumeInstanceRequest): Promise<InternalResult<StartedInstance>>;
  /** Cancels the instance; `conflict` if it has ended. */
  cancelInstance(): Promise<InternalResult<WorkflowInstanceDetails>>;
  /** Returns threads that commands started; `not_found` if the thread named by id does not exist. */
  threads(query: ThreadQuery): Promise<InternalResult<ThreadRecordPage>>;
  /**
   * Returns the push notifications of a thread, ordered by id, after applying `change`: `put` adds or replaces,
   * `remove` is idempotent. `invalid_request` if the URL is not allowed or there are too many.
   */
  pushes(threadId: string, change?: PushChange): Promise<InternalResult<PushConfig[]>>;
  /**
   * Streams frames with `seq > after` as JSON lines, then live frames. With `thread`, only frames of that thread: the
   * stream ends after its `done`, or when it pauses. Otherwise it stays open until the reader cancels. `seq_unknown` if
   * `after` was never assigned, `not_found` for an unknown thread.
   */
  follow(after: number, thread?: string): Promise<InternalResult<ReadableStream<Uint8Array>>>;
};

/**
 * Returns the name of the object of a conversation. The user id is URL-encoded, so the first slash separates the parts.
 */
export function formatObjectName(userId: string, conversationId: string): string {
  return `${encodeURIComponent(userId)}/${conversationId}`;
}

/** The identity of a conversation object. */
export type ConversationKey = { readonly userId: string; readonly conversationId: string };

/** Parses the name of a conversation object, as `formatObjectName` returns it. */
export function parseObjectName(name: string): ConversationKey {
  const slash = name.indexOf("/");
  return { userId: decodeURIComponent(name.slice(0, slash)), conversationId: name.slice(slash + 1) };
}
