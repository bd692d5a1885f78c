// Runs one thread: the turn of the core, with steps that outlive a crash.
//
// Invariants:
//   T3. `done` is the last event of the thread and stored together with its end.
//   T4. A finished step is never repeated; an interrupted one starts over, and says so.
//   T5. Once the thread has been told to stop, its steps publish nothing but their last events.

import type {
  Agents,
  ChatMessage,
  Draft,
  Emit,
  Memo,
  Ports,
  Question,
  Step,
  StepOutcome,
  StepSpec,
} from "../core/ports.ts";
import { runInstance } from "../core/listeners/run.ts";
import { isCancelled, stop, Stop } from "../core/stop.ts";
import type { Turn } from "../core/scene.ts";
import { runTick } from "../core/tick.ts";
import { runTurn } from "../core/turn.ts";
import type { TurnEnd } from "../core/turn-end.ts";
import { must } from "../protocol/assert.ts";
import type { Send } from "../protocol/commands.ts";
import type { RunResult, Schedule } from "../protocol/recurring.ts";
import { companion, mintWithin } from "../protocol/ids.ts";
import { titleOf } from "../protocol/words/text.ts";
import type { Settings } from "../settings.ts";
import { asking, called, changed, named, without, type Head, type OpenThread } from "./head.ts";
import { broughtBy, historyOf } from "./history.ts";
import { sendOf, type InstanceStart } from "./instance-start.ts";
import { limitsOf, shareOf } from "./limits.ts";
import { Journal } from "./journal.ts";
import type { Change, Log } from "./log.ts";
import { idsOf } from "./open-question.ts";
import type { ScheduleStore } from "./schedule-store.ts";
import type { Store } from "./store.ts";
import type { World } from "./world.ts";

/** How often a thread may be begun again after its host died under it, before it is given up. */
const MAX_ATTEMPTS = 3;
/** Of one step of an instance: nobody is there to say it again, and what it has done so far is not to be lost. */
const MAX_ATTEMPTS_OF_INSTANCE = 10;

/** Timers take no more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What a run works with. */
export type Surroundings = {
  readonly store: Store;
  readonly schedules: ScheduleStore;
  readonly settings: Settings;
  readonly world: World;
  /** Hears that a schedule has begun or, within the transaction that stores it, what a run has brought. */
  readonly onRun: (run?: RunResult) => void;
};

/** A thread to be run. `isInterrupted` when an earlier run may have left a step half done. */
export type Attempt = { readonly thread: OpenThread; readonly isInterrupted: boolean };

export class ThreadRun {
  readonly thread: OpenThread;
  readonly #log: Log;
  readonly #store: Store;
  readonly #journal: Journal;
  readonly #schedules: ScheduleStore;
  readonly #onRun: Surroundings["onRun"];
  readonly #settings: Settings;
  readonly #world: World;
  readonly #stop = new AbortController();
  /** The steps that are under way, by their scope. */
  readonly #active = new Map<string, Promise<unknown>>();
  readonly #taskStops = new Map<string, AbortController>();
  readonly #over = Promise.withResolvers<void>();
  /** Tells whoever waits that a question or a task of the thread stands differently now. */
  #settle = Promise.withResolvers<void>();
  /** What its message may be called. */
  #title = "";
  /** True until the first step of this run has finished: what is found unfinished till then was interrupted. */
  #isCatchingUp: boolean;

  constructor(
    { thread, isInterrupted }: Attempt,
    log: Log,
    { store, schedules, settings, world, onRun }: Surroundings,
  ) {
    this.thread = thread;
    this.#log = log;
    this.#store = store;
    this.#journal = new Journal(store, thread.seq);
    this.#schedules = schedules;
    this.#settings = settings;
    this.#world = world;
    this.#onRun = onRun;
    this.#isCatchingUp = isInterrupted;
  }

