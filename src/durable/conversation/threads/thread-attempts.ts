// Begins the attempts of threads: new ones, those that an answer continues, and those whose host died.
//
// Owns the knowledge which threads this object has seen: a thread that was started and that it has not seen was
// interrupted. `interruptions.ts` has the rule for those; this module reads and stores their state. Every method is
// synchronous, so the head does not change in between.
//
// Order: store the attempt, then run it. A host that dies in between costs the thread one attempt.

import { createQuestionEvent } from "../../../core/turn/questions.ts";
import { createRetryQuestion, createRetryStop } from "../../../core/turn/retry-question.ts";
import { ensurePresent } from "../../../lib/assert.ts";
import { createId } from "../../../protocol/wire/ids.ts";
import type { Settings } from "../../../settings.ts";
import type { Isolate } from "../../isolate.ts";
import type { EventLog } from "../event-log.ts";
import {
  markAwaitingInput,
  updateThread,
  withProvisionalTitle,
  type ConversationHead,
  type OpenThread,
} from "../storage/conversation-head.ts";
import type { ConversationStore } from "../storage/conversation-store.ts";
import {
  findCulprit,
  countDeath,
  decideRecovery,
  HOST_TRIAL_MS,
  isProven,
  isSuspect,
  NO_DEATHS,
  type DeathCounts,
  type RecoveryState,
} from "./interruptions.ts";
import type { StartCondition, ThreadAttempt } from "./steps.ts";
import { findThread } from "./thread-queue.ts";
import { getQuestionSeconds, readThreadInput } from "./thread-input.ts";

/** The interval in which the suspicion of a running thread is updated, in ms. */
const WATCH_MS = 1_000;
const NO_INTERRUPTIONS = { state: undefined, ...NO_DEATHS };

type AttemptDeps = {
  readonly store: ConversationStore;
  readonly settings: Pick<Settings, "QUESTION_SECONDS">;
  readonly isolate: Isolate;
};

/** One instance per loaded conversation. */
export class ThreadAttempts {
  readonly #log: EventLog;
  readonly #deps: AttemptDeps;
  readonly #conditions = new Map<string, StartCondition>();

  constructor(log: EventLog, deps: AttemptDeps) {
    this.#log = log;
    this.#deps = deps;
  }

  /** Notes that a thread was just stored. */
  addNew(threadId: string): void {
    this.#conditions.set(threadId, "new");
  }

  /** Notes that a thread rests at a step boundary. Does nothing for threads that are not open or were interrupted. */
  addRested(threadId: string): void {
    const thread = findThread(this.#log.head.open, threadId);
    if (thread !== undefined && thread.interruptions?.state.kind !== "asking") this.#conditions.set(threadId, "rested");
  }

  /**
   * Stores the beginning of the next attempt of a thread that may run, and returns it. Returns null if the thread must
   * wait or ask the person first; this is then stored, and the thread cannot run for now.
   */
  begin(thread: OpenThread): ThreadAttempt | null {
    const condition = this.#conditions.get(thread.thread_id);
    this.#conditions.delete(thread.thread_id);
    if (condition !== undefined && thread.attempts > 0) return { thread, condition };
    if (thread.attempts === 0 || thread.is_cancelled === true) return this.#start(thread, thread.interruptions);
    const { state, ...counts } = thread.interruptions ?? NO_INTERRUPTIONS;
    switch (state?.kind) {
      case undefined:
      case "running":
        return this.#recover(thread, countDeath(counts, findCulprit(state, this.#deps.isolate.id), Date.now()));
      case "waiting":
        return this.#resume(thread, counts);
      case "asking":
        return this.#continueAfterQuestion(thread, state.request_id);
    }
  }

  /** Notes that a thread is at work, until the returned function is called. */
  watch({ thread_id: threadId, interruptions }: OpenThread): () => void {
    const { working } = this.#deps.isolate;
    working.add(threadId);
    const timer =
      interruptions === undefined ? undefined : setInterval(() => this.#updateSuspicion(threadId), WATCH_MS);
    return () => {
      clearInterval(timer);
      working.delete(threadId);
    };
  }

  #recover(thread: OpenThread, counts: DeathCounts): ThreadAttempt | null {
    const recovery = decideRecovery(counts, Date.now());
    switch (recovery.kind) {
      case "resume":
        return this.#start(thread, { ...counts, state: this.#createRunningState(thread.thread_id) });
      case "wait":
        return this.#defer(thread, counts, recovery.until);
      case "ask":
        return this.#ask(thread, counts);
    }
  }

  /** Resumes a thread that has waited. Its isolate must be proven, so that the next death can be attributed. */
  #resume(thread: OpenThread, counts: DeathCounts): ThreadAttempt | null {
    const { isolate } = this.#deps;
    if (!isProven(isolate, Date.now())) return this.#defer(thread, counts, isolate.startedAt + HOST_TRIAL_MS);
    return this.#start(thread, { ...counts, state: this.#createRunningState(thread.thread_id) });
  }

