// Runs one thread: the turn of the core, with steps that outlive a crash.
//
// Invariants:
//   T3. `done` is the last event of the thread and stored together with its end.
//   T4. A finished step is never repeated; an interrupted one starts over, and says so.
//   T5. Once the thread has been told to stop, its steps publish nothing but their last events.

import type { Limits } from "../core/budget.ts";
import type { Draft, Emit, Memo, Ports, Step, StepOutcome, StepSpec } from "../core/ports.ts";
import { Stop } from "../core/stop.ts";
import { runTurn } from "../core/turn.ts";
import { must } from "../protocol/assert.ts";
import type { Send } from "../protocol/commands.ts";
import { mintWithin } from "../protocol/ids.ts";
import type { Settings } from "../settings.ts";
import { historyOf } from "./history.ts";
import type { Log } from "./log.ts";
import { changed, type Head, type OpenThread, type Store } from "./store.ts";

/** How often a thread may be begun again after its host died under it, before it is given up. */
const MAX_ATTEMPTS = 3;

/** A thread to be run. `isInterrupted` when an earlier run may have left a step half done. */
export type Attempt = { readonly thread: OpenThread; readonly isInterrupted: boolean };

export class ThreadRun {
  readonly thread: OpenThread;
  readonly #log: Log;
  readonly #store: Store;
  readonly #settings: Settings;
  readonly #world: Pick<Ports, "model" | "agents" | "report">;
  readonly #stop = new AbortController();
  /** The steps that are under way, by their scope. */
  readonly #active = new Map<string, Promise<unknown>>();
  readonly #taskStops = new Map<string, AbortController>();
  readonly #over = Promise.withResolvers<void>();
  /** Tells whoever waits that a question of the thread stands differently now. */
  #settle = Promise.withResolvers<void>();
  /** True until the first step of this run has finished: what is found unfinished till then was interrupted. */
  #isCatchingUp: boolean;

  constructor(
    { thread, isInterrupted }: Attempt,
    log: Log,
    store: Store,
    settings: Settings,
    world: Pick<Ports, "model" | "agents" | "report">,
  ) {
    this.thread = thread;
    this.#log = log;
    this.#store = store;
    this.#settings = settings;
    this.#world = world;
    this.#isCatchingUp = isInterrupted;
  }

  /** Takes effect at once: what is under way publishes nothing more but its end. Resolves when that has come. */
  async cancel(): Promise<void> {
    this.#stop.abort(new Stop("person", "You cancelled this."));
    await this.#over.promise;
  }

  /** As `cancel`, for one task. */
  async cancelTask(taskId: string): Promise<void> {
    this.#taskStop(taskId).abort(new Stop("person", "You cancelled this task."));
    await this.#active.get(taskId);
  }

  /** A question of the thread was answered or closed. */
  hear(): void {
    this.#settle.resolve();
    this.#settle = Promise.withResolvers<void>();
  }