  /** Takes effect at once: what is under way publishes nothing more but its end. Resolves when that has come. */
  async cancel(): Promise<void> {
    stop(this.#stop, new Stop("person", "You cancelled this."));
    await this.#over.promise;
  }

  /** As `cancel`, for one task. */
  async cancelTask(taskId: string): Promise<void> {
    this.#taskStop(taskId).abort(new Stop("person", "You cancelled this task."));
    this.hear();
    await this.#active.get(taskId);
  }

  /** A question of the thread was answered or closed, or a task was cancelled that may have to wait for one. */
  hear(): void {
    this.#settle.resolve();
    this.#settle = Promise.withResolvers<void>();
  }

  /** Runs the thread to its end, or until it has to wait. Rejects only when the object is about to be reset. */
  async run(): Promise<void> {
    const { request } = must(this.#store.command(this.thread.command_id), "the command of an open thread");
    const { conversation, open } = this.#log.head;
    const start = this.thread.is_instance === true ? (request as InstanceStart) : null;
    const limits = limitsOf(this.#settings, start);
    const asked = start === null ? (request as Send) : sendOf(start);
    this.#title = titleOf(asked.message);
    this.#stopAgain();
    let history: readonly ChatMessage[] | undefined;
    const openThreads = new Set(open.map(({ thread_id }) => thread_id));
    const seconds = this.#settings.MAX_THREAD_SECONDS * shareOf(start);
    const late = new Stop("clock", `This message used up its ${seconds} seconds before it was done.`);
    const clock = setTimeout(() => this.#stop.abort(late), Math.min(seconds * 1000, LONGEST_TIMER_MS));
    try {
      const ports = { ...this.#world, now: Date.now, mint: mintWithin(conversation.conversation_id), step: this.#step };
      const turn: Turn = {
        conversationId: conversation.conversation_id,
        threadId: this.thread.thread_id,
        userId: conversation.user_id,
        request: asked,
        history: () => (history ??= [...broughtBy(asked.context), ...historyOf(this.#store.newestRows(), openThreads)]),
        limits,
        signal: this.#stop.signal,
        taskSignal: (taskId) => this.#taskStop(taskId).signal,
        standing: (requestId) => must(this.#store.question(requestId), requestId).standing,
        settled: () => this.#settle.promise,
      };
      const end = await this.#carryOut(ports, turn, start);
      if (end.status === "paused") this.#pause(end.request_ids);
      else this.#end(end);
    } finally {
      clearTimeout(clock);
      this.#over.resolve();
    }
  }

  #carryOut(ports: Ports, turn: Turn, start: InstanceStart | null): Promise<TurnEnd> {
    const { tick } = this.thread;
    if (start !== null) {
      const { template, context, verify } = start;
      const plan_instance_id = companion(turn.conversationId, "inst");
      const instance = { plan_instance_id, template, context, verify };
      return runInstance({ ...ports, agents: withoutPlans(ports.agents) }, { ...turn, instance });
    }
    if (tick === undefined) return runTurn(ports, turn);
    const schedule = (): Schedule | null => this.#schedules.get(tick.schedule_id);
    return runTick(ports, { ...turn, tick, schedule });
  }

  /** What was stopped before the host died is not begun again, nor what has killed it too often. */
  #stopAgain(): void {
    const { attempts, is_cancelled: isCancelled, cancelled_tasks: tasks = [], is_instance } = this.thread;
    for (const task of tasks) void this.cancelTask(task);
    if (isCancelled === true) void this.cancel();
    else if (attempts > (is_instance === true ? MAX_ATTEMPTS_OF_INSTANCE : MAX_ATTEMPTS)) {
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
    const stored = this.#journal.get(spec.name);
    if (stored !== null && stored.since === null) return JSON.parse(stored.value) as T;
    let since = stored?.since ?? this.#beginningOf(spec);
    const startsOver = spec.isAtomic !== true && (this.#isCatchingUp || stored !== null);
    if (startsOver) this.#startOver(spec, since);
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
          this.#journal.put(spec.name, { value: JSON.stringify(value), since });
        });
      },
    };
    try {
      const { value, closing, asks, begins } = await work(emit, memo);
      this.#log.publish(closing, this.#changeBy(asks), () => {
        this.#journal.put(spec.name, { value: JSON.stringify(value), since: null });
        if (asks !== undefined) this.#store.putQuestion(asks);
        if (begins !== undefined) this.#schedules.put(begins);
      });
      if (begins !== undefined) this.#onRun();
      if (spec.isAtomic !== true) this.#isCatchingUp = false;
      return value;
    } finally {
      isOver = true;
    }
  }

  /**
   * What the end of a step changes in the head. An instance may take days: a host that dies under each of its steps
   * once does not die of them.
   */
  #changeBy(asks: Question | undefined): Change | undefined {
    const { is_instance, thread_id, attempts } = this.thread;
    const isAhead = is_instance === true && attempts > 1;
    const waiting = (head: Head): Head => asking(named(head, thread_id, this.#title));
    if (!isAhead) return asks === undefined ? undefined : waiting;
    return (head) => {
      const ahead = changed(head, thread_id, (open) => ({ ...open, attempts: 1 }));
      return asks === undefined ? ahead : waiting(ahead);
    };
  }

  /** The last number before a step: the answer that it goes on from, or nothing; null when there is no answer. */
  #beginningOf({ continues }: StepSpec): number | null {
    const beginning = this.thread.tick === undefined ? 0 : this.thread.seq;
    return continues === undefined ? beginning : (this.#store.question(continues)?.answeredAt ?? null);
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

  #end({ status, closing, run, schedule }: Exclude<TurnEnd, { status: "paused" }>): void {
    const { thread_id } = this.thread;
    const open = this.#store.openQuestions().filter((asked) => asked.thread_id === thread_id);
    this.#log.settle(
      closing,
      (head) => called(without(head, this.thread, status, isCancelled(this.#stop.signal)), this.#title),
      () => {
        this.#store.closeQuestions(idsOf(open), "cancelled");
        if (schedule !== undefined) this.#schedules.put(schedule);
        if (run !== undefined && schedule !== undefined) this.#schedules.putRun(run);
        if (run !== undefined) this.#onRun(run);
      },
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

/** A plan that ran plans could run itself. */
function withoutPlans(agents: Agents): Agents {
  return { ...agents, list: async () => (await agents.list()).filter(({ source }) => source !== "plan") };
}
