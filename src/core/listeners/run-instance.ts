// Runs one instance of a listener plan from start to end.
//
// `InstanceEngine` owns the state and the running listeners. It loops: start all active listeners, wait for the next
// change (an outcome, a settled question, a hold), journal it as a step `apply:N`, apply it, repeat. `runInstance`
// calls it once per run of the thread; answers to questions resume the thread by running it again from the top.
//
// Invariants:
//   T4. The journal contains everything that decides the next change: the task ids and the bounds in the first steps,
//       each change in its own step, the outcome of a listener in the steps of its task. A run after a crash applies
//       the same changes in the same order and therefore fires the same listeners.
//   T5. No further change is applied after the thread's signal aborts.
//
// On failure, running listeners are awaited and the instance ends with status `error` and `system_failed`.

import { ensurePresent } from "../../lib/assert.ts";
import { createMessage } from "../../language/messages.ts";
import { Budget } from "../models/budget.ts";
import type { Ports, StepOutcome } from "../ports.ts";
import { createQuestionEvent, createExpiryMessage } from "../turn/questions.ts";
import { getStageScope, type TurnContext, type TurnInput } from "../turn/turn-context.ts";
import { openTurn } from "../turn/open-turn.ts";
import { isCancelledByPerson } from "../turn/stop-reason.ts";
import { BUDGET_EXCEEDED, type TaskOutcome, type WaitingTask } from "../turn/task-outcome.ts";
import {
  createDoneEvent,
  createSystemFailure,
  buildUsage,
  describeFailure,
  type TurnOutcome,
} from "../turn/turn-outcome.ts";
import { startInstance, type InstanceInput } from "./start-instance.ts";
import { applyChange, type InstanceChange } from "./apply-change.ts";
import { createUpdateEvents, type WorkflowInstance } from "./instance-components.ts";
import { endInstance, buildInstanceEnd, createCancelledTaskEvents, type EndedInstance } from "./end-instance.ts";
import { createHoldQuestion, parseAnswerValues } from "./instance-hold.ts";
import { withdrawListenerQuestion, runListener } from "./run-listener.ts";
import { listHeldListeners, type InstanceState } from "./instance-state.ts";

/** The input of the only thread of an instance's conversation. `verify` requests the verification by the agents. */
export type InstanceTurnInput = TurnInput & {
  readonly instance: InstanceInput & { readonly verify: boolean };
};

/**
 * Runs an instance and returns its end, or `paused` with the open questions. Never rejects: a failure ends the instance
 * with an error. Running it again continues from the journal.
 */
export async function runInstance(ports: Ports, input: InstanceTurnInput): Promise<TurnOutcome> {
  const startedAt = ports.now();
  const budget = new Budget(input.limits);
  let engine: InstanceEngine | null = null;
  const execute = async (): Promise<EndedInstance | PausedInstance> => {
    const turn: TurnContext = await openTurn(ports, input, budget);
    const { instance, state } = await startInstance(turn, input.instance);
    engine = new InstanceEngine(turn, instance, state);
    await engine.run();
    const request_ids = engine.listOpenQuestions();
    if (request_ids.length > 0) return { status: "paused", request_ids };
    await engine.shutDown();
    return endInstance(turn, instance, engine.state, input.instance.verify);
  };
  const ended = await execute().catch((thrown: unknown) => endInterrupted(ports, input, engine, thrown));
  if (ended.status === "paused") return ended;
  const usage = buildUsage(budget.recordedCalls, countStartedListeners(engine), ports.now() - startedAt);
  return { status: ended.status, closing: [...ended.closing, createDoneEvent(input, usage)] };
}

/** The outcome of an instance that waits for answers. */
type PausedInstance = Extract<TurnOutcome, { status: "paused" }>;

/** The journaled form of a change, without a listener's outcome, which is journaled in the listener's own step. */
type JournaledChange =
  | Exclude<InstanceChange, { kind: "came" }>
  | Omit<Extract<InstanceChange, { kind: "came" }>, "outcome">;

