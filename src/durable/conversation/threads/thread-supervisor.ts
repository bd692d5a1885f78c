// Runs the open threads of a conversation, cancels them, and resumes them after their host died. `accept.ts` stores new
// threads; `thread-queue.ts` selects the next.
//
// Owns the current run and the lease; `thread-attempts.ts` decides whether an interrupted thread runs, waits or asks.
// Methods may be called concurrently. State is re-read from the head after every await.
//
// Order of operations: store the lease, count the attempt, run, store the end or the pause, take the next thread. If a
// run rejects, the object is reset and the alarm resumes the thread.
//
// Invariants:
//   T1. One thread runs at a time; the others wait in order of arrival.
//   T5. A cancellation is stored before the run is stopped, so it survives a crash.
//   - While a thread can run there is a lease: an alarm that resumes it. Otherwise the alarm is set to the next time at
//     which a question expires (H2) or a waiting thread resumes.

import type { LifecycleJobs } from "agents/lifecycle";
import type { EventDraft, ThreadQuestion } from "../../../core/ports.ts";
import { isSameJson } from "../../../lib/json-value.ts";
import type { CancelCommand } from "../../../protocol/wire/commands.ts";
import { createMessage } from "../../../language/messages.ts";
import { createFault } from "../../../protocol/wire/message-error.ts";
import { createId } from "../../../protocol/wire/ids.ts";
import { isFinalTaskStatus } from "../../../protocol/plans/task-plan.ts";
import { PendingQuestions } from "../pending-questions.ts";
import { findRepeatedCommand } from "../repeated-command.ts";
import { updateThread, type OpenThread } from "../storage/conversation-head.ts";
import { ConversationHistory } from "./conversation-history.ts";
import { Lease, type SetAlarm } from "./lease.ts";
import type { Isolate } from "../../isolate.ts";
import type { EventLog } from "../event-log.ts";
import { ThreadAttempts } from "./thread-attempts.ts";
import { pickNextThread, findThread, getNextResumption } from "./thread-queue.ts";
import type { ThreadAttempt } from "./steps.ts";
import { ThreadRun, type ThreadRunDeps } from "./thread-run.ts";

/** The time that a cancellation waits for the final events of the stopped work. */
const CANCEL_WAIT_MS = 1_000;

/** The `seq` stored with a command that has no event. */
const NO_EVENT_SEQ = Number.MAX_SAFE_INTEGER;

/** Dependencies of the supervisor. */
export type SupervisorDeps = Omit<ThreadRunDeps, "history"> & {
  readonly jobs: () => LifecycleJobs;
  readonly setAlarm: SetAlarm;
  readonly isolate: Isolate;
  /** Ends the object, because its memory is ahead of storage. */
  readonly reset: (reason: string) => void;
};

/** One instance per loaded conversation. */
export class ThreadSupervisor {
  readonly questions: PendingQuestions;
  readonly #log: EventLog;
  readonly #deps: SupervisorDeps & ThreadRunDeps;
  #running: { readonly isLeased: Promise<unknown> } | null = null;
  readonly #lease: Lease;
  #run: ThreadRun | null = null;
  readonly #attempts: ThreadAttempts;
  #isClosed = false;

  constructor(log: EventLog, deps: SupervisorDeps) {
    this.#log = log;
    this.#deps = { ...deps, history: new ConversationHistory(() => deps.store.readNewestRows()) };
    this.#lease = new Lease(deps.jobs, deps.setAlarm);
    this.#attempts = new ThreadAttempts(log, deps);
    this.questions = new PendingQuestions(log, deps.store, (resumedThreads) => {
      for (const threadId of resumedThreads) this.#attempts.addRested(threadId);
      this.#run?.notifySettled();
    });
  }

  /** Notes that a thread was just stored. `ensureRunning` starts it. */
  addNew(threadId: string): void {
    this.#attempts.addNew(threadId);
  }

  /**
   * Starts the runnable threads, if none is running, and resolves once the lease of the running work is stored.
   * Resolves at once, without a lease, if no thread can run or after `close`. Rejects if the lease cannot be stored.
   */
  async ensureRunning(): Promise<void> {
    if (this.#running === null && !this.#isClosed && this.hasWork) {
      const isLeased = this.#lease.acquire();
      this.#running = { isLeased };
      void this.#drain(isLeased);
    }
    await this.#running?.isLeased;
  }

