// Runs a task on its agent in segments.
//
// A segment is one journaled step: from the start of the task, or from the answer to its last question, to its end or
// its next question. Step names are `task:ID`, `task:ID#ATTEMPT` and `task:ID…:SEGMENT`.
// - An interrupted segment starts over with the same message id, from the agent's last checkpoint if there is one (T4).
// - After the task's signal aborts, nothing of the agent is published any more; the outcome is `cancelled` (T5).
// - Each task has exactly one terminal event. It is stored with the value of its last segment (T3).

import { assertNever } from "../../lib/assert.ts";
import { createMessage, type Message } from "../../language/messages.ts";
import type { AgentRequest } from "../../protocol/agents/agent.ts";
import type { Plan, Task } from "../../protocol/plans/task-plan.ts";
import {
  findTaskAgent,
  runAgent,
  copyStated,
  copyUsedTools,
  type AgentQuestion,
  type TaskCheckpoint,
  type AgentRun,
} from "./agent-run.ts";
import type { EventDraft, Emit, StepOutcome, StepSpec } from "../ports.ts";
import { createQuestionEvent, createExpiryMessage, createQuestion } from "./questions.ts";
import { QUESTION_REFUSED, BUDGET_EXCEEDED, type TaskOutcome, type WaitingTask } from "./task-outcome.ts";
import {
  createConnectingEvent,
  createSubagentStart,
  createTerminalEvent,
  createSubagentEnd,
  getTaskScope,
  createRetryEvent,
} from "./task-events.ts";
import { buildTaskRequest, type TaskRequestOptions } from "./task-request.ts";
import { resolveOrigins } from "./provenance.ts";
import { runBudgetedStep } from "../models/budgeted-step.ts";
import { getAbortMessage } from "./stop-reason.ts";
import type { TurnContext } from "./turn-context.ts";
import { DeltaWriter } from "../models/delta-writer.ts";

/** Optional behaviour of a task segment. */
export type TaskOptions = TaskRequestOptions & {
  /**
   * A further attempt follows a failure, so a failure publishes `task_retrying` instead of `task_failed`, unless the
   * budget is exhausted.
   */
  readonly retriesOnFailure?: boolean;
  /** A completed segment publishes no terminal event: the caller publishes the task's end. */
  readonly endsLater?: boolean;
  /** The outcome contains the used tools. */
  readonly recordsTools?: boolean;
  /** A task without visible output gets no notice. */
  readonly mayBeSilent?: boolean;
  /** A question of the agent becomes a failure with the code `QUESTION_REFUSED`. */
  readonly refusesQuestions?: boolean;
};

/**
 * Runs one segment of a task as a step. `resumeFrom` is the answered or closed question to continue from; null at the
 * start. `outcomes` contains the outcomes of the finished tasks. A task whose dependency did not complete, whose
 * question was cancelled, or whose signal is aborted ends as `cancelled` without a call to its agent; after an expired
 * question it has failed (`question_expired`). Resolves with the outcome, or with `waiting` if the agent asked. Rejects
 * only for errors of the journal.
 */
