// The input and the shared context of a turn.

import type { Agent } from "../../protocol/agents/agent.ts";
import type { SendCommand } from "../../protocol/wire/commands.ts";
import { deriveId } from "../../protocol/wire/ids.ts";
import type { Budget, ThreadLimits } from "../models/budget.ts";
import type { ChatMessage, Ports, QuestionState } from "../ports.ts";

/** The identity of a schedule run: one schedule and one due time (ms since the epoch) make one run (S1). */
export type ScheduleTick = { readonly schedule_id: string; readonly due_at: number };

/** A message, the thread it belongs to, and the thread's means of interruption. */
export type TurnInput = {
  readonly conversationId: string;
  readonly threadId: string;
  readonly userId: string;
  readonly request: SendCommand;
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
  /** Resolves when the state of any question changes or a task is cancelled. */
  readonly waitForChange: () => Promise<void>;
};

/** The context that all stages of a turn share. `agents` is read once per run of the turn. */
export type TurnContext = TurnInput & {
  readonly ports: Ports;
  readonly budget: Budget;
  readonly agents: readonly Agent[];
};

/** The last digit of the task id of each stage. */
const STAGE_DIGITS = { triage: "1", planner: "2", synthesis: "3", verification: "4" } as const;

/** Returns the `task_id` under which a stage without a task publishes. It is derived from the thread id and stable. */
export function getStageTaskId(threadId: string, stage: keyof typeof STAGE_DIGITS): string {
  return deriveId(threadId, "task").slice(0, -1) + STAGE_DIGITS[stage];
}
