// How a task stands when a leg of it is over.

import type { ToolUse } from "../protocol/plan-instance.ts";

/** Codes of failures that decide what comes next: the agent wanted to ask where it may not; the budget is used up. */
export const ASKED = "question_refused";
export const SPENT = "budget_exceeded";

/** How a task ended. `tools` it has where the leg keeps them. */
export type TaskEnd =
  | { readonly status: "completed"; readonly result: string; readonly tools?: readonly ToolUse[] }
  /** A recurring one is set up: it never ends by itself. `result` says when it runs. */
  | { readonly status: "scheduled"; readonly result: string }
  | {
      readonly status: "failed";
      readonly error: string;
      readonly code?: string;
      readonly tools?: readonly ToolUse[];
    }
  | { readonly status: "cancelled"; readonly error: string };

/** A task that has asked the person, and what its agent needs to go on. */
export type Waiting = {
  readonly status: "waiting";
  readonly request_id: string;
  readonly prompt: string;
  /** How many legs it has behind it. */
  readonly legs: number;
  readonly remote_task_id?: string;
  readonly state?: string;
};