  #continueAfterQuestion(thread: OpenThread, requestId: string): ThreadAttempt {
    const { question, state } = ensurePresent(this.#deps.store.getQuestion(requestId), requestId);
    const stop = createRetryStop(question, state);
    if (stop === null) return this.#start(thread, { ...NO_DEATHS, state: this.#createRunningState(thread.thread_id) });
    return { ...this.#start(thread, thread.interruptions), stop };
  }

  #start(thread: OpenThread, interruptions: OpenThread["interruptions"]): ThreadAttempt {
    const attempts = thread.attempts + 1;
    const begun = { ...thread, attempts, ...(interruptions === undefined ? {} : { interruptions }) };
    this.#log.publish([], (head) => updateThread(head, thread.thread_id, () => begun));
    return { thread: begun, condition: attempts > 1 ? "interrupted" : "new" };
  }

  #defer({ thread_id }: OpenThread, counts: DeathCounts, until: number): null {
    this.#storeState(thread_id, counts, { kind: "waiting", until });
    return null;
  }

  /** H2, H4. Pauses the thread with the question whether to try again. */
  #ask(thread: OpenThread, counts: DeathCounts): null {
    const { store, settings } = this.#deps;
    const { thread_id } = thread;
    const { request, start, title, language } = readThreadInput(store, thread);
    const question = createRetryQuestion(
      thread_id,
      { ports: { now: Date.now, mint: createId }, limits: { questionSeconds: getQuestionSeconds(settings, start) } },
      { count: counts.host + counts.attributed, query: request.message, language },
    );
    const state: RecoveryState = { kind: "asking", request_id: question.request_id };
    this.#log.publishEnd(
      [createQuestionEvent(question)],
      (head) =>
        markAwaitingInput(
          withProvisionalTitle(
            updateThread(head, thread_id, (open) => ({
              ...open,
              is_paused: true,
              interruptions: { ...counts, state },
            })),
            thread_id,
            title,
          ),
        ),
      () => store.putQuestion(question),
    );
    this.#log.endThreadStreams(thread_id);
    return null;
  }

  #createRunningState(threadId: string): RecoveryState {
    const { isolate } = this.#deps;
    return { kind: "running", isolate: isolate.id, is_suspect: isSuspect(isolate, threadId, Date.now()) };
  }

  /** Stores a changed suspicion, as long as the thread has made no progress. */
  #updateSuspicion(threadId: string): void {
    const { state, ...counts } = findThread(this.#log.head.open, threadId)?.interruptions ?? NO_INTERRUPTIONS;
    if (state?.kind !== "running") return;
    const present = this.#createRunningState(threadId);
    if (present.kind === "running" && present.is_suspect !== state.is_suspect)
      this.#storeState(threadId, counts, present);
  }

  #storeState(threadId: string, counts: DeathCounts, state: RecoveryState): void {
    const change = (open: OpenThread): OpenThread => ({ ...open, interruptions: { ...counts, state } });
    this.#log.publish([], (head: ConversationHead) => updateThread(head, threadId, change));
  }
}
