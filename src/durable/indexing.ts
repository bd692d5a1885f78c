// Keeps the directory informed of this conversation, behind its back: a directory that is down holds
// nothing up, and hears of it later.

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
/** What the list of conversations has to show at once. */
const NEWS: ReadonlySet<EventName> = new Set(["conversation_started", "plan_require_user_input", "task_waiting"]);
/** What goes at the next full beat of the clock, and so together with what others have to tell. */
const LATER: ReadonlySet<EventName> = new Set(["thread_started", "plan_created", "done"]);
const BEAT_MS = 250;

type WakeAt = (at: number, removed?: string) => Promise<unknown>;
type TheLog = Pick<Log, "head" | "thread" | "threads">;
type Retry = undefined | { rescheduleAt: number };

function statusOf({ end, has_failed: hasFailed }: InstanceMark): InstanceSummary["status"] {
  if (end !== "ended") return end ?? "running";
  // What ended under an earlier release has not said how.
  return hasFailed === undefined ? undefined : hasFailed ? "error" : "done";
}

function retryUnless(isDone: boolean): Retry {
  return isDone ? undefined : { rescheduleAt: Date.now() + RETRY_MS };
}

/** When to come again for both: by the earlier of the two times. */
export function sooner(one: Retry, other: Retry): Retry {
  if (one === undefined || other === undefined) return one ?? other;
  return one.rescheduleAt < other.rescheduleAt ? one : other;
}

export class Indexing {
  readonly #db: D1Database;
  /** Arranges for `flush` to be called at a time, also after the object has slept or died. */
  readonly #wakeAt: WakeAt;
  readonly #schedules: () => readonly Schedule[];
  readonly #log: () => TheLog | null;
  /** How the instance stood when it was told of last. */
  #toldInstance: InstanceSummary["status"] | null = null;
  /** True at first: what its predecessor had not told may be missing. */
  #areSchedulesNew = true;
  #removed: readonly string[] = [];
  #conversation: Conversation | null = null;
  /** Tasks of threads that are not done: listed when they come up, and once more when they have ended. */
  #tasks: readonly Task[] = [];
  #writing: Promise<boolean> | null = null;
  #hasTold = false;
  /** Whether what there is to tell may go together with what others have to tell. */
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

  /** Passes on what the directory has to know of these events. */
  hear(frames: readonly Frame[], conversation: Conversation): void {
    const isNews = frames.some((frame) => NEWS.has(frame.event) || isAnswer(frame));
    if (!isNews && !frames.some(({ event }) => LATER.has(event))) return;
    this.learn(frames);
    if (isNews) return this.put(conversation);
    this.#putLater(conversation);
  }

  /** Takes up the tasks that come up in these events, also in those that its predecessor has heard. */
  learn(frames: readonly Frame[]): void {
    const planned = frames.flatMap((frame) => (frame.event === "plan_created" ? frame.data.payload.plan.tasks : []));
    this.#tasks = [...this.#tasks, ...planned];
  }

  /** The schedules of the conversation stand differently now; `removed` is gone. */
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
      // A write that was under way may have taken it along.
      if (this.#conversation !== null) this.#tell(this.#conversation, true);
    }, untilBeat);
  }

  /** Tells of it at once. */
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

  /** True when all there is to tell was told in this object's life: what its predecessor had not told may be missing. */
  get isUpToDate(): boolean {
    return this.#hasTold && this.#pause === undefined && this.#writing === null;
  }

  /** Tells of it at once, and resolves as `remind` does. */
  async putAlone(conversation: Conversation): Promise<void> {
    this.put(conversation);
    await this.remind();
  }

  /**
   * Resolves once the directory will hear of a change that no thread comes with, even if the host dies before it was
   * told: nobody else looks after that. `removed` is the schedule that the change takes away.
   */
  async remind(removed?: string): Promise<void> {
    await this.#wakeAt(Date.now() + LEASE_MS, removed);
  }

  /**
   * Catches up after a failure or a reminder; `current` is null when the conversation was deleted. Says when to try again.
   */
  async flush(current: Conversation | null, name: ConversationName, removed?: unknown): Promise<Retry> {
    if (current === null) return this.remove(name).then(retryUnless);
    if (typeof removed === "string") this.schedulesChanged(current, removed);
    if (this.isUpToDate && this.#conversation === null) return undefined;
    if (!this.#hasTold) this.#learnLast();
    this.put(current);
    return retryUnless((await this.#writing) ?? true);
  }

  /** Takes up the tasks of the last thread if it has ended: its predecessor may not have told of them. */
  #learnLast(): void {
    const log = this.#log();
    const [threadId, standing] = [...(log?.threads() ?? [])].at(-1) ?? [];
    if (log === null || threadId === undefined || standing === undefined) return;
    const isOpen = log.head.open.some(({ thread_id }) => thread_id === threadId);
    if (!isOpen) this.learn(log.thread(threadId, standing.first.seq).frames);
  }

  /** Takes the conversation out of the directory. False when the directory did not take it. */
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
      // It may have been carried out all the same.
      this.#conversation ??= this.#goneWithIt();
      return await this.#failed(thrown);
    }
  }

  /** One that was begun anew under its id while it was removed: it may be gone too, with all that was told of it. */
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

  /** Writes until there is nothing new. False when the directory did not take it. */
  async #write(): Promise<boolean> {
    try {
      while (this.#conversation !== null) await this.#writeOnce(this.#conversation, this.#tasks);
      return true;
    } catch (thrown) {
      return await this.#failed(thrown);
    } finally {
      // At once: what is told a moment later begins the next write.
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