  /** Resolves when an alarm within `LEASE_MS` is stored, whether or not there is work. */
  async ensureAlarm(): Promise<void> {
    await this.#lease.acquire();
  }

  isOpen(threadId: string): boolean {
    return findThread(this.#log.head.open, threadId) !== undefined;
  }

  /** True if the thread is open and paused for the person. */
  isPaused(threadId: string): boolean {
    return findThread(this.#log.head.open, threadId)?.is_paused === true;
  }

  /** True if a thread is running or can run without an answer of the person. */
  get hasWork(): boolean {
    return pickNextThread(this.#log.head) !== undefined;
  }

  /**
   * Expires the due questions, then starts the runnable threads without waiting for the lease. A failed start is only
   * logged.
   */
  wake(): void {
    this.questions.expireDue();
    this.ensureRunning().catch((thrown: unknown) => console.error("A thread could not be taken up", thrown));
  }

  /**
   * Handles the alarm in full: expires due questions and starts the runnable threads. Returns the time of the next
   * alarm: the earliest of the lease, if a thread can run, the next expiry of a question, and the next resumption of
   * a waiting thread; undefined if there is none.
   */
  handleAlarm(): undefined | { rescheduleAt: number } {
    this.questions.expireDue();
    const until = this.#lease.renew(this.hasWork);
    this.wake();
    const next = Math.min(until ?? Infinity, this.#getNextWake());
    return next === Infinity ? undefined : { rescheduleAt: next };
  }

  /**
   * Extends the lease of running threads. Returns false if none is running, if anything else is due (a job or an
   * expiry), or if the alarm cannot be written; then the alarm must be handled in full.
   */
  async extendLease(): Promise<boolean> {
    if (this.#running === null || !this.hasWork) return false;
    try {
      return await this.#lease.extend(this.#getNextWake());
    } catch (thrown) {
      console.error("The alarm could not be set", thrown);
      return false;
    }
  }

  /** Called after each stored event: extends a lease that is about to expire, so that its alarm need not fire. */
  extendExpiringLease(): void {
    if (this.#running !== null && this.#lease.isExpiring) void this.extendLease();
  }

  /** Returns the next time at which a question expires or a waiting thread resumes; Infinity if there is none. */
  #getNextWake(): number {
    return Math.min(this.questions.getNextExpiry(), getNextResumption(this.#log.head));
  }

  /** When no thread can run, sets the alarm to the time at which one may. */
  async #scheduleWake(): Promise<void> {
    const time = this.#getNextWake();
    if (this.hasWork || time === Infinity || this.#isClosed) return;
    await this.#lease.ensureAlarm(time);
  }

  /**
   * Stops a thread or a task; without a target, the oldest open message. The cancellation is stored first. Resolves
   * with the one stopped id once the work has ended, at the latest after `CANCEL_WAIT_MS` (T5). A repeated command
   * returns it at once. Throws `not_found`, `conflict` if the task or its thread has ended, or `unprocessable` if the id
   * was used for another command.
   */
  async cancel(target: CancelCommand, commandId: string = createId("cmd")): Promise<string[]> {
    const { thread_id: threadId, task_id: taskId } = target;
    const known = findRepeatedCommand(this.#deps.store, commandId, (stored) => isSameJson(stored, target));
    if (known !== null) return [taskId ?? known.thread_id];
    const recordCommand = ({ thread_id }: OpenThread): void =>
      this.#deps.store.putCommand(commandId, { thread_id, seq: NO_EVENT_SEQ, request: target });
    if (taskId !== undefined) return this.#cancelTask(taskId, recordCommand);
    const { open } = this.#log.head;
    const thread = threadId === undefined ? open.find(({ tick }) => tick === undefined) : findThread(open, threadId);
    if (thread === undefined) throw createFault("not_found", "thread.notActive", { field: "thread_id" });
    // A schedule run ends with a result even if it never started.
    if (thread.attempts > 0 || thread.tick !== undefined)
      this.#storeStop({ ...thread, is_cancelled: true }, () => true);
    else this.#endWaiting(thread);
    // No await in between: the change and the command are stored together.
    recordCommand(thread);
    await this.#stopAndWait(thread, (run) => run.cancel());
    return [thread.thread_id];
  }

  /** Stops the running thread without waiting, and starts nothing from now on: the conversation was deleted (S3). */
  close(): void {
    this.#isClosed = true;
    void this.#run?.cancel();
  }

  /** Runs threads until none can run. At most one call is active. */
  async #drain(isLeased: Promise<unknown>): Promise<void> {
    const { reset } = this.#deps;
    try {
      await isLeased;
      for (let next = pickNextThread(this.#log.head); next !== undefined; next = pickNextThread(this.#log.head)) {
        if (this.#isClosed) break;
        const attempt = this.#attempts.begin(next);
        if (attempt !== null) await this.#runAttempt(attempt);
      }
      this.#run = null;
      this.#running = null;
      await this.#scheduleWake();
    } catch (thrown) {
      console.error("A thread could not be carried on", thrown);
      reset("A thread could not be carried on");
    }
  }

  async #runAttempt(attempt: ThreadAttempt): Promise<void> {
    const { thread } = attempt;
    this.#run = new ThreadRun(attempt, this.#log, this.#deps);
    const stopWatching = this.#attempts.watch(thread);
    try {
      await this.#run.run();
    } finally {
      stopWatching();
    }
    this.#attempts.addRested(thread.thread_id);
  }

  /**
   * Stores a cancellation and withdraws the questions that it makes pointless. A paused or waiting thread becomes
   * runnable, so that it can publish its end.
   */
  #storeStop(thread: OpenThread, isAffected: (question: ThreadQuestion) => boolean): void {
    const { store } = this.#deps;
    const withdrawn = store
      .listOpenQuestions()
      .filter((question) => question.thread_id === thread.thread_id && isAffected(question));
    const { is_paused: isPaused, ...unpaused } = thread;
    const stopped = isPaused === true ? { ...unpaused, attempts: 1 } : withoutWait(thread);
    if (isPaused === true) this.#attempts.addRested(thread.thread_id);
    this.#log.publish([], (head) => updateThread(head, thread.thread_id, () => stopped));
    this.questions.withdraw(withdrawn);
  }

  async #cancelTask(taskId: string, recordCommand: (thread: OpenThread) => void): Promise<string[]> {
    const open = this.#log.readOpenTask(taskId);
    const task = open ?? (await this.#log.readTasks()).find(({ task_id }) => task_id === taskId);
    if (task === undefined) throw createFault("not_found", "task.notFound", { field: "task_id" });
    const thread = open && findThread(this.#log.head.open, open.thread_id);
    if (isFinalTaskStatus(task.status) || thread === undefined) {
      const text = createMessage("task.notCancellable", { status: task.status });
      throw createFault("conflict", text, { field: "task_id" });
    }
    const cancelled_tasks = [...(thread.cancelled_tasks ?? []), taskId];
    // A thread that asks whether to try again continues, because the person acts on it.
    this.#storeStop(
      { ...thread, cancelled_tasks },
      (question) => question.task_id === taskId || question.takesDecision === true,
    );
    recordCommand(thread);
    await this.#stopAndWait(thread, (run) => run.cancelTask(taskId));
    return [taskId];
  }

  /** Stops the run of this thread, if there is one, and waits for it, at most `CANCEL_WAIT_MS`. */
  async #stopAndWait({ thread_id }: OpenThread, stop: (run: ThreadRun) => Promise<void>): Promise<void> {
    const ended = this.#withRun(thread_id, stop);
    await this.ensureRunning();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, CANCEL_WAIT_MS);
    // A paused thread has no run yet: it is started to publish its end.
    await Promise.race([ended ?? this.#withRun(thread_id, stop), promise]);
    clearTimeout(timer);
  }

  #withRun<T>(threadId: string, take: (run: ThreadRun) => T): T | undefined {
    return this.#run?.thread.thread_id === threadId ? take(this.#run) : undefined;
  }

  #endWaiting({ thread_id: threadId }: OpenThread): void {
    const done: EventDraft = {
      event: "done",
      data: { role: "system", thread_id: threadId, metadata: { cancelled: true } },
    };
    this.#log.publish([done], (head) => ({ ...head, open: head.open.filter((open) => open.thread_id !== threadId) }));
  }
}

/** Ends the wait of an interrupted thread. */
function withoutWait(thread: OpenThread): OpenThread {
  const { interruptions } = thread;
  if (interruptions?.state.kind !== "waiting") return thread;
  return { ...thread, interruptions: { ...interruptions, state: { kind: "waiting", until: 0 } } };
}
