// Writes the state of this conversation to the D1 directory, asynchronously and repeatedly until it succeeds.
//
// Owns the pending changes: conversation row, planned tasks, schedules, instance status. A failing directory never
// blocks the conversation.
//
// Invariants:
//   - At most one write is in progress. Changes during a write cause another write after it.
//   - Every write sends the newest state; the directory ignores older `updated_at` values, so order and repetition do
//     no harm.
//   - A failed write is retried by the object's alarm, also after hibernation or the death of the host (`wakeAt`).
//   - Events of `IMMEDIATE_EVENTS` are written at once; those of `BATCHED_EVENTS` at the next multiple of 250 ms, in
//     one statement with other conversations of the isolate.
// A new object does not know what its predecessor wrote: until the first write everything counts as unwritten.

import { putConversation, putConversationTogether, removeConversation } from "../directory/conversations.ts";
import { putInstance } from "../directory/plan-instances.ts";
import { putSchedules, removeSchedules } from "../directory/schedules.ts";
import type { Conversation } from "../protocol/conversation.ts";
import type { EventName, Frame } from "../protocol/events.ts";
import type { Schedule } from "../protocol/recurring.ts";
import type { InstanceSummary } from "../protocol/plan-instance.ts";
import type { Task } from "../protocol/plan.ts";
import { isAnswer } from "../protocol/tasks.ts";
import type { ConversationName } from "./api.ts";
import type { InstanceMark } from "./instance-start.ts";
import { LEASE_MS } from "./lease.ts";
import type { Log } from "./log.ts";

const RETRY_MS = 30_000;
/** Events that the conversation list must show at once. */
const NEWS: ReadonlySet<EventName> = new Set(["conversation_started", "plan_require_user_input", "task_waiting"]);
/** Events that may wait for the next batch. */
const LATER: ReadonlySet<EventName> = new Set(["thread_started", "plan_created", "done"]);
const BEAT_MS = 250;

type WakeAt = (at: number, removed?: string) => Promise<unknown>;
type TheLog = Pick<Log, "head" | "thread" | "threads">;
type Retry = undefined | { rescheduleAt: number };

function statusOf({ end, has_failed: hasFailed }: InstanceMark): InstanceSummary["status"] {
  if (end !== "ended") return end ?? "running";
  // Instances that ended under an earlier release have no recorded result.
  return hasFailed === undefined ? undefined : hasFailed ? "error" : "done";
}

function retryUnless(isDone: boolean): Retry {
  return isDone ? undefined : { rescheduleAt: Date.now() + RETRY_MS };
}

/** Returns the earlier of two retry times. */
export function sooner(one: Retry, other: Retry): Retry {
  if (one === undefined || other === undefined) return one ?? other;
  return one.rescheduleAt < other.rescheduleAt ? one : other;
}

/** One instance per object, which outlives the loaded state of the conversation. */
export class Indexing {
  readonly #db: D1Database;
  /** Arranges a call of `flush` at a time (ms since the epoch), also after hibernation or the death of the host. */
  readonly #wakeAt: WakeAt;
  readonly #schedules: () => readonly Schedule[];
  readonly #log: () => TheLog | null;
  /** The instance status that was written last; null if unknown. */
  #toldInstance: InstanceSummary["status"] | null = null;
  /** True at first: the predecessor may have left changes unwritten. */
  #areSchedulesNew = true;
  #removed: readonly string[] = [];
  #conversation: Conversation | null = null;
  /** Tasks of unfinished threads: written when planned, and again when their thread has ended. */
  #tasks: readonly Task[] = [];
  #writing: Promise<boolean> | null = null;
  #hasTold = false;
  /** True if the pending change may be written together with those of other conversations. */
  #canWait = false;
  #pause: ReturnType<typeof setTimeout> | undefined;

  constructor(
    db: D1Database,
    schedules: () => readonly Schedule[],
    wakeAt: WakeAt,
    log: () => TheLog | null = () => null,
  ) {
    this.#db = db;
    this.#schedules = schedules;
    this.#log = log;
    this.#wakeAt = wakeAt;
  }

  /** Updates the pending state from published events and starts or schedules a write if the directory shows them. */
  hear(frames: readonly Frame[], conversation: Conversation): void {
    const isNews = frames.some((frame) => NEWS.has(frame.event) || isAnswer(frame));
    if (!isNews && !frames.some(({ event }) => LATER.has(event))) return;
    this.learn(frames);
    if (isNews) return this.put(conversation);
    this.#putLater(conversation);
  }

  /** Adds the tasks that these events plan, including events that a predecessor object published. */
  learn(frames: readonly Frame[]): void {
    const planned = frames.flatMap((frame) => (frame.event === "plan_created" ? frame.data.payload.plan.tasks : []));
    this.#tasks = [...this.#tasks, ...planned];
  }

  /** Marks the schedules as changed; `removed` is the id of a deleted one. */
  schedulesChanged(conversation: Conversation, removed?: string): void {
    this.#areSchedulesNew = true;
    if (removed !== undefined) this.#removed = [...this.#removed, removed];
    this.#putLater(conversation);
  }

