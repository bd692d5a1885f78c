// The input and the shared context of a turn.

import type { Agent } from "../../protocol/agents/agent.ts";
import { PLANNER, SUPER_AGENT } from "../../protocol/wire/events.ts";
import { deriveId } from "../../protocol/wire/ids.ts";
import type { TurnRequest } from "../models/answer-options.ts";
import type { QuestionAnswer } from "../../protocol/wire/question.ts";
import type { Budget, ThreadLimits } from "../models/budget.ts";
import type { EventScope } from "../models/delta-writer.ts";
import type { ChatMessage, Ports, QuestionState, StepOutcome } from "../ports.ts";

/** The identity of a schedule run: one schedule and one due time (ms since the epoch) make one run (S1). */
export type ScheduleTick = { readonly schedule_id: string; readonly due_at: number };

/** A message, the thread it belongs to, and the thread's means of interruption. */
export type TurnInput = {
  readonly conversationId: string;
  readonly threadId: string;
  readonly userId: string;
  readonly request: TurnRequest;
  /** Present if a schedule, not a message, started this turn. */
  readonly tick?: ScheduleTick;
  /** Returns the earlier messages of the conversation, oldest first, in a bounded amount. */
  readonly history: () => readonly ChatMessage[];
  readonly limits: ThreadLimits;
  /** Aborts with a `StopReason` if the person cancels the thread or its time runs out. */
  readonly signal: AbortSignal;
  /** Returns the signal that aborts if the person cancels this one task. */
  readonly taskSignal: (taskId: string) => AbortSignal;
  /** Returns the state of a question of this thread. */
  readonly getQuestionState: (requestId: string) => QuestionState;
  /** Returns the person's answers to questions of this thread so far, in any order. */
  readonly answers: () => readonly QuestionAnswer[];
  /**
   * Returns the `seq` of the event that shows the result of a tool call or task, by the id of its item or task; null if
   * there is none.
   */
  readonly findResultSeq: (id: string) => number | null;
  /** Resolves when the state of any question changes or a task is cancelled. */
  readonly waitForChange: () => Promise<void>;
};

/** The context that all stages of a turn share. `agents` is read once per run of the turn. */
export type TurnContext = TurnInput & {
  readonly ports: Ports;
  readonly budget: Budget;
  readonly agents: readonly Agent[];
};

/** The stages of a thread: the last digit of the task id under which they publish, and the name of their agent. */
const STAGES = {
  triage: { digit: "1", agent_name: SUPER_AGENT },
  planner: { digit: "2", agent_name: PLANNER },
  synthesis: { digit: "3", agent_name: SUPER_AGENT },
  verification: { digit: "4", agent_name: SUPER_AGENT },
  recovery: { digit: "5", agent_name: SUPER_AGENT },
} as const;

/**
 * Returns the event scope under which a stage without a task publishes; a workflow instance publishes as `planner`. Its
 * task id is derived from the thread id and stable.
 */
export function getStageScope(threadId: string, stage: keyof typeof STAGES): EventScope {
  const { digit, agent_name } = STAGES[stage];
  return { thread_id: threadId, task_id: deriveId(threadId, "task").slice(0, -1) + digit, agent_name };
}

/** Runs a step of a stage that publishes only its closing events. */
export function runAtomicStep<T>(
  { ports, threadId }: Pick<TurnContext, "ports" | "threadId">,
  stage: keyof typeof STAGES,
  name: string,
  work: () => StepOutcome<T> | Promise<StepOutcome<T>>,
): Promise<T> {
  const { task_id: scope, agent_name: agentName } = getStageScope(threadId, stage);
  return ports.step<T>({ name, scope, agentName, isAtomic: true }, async () => work());
}
