// Writes the state of this conversation to the D1 directory, asynchronously and repeatedly until it succeeds.
//
// Owns the pending changes: conversation row, planned tasks, schedules, instance status. A failing directory never
// blocks the conversation.
//
// Invariants:
//   - At most one write is in progress. Changes during a write cause another write after it.
//   - Every write sends the newest state; the directory ignores older `updated_at` values, so order and repetition do
//     no harm.
//   - A failed write is retried by the object's alarm, also after hibernation or the death of the host
//     (`WakeAt`).
//   - Events of `IMMEDIATE_EVENTS` are written at once; those of `BATCHED_EVENTS` at the next multiple of 250 ms, in
//     one statement with other conversations of the isolate.
// A new object does not know what its predecessor wrote: until the first write everything counts as unwritten.

import { putConversation, putConversationBatched, removeConversation } from "../../directory/conversation-directory.ts";
import { putInstance } from "../../directory/instance-directory.ts";
import { putSchedules, removeSchedule } from "../../directory/schedule-directory.ts";
import type { ConversationInfo } from "../../protocol/wire/conversation-info.ts";
import type { EventName, Frame } from "../../protocol/wire/events.ts";
import type { Schedule } from "../../protocol/schedules/schedule.ts";
import type { InstanceSummary } from "../../protocol/workflows/workflow-instance.ts";
import type { Task } from "../../protocol/plans/task-plan.ts";
import { isUserAnswer } from "../../protocol/plans/fold-plans.ts";
import type { ConversationKey } from "../conversation-api.ts";
import type { InstanceRecord } from "./instance-start.ts";
import { LEASE_MS } from "./threads/lease.ts";
import type { EventLog } from "./event-log.ts";

const RETRY_MS = 30_000;
/** Events that the conversation list must show at once. */
const IMMEDIATE_EVENTS: ReadonlySet<EventName> = new Set([
  "conversation_started",
  "plan_require_user_input",
  "task_waiting",
]);
/** Events that may wait for the next batch. */
const BATCHED_EVENTS: ReadonlySet<EventName> = new Set(["thread_started", "plan_created", "done"]);
const BATCH_INTERVAL_MS = 250;

type WakeAt = (at: number, removed?: string) => Promise<unknown>;
type SyncLog = Pick<EventLog, "head" | "readThread" | "readThreads">;
type SyncRetry = undefined | { rescheduleAt: number };

function getInstanceStatus({ end, has_failed: hasFailed }: InstanceRecord): InstanceSummary["status"] {
  if (end !== "ended") return end ?? "running";
  // Instances that ended under an earlier release have no recorded result.
  return hasFailed === undefined ? undefined : hasFailed ? "error" : "done";
}

function retryUnless(isDone: boolean): SyncRetry {
  return isDone ? undefined : { rescheduleAt: Date.now() + RETRY_MS };
}

/** Returns the earlier of two retry times; undefined if both are undefined. */
export function pickSooner(first: SyncRetry, second: SyncRetry): SyncRetry {
  if (first === undefined || second === undefined) return first ?? second;
  return first.rescheduleAt < second.rescheduleAt ? first : second;
}