  #putLater(conversation: Conversation): void {
    this.#conversation = conversation;
    const untilBeat = BEAT_MS - (Date.now() % BEAT_MS);
    this.#pause ??= setTimeout(() => {
      this.#pause = undefined;
      // A write in progress may have included this change.
      if (this.#conversation !== null) this.#tell(this.#conversation, true);
    }, untilBeat);
  }

  /** Writes the conversation at once, without batching. */
  put(conversation: Conversation): void {
    this.#tell(conversation, false);
  }

  #tell(conversation: Conversation, canWait: boolean): void {
    this.#canWait = canWait;
    clearTimeout(this.#pause);
    this.#pause = undefined;
    this.#hasTold = true;
    this.#conversation = conversation;
    this.#writing ??= this.#write();
  }

  /**
   * True if this object has written at least once and nothing is pending. A predecessor's unwritten state is covered by
   * that write.
   */
  get isUpToDate(): boolean {
    return this.#hasTold && this.#pause === undefined && this.#writing === null;
  }

  /** Writes at once and resolves as `setReminder` does. */
  async putAlone(conversation: Conversation): Promise<void> {
    this.put(conversation);
    await this.remind();
  }

  /**
   * Resolves once the alarm will write this change even if the host dies first. Needed for changes that no thread
   * causes, because nothing else would retry them. `removed` is the id of a deleted schedule.
   */
  async remind(removed?: string): Promise<void> {
    await this.#wakeAt(Date.now() + LEASE_MS, removed);
  }

  /**
   * Writes what is missing after a failure or reminder. `current` is null if the conversation was deleted. Returns the
   * time of the next attempt, if one is needed.
   */
  async flush(current: Conversation | null, name: ConversationName, removed?: unknown): Promise<Retry> {
    if (current === null) return this.remove(name).then(retryUnless);
    if (typeof removed === "string") this.schedulesChanged(current, removed);
    if (this.isUpToDate && this.#conversation === null) return undefined;
    if (!this.#hasTold) this.#learnLast();
    this.put(current);
    return retryUnless((await this.#writing) ?? true);
  }

  /** Adds the tasks of the last thread if it has ended: the predecessor may not have written their end. */
  #learnLast(): void {
    const log = this.#log();
    const [threadId, standing] = [...(log?.threads() ?? [])].at(-1) ?? [];
    if (log === null || threadId === undefined || standing === undefined) return;
    const isOpen = log.head.open.some(({ thread_id }) => thread_id === threadId);
    if (!isOpen) this.learn(log.thread(threadId, standing.first.seq).frames);
  }

  /** Removes the conversation from the directory. Returns false if that failed; then a retry is scheduled. */
  async remove({ userId, conversationId }: ConversationName): Promise<boolean> {
    clearTimeout(this.#pause);
    this.#pause = undefined;
    this.#conversation = null;
    this.#tasks = [];
    await this.#writing;
    try {
      await removeConversation(this.#db, userId, conversationId);
      const anew = this.#goneWithIt();
      if (anew !== null) this.put(anew);
      return true;
    } catch (thrown) {
      // The statement may have been executed in spite of the error.
      this.#conversation ??= this.#goneWithIt();
      return await this.#failed(thrown);
    }
  }

  /**
   * Returns the conversation that was created under the same id during the removal, if any: its rows may have been
   * removed too, so all of it counts as unwritten.
   */
  #goneWithIt(): Conversation | null {
    this.#toldInstance = null;
    this.#areSchedulesNew = true;
    return this.#log()?.head.conversation ?? null;
  }

  async #writeSchedules(userId: string): Promise<void> {
    const [schedules, removed] = [this.#schedules(), this.#removed];
    this.#areSchedulesNew = false;
    try {
      for (const schedule_id of removed) await removeSchedules(this.#db, userId, { schedule_id });
      await putSchedules(this.#db, schedules);
      this.#removed = this.#removed.filter((id) => !removed.includes(id));
    } catch (thrown) {
      this.#areSchedulesNew = true;
      throw thrown;
    }
  }

  async #writeInstance({ user_id, conversation_id, created_at }: Conversation): Promise<void> {
    const instance = this.#log()?.head.instance;
    if (instance === undefined) return;
    const status = statusOf(instance);
    if (status === this.#toldInstance) return;
    await putInstance(this.#db, user_id, { ...instance, conversation_id, created_at, status });
    this.#toldInstance = status;
  }

  async #failed(thrown: unknown): Promise<false> {
    console.warn("The directory could not be told", thrown);
    await this.#wakeAt(Date.now() + RETRY_MS).catch((cause: unknown) => {
      console.error("The directory cannot be told later either", cause);
    });
    return false;
  }

  /** Writes until nothing is pending. Returns false if the directory failed; then a retry is scheduled. */
  async #write(): Promise<boolean> {
    try {
      while (this.#conversation !== null) await this.#writeOnce(this.#conversation, this.#tasks);
      return true;
    } catch (thrown) {
      return await this.#failed(thrown);
    } finally {
      // Cleared synchronously, so that a later change starts a new write.
      this.#writing = null;
    }
  }

  async #writeOnce(conversation: Conversation, tasks: readonly Task[]): Promise<void> {
    this.#conversation = null;
    try {
      const put = this.#canWait ? putConversationTogether : putConversation;
      await put(this.#db, conversation, tasks);
      await this.#writeInstance(conversation);
      if (this.#areSchedulesNew) await this.#writeSchedules(conversation.user_id);
      const isOver = conversation.status === "completed" || conversation.status === "failed";
      if (isOver) this.#tasks = this.#tasks.filter((task) => !tasks.includes(task));
    } catch (thrown) {
      this.#conversation ??= conversation;
      throw thrown;
    }
  }
}
