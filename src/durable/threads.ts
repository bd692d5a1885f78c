// The threads of a conversation that are not done: accepted in order, run one at a time, and taken up
// again when their host died under them.
//
// Invariants:
//   L3. A message is stored before anybody hears of it, and worked on only then.
//   T1. One thread runs at a time; the others wait in the order in which they came.
//   T2. The same command id makes one thread.
//   I26. While a thread is open there is a lease: an alarm that finds it if nobody else does.

import type { LifecycleJobs } from "agents/lifecycle";
import type { Draft, Ports } from "../core/ports.ts";
import { must } from "../protocol/assert.ts";
import type { Cancel, Send } from "../protocol/commands.ts";
import type { Frame } from "../protocol/events.ts";
import { Fault } from "../protocol/fault.ts";
import { companion, mint } from "../protocol/ids.ts";
import { isFinished } from "../protocol/plan.ts";
import type { Settings } from "../settings.ts";
import type { Log } from "./log.ts";
import type { OpenThread, Store } from "./store.ts";
import { ThreadRun } from "./thread-run.ts";

/** How soon work goes on by itself after the host died and nobody has come back to look. */
const LEASE_MS = 5_000;

export type Surroundings = {
  readonly store: Store;
  readonly settings: Settings;
  readonly world: Pick<Ports, "model" | "agents" | "report">;
  readonly jobs: () => LifecycleJobs;
  /** Ends the object: what it holds in memory cannot be trusted any more. */
  readonly reset: (reason: string) => void;
};

export class Threads {
  readonly #log: Log;
  readonly #around: Surroundings;
  #running: { readonly isLeased: Promise<unknown> } | null = null;
  /** Until when the lease stands that is stored. */
  #leasedUntil = 0;
  #run: ThreadRun | null = null;
  /** Threads that came to this very object, so that their first attempt is no second one. */
  readonly #accepted = new Set<string>();
  #isClosed = false;

  constructor(log: Log, around: Surroundings) {
    this.#log = log;
    this.#around = around;
  }

