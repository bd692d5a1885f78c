// Runs one thread: connects the turn of the core to journal, log, limits and abort signals.
//
// Owns the abort controllers of the thread and its tasks, and the promise that announces changes of its questions. One
// run exists at a time (T1). `run` is called once; `cancel`, `cancelTask` and `notifySettled` may be called at any
// time. Order of the end: closing events, removal from the head, questions closed, result of a schedule run; all in one
// transaction.
//
// Invariants:
//   T3. `done` is the last event of the thread and is stored together with its end.

import type { Agents, ChatMessage, Ports } from "../core/ports.ts";
import { runInstance } from "../core/listeners/run.ts";
import { languageFor } from "../core/listeners/words.ts";
import { isCancelled, stop, Stop } from "../core/stop.ts";
import type { Turn } from "../core/scene.ts";
import { runTick } from "../core/tick.ts";
import { runTurn } from "../core/turn.ts";
import type { TurnEnd } from "../core/turn-end.ts";
import { must } from "../protocol/assert.ts";
import type { Send } from "../protocol/commands.ts";
import type { RunResult, Schedule } from "../protocol/recurring.ts";
import { companion, mintWithin } from "../protocol/ids.ts";
import { failureIn } from "../protocol/words/failures.ts";
import { languageOf, type Language } from "../protocol/words/language.ts";
import { titleOf } from "../protocol/words/text.ts";
import type { Settings } from "../settings.ts";
import { called, changed, without, type OpenThread } from "./head.ts";
import { broughtBy, type History } from "./history.ts";
import { sendOf, type InstanceStart } from "./instance-start.ts";
import { limitsOf, shareOf } from "./limits.ts";
import type { Log } from "./log.ts";
import { idsOf } from "./open-question.ts";
import type { ScheduleStore } from "./schedule-store.ts";
import { Steps, type Attempt } from "./steps.ts";
import type { Store } from "./store.ts";
import type { World } from "./world.ts";

/** The number of times a thread is started before it is given up, because its host died each time. */
const MAX_ATTEMPTS = 3;
/**
 * The same for one step of an instance: nobody is present to repeat the request, and finished steps must not be lost.
 */
const MAX_ATTEMPTS_OF_INSTANCE = 10;

/** The maximum delay of `setTimeout`. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Dependencies of a run. */
export type Surroundings = {
  readonly store: Store;
  readonly history: History;
  readonly schedules: ScheduleStore;
  readonly settings: Settings;
  readonly world: World;
  /** Called when a schedule was created, and with a run's result inside the transaction that stores it. */
  readonly onRun: (run?: RunResult) => void;
};

/** One run of one thread, from start or resumption to its end or pause. */
export class ThreadRun {
  readonly thread: OpenThread;
  readonly #log: Log;
  readonly #store: Store;
  readonly #history: History;
  readonly #schedules: ScheduleStore;
  readonly #onRun: Surroundings["onRun"];
  readonly #settings: Settings;
  readonly #world: World;
  readonly #stop = new AbortController();
  readonly #taskStops = new Map<string, AbortController>();
  readonly #over = Promise.withResolvers<void>();
  /** Resolved and replaced whenever a question or task of the thread changes state. */
  #settle = Promise.withResolvers<void>();
  /** The input of the instance; null if the thread executes none. */
  readonly #start: InstanceStart | null;
  readonly #asked: Send;
  /** The title that the conversation gets from this message. */
  readonly #title: string;
  readonly #steps: Steps;

  constructor(attempt: Attempt, log: Log, { store, history, schedules, settings, world, onRun }: Surroundings) {
    this.thread = attempt.thread;
    this.#log = log;
    this.#store = store;
    this.#history = history;
    this.#schedules = schedules;
    this.#settings = settings;
    this.#world = world;
    this.#onRun = onRun;
    const { request } = must(store.command(this.thread.command_id), "the command of an open thread");
    this.#start = this.thread.is_instance === true ? (request as InstanceStart) : null;
    this.#asked = this.#start === null ? (request as Send) : sendOf(this.#start);
    this.#title = titleOf(this.#asked.message);
    const around = { store, schedules, onBegun: () => onRun() };
    this.#steps = new Steps(attempt, this.#title, log, around, this.#stop.signal);
  }

