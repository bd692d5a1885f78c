// Runs one thread: connects the turn of the core to journal, log, limits and abort signals.
//
// Owns the abort controllers of the thread and its tasks, and the promise that announces changes of its questions. One
// run exists at a time (T1). `run` is called once; `cancel`, `cancelTask` and `notifySettled` may be called at any
// time. Order of the end: closing events, removal from the head, questions closed, result of a schedule run; all in one
// transaction.
//
// Invariants:
//   T3. `done` is the last event of the thread and is stored together with its end.

import type { ThreadLimits } from "../../../core/models/budget.ts";
import type { AgentRunner, ChatMessage, Ports } from "../../../core/ports.ts";
import { runInstance } from "../../../core/listeners/run-instance.ts";
import { isCancelledByPerson, abortWithReason, StopReason } from "../../../core/turn/stop-reason.ts";
import type { TurnInput } from "../../../core/turn/turn-context.ts";
import { runTick } from "../../../core/schedules/tick.ts";
import { runTurn } from "../../../core/turn/turn.ts";
import type { TurnOutcome } from "../../../core/turn/turn-outcome.ts";
import { ensurePresent } from "../../../lib/assert.ts";
import type { ScheduleRunResult, Schedule } from "../../../protocol/schedules/schedule.ts";
import { deriveId, createIdFactory } from "../../../protocol/wire/ids.ts";
import { createMessage, formatMessage } from "../../../language/messages.ts";
import type { Settings } from "../../../settings.ts";
import { withProgress, withTitle, updateThread, removeThread, type OpenThread } from "../storage/conversation-head.ts";
import { findResultSeq } from "../../../core/log/find-result-seq.ts";
import { parseContextHistory, type ConversationHistory } from "./conversation-history.ts";
import type { EventLog } from "../event-log.ts";
import type { ScheduleStore } from "../storage/schedule-store.ts";
import { Steps, type ThreadAttempt } from "./steps.ts";
import type { ConversationStore } from "../storage/conversation-store.ts";
import { getQuestionSeconds, readThreadInput, type ThreadInput } from "./thread-input.ts";

const MAX_TIMER_MS = 2 ** 31 - 1;

/** The ports that do not depend on the thread. */
export type BasePorts = Pick<Ports, "model" | "agents" | "code" | "report" | "schedules" | "profile">;

/** Dependencies of a run. */
export type ThreadRunDeps = {
  readonly store: ConversationStore;
  readonly history: ConversationHistory;
  readonly schedules: ScheduleStore;
  readonly settings: Settings;
  readonly basePorts: BasePorts;
  /** Called when a schedule was created, and with the result of a run inside the transaction that stores it. */
  readonly onScheduleChanged: (result?: ScheduleRunResult) => void;
};

/** One run of one thread, from start or resumption to its end or pause. */
export class ThreadRun {
  readonly thread: OpenThread;
  readonly #log: EventLog;
  readonly #deps: ThreadRunDeps;
  readonly #threadController = new AbortController();
  readonly #taskControllers = new Map<string, AbortController>();
  readonly #over = Promise.withResolvers<void>();
  /** Resolved and replaced whenever a question or task of the thread changes state. */
  #settled = Promise.withResolvers<void>();
  readonly #input: ThreadInput;
  readonly #stop: StopReason | undefined;
  readonly #steps: Steps;

  constructor(attempt: ThreadAttempt, log: EventLog, deps: ThreadRunDeps) {
    const { store, schedules, onScheduleChanged } = deps;
    this.thread = attempt.thread;
    this.#log = log;
    this.#deps = deps;
    this.#input = readThreadInput(store, this.thread);
    this.#stop = attempt.stop;
    const { title, language } = this.#input;
    const context = { store, schedules, language, onScheduleCreated: () => onScheduleChanged() };
    this.#steps = new Steps(attempt, title, log, context, this.#threadController.signal);
  }

