// The outcomes of a task segment. They are journaled as step values, so their fields are a stored format.

import type { ToolUse } from "../../protocol/workflows/workflow-instance.ts";

/** The code of a failure of an agent that asked although questions are forbidden. */
export const QUESTION_REFUSED = "question_refused";
/** The code of a failure caused by an exhausted budget. Such a task is not retried. */
export const BUDGET_EXCEEDED = "budget_exceeded";

/** The final outcome of a task. `tools` is present if the segment recorded them. */
export type TaskOutcome =
  | { readonly status: "completed"; readonly result: string; readonly tools?: readonly ToolUse[] }
  /** A recurring task whose schedule was created. `result` describes its times in words. */
  | { readonly status: "scheduled"; readonly result: string }
  | {
      readonly status: "failed";
      readonly error: string;
      readonly code?: string;
      readonly tools?: readonly ToolUse[];
    }
  | { readonly status: "cancelled"; readonly error: string };

/** A task that waits for the person, with the data that its agent needs to continue. */
export type WaitingTask = {
  readonly status: "waiting";
  readonly request_id: string;
  readonly prompt: string;
  /** The number of segments that the task has finished. */
  readonly legs: number;
  readonly remote_task_id?: string;
  /** The checkpoint that the agent sent with its question. */
  readonly state?: string;
};
