import type { Agent } from "../protocol/agent.ts";
import type { Send } from "../protocol/commands.ts";
import { companion } from "../protocol/ids.ts";
import type { Budget, Limits } from "./budget.ts";
import type { ChatMessage, Ports, Standing } from "./ports.ts";

/** S1. What a run of a schedule is known by: one schedule and one due time make one run. */
export type Tick = { readonly schedule_id: string; readonly due_at: number };

/** A message and where it was said. */
export type Turn = {
  readonly conversationId: string;
  readonly threadId: string;
  readonly userId: string;
  readonly request: Send;
  /** The run of a schedule that this is, if no message has begun it. */
  readonly tick?: Tick;
  /** What was said before, oldest first, bounded. Read only by those who need it. */
  readonly history: () => readonly ChatMessage[];
  readonly limits: Limits;
  /** Aborted with a `Stop` when the person cancels the thread or its time is up. */
  readonly signal: AbortSignal;
  /** Aborted when the person cancels this one task. */
  readonly taskSignal: (taskId: string) => AbortSignal;
  /** How a question of this thread stands. */
  readonly standing: (requestId: string) => Standing;
  /** Resolves when the standing of any question changes, or a task is cancelled. */
  readonly settled: () => Promise<void>;
};

/** Everything the stages of a turn share. */
export type Scene = Turn & { readonly ports: Ports; readonly budget: Budget; readonly agents: readonly Agent[] };

const STAGES = { triage: "1", planner: "2", synthesis: "3", verification: "4" } as const;

/** The `task_id` under which a stage without a task of its own publishes. */
export function stageScope(threadId: string, stage: keyof typeof STAGES): string {
  return companion(threadId, "task").slice(0, -1) + STAGES[stage];
}