export function runTaskSegment(
  turn: TurnContext,
  plan: Plan,
  task: Task,
  resumeFrom: WaitingTask | null,
  outcomes: ReadonlyMap<string, TaskOutcome>,
  options: TaskOptions = {},
): Promise<TaskOutcome | WaitingTask> {
  return runBudgetedStep<TaskOutcome | WaitingTask, TaskCheckpoint>(
    turn,
    buildSegmentStep(task, resumeFrom, options),
    async (publish, budget, memo) => {
      const signal = AbortSignal.any([turn.signal, turn.taskSignal(task.task_id)]);
      const emit: Emit = (...drafts) => {
        if (!signal.aborted) publish(...drafts);
      };
      const start =
        resumeFrom === null
          ? resolveFirstStart(turn, plan, task, outcomes, signal)
          : resolveResumedStart(turn, resumeFrom, signal);
      if (start.kind === "over") {
        if (resumeFrom !== null) void withdrawAgentQuestion(turn, task, resumeFrom.remote_task_id, resumeFrom.state);
        return buildFinishedOutcome(
          turn,
          task,
          start.outcome,
          resumeFrom === null && memo.saved === null ? [] : createSubagentEnd(task),
          options,
        );
      }
      const openingEvents =
        resumeFrom === null && memo.saved === null ? [...createSubagentStart(task), createConnectingEvent(task)] : [];
      emit(...openingEvents);
      const writer = new DeltaWriter(getTaskScope(task), emit);
      const tools = options.recordsTools === true ? [...(memo.saved?.tools ?? [])] : undefined;
      const agentRun: AgentRun = {
        turn,
        task,
        emit,
        writer,
        budget,
        signal,
        memo,
        openingEvents,
        tools,
        isConnected: openingEvents.length === 0,
        mayBeSilent: options.mayBeSilent === true,
        stated: memo.saved?.stated ?? resumeFrom?.stated,
        hasVisibleOutput: resumeFrom !== null || memo.saved?.has_shown === true,
      };
      const ended = await runAgent(agentRun, {
        ...buildTaskRequest(turn, plan, task, outcomes, resumeFrom, options),
        ...(memo.saved === null ? start.request : { checkpoint: memo.saved.state }),
      });
      if (ended.status === "asks") {
        if (!signal.aborted && options.refusesQuestions !== true)
          return buildQuestionOutcome(turn, task, { ...ended, ...copyStated(agentRun) }, resumeFrom, writer.close());
        void withdrawAgentQuestion(turn, task, ended.remote_task_id, ended.event.state);
      }
      const finished: TaskOutcome =
        ended.status === "asks"
          ? { status: "failed", error: ended.event.prompt, code: QUESTION_REFUSED, ...copyUsedTools(agentRun) }
          : ended;
      const outcome: TaskOutcome = signal.aborted ? buildAbortedOutcome(turn, signal) : finished;
      if (options.endsLater === true && outcome.status === "completed")
        return { value: outcome, closing: writer.close() };
      return buildFinishedOutcome(turn, task, outcome, [...writer.close(), ...createSubagentEnd(task)], options);
    },
  );
}

/** Builds the step of a segment. Its name is stored in the journal and must not change. */
function buildSegmentStep(task: Task, resumeFrom: WaitingTask | null, { attempt = 1 }: TaskOptions): StepSpec {
  const { task_id: scope, agent_name: agentName } = task;
  const name = attempt === 1 ? `task:${scope}` : `task:${scope}#${attempt}`;
  if (resumeFrom === null) return { name, scope, agentName };
  return { name: `${name}:${resumeFrom.legs + 1}`, scope, agentName, continues: resumeFrom.request_id };
}

/** The start of a segment: a request to run, or the outcome of a task that ends without one. */
type SegmentStart =
  | { readonly kind: "over"; readonly outcome: TaskOutcome }
  | { readonly kind: "run"; readonly request: Pick<AgentRequest, "reply"> };

/** Returns the start of a task's first segment. */
function resolveFirstStart(
  turn: TurnContext,
  plan: Plan,
  task: Task,
  outcomes: ReadonlyMap<string, TaskOutcome>,
  signal: AbortSignal,
): SegmentStart {
  if (signal.aborted) return { kind: "over", outcome: buildAbortedOutcome(turn, signal) };
  const blocked = describeBlockingTask(plan, task, outcomes);
  return blocked === null
    ? { kind: "run", request: {} }
    : { kind: "over", outcome: { status: "cancelled", error: turn.ports.formatMessage(blocked) } };
}

/** Builds the outcome of a task whose signal is aborted. */
function buildAbortedOutcome({ ports }: TurnContext, signal: AbortSignal): TaskOutcome {
  return { status: "cancelled", error: ports.formatMessage(getAbortMessage(signal)) };
}

/** Returns the start of a segment after a question: the reply, or the outcome of an expired or withdrawn question. */
function resolveResumedStart(turn: TurnContext, resumeFrom: WaitingTask, signal: AbortSignal): SegmentStart {
  if (signal.aborted) return { kind: "over", outcome: buildAbortedOutcome(turn, signal) };
  const { formatMessage } = turn.ports;
  const questionState = turn.getQuestionState(resumeFrom.request_id);
  switch (questionState.state) {
    case "answered": {
      const { remote_task_id, state } = resumeFrom;
      const checkpoint = {
        ...(remote_task_id === undefined ? {} : { remote_task_id }),
        ...(state === undefined ? {} : { state }),
      };
      return { kind: "run", request: { reply: { answer: questionState.answer, ...checkpoint } } };
    }
    case "expired": {
      const error = formatMessage(createExpiryMessage(resumeFrom.prompt));
      return { kind: "over", outcome: { status: "failed", error, code: "question_expired" } };
    }
    case "open":
    case "cancelled": {
      const error = formatMessage(createMessage("task.questionWithdrawn"));
      return { kind: "over", outcome: { status: "cancelled", error } };
    }
    default:
      return assertNever(questionState);
  }
}

