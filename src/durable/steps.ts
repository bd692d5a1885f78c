// The steps of one thread, which outlive a crash.
//
// Invariants:
//   T4. A finished step is never repeated; an interrupted one starts over, and says so.
//   T5. Once the thread has been told to stop, its steps publish nothing but their last events.

import type { Draft, Emit, Memo, Question, Step, StepOutcome, StepSpec } from "../core/ports.ts";
import { asking, changed, named, type Head, type OpenThread } from "./head.ts";
import { Journal } from "./journal.ts";
import type { Change, Log } from "./log.ts";
import type { ScheduleStore } from "./schedule-store.ts";
import type { Store } from "./store.ts";

/** How a run finds its thread: no step of it has begun; as it came to rest; with a step half done, perhaps. */
export type Found = "new" | "rested" | "interrupted";

/** A thread to be run. */
export type Attempt = { readonly thread: OpenThread; readonly found: Found };

export class Steps {
  readonly #thread: OpenThread;
  readonly #title: string;
  readonly #log: Log;
  readonly #store: Store;
  readonly #journal: Journal;
  readonly #schedules: ScheduleStore;
  readonly #onBegun: () => void;
  readonly #signal: AbortSignal;
  /** Those that are under way, by their scope. */
  readonly #active = new Map<string, Promise<unknown>>();
  /** What the last step has to tell: stored with the thread's end. */
  #closing: readonly Draft[] = [];
  /** True until the first step of this run has finished: what is found unfinished till then was interrupted. */
  #isCatchingUp: boolean;

  /** `title` is what the thread may be called; `onBegun` hears that a schedule has begun; `signal` tells it to stop. */
  constructor(
    { thread, found }: Attempt,
    title: string,
    log: Log,
    around: { readonly store: Store; readonly schedules: ScheduleStore; readonly onBegun: () => void },
    signal: AbortSignal,
  ) {
    this.#thread = thread;
    this.#title = title;
    this.#log = log;
    this.#store = around.store;
    this.#journal = new Journal(around.store, thread.seq, found === "new");
    this.#schedules = around.schedules;
    this.#onBegun = around.onBegun;
    this.#signal = signal;
    this.#isCatchingUp = found === "interrupted";
  }

  get closing(): readonly Draft[] {
    return this.#closing;
  }

  /** Resolves when nothing of a scope is under way. */
  async rest(scope: string): Promise<void> {
    await this.#active.get(scope);
  }

  readonly step: Step = <T>(
    spec: StepSpec,
    work: (emit: Emit, memo: Memo<unknown>) => Promise<StepOutcome<T>>,
  ): Promise<T> => {
    const running = this.#stepThrough(spec, work);
    const ended = running.then(
      () => undefined,
      () => undefined,
    );
    this.#active.set(spec.scope, ended);
    return running;
  };

  async #stepThrough<T>(
    spec: StepSpec,
    work: (emit: Emit, memo: Memo<unknown>) => Promise<StepOutcome<T>>,
  ): Promise<T> {
    const stored = this.#journal.get(spec.name);
    if (stored !== null && stored.since === null) return JSON.parse(stored.value) as T;
    let since = stored?.since ?? this.#beginningOf(spec);
    const startsOver = spec.isAtomic !== true && (this.#isCatchingUp || stored !== null);
    if (startsOver) this.#startOver(spec, since);
    let isOver = false;
    const isSilent = (): boolean => isOver || this.#signal.aborted;
    const emit: Emit = (...drafts) => {
      if (!isSilent()) this.#log.publish(drafts.map((draft) => this.#backTo(spec, since, draft)));
    };
    const memo: Memo<unknown> = {
      kept: stored === null ? null : JSON.parse(stored.value),
      keep: (value) => {
        if (isSilent()) return;
        this.#log.keep(spec.scope, (last) => {
          since = last;
          this.#journal.put(spec.name, { value: JSON.stringify(value), since });
        });
      },
    };
    try {
      const { value, closing, asks, begins, isLast } = await work(emit, memo);
      if (isLast === true) {
        this.#closing = closing;
        return value;
      }
      this.#log.publish(closing, this.#changeBy(asks), () => {
        this.#journal.put(spec.name, { value: JSON.stringify(value), since: null });
        if (asks !== undefined) this.#store.putQuestion(asks);
        if (begins !== undefined) this.#schedules.put(begins);
      });
      if (begins !== undefined) this.#onBegun();
      if (spec.isAtomic !== true) this.#isCatchingUp = false;
      return value;
    } finally {
      isOver = true;
    }
  }

  /** What the end of a step changes in the head. A thread that has come further is not given up for deaths before that. */
  #changeBy(asks: Question | undefined): Change | undefined {
    const { thread_id, attempts } = this.#thread;
    const isAhead = attempts > 1;
    const waiting = (head: Head): Head => asking(named(head, thread_id, this.#title));
    if (!isAhead) return asks === undefined ? undefined : waiting;
    return (head) => {
      const ahead = changed(head, thread_id, (open) => ({ ...open, attempts: 1 }));
      return asks === undefined ? ahead : waiting(ahead);
    };
  }

  /** The last number before a step: the answer that it goes on from, or nothing; null when there is no answer. */
  #beginningOf({ continues }: StepSpec): number | null {
    const beginning = this.#thread.tick === undefined ? 0 : this.#thread.seq;
    return continues === undefined ? beginning : (this.#store.question(continues)?.answeredAt ?? null);
  }

  /** Takes back what an interrupted step had said since. One that has left no trace, or nothing to go on from, had not begun. */
  #startOver(spec: StepSpec, since: number | null): void {
    if (since === null) return;
    const { scope, agentName, continues } = spec;
    if (isTask(spec) && continues === undefined && !this.#store.hasRowsOf(scope, this.#thread.seq)) return;
    const place = { thread_id: this.#thread.thread_id, task_id: scope, agent_name: agentName, role: "agent" } as const;
    const content = this.#signal.aborted ? "The work was interrupted." : "The work was interrupted and starts over.";
    const payload = { content, attempt: this.#thread.attempts };
    this.#log.publish([this.#backTo(spec, since, { event: "task_retrying", data: { ...place, payload } })]);
  }

  /** An attempt that starts over, starts over from the last number that stays, and from what the task had said by then. */
  #backTo(spec: StepSpec, since: number | null, draft: Draft): Draft {
    if (draft.event !== "task_retrying" || since === null || since === 0) return draft;
    const result = isTask(spec) ? this.#log.textOf(spec.scope, since) : "";
    const payload = { ...draft.data.payload, since, ...(result === "" ? {} : { result }) };
    return { ...draft, data: { ...draft.data, payload } };
  }
}

function isTask({ name }: StepSpec): boolean {
  return name.startsWith("task:");
}