  /** Stops the thread: from now on it publishes only its end. Resolves when the run has ended. */
  async cancel(): Promise<void> {
    stop(this.#stop, new Stop("person", "You cancelled this."));
    await this.#over.promise;
  }

  /** Stops one task. Resolves when its running step has ended. */
  async cancelTask(taskId: string): Promise<void> {
    this.#taskStop(taskId).abort(new Stop("person", "You cancelled this task."));
    this.hear();
    await this.#steps.rest(taskId);
  }

  /** Notifies waiting steps that a question was answered or closed, or that a task was cancelled. */
  hear(): void {
    this.#settle.resolve();
    this.#settle = Promise.withResolvers<void>();
  }

  /** Runs the thread until it is done or paused. Rejects only if the object is about to be reset. */
  async run(): Promise<void> {
    const { conversation, open } = this.#log.head;
    const asked = this.#asked;
    this.#stopAgain();
    let history: readonly ChatMessage[] | undefined;
    const seconds = this.#settings.MAX_THREAD_SECONDS * shareOf(this.#start);
    const late = () => new Stop("clock", `This message used up its ${seconds} seconds before it was done.`);
    const clock = setTimeout(() => this.#stop.abort(late()), Math.min(seconds * 1000, LONGEST_TIMER_MS));
    try {
      const ports: Ports = {
        ...this.#world,
        now: Date.now,
        mint: mintWithin(conversation.conversation_id),
        step: this.#steps.step,
        say: (words: string) => failureIn(this.#language, words),
      };
      const turn: Turn = {
        conversationId: conversation.conversation_id,
        threadId: this.thread.thread_id,
        userId: conversation.user_id,
        request: asked,
        // Exclude all threads that were open at the start, including those that are done by now: they were sent after
        // this one.
        history: () =>
          (history ??= [...broughtBy(asked.context), ...this.#history.without([...open, ...this.#log.head.open])]),
        limits: limitsOf(this.#settings, this.#start),
        signal: this.#stop.signal,
        taskSignal: (taskId) => this.#taskStop(taskId).signal,
        standing: (requestId) => must(this.#store.question(requestId), requestId).standing,
        settled: () => this.#settle.promise,
      };
      const end = await this.#carryOut(ports, turn);
      if (end.status === "paused") this.#pause(end.request_ids);
      else this.#end(end);
    } finally {
      clearTimeout(clock);
      this.#over.resolve();
    }
  }

  get #language(): Language {
    const { message, language } = this.#asked;
    return this.#start === null ? languageOf(message, language) : languageFor(this.#asked);
  }

  /** Selects the kind of turn: workflow instance, message or schedule run. */
  #carryOut(ports: Ports, turn: Turn): Promise<TurnEnd> {
    const { tick } = this.thread;
    if (this.#start !== null) {
      const { template, context, verify } = this.#start;
      const plan_instance_id = companion(turn.conversationId, "inst");
      const instance = { plan_instance_id, template, context, verify };
      return runInstance({ ...ports, agents: withoutPlans(ports.agents) }, { ...turn, instance });
    }
    if (tick === undefined) return runTurn(ports, turn);
    const schedule = (): Schedule | null => this.#schedules.get(tick.schedule_id);
    return runTick(ports, { ...turn, tick, schedule });
  }

  /**
   * Repeats cancellations that were stored before the host died, and gives up a thread that has been interrupted too
   * often.
   */
  #stopAgain(): void {
    const { attempts, is_cancelled: isCancelled, cancelled_tasks: tasks = [], is_instance } = this.thread;
    for (const task of tasks) void this.cancelTask(task);
    if (isCancelled === true) void this.cancel();
    else if (attempts > (is_instance === true ? MAX_ATTEMPTS_OF_INSTANCE : MAX_ATTEMPTS)) {
      const words = "This message kept being interrupted and was given up. Please try again.";
      this.#stop.abort(new Stop("host", words));
    }
  }

  /**
   * Stores that the thread is paused, so that the object can hibernate. An answer that arrived meanwhile continues it
   * at once.
   */
  #pause(requestIds: readonly string[]): void {
    const isOpen = (id: string): boolean => this.#store.question(id)?.standing.state === "open";
    if (this.#stop.signal.aborted || !requestIds.every(isOpen)) return;
    const { thread_id } = this.thread;
    this.#log.settle([], (head) => changed(head, thread_id, (open) => ({ ...open, is_paused: true })));
    this.#log.rest(thread_id);
  }

  /** T3. Stores the end of the thread. */
  #end({ status, closing, run, schedule }: Exclude<TurnEnd, { status: "paused" }>): void {
    const { thread_id } = this.thread;
    const open = this.#store.openQuestions().filter((asked) => asked.thread_id === thread_id);
    this.#log.settle(
      [...this.#steps.closing, ...closing],
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

/** Excludes workflows from the agents of a workflow: it could run itself. */
function withoutPlans(agents: Agents): Agents {
  return { ...agents, list: async () => (await agents.list()).filter(({ source }) => source !== "plan") };
}
