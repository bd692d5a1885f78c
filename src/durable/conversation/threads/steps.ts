// Runs the steps of one thread so that finished work survives a crash.
//
// Owns the journal of the thread for one run. A step ends in one transaction: its value, its closing events, and a
// question or schedule that it creates. Steps of different scopes run concurrently.
//
// Invariants:
//   T4. A finished step never runs again. An interrupted step starts over after a `task_retrying` that retracts its
//       events.
//   T5. Once the signal has aborted, steps publish only their closing events.

import { limitText, CUT_NOTICE } from "../../../core/log/event-size.ts";
import type { EventDraft, Emit, Memo, ThreadQuestion, StepRunner, StepOutcome, StepSpec } from "../../../core/ports.ts";
import {
  markAwaitingInput,
  updateThread,
  withProgress,
  withProvisionalTitle,
  type OpenThread,
} from "../storage/conversation-head.ts";
import type { Language } from "../../../language/detect-language.ts";
import { Journal } from "./journal.ts";
import type { HeadChange, EventLog } from "../event-log.ts";
import type { ScheduleStore } from "../storage/schedule-store.ts";
import { createMessage, formatMessage } from "../../../language/messages.ts";
import type { StopReason } from "../../../core/turn/stop-reason.ts";
import type { ConversationStore } from "../storage/conversation-store.ts";

/**
 * The state in which a run finds its thread: no step has begun; paused at a step boundary; or a step may be incomplete.
 */
export type StartCondition = "new" | "rested" | "interrupted";

/** A thread to run, with the state in which it was found. */
export type ThreadAttempt = {
  readonly thread: OpenThread;
  readonly condition: StartCondition;
  /** If present, the thread is only ended, for this reason. */
  readonly stop?: StopReason;
};

/** `onScheduleCreated` is called when a schedule was created. `language` is that of the sentences for people. */
type StepContext = {
  readonly store: ConversationStore;
  readonly schedules: ScheduleStore;
  readonly language: Language;
  readonly onScheduleCreated: () => void;
};

/** One instance per run of a thread. */
export class Steps {
  readonly #thread: OpenThread;
  readonly #title: string;
  readonly #log: EventLog;
  readonly #journal: Journal;
  readonly #context: StepContext;
  readonly #signal: AbortSignal;
  /** The running steps by scope; each promise resolves when its step has ended, whatever the outcome. */
  readonly #active = new Map<string, Promise<unknown>>();
  /** The closing events of the last step. They are stored with the end of the thread. */
  #closing: readonly EventDraft[] = [];
  /** True until the first step of this run finishes: steps found incomplete until then were interrupted. */
  #isCatchingUp: boolean;
  /** True until the first progress of a thread that was interrupted. */
  #isStalled: boolean;

  /**
   * `title` is the provisional conversation title; `signal` stops the thread.
   */
  constructor(
    { thread, condition }: ThreadAttempt,
    title: string,
    log: EventLog,
    context: StepContext,
    signal: AbortSignal,
  ) {
    this.#thread = thread;
    this.#title = title;
    this.#log = log;
    this.#journal = new Journal(context.store, thread.seq, condition === "new");
    this.#context = context;
    this.#signal = signal;
    this.#isCatchingUp = condition === "interrupted";
    this.#isStalled = thread.attempts > 1 || thread.interruptions !== undefined;
  }

  /** The closing events of the last step, which the caller must publish with the thread's end. */
  get closing(): readonly EventDraft[] {
    return this.#closing;
  }

  async waitForScope(scope: string): Promise<void> {
    await this.#active.get(scope);
  }

  /**
   * Implements the core's `StepRunner`. Rejects with the error of `work`; then the step has no stored end and may run
   * again. A value with `isLast` is not stored: its events are in `closing`.
   */
  readonly step: StepRunner = <T>(
    spec: StepSpec,
    work: (emit: Emit, memo: Memo<unknown>) => Promise<StepOutcome<T>>,
  ): Promise<T> => {
    const running = this.#runStep(spec, work);
    const ended = running.then(
      () => undefined,
      () => undefined,
    );
    this.#active.set(spec.scope, ended);
    return running;
  };