  /** Stops the thread: from now on it publishes only its end. Resolves when the run has ended. Stores nothing. */
  async cancel(): Promise<void> {
    abortWithReason(this.#threadController, new StopReason("person", createMessage("turn.cancelled")));
    await this.#over.promise;
  }

  /** Stops one task. Resolves when its running step has ended; at once if none is running. */
  async cancelTask(taskId: string): Promise<void> {
    this.#getTaskController(taskId).abort(new StopReason("person", createMessage("task.cancelledByUser")));
    this.notifySettled();
    await this.#steps.waitForScope(taskId);
  }

  /** Notifies waiting steps that a question was answered or closed, or that a task was cancelled. */
  notifySettled(): void {
    this.#settled.resolve();
    this.#settled = Promise.withResolvers<void>();
  }

  /** Runs the thread until it is done or paused. Rejects only if the object is about to be reset. */
  async run(): Promise<void> {
    const { conversation, open } = this.#log.head;
    const { request, start, language } = this.#input;
    this.#reapplyStop();
    let history: readonly ChatMessage[] | undefined;
    const seconds = this.#deps.settings.MAX_THREAD_SECONDS * computeLimitFactor(start);
    const createTimeoutStop = () => new StopReason("clock", createMessage("turn.timeLimit", { seconds }));
    const clock = setTimeout(
      () => this.#threadController.abort(createTimeoutStop()),
      Math.min(seconds * 1000, MAX_TIMER_MS),
    );
    try {
      const ports: Ports = {
        ...this.#deps.basePorts,
        now: Date.now,
        mint: createIdFactory(conversation.conversation_id),
        step: this.#steps.step,
        formatMessage: (message) => formatMessage(language, message),
      };
      const turn: TurnInput = {
        conversationId: conversation.conversation_id,
        threadId: this.thread.thread_id,
        userId: conversation.user_id,
        request,
        // Exclude all threads that were open at the start, including those that are done by now: they were sent after
        // this one.
        history: () =>
          (history ??= [
            ...parseContextHistory(request.context),
            ...this.#deps.history.getMessages([...open, ...this.#log.head.open]),
          ]),
        limits: computeThreadLimits(this.#deps.settings, start),
        signal: this.#threadController.signal,
        taskSignal: (taskId) => this.#getTaskController(taskId).signal,
        getQuestionState: (requestId) => ensurePresent(this.#deps.store.getQuestion(requestId), requestId).state,
        answers: () => this.#deps.store.listAnswers(this.thread.thread_id),
        findResultSeq: (id) => findResultSeq(this.#deps.store.readNewestRows(), id),
        waitForChange: () => this.#settled.promise,
      };
      const end = await this.#execute(ports, turn);
      if (end.status === "paused") this.#pause(end.request_ids);
      else this.#finish(end);
    } finally {
      clearTimeout(clock);
      this.#over.resolve();
    }
  }

  #execute(ports: Ports, turn: TurnInput): Promise<TurnOutcome> {
    const { tick } = this.thread;
    const { start } = this.#input;
    if (start !== null) {
      const { template, context, verify } = start;
      const plan_instance_id = deriveId(turn.conversationId, "inst");
      const instance = { plan_instance_id, template, context, verify };
      return runInstance({ ...ports, agents: omitWorkflowAgents(ports.agents) }, { ...turn, instance });
    }
    if (tick === undefined) return runTurn(ports, turn);
    const schedule = (): Schedule | null => this.#deps.schedules.get(tick.schedule_id);
    return runTick(ports, { ...turn, tick, schedule });
  }

  /** Repeats cancellations that were stored before the host died, and ends a thread that must not continue. */
  #reapplyStop(): void {
    const { is_cancelled: isCancelled, cancelled_tasks: tasks = [] } = this.thread;
    for (const task of tasks) void this.cancelTask(task);
    if (isCancelled === true) void this.cancel();
    else if (this.#stop !== undefined) this.#threadController.abort(this.#stop);
  }

  /**
   * Stores that the thread is paused, so that the object can hibernate. An answer that arrived meanwhile continues it
   * at once.
   */
  #pause(requestIds: readonly string[]): void {
    const isOpen = (id: string): boolean => this.#deps.store.getQuestion(id)?.state.state === "open";
    if (this.#threadController.signal.aborted || !requestIds.every(isOpen)) return;
    const { thread_id } = this.thread;
    this.#log.publishEnd([], (head) =>
      updateThread(head, thread_id, (open) => ({ ...withProgress(open), is_paused: true })),
    );
    this.#log.endThreadStreams(thread_id);
  }

  /** T3. Stores the end of the thread. */
  #finish({ status, closing, run, schedule }: Exclude<TurnOutcome, { status: "paused" }>): void {
    const { thread_id } = this.thread;
    const open = this.#deps.store.listOpenQuestions().filter((question) => question.thread_id === thread_id);
    this.#log.publishEnd(
      [...this.#steps.closing, ...closing],
      (head) =>
        withTitle(
          removeThread(head, this.thread, status, isCancelledByPerson(this.#threadController.signal)),
          this.#input.title,
        ),
      () => {
        this.#deps.store.closeQuestions(
          open.map(({ request_id }) => request_id),
          "cancelled",
        );
        if (schedule !== undefined) this.#deps.schedules.put(schedule);
        if (run !== undefined && schedule !== undefined) this.#deps.schedules.putResult(run);
        if (run !== undefined) this.#deps.onScheduleChanged(run);
      },
    );
  }

  #getTaskController(taskId: string): AbortController {
    let controller = this.#taskControllers.get(taskId);
    if (controller === undefined) this.#taskControllers.set(taskId, (controller = new AbortController()));
    return controller;
  }
}

/** Excludes workflows from the agents of a workflow: it could run itself. */
function omitWorkflowAgents(agents: AgentRunner): AgentRunner {
  return { ...agents, list: async () => (await agents.list()).filter(({ source }) => source !== "plan") };
}

/**
 * Returns the number of messages that a thread counts as: that of the agent listeners of an instance, at least 1; 1 if
 * `start` is null (a message or schedule run).
 */
function computeLimitFactor(start: ThreadInput["start"]): number {
  return Math.max(1, start?.template.listeners.filter(({ listener_type }) => listener_type === "agent").length ?? 1);
}

/**
 * Returns the limits of a thread; `start` is null unless it executes an instance. Model calls and tokens are multiplied
 * by `computeLimitFactor`.
 */
function computeThreadLimits(settings: Settings, start: ThreadInput["start"]): ThreadLimits {
  const factor = computeLimitFactor(start);
  return {
    maxModelCalls: settings.MAX_MODEL_CALLS * factor,
    maxTokens: settings.MAX_TOKENS * factor,
    maxTasks: settings.MAX_TASKS,
    maxConcurrentTasks: settings.MAX_CONCURRENT_TASKS,
    questionSeconds: getQuestionSeconds(settings, start),
    maxFailures: settings.MAX_SCHEDULE_FAILURES,
    maxFirings: settings.MAX_FIRINGS,
  };
}
