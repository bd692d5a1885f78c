// Runs the open threads of a conversation, cancels them, and resumes them after their host died. `inbox.ts` creates
// threads; `thread-queue.ts` selects the next.
//
// Owns the current run, the lease, and the knowledge which threads this object has seen (`new` or `rested`); a thread
// that it has not seen was interrupted. Methods may be called concurrently. State is re-read from the head after every
// await.
//
// Order of operations: store the lease, count the attempt, run, store the end or the pause, take the next thread. If a
// run rejects, the object is reset and the alarm resumes the thread.
//
// Invariants:
//   T1. One thread runs at a time; the others wait in order of arrival.
//   T5. A cancellation is stored before the run is stopped, so it survives a crash.
//   I26. While a thread can run there is a lease: an alarm that resumes it. While all threads are paused, the alarm is
//       set to the next expiry of a question (H2).

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

/** The time that a cancellation waits for the final events of the stopped work. */
const REST_MS = 1_000;

/** The `seq` stored with a command that has no event. */
const NO_EVENT = Number.MAX_SAFE_INTEGER;

export type Around = Omit<Surroundings, "history"> & {
  readonly jobs: () => LifecycleJobs;
  readonly setAlarm: SetAlarm;
  /** Ends the object, because its memory is ahead of storage. */
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
  /**
   * Threads that this object accepted or saw pause. A thread that is missing here and has been started was interrupted.
   */
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

  /** Starts working on open threads. Resolves once the lease is stored. Cheap if they are being worked on already. */
  async work(): Promise<void> {
    if (this.#running === null && !this.#isClosed && this.hasWork) {
      const isLeased = this.#lease.take();
      this.#running = { isLeased };
      void this.#drain(isLeased);
    }
    await this.#running?.isLeased;
  }

  /** Resolves when an alarm within `LEASE_MS` is stored, whether or not there is work. */
  async stand(): Promise<void> {
    await this.#lease.take();
  }

  isPaused(threadId: string): boolean {
    return this.#log.head.open.some((open) => open.thread_id === threadId && open.is_paused === true);
  }

  /** True if a thread can run without an answer of the person. */
  get hasWork(): boolean {
    return nextIn(this.#log.head) !== undefined;
  }

  /** Expires questions and starts the work, without waiting. */
  wake(): void {
    this.#answers.expire();
    this.work().catch((thrown: unknown) => console.error("A thread could not be taken up", thrown));
  }

  /**
   * Handles the alarm: expires questions and starts the work. Returns the next alarm: the lease while there is work, or
   * the next expiry; undefined if nothing waits (I25).
   */
  renew(): undefined | { rescheduleAt: number } {
    this.#answers.expire();
    const until = this.#lease.renew(this.hasWork);
    this.wake();
    const next = Math.min(until ?? Infinity, this.#answers.nextExpiry());
    return next === Infinity ? undefined : { rescheduleAt: next };
  }

  /**
   * Handles an alarm that finds threads running: extends the lease. Returns false if anything else is due or extending
   * failed; then the alarm must be handled in full.
   */
  async prolong(): Promise<boolean> {
    if (this.#running === null || !this.hasWork) return false;
    try {
      return await this.#lease.prolong(this.#answers.nextExpiry());
    } catch (thrown) {
      console.error("The alarm could not be set", thrown);
      return false;
    }
  }

  /** Called after each stored event: extends a lease that is about to expire, so that its alarm need not fire. */
  passBy(): void {
    if (this.#running !== null && this.#lease.isWaning) void this.prolong();
  }

  /** When no thread can run, sets the alarm to the next expiry. */
  async #rest(): Promise<void> {
    const time = this.#answers.nextExpiry();
    if (this.hasWork || time === Infinity || this.#isClosed) return;
    await this.#lease.rest(time);
  }

  /**
   * Stops a thread or a task; without a target, the oldest message. Resolves with the stopped ids once the work has
   * ended, at the latest after `CANCEL_WAIT_MS` (T5). Idempotent by command id. Throws `not_found`, or `conflict` if
   * the task is done.
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
    // A schedule run ends with a result even if it never started.
    if (thread.attempts > 0 || thread.tick !== undefined) this.#stop({ ...thread, is_cancelled: true }, () => true);
    else this.#drop(thread);
    // No await in between: the change and the command are stored together.
    carriedOut(thread);
    await this.#rests(thread, (run) => run.cancel());
    return [thread.thread_id];
  }

  /** Stops all work for good: the conversation was deleted (S3). */
  close(): void {
    this.#isClosed = true;
    void this.#run?.cancel();
  }

  /** Runs threads until none can run. At most one call is active. */
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

  /** Counts the attempt before the run begins, so that work that kills its host is not repeated forever. */
  #attempt(thread: OpenThread): Attempt {
    const found = this.#found.get(thread.thread_id);
    this.#found.delete(thread.thread_id);
    if (found !== undefined && thread.attempts > 0) return { thread, found };
    const begun = { ...thread, attempts: thread.attempts + 1 };
    this.#log.publish([], (head) => changed(head, thread.thread_id, () => begun));
    return { thread: begun, found: begun.attempts > 1 ? "interrupted" : "new" };
  }

  /**
   * Stores a cancellation and withdraws the questions that it makes pointless. A paused thread becomes runnable, so
   * that it can publish its end.
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

  /** Stops the run of this thread, if there is one, and waits for it, at most `CANCEL_WAIT_MS`. */
  async #rests({ thread_id }: OpenThread, stop: (run: ThreadRun) => Promise<void>): Promise<void> {
    const rest = this.#runOf(thread_id, stop);
    await this.work();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, REST_MS);
    // A paused thread has no run yet: it is started to publish its end.
    await Promise.race([rest ?? this.#runOf(thread_id, stop), promise]);
    clearTimeout(timer);
  }

  #runOf<T>(threadId: string, take: (run: ThreadRun) => T): T | undefined {
    return this.#run?.thread.thread_id === threadId ? take(this.#run) : undefined;
  }

  /** Ends a message that has not begun. */
  #drop({ thread_id: threadId }: OpenThread): void {
    const done: Draft = { event: "done", data: { role: "system", thread_id: threadId, metadata: { cancelled: true } } };
    this.#log.publish([done], (head) => ({ ...head, open: head.open.filter((open) => open.thread_id !== threadId) }));
  }
}