  /** Order: stored result, retraction of an interrupted attempt, work, end in one transaction. */
  async #runStep<T>(spec: StepSpec, work: (emit: Emit, memo: Memo<unknown>) => Promise<StepOutcome<T>>): Promise<T> {
    const stored = this.#journal.get(spec.name);
    if (stored !== null && stored.since === null) return JSON.parse(stored.value) as T;
    let since = stored?.since ?? this.#findStartSeq(spec);
    const startsOver = spec.isAtomic !== true && (this.#isCatchingUp || stored !== null);
    if (startsOver) this.#publishRestart(spec, since);
    let isOver = false;
    const isSilent = (): boolean => isOver || this.#signal.aborted;
    const emit: Emit = (...drafts) => {
      if (!isSilent()) this.#log.publish(drafts.map((draft) => this.#withRetraction(spec, since, draft)));
    };
    const memo: Memo<unknown> = {
      saved: stored === null ? null : JSON.parse(stored.value),
      save: (value) => {
        if (isSilent()) return;
        const text = JSON.stringify(value);
        const save = (last: number): void => {
          since = last;
          this.#journal.put(spec.name, { value: text, since });
        };
        // An interrupted step that saves its old state again has made no progress.
        this.#log.flushScope(spec.scope, save, text === stored?.value ? undefined : this.#createProgressChange());
      },
    };
    try {
      const { value, closing, question, newSchedule, isLast } = await work(emit, memo);
      if (isLast === true) {
        this.#closing = closing;
        return value;
      }
      this.#log.publish(closing, this.#createHeadChange(question), () => {
        this.#journal.put(spec.name, { value: JSON.stringify(value), since: null });
        if (question !== undefined) this.#context.store.putQuestion(question);
        if (newSchedule !== undefined) this.#context.schedules.put(newSchedule);
      });
      if (newSchedule !== undefined) this.#context.onScheduleCreated();
      if (spec.isAtomic !== true) this.#isCatchingUp = false;
      return value;
    } finally {
      isOver = true;
    }
  }

  /** Returns the head change at the end of a step: it is progress, and a question makes the conversation wait. */
  #createHeadChange(asks: ThreadQuestion | undefined): HeadChange | undefined {
    const progress = this.#createProgressChange();
    if (asks === undefined) return progress;
    return (head, frames) =>
      markAwaitingInput(withProvisionalTitle(progress?.(head, frames) ?? head, this.#thread.thread_id, this.#title));
  }

  /** Returns the head change of the first progress of an interrupted thread; undefined if nothing changes. */
  #createProgressChange(): HeadChange | undefined {
    if (!this.#isStalled) return undefined;
    this.#isStalled = false;
    return (head) => updateThread(head, this.#thread.thread_id, withProgress);
  }

  /**
   * Returns the last `seq` before the step: that of the answer from which it continues, otherwise the start. Null if
   * the answer is missing, so that nothing is retracted.
   */
  #findStartSeq({ continues }: StepSpec): number | null {
    const beginning = this.#thread.tick === undefined ? 0 : this.#thread.seq;
    return continues === undefined ? beginning : (this.#context.store.getQuestion(continues)?.answerSeq ?? null);
  }

  /**
   * Publishes the retraction of an interrupted step. A task step without stored rows, or a step whose answer is
   * missing, had not begun.
   */
  #publishRestart(spec: StepSpec, since: number | null): void {
    if (since === null) return;
    const { scope, agentName, continues } = spec;
    if (isTaskStep(spec) && continues === undefined && !this.#context.store.hasRows(scope, this.#thread.seq)) return;
    const scopeFields = {
      thread_id: this.#thread.thread_id,
      task_id: scope,
      agent_name: agentName,
      role: "agent",
    } as const;
    const message = createMessage(this.#signal.aborted ? "task.interrupted" : "task.restarted");
    const content = formatMessage(this.#context.language, message);
    const payload = { content, attempt: this.#thread.attempts };
    this.#log.publish([
      this.#withRetraction(spec, since, { event: "task_retrying", data: { ...scopeFields, payload } }),
    ]);
  }

  /** Adds to a `task_retrying` the `seq` up to which events stay, and the text that the task had published by then. */
  #withRetraction(spec: StepSpec, since: number | null, draft: EventDraft): EventDraft {
    if (draft.event !== "task_retrying" || since === null || since === 0) return draft;
    const result = isTaskStep(spec) ? this.#log.readText(spec.scope, since) : "";
    const kept = limitText(result, formatMessage(this.#context.language, CUT_NOTICE));
    const payload = { ...draft.data.payload, since, ...(kept === "" ? {} : { result: kept }) };
    return { ...draft, data: { ...draft.data, payload } };
  }
}

function isTaskStep({ name }: StepSpec): boolean {
  return name.startsWith("task:");
}
