// The threads of a conversation that are not done: run one at a time, and taken up again when their host died under
// them. What begins one is in `inbox.ts`, which of them is next in `queue.ts`.
//
// Invariants:
//   T1. One thread runs at a time; the others wait in the order in which they came.
//   I26. While a thread can go on there is a lease: an alarm that finds it if nobody else does. While it waits
//        for the person, the alarm is set for the end of their time (H2).

import type { LifecycleJobs } from "agents/lifecycle";
import type { Draft, Question } from "../core/ports.ts";
import type { Cancel } from "../protocol/commands.ts";
import { Fault } from "../protocol/fault.ts";
import { mint } from "../protocol/ids.ts";
import { isFinished } from "../protocol/plan.ts";
import { Answers } from "./answers.ts";
import { changed, type OpenThread } from "./head.ts";
import { History } from "./history.ts";
import { Inbox } from "./inbox.ts";
import { Lease, type SetAlarm } from "./lease.ts";
import type { Log } from "./log.ts";
import { commandOf, nextIn, threadOf } from "./queue.ts";
import type { Attempt, Found } from "./steps.ts";
import { ThreadRun, type Surroundings } from "./thread-run.ts";

/** How long a cancellation waits for the last words of what it stopped. */
const REST_MS = 1_000;

/** The number of a command that has no event. */
const NO_EVENT = Number.MAX_SAFE_INTEGER;

export type Around = Omit<Surroundings, "history"> & {
  readonly jobs: () => LifecycleJobs;
  readonly setAlarm: SetAlarm;
  /** Ends the object: what it holds in memory cannot be trusted any more. */
  readonly reset: (reason: string) => void;
};

export class Threads {
  readonly inbox: Inbox;
  readonly #log: Log;
  readonly #around: Around & Surroundings;
  #running: { readonly isLeased: Promise<unknown> } | null = null;
  readonly #lease: Lease;
  readonly #answers: Answers;
  #run: ThreadRun | null = null;
  /** Threads that have not been interrupted since this very object accepted them or saw them rest. */
  readonly #found = new Map<string, Found>();
  #isClosed = false;