/** Drives the state of one instance. See the header for the loop and its invariants. */
class InstanceEngine {
  readonly #turn: TurnContext;
  readonly #instance: WorkflowInstance;
  /** The running listeners, by listener id. An entry stays until its outcome has been applied. */
  readonly #listenerRuns = new Map<string, Promise<TaskOutcome | WaitingTask>>();
  readonly #aborted: Promise<null>;
  #state: InstanceState;
  #changeCount = 0;

  constructor(turn: TurnContext, instance: WorkflowInstance, state: InstanceState) {
    this.#turn = turn;
    this.#instance = instance;
    this.#state = state;
    const { signal } = turn;
    this.#aborted = new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve(null), { once: true });
    });
  }

  get instance(): WorkflowInstance {
    return this.#instance;
  }

  get state(): InstanceState {
    return this.#state;
  }

  /** Applies changes until nothing can change without the person. Rejects if the signal aborts or a step fails. */
  async run(): Promise<void> {
    for (;;) {
      for (const id of this.#state.active) {
        if (this.#listenerRuns.has(id)) continue;
        const run = runListener(this.#turn, this.#instance, this.#state, id);
        run.catch(() => {});
        this.#listenerRuns.set(id, run);
      }
      if (this.#isIdle()) break;
      await this.#applyNextChange();
    }
    this.#turn.signal.throwIfAborted();
  }

  /** Returns the ids of the questions that the resting instance waits for; empty if it is halted or finished. */
  listOpenQuestions(): readonly string[] {
    const { listeners, hold, halt } = this.#state;
    if (halt !== undefined) return [];
    const requestIds = [...listeners.values()].flatMap(({ status, waiting }) =>
      status === "waiting_input" && waiting !== null ? [waiting.request_id] : [],
    );
    return hold === undefined ? requestIds : [...requestIds, hold.request_id];
  }

  /**
   * Waits for the running listeners to settle and cancels all open questions of agents. Returns the ids of the awaited
   * listeners whose task has published its terminal event. Never rejects.
   */
  async shutDown(): Promise<ReadonlySet<string>> {
    const { listeners, active } = this.#state;
    for (const [id, { waiting }] of listeners)
      if (waiting !== null && !active.has(id)) this.#withdrawQuestion(id, waiting);
    const finished = new Set<string>();
    for (const [id, run] of this.#listenerRuns) {
      const outcome = await run.catch(() => null);
      if (outcome?.status === "waiting") this.#withdrawQuestion(id, outcome);
      else if (outcome !== null && hasPublishedEnd(outcome, this.#instance, id)) finished.add(id);
    }
    return finished;
  }

  /** Cancels the question of a listener's agent without waiting for the agent. */
  #withdrawQuestion(id: string, waiting: WaitingTask): void {
    void withdrawListenerQuestion(this.#turn, this.#instance, id, waiting);
  }

  /** True if nothing runs and no change can be detected before the person acts. */
  #isIdle(): boolean {
    const { active, halt, hold, queue } = this.#state;
    if (active.size > 0) return false;
    if (halt !== undefined) return true;
    const isOpen = (id: string): boolean => this.#turn.getQuestionState(id).state === "open";
    const needsHold = queue.length > 0 || (hold === undefined && listHeldListeners(this.#state).length > 0);
    return !needsHold && this.listOpenQuestions().every(isOpen);
  }

  /** Applies one change: the journaled one if it exists, otherwise the next one that is detected. */
  async #applyNextChange(): Promise<void> {
    this.#changeCount += 1;
    const { task_id: scope, agent_name: agentName } = getStageScope(this.#turn.threadId, "planner");
    const spec = { name: `apply:${this.#changeCount}`, scope, agentName, isAtomic: true } as const;
    let fresh: InstanceState | null = null;
    const change = await this.#turn.ports.step<JournaledChange>(
      spec,
      async (): Promise<StepOutcome<JournaledChange>> => {
        const value = await this.#waitForChange();
        const after = await this.#computeNextState(value);
        this.#turn.signal.throwIfAborted();
        fresh = after;
        const closing = createUpdateEvents(this.#instance, this.#state, after);
        const isAsked = value.kind === "held" && this.#state.hold === undefined;
        if (!isAsked) return { value, closing };
        const question = createHoldQuestion(this.#turn, ensurePresent(after.hold, "the hold"));
        return { value, closing: [...closing, createQuestionEvent(question)], question };
      },
    );
    this.#state = fresh ?? (await this.#computeNextState(change));
    if (change.kind === "came") this.#listenerRuns.delete(change.listener_id);
  }

  /** Returns the state after a journaled change, with the outcome of its listener filled in. */
  async #computeNextState(change: JournaledChange): Promise<InstanceState> {
    if (change.kind !== "came") return applyChange(this.#instance, this.#state, change);
    const outcome = await ensurePresent(this.#listenerRuns.get(change.listener_id), change.listener_id);
    return applyChange(this.#instance, this.#state, { ...change, outcome });
  }

  /** Waits for the next change. Rejects if the signal aborts first. */
  async #waitForChange(): Promise<JournaledChange> {
    const { ports, signal } = this.#turn;
    for (;;) {
      signal.throwIfAborted();
      const changed = this.#turn.waitForChange();
      const closed = this.#findClosedQuestion();
      if (closed !== null) return closed;
      if (this.#listenerRuns.size === 0) {
        return { kind: "held", at: ports.now(), request_id: this.#state.hold?.request_id ?? ports.mint("req") };
      }
      const runs = [...this.#listenerRuns].map(([id, run]) => run.then(() => id));
      const listener_id = await Promise.race([this.#aborted, ...runs, changed.then(() => null)]);
      if (listener_id !== null) return { kind: "came", at: ports.now(), listener_id };
    }
  }

  /** Returns the change that a no longer open question causes; null if all questions are open. */
  #findClosedQuestion(): JournaledChange | null {
    const { listeners, hold, halt } = this.#state;
    const { now, formatMessage } = this.#turn.ports;
    const at = now();
    if (halt !== undefined) return null;
    for (const [listener_id, { status, waiting }] of listeners) {
      if (status !== "waiting_input" || waiting === null) continue;
      if (this.#turn.getQuestionState(waiting.request_id).state !== "open") return { kind: "settled", at, listener_id };
    }
    if (hold === undefined) return null;
    const questionState = this.#turn.getQuestionState(hold.request_id);
    switch (questionState.state) {
      case "open":
        return null;
      case "answered":
        return { kind: "resumed", at, values: parseAnswerValues(questionState, hold) };
      case "expired": {
        const content = formatMessage(createExpiryMessage(hold.message));
        return { kind: "given_up", at, content, code: "question_expired" };
      }
      case "cancelled": {
        const content = formatMessage(createMessage("task.questionWithdrawn"));
        return { kind: "given_up", at, content, code: "question_cancelled" };
      }
    }
  }
}

/** True if a task has published its terminal event, that is, if it is not retried. */
function hasPublishedEnd(outcome: TaskOutcome, { compiled }: WorkflowInstance, id: string): boolean {
  const isRetried = (compiled.listeners.get(id)?.listener.failure_output ?? null) === null;
  return outcome.status !== "failed" || outcome.code === BUDGET_EXCEEDED || !isRetried;
}

/** Builds the end of an instance that was interrupted by an error. A cancellation is not a failure (T5). */
async function endInterrupted(
  ports: Ports,
  input: InstanceTurnInput,
  engine: InstanceEngine | null,
  thrown: unknown,
): Promise<EndedInstance> {
  const failure = describeFailure(ports, input.signal, thrown);
  const over = await engine?.shutDown();
  if (engine === null) {
    if (isCancelledByPerson(input.signal)) return { status: "completed", closing: [] };
    return { status: "failed", closing: [createSystemFailure(input.threadId, failure)] };
  }
  const state = { ...engine.state, active: over ?? new Set<string>() };
  if (isCancelledByPerson(input.signal))
    return { status: "completed", closing: createCancelledTaskEvents(engine.instance, state, failure.content) };
  return buildInstanceEnd({ ...input, ports }, engine.instance, state, failure);
}

/** Returns the number of listeners that have started at least once, for the usage. */
function countStartedListeners(engine: InstanceEngine | null): number {
  return [...(engine?.state.listeners.values() ?? [])].filter(({ attempts }) => attempts > 0).length;
}