  /** Stores a message with its thread: from here on it will be answered, whatever happens. `before` goes ahead of it. */
  accept(commandId: string, request: Send, before: readonly Draft[]): { thread_id: string; seq: number } {
    const { store, settings } = this.#around;
    const known = store.command(commandId);
    if (known !== null) return known;
    if (this.#log.head.open.length >= settings.MAX_QUEUED_THREADS) {
      throw new Fault(
        "too_many_requests",
        "Too many messages are waiting in this conversation. Wait for some to be answered.",
      );
    }
    const threadId = mint("th");
    const seqIn = (frames: readonly Frame[]): number => must(frames.at(-1), "the accepted message").seq;
    const frames = this.#log.publish(
      [...before, threadStarted(threadId, request)],
      (head, told) => {
        const attempts = head.open.length === 0 ? 1 : 0;
        const thread = { thread_id: threadId, command_id: commandId, seq: seqIn(told), attempts };
        const conversation = { ...head.conversation, status: "active" as const, updated_at: Date.now() };
        return { ...head, conversation, open: [...head.open, thread] };
      },
      (told) => store.putCommand(commandId, { thread_id: threadId, seq: seqIn(told), request }),
    );
    this.#accepted.add(threadId);
    return { thread_id: threadId, seq: seqIn(frames) };
  }

  /** Sees to it that open threads are worked on; resolves once that would survive a crash. Cheap when they already are. */
  async work(): Promise<void> {
    if (this.#running === null && !this.#isClosed && this.#log.head.open.length > 0) {
      const isLeased = this.#lease();
      this.#running = { isLeased };
      void this.#drain(isLeased);
    }
    await this.#running?.isLeased;
  }

  /** A lease that is still standing from the message before is as good as a new one: setting an alarm costs a commit. */
  #lease(): Promise<unknown> {
    const now = Date.now();
    if (this.#leasedUntil > now) return Promise.resolve();
    this.#leasedUntil = now + LEASE_MS;
    return this.#around.jobs().push({ id: "turns", fn: "turns", time: this.#leasedUntil });
  }

  /** As `work`, for those who have nothing to wait for. */
  wake(): void {
    this.work().catch((thrown: unknown) => console.error("A thread could not be taken up", thrown));
  }

  /** The lease has run out: renewed while there is work, gone when there is none (I25). */
  renew(): undefined | { rescheduleAt: number } {
    this.#leasedUntil = this.#log.head.open.length === 0 ? 0 : Date.now() + LEASE_MS;
    this.wake();
    return this.#leasedUntil === 0 ? undefined : { rescheduleAt: this.#leasedUntil };
  }

  /** Stops a thread or a task; without a target, the thread that runs. Answers what was stopped. */
  cancel({ thread_id: threadId, task_id: taskId }: Cancel): string[] {
    if (taskId !== undefined) return this.#cancelTask(taskId);
    const thread = this.#log.head.open.find((open) => threadId === undefined || open.thread_id === threadId);
    if (thread === undefined)
      throw new Fault("not_found", "No such thread is running or waiting.", { field: "thread_id" });
    if (this.#run?.thread.thread_id === thread.thread_id) {
      this.#mark({ ...thread, is_cancelled: true });
      this.#run.cancel();
    } else this.#drop(thread);
    return [thread.thread_id];
  }

  /** Nothing is worked on any more: the conversation was deleted (S3). */
  close(): void {
    this.#isClosed = true;
    this.#run?.cancel();
  }

  async #drain(isLeased: Promise<unknown>): Promise<void> {
    const { store, settings, world, reset } = this.#around;
    try {
      await isLeased;
      while (!this.#isClosed && this.#log.head.open[0] !== undefined) {
        this.#run = new ThreadRun(this.#attempt(this.#log.head.open[0]), this.#log, store, settings, world);
        await this.#run.run();
      }
      this.#run = null;
      this.#running = null;
    } catch (thrown) {
      console.error("A thread could not be carried on", thrown);
      reset("A thread could not be carried on");
    }
  }

  /** Counts an attempt before it begins, so that work which kills its host is not tried for ever. */
  #attempt(thread: OpenThread): OpenThread {
    if (this.#accepted.delete(thread.thread_id) && thread.attempts === 1) return thread;
    const begun = { ...thread, attempts: thread.attempts + 1 };
    this.#mark(begun);
    return begun;
  }

  #mark(changed: OpenThread): void {
    const change = (open: OpenThread): OpenThread => (open.thread_id === changed.thread_id ? changed : open);
    this.#log.publish([], (head) => ({ ...head, open: head.open.map(change) }));
  }

  #cancelTask(taskId: string): string[] {
    const task = this.#log.tasks().find((known) => known.task_id === taskId);
    if (task === undefined) throw new Fault("not_found", "There is no such task.", { field: "task_id" });
    const thread = this.#log.head.open.find((open) => open.thread_id === task.thread_id);
    if (isFinished(task.status) || thread === undefined || this.#run?.thread.thread_id !== task.thread_id) {
      throw new Fault("conflict", `The task is ${task.status}; it cannot be cancelled any more.`, { field: "task_id" });
    }
    this.#mark({ ...thread, cancelled_tasks: [...(thread.cancelled_tasks ?? []), taskId] });
    this.#run.cancelTask(taskId);
    return [taskId];
  }

  /** Cancels a message that is still waiting. */
  #drop({ thread_id: threadId }: OpenThread): void {
    const done: Draft = { event: "done", data: { role: "system", thread_id: threadId, metadata: { cancelled: true } } };
    this.#log.publish([done], (head) => ({ ...head, open: head.open.filter((open) => open.thread_id !== threadId) }));
  }
}

function threadStarted(threadId: string, { message, agent, language, timezone }: Send): Draft {
  const metadata = {
    created_at: Date.now(),
    ...(agent === undefined ? {} : { agent }),
    ...(language === undefined ? {} : { language }),
    ...(timezone === undefined ? {} : { timezone }),
  };
  const place = { thread_id: threadId, task_id: companion(threadId, "ask") };
  return { event: "thread_started", data: { ...place, role: "user", payload: { content: message }, metadata } };
}
