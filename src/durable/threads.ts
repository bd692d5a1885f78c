// The threads of a conversation that are not done: accepted in order, run one at a time, and taken up
// again when their host died under them.
//
// Invariants:
//   L3. A message is stored before anybody hears of it, and worked on only then.
//   T1. One thread runs at a time; the others wait in the order in which they came.
//   T2. The same command id makes one thread.
//   I26. While a thread can go on there is a lease: an alarm that finds it if nobody else does. While it waits
//        for the person, the alarm is set for the end of their time (H2).
//   H1. A question is answered once; whoever comes later is told how it stands.

import type { LifecycleJobs } from "agents/lifecycle";
import type { Draft, Ports } from "../core/ports.ts";
import { answeredDraft, readAnswer, type Question } from "../core/questions.ts";
import { must } from "../protocol/assert.ts";
import type { Cancel, Resume, Send } from "../protocol/commands.ts";
import type { Frame } from "../protocol/events.ts";
import { Fault } from "../protocol/fault.ts";
import { companion, mint } from "../protocol/ids.ts";
import { isFinished } from "../protocol/plan.ts";
import type { Settings } from "../settings.ts";
import type { Log } from "./log.ts";
import { Lease } from "./lease.ts";
import { idsOf, openQuestion } from "./open-question.ts";
import { changed, type OpenThread, type Store } from "./store.ts";
import { ThreadRun, type Attempt } from "./thread-run.ts";