/** Returns a message about the first dependency that did not complete; null if all did. */
function describeBlockingTask(plan: Plan, task: Task, outcomes: ReadonlyMap<string, TaskOutcome>): Message | null {
  const blocking = plan.tasks.find(
    (other) => task.depends_on.includes(other.task_id) && outcomes.get(other.task_id)?.status !== "completed",
  );
  if (blocking === undefined) return null;
  const isCancelled = outcomes.get(blocking.task_id)?.status === "cancelled";
  return createMessage(isCancelled ? "task.dependencyCancelled" : "task.dependencyFailed", { task: blocking.title });
}

/**
 * Notifies the task's agent that its question gets no answer. Does nothing if the agent or its remote task is unknown.
 * `state` is the checkpoint that the agent sent with the question. Never rejects.
 */
export async function withdrawAgentQuestion(
  turn: TurnContext,
  task: Task,
  remoteTaskId: string | undefined,
  state: string | undefined,
): Promise<void> {
  const agent = findTaskAgent(turn, task);
  const details = { task_id: task.task_id, ...(state === undefined ? {} : { checkpoint: state }) };
  if (agent !== undefined && remoteTaskId !== undefined) await turn.ports.agents.cancel(agent, remoteTaskId, details);
}

/** Creates the step outcome that asks the person. The task waits after the step is stored. */
function buildQuestionOutcome(
  turn: TurnContext,
  task: Task,
  { event, remote_task_id, stated }: AgentQuestion & Pick<WaitingTask, "stated">,
  resumeFrom: WaitingTask | null,
  earlierEvents: readonly EventDraft[],
): StepOutcome<WaitingTask> {
  const { prompt, options, approval, state } = event;
  const threadQuestion = createQuestion(turn, getTaskScope(task), {
    stage: "executing",
    prompt,
    options,
    approval: approval === undefined ? undefined : resolveOrigins(turn, task, approval),
    query: task.query,
  });
  const value: WaitingTask = {
    status: "waiting",
    request_id: threadQuestion.request_id,
    prompt,
    legs: (resumeFrom?.legs ?? 0) + 1,
    ...(remote_task_id === undefined ? {} : { remote_task_id }),
    ...(state === undefined ? {} : { state }),
    ...(stated === undefined ? {} : { stated }),
  };
  return { value, closing: [...earlierEvents, createQuestionEvent(threadQuestion)], question: threadQuestion };
}

/**
 * Publishes the end of a task whose last segment had `endsLater`, once per attempt. A task that the person has stopped
 * meanwhile is cancelled. Resolves with the outcome.
 */
export function endTask(
  turn: TurnContext,
  task: Task,
  completed: TaskOutcome,
  options: TaskOptions = {},
): Promise<TaskOutcome> {
  const { task_id: scope, agent_name: agentName } = task;
  const { attempt = 1 } = options;
  const name = attempt === 1 ? `end:${scope}` : `end:${scope}#${attempt}`;
  return turn.ports.step<TaskOutcome>({ name, scope, agentName, isAtomic: true }, async () => {
    const signal = AbortSignal.any([turn.signal, turn.taskSignal(scope)]);
    const outcome = signal.aborted ? buildAbortedOutcome(turn, signal) : completed;
    return buildFinishedOutcome(turn, task, outcome, createSubagentEnd(task), options);
  });
}

/** Creates the step outcome of a finished task, with its terminal event, or with `task_retrying` if it is retried. */
function buildFinishedOutcome(
  turn: TurnContext,
  task: Task,
  outcome: TaskOutcome,
  earlierEvents: readonly EventDraft[],
  { attempt = 1, retriesOnFailure = false }: TaskOptions,
): StepOutcome<TaskOutcome> {
  if (retriesOnFailure && outcome.status === "failed" && outcome.code !== BUDGET_EXCEEDED) {
    return { value: outcome, closing: [...earlierEvents, createRetryEvent(task, outcome.error, attempt + 1)] };
  }
  const calls = turn.budget.recordedCalls.filter((call) => call.task_id === task.task_id);
  return { value: outcome, closing: [...earlierEvents, createTerminalEvent(task, outcome, calls)] };
}