  /** Runs the thread to its end, or until it has to wait. Rejects only when the object is about to be reset. */
  async run(): Promise<void> {
    const { request } = must(this.#store.command(this.thread.command_id), "the command of an open thread");
    const { conversation, open } = this.#log.head;
    this.#stopAgain();
    const openThreads = new Set(open.map(({ thread_id }) => thread_id));
    const clock = setTimeout(
      () =>
        this.#stop.abort(
          new Stop(
            "clock",
            `This message used up its ${this.#settings.MAX_THREAD_SECONDS} seconds before it was done.`,
          ),
        ),
      this.#settings.MAX_THREAD_SECONDS * 1000,
    );
    try {
      const end = await runTurn(
        { ...this.#world, now: Date.now, mint: mintWithin(conversation.conversation_id), step: this.#step },
        {
          conversationId: conversation.conversation_id,
          threadId: this.thread.thread_id,
          userId: conversation.user_id,
          request: request as Send,
          history: () => historyOf(this.#store.newestRows(), openThreads),
          limits: limitsOf(this.#settings),
          signal: this.#stop.signal,
          taskSignal: (taskId) => this.#taskStop(taskId).signal,
          standing: (requestId) => must(this.#store.question(requestId), requestId).standing,
          settled: () => this.#settle.promise,
        },
      );
      if (end.status === "paused") this.#pause(end.request_ids);
      else this.#end(end.status, end.closing);
    } finally {
      clearTimeout(clock);
      this.#over.resolve();
    }
  }

  /** What was stopped before the host died is not begun again, nor what has killed it too often. */
  #stopAgain(): void {
    const { attempts, is_cancelled: isCancelled, cancelled_tasks: tasks = [] } = this.thread;
    for (const task of tasks) void this.cancelTask(task);
    if (isCancelled === true) void this.cancel();
    else if (attempts > MAX_ATTEMPTS) {
      const words = "This message kept being interrupted and was given up. Please try again.";
      this.#stop.abort(new Stop("host", words));
    }
  }

  readonly #step: Step = <T>(
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
    const threadId = this.thread.thread_id;
    const stored = this.#store.step(threadId, spec.name);
    if (stored !== null && stored.since === null) return JSON.parse(stored.value) as T;
    let since = stored?.since ?? this.#beginningOf(spec);
    if (this.#isCatchingUp || stored !== null) this.#startOver(spec, since);
    let isOver = false;
    const isSilent = (): boolean => isOver || this.#stop.signal.aborted;
    const emit: Emit = (...drafts) => {
      if (!isSilent()) this.#log.publish(drafts.map((draft) => backTo(since, draft)));
    };
    const memo: Memo<unknown> = {
      kept: stored === null ? null : JSON.parse(stored.value),
      keep: (value) => {
        if (isSilent()) return;
        this.#log.keep(spec.scope, (last) => {
          since = last;
          this.#store.putStep(threadId, spec.name, { value: JSON.stringify(value), since });
        });
      },
    };
    try {
      const { value, closing, asks } = await work(emit, memo);
      this.#log.publish(closing, asks === undefined ? undefined : waiting, () => {
        this.#store.putStep(threadId, spec.name, { value: JSON.stringify(value), since: null });
        if (asks !== undefined) this.#store.putQuestion(asks);
      });
      this.#isCatchingUp = false;
      return value;
    } finally {
      isOver = true;
    }
  }

  /** The last number before a step: the answer that it goes on from, or nothing; null when there is no answer. */
  #beginningOf({ continues }: StepSpec): number | null {
    return continues === undefined ? 0 : (this.#store.question(continues)?.answeredAt ?? null);
  }

  /** Takes back what an interrupted step had said since. One that has left no trace, or nothing to go on from, had not begun. */
  #startOver({ name, scope, agentName, continues }: StepSpec, since: number | null): void {
    if (since === null) return;
    const isTask = name.startsWith("task:");
    if (isTask && continues === undefined && !this.#store.hasRowsOf(scope, this.thread.seq)) return;
    const place = { thread_id: this.thread.thread_id, task_id: scope, agent_name: agentName, role: "agent" } as const;
    const content = this.#stop.signal.aborted
      ? "The work was interrupted."
      : "The work was interrupted and starts over.";
    const result = !isTask || since === 0 ? "" : this.#log.textOf(scope, since);
    const payload = { content, attempt: this.thread.attempts, ...(result === "" ? {} : { result }) };
    this.#log.publish([backTo(since, { event: "task_retrying", data: { ...place, payload } })]);
  }

  /** Nothing is kept in memory while the person thinks; an answer that has come meanwhile is taken up at once. */
  #pause(requestIds: readonly string[]): void {
    const isOpen = (id: string): boolean => this.#store.question(id)?.standing.state === "open";
    if (this.#stop.signal.aborted || !requestIds.every(isOpen)) return;
    const { thread_id } = this.thread;
    this.#log.settle([], (head) => changed(head, thread_id, (open) => ({ ...open, is_paused: true })));
    this.#log.rest(thread_id);
  }

  #end(status: "completed" | "failed", closing: readonly Draft[]): void {
    const { thread_id } = this.thread;
    const open = this.#store.openQuestions().filter((asked) => asked.thread_id === thread_id);
    this.#log.settle(
      closing,
      (head) => without(head, thread_id, status),
      () =>
        this.#store.closeQuestions(
          open.map(({ request_id }) => request_id),
          "cancelled",
        ),
    );
  }

  #taskStop(taskId: string): AbortController {
    let controller = this.#taskStops.get(taskId);
    if (controller === undefined) this.#taskStops.set(taskId, (controller = new AbortController()));
    return controller;
  }
}

/** An attempt that starts over, starts over from the last number that stays. */
function backTo(since: number | null, draft: Draft): Draft {
  if (draft.event !== "task_retrying" || since === null || since === 0) return draft;
  return { ...draft, data: { ...draft.data, payload: { ...draft.data.payload, since } } };
}

/** The head once a question was put. */
function waiting(head: Head): Head {
  return { ...head, conversation: { ...head.conversation, status: "require_user_input", updated_at: Date.now() } };
}

/** The head once a thread is over: the next one in line becomes the running one. */
function without(head: Head, threadId: string, status: "completed" | "failed"): Head {
  const open = head.open.filter(({ thread_id }) => thread_id !== threadId);
  const conversation = {
    ...head.conversation,
    status: open.length > 0 ? ("active" as const) : status,
    updated_at: Date.now(),
  };
  return { ...head, open, conversation };
}

function limitsOf(settings: Settings): Limits {
  return {
    maxModelCalls: settings.MAX_MODEL_CALLS,
    maxTokens: settings.MAX_TOKENS,
    maxTasks: settings.MAX_TASKS,
    maxConcurrentTasks: settings.MAX_CONCURRENT_TASKS,
    questionSeconds: settings.QUESTION_SECONDS,
  };
}