/** How long a cancellation waits for the last words of what it stopped. */
const REST_MS = 1_000;

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
  readonly #lease: Lease;
  #run: ThreadRun | null = null;
  /** Threads that have not been interrupted since this very object accepted or resumed them. */
  readonly #continued = new Set<string>();
  #isClosed = false;

  constructor(log: Log, around: Surroundings) {
    this.#log = log;
    this.#around = around;
    this.#lease = new Lease(around.jobs);
  }

  /** A message from the person: the answer to the open question if there is one, else a new thread. */
  hear(commandId: string, request: Send, before: readonly Draft[]): { thread_id: string; seq: number } {
    this.#expire();
    if (this.#around.store.openQuestions().length === 0) return this.accept(commandId, request, before);
    return this.answer(commandId, { message: request.message });
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
    this.#continued.add(threadId);
    return { thread_id: threadId, seq: seqIn(frames) };
  }

  /**
   * Stores the answer to a question: the thread goes on from it. Throws a `Fault` that says how the question
   * stands when it cannot be answered (any more), or what is wrong with the answer; nothing has changed then.
   */
  answer(commandId: string, resume: Resume): { thread_id: string; seq: number } {
    const { store } = this.#around;
    const known = store.command(commandId);
    if (known !== null) return known;
    this.#expire();
    const question = openQuestion(store, resume.request_id);
    const answer = readAnswer(question, resume);
    const { thread_id, request_id } = question;
    const seqIn = (frames: readonly Frame[]): number => must(frames.at(-1), "the answer").seq;
    const frames = this.#resume([question], [answeredDraft(question, answer)], (told) => {
      store.answerQuestion(request_id, answer, seqIn(told));
      store.putCommand(commandId, { thread_id, seq: seqIn(told), request: resume });
    });
    return { thread_id, seq: seqIn(frames) };
  }

  /** H2. Closes the questions whose time is up; their threads go on and tell. */
  #expire(): void {
    const { store } = this.#around;
    if (this.#log.head.open.length === 0) return;
    const late = store.openQuestions().filter(({ expires_at }) => expires_at <= Date.now());
    if (late.length === 0) return;
    this.#resume(late, [], () => store.closeQuestions(idsOf(late), "expired"));
  }

  /** Settles questions: their threads, if they rested, can go on. */
  #resume(
    settled: readonly Question[],
    drafts: readonly Draft[],
    also: (frames: readonly Frame[]) => void,
  ): readonly Frame[] {
    const left = this.#around.store.openQuestions().length - settled.length;
    const threads = new Set(settled.map(({ thread_id }) => thread_id));
    const awake = (open: OpenThread): OpenThread => {
      if (!threads.has(open.thread_id) || open.is_paused === undefined) return open;
      this.#continued.add(open.thread_id);
      const { is_paused: _, ...rest } = open;
      return { ...rest, attempts: 1 };
    };
    const frames = this.#log.publish(
      drafts,
      (head) => {
        const status = left > 0 ? ("require_user_input" as const) : ("active" as const);
        return {
          ...head,
          conversation: { ...head.conversation, status, updated_at: Date.now() },
          open: head.open.map(awake),
        };
      },
      also,
    );
    this.#run?.hear();
    return frames;
  }

  /** Sees to it that open threads are worked on; resolves once that would survive a crash. Cheap when they already are. */
  async work(): Promise<void> {
    if (this.#running === null && !this.#isClosed && this.#canWork()) {
      const isLeased = this.#lease.take();
      this.#running = { isLeased };
      void this.#drain(isLeased);
    }
    await this.#running?.isLeased;
  }

  isPaused(threadId: string): boolean {
    return this.#log.head.open.some((open) => open.thread_id === threadId && open.is_paused === true);
  }

  #canWork(): boolean {
    const [first] = this.#log.head.open;
    return first !== undefined && first.is_paused === undefined;
  }

  /** Expires what is due and works, for those who have nothing to wait for. */
  wake(): void {
    this.#expire();
    this.work().catch((thrown: unknown) => console.error("A thread could not be taken up", thrown));
  }

  /**
   * The alarm: expires questions, and is set again as the lease while there is work, for the next question to
   * expire while there is none, and not at all when nothing waits (I25).
   */
  renew(): undefined | { rescheduleAt: number } {
    this.#expire();
    const until = this.#lease.renew(this.#canWork());
    this.wake();
    const next = Math.min(until ?? Infinity, this.#nextExpiry());
    return next === Infinity ? undefined : { rescheduleAt: next };
  }

  #nextExpiry(): number {
    return this.#around.store.openQuestions()[0]?.expires_at ?? Infinity;
  }

  /** The lease of a thread that waits becomes an alarm at the end of the person's time. */
  async #rest(): Promise<void> {
    const time = this.#nextExpiry();
    if (this.#canWork() || time === Infinity || this.#isClosed) return;
    await this.#lease.rest(time);
  }

  /**
   * Stops a thread or a task; without a target, the thread that runs. Resolves with what was stopped once it has
   * come to rest, or is about to (T5).
   */
  async cancel({ thread_id: threadId, task_id: taskId }: Cancel): Promise<string[]> {
    if (taskId !== undefined) return this.#cancelTask(taskId);
    const thread = this.#log.head.open.find((open) => threadId === undefined || open.thread_id === threadId);
    if (thread === undefined)
      throw new Fault("not_found", "No such thread is running or waiting.", { field: "thread_id" });
    if (thread === this.#log.head.open[0]) this.#stop({ ...thread, is_cancelled: true }, () => true);
    else this.#drop(thread);
    await this.#rests(thread, (run) => run.cancel());
    return [thread.thread_id];
  }

  /** Nothing is worked on any more: the conversation was deleted (S3). */
  close(): void {
    this.#isClosed = true;
    void this.#run?.cancel();
  }

  async #drain(isLeased: Promise<unknown>): Promise<void> {
    const { store, settings, world, reset } = this.#around;
    try {
      await isLeased;
      while (!this.#isClosed && this.#canWork()) {
        const attempt = this.#attempt(must(this.#log.head.open[0], "the thread to run"));
        this.#run = new ThreadRun(attempt, this.#log, store, settings, world);
        await this.#run.run();
        const { thread_id } = attempt.thread;
        if (this.#log.head.open[0]?.thread_id === thread_id) this.#continued.add(thread_id);
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
    const isContinued = this.#continued.delete(thread.thread_id);
    if (isContinued && thread.attempts > 0) return { thread, isInterrupted: false };
    const begun = { ...thread, attempts: thread.attempts + 1 };
    this.#log.publish([], (head) => changed(head, thread.thread_id, () => begun));
    return { thread: begun, isInterrupted: begun.attempts > 1 };
  }

  /** Stores that something of a thread was cancelled, and closes the questions that nobody has to answer any more. */
  #stop(thread: OpenThread, concerns: (asked: Question) => boolean): void {
    const { store } = this.#around;
    const moot = store.openQuestions().filter((asked) => asked.thread_id === thread.thread_id && concerns(asked));
    this.#log.publish([], (head) => changed(head, thread.thread_id, () => thread));
    if (moot.length > 0) this.#resume(moot, [], () => store.closeQuestions(idsOf(moot), "cancelled"));
  }

  async #cancelTask(taskId: string): Promise<string[]> {
    const task = this.#log.tasks().find((known) => known.task_id === taskId);
    if (task === undefined) throw new Fault("not_found", "There is no such task.", { field: "task_id" });
    const thread = this.#log.head.open.find((open) => open.thread_id === task.thread_id);
    if (isFinished(task.status) || thread === undefined) {
      throw new Fault("conflict", `The task is ${task.status}; it cannot be cancelled any more.`, { field: "task_id" });
    }
    const cancelled_tasks = [...(thread.cancelled_tasks ?? []), taskId];
    this.#stop({ ...thread, cancelled_tasks }, (asked) => asked.task_id === taskId);
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