/** One instance per object, which outlives the loaded state of the conversation. */
export class DirectorySync {
  readonly #db: D1Database;
  /** Arranges a call of `flush` at a time (ms since the epoch), also after hibernation or the death of the host. */
  readonly #wakeAt: WakeAt;
  readonly #schedules: () => readonly Schedule[];
  readonly #log: () => SyncLog | null;
  /** The instance status that was written last; null if unknown. */
  #writtenInstanceStatus: InstanceSummary["status"] | null = null;
  /** True at first: the predecessor may have left changes unwritten. */
  #hasScheduleChanges = true;
  #removedSchedules: readonly string[] = [];
  #pendingConversation: ConversationInfo | null = null;
  /** Tasks of unfinished threads: written when planned, and again when their thread has ended. */
  #pendingTasks: readonly Task[] = [];
  #writing: Promise<boolean> | null = null;
  #hasWritten = false;
  /** True if the pending change may be written together with those of other conversations. */
  #canBatch = false;
  #batchTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    db: D1Database,
    schedules: () => readonly Schedule[],
    wakeAt: WakeAt,
    log: () => SyncLog | null = () => null,
  ) {
    this.#db = db;
    this.#schedules = schedules;
    this.#log = log;
    this.#wakeAt = wakeAt;
  }

  /**
   * Takes published events and the conversation as pending; starts or schedules a write if the directory shows them.
   */
  handleEvents(frames: readonly Frame[], conversation: ConversationInfo): void {
    const isImmediate = frames.some((frame) => IMMEDIATE_EVENTS.has(frame.event) || isUserAnswer(frame));
    if (!isImmediate && !frames.some(({ event }) => BATCHED_EVENTS.has(event))) return;
    this.addPlannedTasks(frames);
    if (isImmediate) return this.writeNow(conversation);
    this.#scheduleWrite(conversation);
  }

  /**
   * Adds the tasks that these events plan to the pending ones, without writing. Also used for events of a predecessor.
   */
  addPlannedTasks(frames: readonly Frame[]): void {
    const planned = frames.flatMap((frame) => (frame.event === "plan_created" ? frame.data.payload.plan.tasks : []));
    this.#pendingTasks = [...this.#pendingTasks, ...planned];
  }

  /** Schedules a write of all schedules; `removed` is the id of a deleted one. */
  markSchedulesChanged(conversation: ConversationInfo, removed?: string): void {
    this.#hasScheduleChanges = true;
    if (removed !== undefined) this.#removedSchedules = [...this.#removedSchedules, removed];
    this.#scheduleWrite(conversation);
  }

  #scheduleWrite(conversation: ConversationInfo): void {
    this.#pendingConversation = conversation;
    const untilBatch = BATCH_INTERVAL_MS - (Date.now() % BATCH_INTERVAL_MS);
    this.#batchTimer ??= setTimeout(() => {
      this.#batchTimer = undefined;
      // A write in progress may have included this change.
      if (this.#pendingConversation !== null) this.#startWrite(this.#pendingConversation, true);
    }, untilBatch);
  }

  /**
   * Starts a write at once, without batching and without waiting for it. If a write is in progress, another follows it.
   */
  writeNow(conversation: ConversationInfo): void {
    this.#startWrite(conversation, false);
  }

  #startWrite(conversation: ConversationInfo, canBatch: boolean): void {
    this.#canBatch = canBatch;
    clearTimeout(this.#batchTimer);
    this.#batchTimer = undefined;
    this.#hasWritten = true;
    this.#pendingConversation = conversation;
    this.#writing ??= this.#write();
  }

  /**
   * True if this object has written at least once and nothing is pending. A predecessor's unwritten state is covered by
   * that write.
   */
  get isUpToDate(): boolean {
    return this.#hasWritten && this.#batchTimer === undefined && this.#writing === null;
  }

  /** Starts a write at once. Resolves as `setReminder` does, not when the directory is written. */
  async writeWithReminder(conversation: ConversationInfo): Promise<void> {
    this.writeNow(conversation);
    await this.setReminder();
  }

  /**
   * Resolves once the alarm will write this change even if the host dies first. Needed for changes that no thread
   * causes, because nothing else would retry them. `removed` is the id of a deleted schedule.
   */
  async setReminder(removed?: string): Promise<void> {
    await this.#wakeAt(Date.now() + LEASE_MS, removed);
  }

  /**
   * Writes what is missing after a failure or reminder. `current` is null if the conversation was deleted. Returns the
   * time of the next attempt, if one is needed.
   */
  async flush(current: ConversationInfo | null, name: ConversationKey, removed?: unknown): Promise<SyncRetry> {
    if (current === null) return this.remove(name).then(retryUnless);
    if (typeof removed === "string") this.markSchedulesChanged(current, removed);
    if (this.isUpToDate && this.#pendingConversation === null) return undefined;
    const log = this.#log();
    if (!this.#hasWritten && log !== null) {
      await this.#addLastThreadTasks(log);
      // The removal of a conversation that was deleted meanwhile writes the directory itself.
      if (this.#log() !== log) return undefined;
    }
    this.writeNow(log?.head.conversation ?? current);
    return retryUnless((await this.#writing) ?? true);
  }

  /** Adds the tasks of the last thread if it has ended: the predecessor may not have written their end. */
  async #addLastThreadTasks(log: SyncLog): Promise<void> {
    const [threadId, snapshot] = [...(await log.readThreads())].at(-1) ?? [];
    if (threadId === undefined || snapshot === undefined) return;
    const isOpen = log.head.open.some(({ thread_id }) => thread_id === threadId);
    if (!isOpen) this.addPlannedTasks(log.readThread(threadId, snapshot.first.seq).frames);
  }

  /** Removes the conversation from the directory. Returns false if that failed; then a retry is scheduled. */
  async remove({ userId, conversationId }: ConversationKey): Promise<boolean> {
    clearTimeout(this.#batchTimer);
    this.#batchTimer = undefined;
    this.#pendingConversation = null;
    this.#pendingTasks = [];
    await this.#writing;
    try {
      await removeConversation(this.#db, userId, conversationId);
      const recreated = this.#resetWritten();
      if (recreated !== null) this.writeNow(recreated);
      return true;
    } catch (thrown) {
      // The statement may have been executed in spite of the error.
      this.#pendingConversation ??= this.#resetWritten();
      return await this.#handleFailure(thrown);
    }
  }

  /**
   * Returns the conversation that was created under the same id during the removal, if any: its rows may have been
   * removed too, so all of it counts as unwritten.
   */
  #resetWritten(): ConversationInfo | null {
    this.#writtenInstanceStatus = null;
    this.#hasScheduleChanges = true;
    return this.#log()?.head.conversation ?? null;
  }

  async #writeSchedules(userId: string): Promise<void> {
    const [schedules, removed] = [this.#schedules(), this.#removedSchedules];
    this.#hasScheduleChanges = false;
    try {
      for (const id of removed) await removeSchedule(this.#db, userId, id);
      await putSchedules(this.#db, schedules);
      this.#removedSchedules = this.#removedSchedules.filter((id) => !removed.includes(id));
    } catch (thrown) {
      this.#hasScheduleChanges = true;
      throw thrown;
    }
  }

  async #writeInstance({ user_id, conversation_id, created_at }: ConversationInfo): Promise<void> {
    const instance = this.#log()?.head.instance;
    if (instance === undefined) return;
    const status = getInstanceStatus(instance);
    if (status === this.#writtenInstanceStatus) return;
    await putInstance(this.#db, user_id, { ...instance, conversation_id, created_at, status });
    this.#writtenInstanceStatus = status;
  }

  async #handleFailure(thrown: unknown): Promise<false> {
    console.warn("The directory could not be told", thrown);
    await this.#wakeAt(Date.now() + RETRY_MS).catch((cause: unknown) => {
      console.error("The directory cannot be told later either", cause);
    });
    return false;
  }

  /** Writes until nothing is pending. Returns false if the directory failed; then a retry is scheduled. */
  async #write(): Promise<boolean> {
    try {
      while (this.#pendingConversation !== null) await this.#writeOnce(this.#pendingConversation, this.#pendingTasks);
      return true;
    } catch (thrown) {
      return await this.#handleFailure(thrown);
    } finally {
      // Cleared synchronously, so that a later change starts a new write.
      this.#writing = null;
    }
  }

  async #writeOnce(conversation: ConversationInfo, tasks: readonly Task[]): Promise<void> {
    this.#pendingConversation = null;
    try {
      const put = this.#canBatch ? putConversationBatched : putConversation;
      await put(this.#db, conversation, tasks);
      await this.#writeInstance(conversation);
      if (this.#hasScheduleChanges) await this.#writeSchedules(conversation.user_id);
      const isOver = conversation.status === "completed" || conversation.status === "failed";
      if (isOver) this.#pendingTasks = this.#pendingTasks.filter((task) => !tasks.includes(task));
    } catch (thrown) {
      this.#pendingConversation ??= conversation;
      throw thrown;
    }
  }
}