  constructor(log: Log, around: Around) {
    this.#log = log;
    this.#around = { ...around, history: new History(() => around.store.newestRows()) };
    this.#lease = new Lease(around.jobs, around.setAlarm);
    this.#answers = new Answers(log, around.store, (woken) => {
      for (const threadId of woken) this.#found.set(threadId, "rested");
      this.#run?.hear();
    });
    this.inbox = new Inbox(log, around, this.#answers, (threadId) => this.#found.set(threadId, "new"));
  }

  /** Sees to it that open threads are worked on; resolves once that would survive a crash. Cheap when they already are. */
  async work(): Promise<void> {
    if (this.#running === null && !this.#isClosed && this.hasWork) {
      const isLeased = this.#lease.take();
      this.#running = { isLeased };
      void this.#drain(isLeased);
    }
    await this.#running?.isLeased;
  }

  /** Resolves once an alarm is set that comes soon, whatever becomes of the host. */
  async stand(): Promise<void> {
    await this.#lease.take();
  }

  isPaused(threadId: string): boolean {
    return this.#log.head.open.some((open) => open.thread_id === threadId && open.is_paused === true);
  }

  /** True while something can go on without the person. */
  get hasWork(): boolean {
    return nextIn(this.#log.head) !== undefined;
  }

  /** Expires what is due and works, for those who have nothing to wait for. */
  wake(): void {
    this.#answers.expire();
    this.work().catch((thrown: unknown) => console.error("A thread could not be taken up", thrown));
  }

  /**
   * The alarm: expires questions, and is set again as the lease while there is work, for the next question to
   * expire while there is none, and not at all when nothing waits (I25).
   */
  renew(): undefined | { rescheduleAt: number } {
    this.#answers.expire();
    const until = this.#lease.renew(this.hasWork);
    this.wake();
    const next = Math.min(until ?? Infinity, this.#answers.nextExpiry());
    return next === Infinity ? undefined : { rescheduleAt: next };
  }

  /** For an alarm that finds threads at work, who need not be found: true when it is set again and nothing else was due. */
  async prolong(): Promise<boolean> {
    if (this.#running === null || !this.hasWork) return false;
    try {
      return await this.#lease.prolong(this.#answers.nextExpiry());
    } catch (thrown) {
      console.error("The alarm could not be set", thrown);
      return false;
    }
  }

  /** Something was stored: the lease is made longer with it, before its alarm wakes anybody. */
  passBy(): void {
    if (this.#running !== null && this.#lease.isWaning) void this.prolong();
  }

  /** The lease of a thread that waits becomes an alarm at the end of the person's time. */
  async #rest(): Promise<void> {
    const time = this.#answers.nextExpiry();
    if (this.hasWork || time === Infinity || this.#isClosed) return;
    await this.#lease.rest(time);
  }

  /**
   * Stops a thread or a task; without a target, the thread that runs. Resolves with what was stopped once it has
   * come to rest, or is about to (T5). A command that comes again stops nothing more.
   */
  async cancel(target: Cancel, commandId: string = mint("cmd")): Promise<string[]> {
    const { thread_id: threadId, task_id: taskId } = target;
    const known = this.inbox.known(commandOf(commandId));
    if (known !== null) return [taskId ?? known.thread_id];
    const carriedOut = ({ thread_id }: OpenThread): void =>
      this.inbox.note(commandId, { thread_id, seq: NO_EVENT }, target);
    if (taskId !== undefined) return this.#cancelTask(taskId, carriedOut);
    const { open } = this.#log.head;
    const thread = threadId === undefined ? open.find(({ tick }) => tick === undefined) : threadOf(open, threadId);
    if (thread === undefined)
      throw new Fault("not_found", "No such thread is running or waiting.", { field: "thread_id" });
    // A run of a schedule has a result to bring, if only that it was cancelled.
    if (thread.attempts > 0 || thread.tick !== undefined) this.#stop({ ...thread, is_cancelled: true }, () => true);
    else this.#drop(thread);
    // Nothing is awaited in between: both are stored, or neither is.
    carriedOut(thread);
    await this.#rests(thread, (run) => run.cancel());
    return [thread.thread_id];
  }

  /** Nothing is worked on any more: the conversation was deleted (S3). */
  close(): void {
    this.#isClosed = true;
    void this.#run?.cancel();
  }

  async #drain(isLeased: Promise<unknown>): Promise<void> {
    const { reset } = this.#around;
    try {
      await isLeased;
      for (let next = nextIn(this.#log.head); next !== undefined; next = nextIn(this.#log.head)) {
        if (this.#isClosed) break;
        this.#run = new ThreadRun(this.#attempt(next), this.#log, this.#around);
        await this.#run.run();
        const { thread_id } = next;
        if (this.#log.head.open.some((open) => open.thread_id === thread_id)) this.#found.set(thread_id, "rested");
      }
      this.#run = null;
      this.#running = null;
      await this.#rest();
    } catch (thrown) {
      console.error("A thread could not be carried on", thrown);
      reset("A thread could not be carried on");
    }
  }

  /** Counts an attempt before it begins, so that work which kills its host is not tried for ever. */
  #attempt(thread: OpenThread): Attempt {
    const found = this.#found.get(thread.thread_id);
    this.#found.delete(thread.thread_id);
    if (found !== undefined && thread.attempts > 0) return { thread, found };
    const begun = { ...thread, attempts: thread.attempts + 1 };
    this.#log.publish([], (head) => changed(head, thread.thread_id, () => begun));
    return { thread: begun, found: begun.attempts > 1 ? "interrupted" : "new" };
  }

  /**
   * Stores that something of a thread was cancelled, and closes the questions that nobody has to answer any more. A
   * thread that rests goes on, to tell.
   */
  #stop(thread: OpenThread, concerns: (asked: Question) => boolean): void {
    const { store } = this.#around;
    const moot = store.openQuestions().filter((asked) => asked.thread_id === thread.thread_id && concerns(asked));
    const { is_paused: isPaused, ...going } = thread;
    const stopped = isPaused === true ? { ...going, attempts: 1 } : thread;
    if (isPaused === true) this.#found.set(thread.thread_id, "rested");
    this.#log.publish([], (head) => changed(head, thread.thread_id, () => stopped));
    this.#answers.withdraw(moot);
  }

  async #cancelTask(taskId: string, carriedOut: (thread: OpenThread) => void): Promise<string[]> {
    const task = this.#log.tasks().find((known) => known.task_id === taskId);
    if (task === undefined) throw new Fault("not_found", "There is no such task.", { field: "task_id" });
    const thread = threadOf(this.#log.head.open, task.thread_id);
    if (isFinished(task.status) || thread === undefined) {
      throw new Fault("conflict", `The task is ${task.status}; it cannot be cancelled any more.`, { field: "task_id" });
    }
    const cancelled_tasks = [...(thread.cancelled_tasks ?? []), taskId];
    this.#stop({ ...thread, cancelled_tasks }, (asked) => asked.task_id === taskId);
    carriedOut(thread);
    await this.#rests(thread, (run) => run.cancelTask(taskId));
    return [taskId];
  }

  /** Stops a run of this thread, if there is one, and gives it a moment to say its last words. */
  async #rests({ thread_id }: OpenThread, stop: (run: ThreadRun) => Promise<void>): Promise<void> {
    const rest = this.#runOf(thread_id, stop);
    await this.work();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, REST_MS);
    // A thread that rested is run once more, to be brought to its end.
    await Promise.race([rest ?? this.#runOf(thread_id, stop), promise]);
    clearTimeout(timer);
  }

  #runOf<T>(threadId: string, take: (run: ThreadRun) => T): T | undefined {
    return this.#run?.thread.thread_id === threadId ? take(this.#run) : undefined;
  }

  /** Cancels a message that is still waiting. */
  #drop({ thread_id: threadId }: OpenThread): void {
    const done: Draft = { event: "done", data: { role: "system", thread_id: threadId, metadata: { cancelled: true } } };
    this.#log.publish([done], (head) => ({ ...head, open: head.open.filter((open) => open.thread_id !== threadId) }));
  }
}
