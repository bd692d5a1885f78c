// The outcomes of a task segment. They are journaled as step values, so their fields are a stored format.

import type { Criterion, CriterionCheck } from "../../protocol/plans/criterion.ts";
import type { ToolUse } from "../../protocol/workflows/workflow-instance.ts";

/** The code of a failure of an agent that asked although questions are forbidden. */
export const QUESTION_REFUSED = "question_refused";
/** The code of a failure caused by an exhausted budget. Such a task is not retried. */
export const BUDGET_EXCEEDED = "budget_exceeded";

/** A criterion that an agent stated, with the result of its tool before the work. */
export type StatedCriterion = { readonly criterion: Criterion; readonly before: string };

/** A check that could not run, with the reason. */
export type FailedCheck = { readonly error: string };

/** The evidence for the effect of a task: its criterion, checked before the work and after the last attempt. */
export type CheckedCriterion = {
  readonly criterion: Criterion;
  readonly before: CriterionCheck | FailedCheck;
  readonly after: CriterionCheck | FailedCheck;
  readonly attempts: number;
  /** The numbers of the events that show the results of both checks. */
  readonly seqs: readonly number[];
};

/** The final outcome of a task. `tools` is present if the segment recorded them. */
export type TaskOutcome =
  | {
      readonly status: "completed";
      readonly result: string;
      readonly tools?: readonly ToolUse[];
      readonly stated?: StatedCriterion;
      readonly checked?: CheckedCriterion;
    }
  /** A recurring task whose schedule was created. `result` describes its times in words. */
  | { readonly status: "scheduled"; readonly result: string }
  | {
      readonly status: "failed";
      readonly error: string;
      readonly code?: string;
      readonly tools?: readonly ToolUse[];
    }
  | { readonly status: "cancelled"; readonly error: string };

/** A repeated attempt after a failed check: `attempt` counts from 2. */
export type Repair = {
  readonly attempt: number;
  readonly criterion: Criterion;
  readonly before: CriterionCheck | FailedCheck;
  readonly after: CriterionCheck;
  readonly seqs: readonly number[];
};

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
  /** The criterion that the agent stated before it asked. */
  readonly stated?: StatedCriterion;
  /** The repair in which the task waits. */
  readonly repair?: Repair;
};
