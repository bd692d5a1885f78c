// The state of one thread as a fold of its events.

import type { Frame, Usage } from "./events.ts";
import type { Plan } from "../plans/task-plan.ts";
import type { PendingQuestion } from "./question.ts";
import { foldPlans } from "../plans/fold-plans.ts";
import { formatEnglish } from "../../language/messages.ts";
import { foldPendingQuestions } from "./view.ts";

/**
 * The status of a thread. `submitted`: it waits for its turn. `failed`: the thread or one of its tasks failed.
 * `cancelled`: the thread or all of its tasks were cancelled.
 */
export type ThreadStatus = "submitted" | "working" | "input_required" | "completed" | "failed" | "cancelled";

export type ThreadState = {
  readonly status: ThreadStatus;
  /** The open questions to the user, oldest first. */
  readonly pending: readonly PendingQuestion[];
  readonly plans: readonly Plan[];
  /** The reason of the failure. */
  readonly failure?: { readonly content: string; readonly code?: string | undefined };
  readonly usage?: Usage;
};

export const INITIAL_THREAD_STATE: ThreadState = { status: "submitted", pending: [], plans: [] };

/** True for the final statuses: completed, failed and cancelled. */
export function isFinalThreadStatus(status: ThreadStatus): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

/**
 * True if `first`, the first event of a thread, is a message of the user; with `agent`, only if it is addressed to this
 * agent. False for undefined.
 */
export function isUserThread(first: Frame | undefined, agent?: string): boolean {
  if (first?.event !== "thread_started" || first.data.role !== "user") return false;
  return agent === undefined || first.data.metadata?.["agent"] === agent;
}

/** Returns the state after one event of the thread, in the order of `seq`. A thread that is over does not change. */
export function foldThread(state: ThreadState, frame: Frame): ThreadState {
  if (isFinalThreadStatus(state.status)) return state;
  switch (frame.event) {
    case "conversation_started":
    case "thread_started":
      return state;
    case "message_chunk":
    case "reasoning":
      // These are the most frequent events, so they skip the other folds.
      return state.status === "submitted" ? { ...state, status: "working" } : state;
    case "plan_failed":
    case "system_failed":
      return { ...foldOpenThread(state, frame), failure: frame.data.payload };
    case "done":
      return foldThreadEnd(state, frame.data.metadata ?? {});
    default:
      return foldOpenThread(state, frame);
  }
}

function foldOpenThread(state: ThreadState, frame: Frame): ThreadState {
  const pending = foldPendingQuestions(state.pending, frame);
  const status = pending.length > 0 ? "input_required" : "working";
  return { ...state, pending, status, plans: foldPlans(state.plans, frame) };
}

function foldThreadEnd(state: ThreadState, { cancelled, usage }: Readonly<Record<string, unknown>>): ThreadState {
  const used = usage === undefined ? {} : { usage: usage as Usage };
  const over = { ...state, ...used, pending: [] };
  if (cancelled === true) return { ...over, status: "cancelled" };
  const failure = state.failure ?? findFailure(state.plans);
  if (failure !== undefined) return { ...over, status: "failed", failure };
  return { ...over, status: areAllTasksCancelled(state.plans) ? "cancelled" : "completed" };
}

/** True if there is at least one task and all tasks are cancelled. */
export function areAllTasksCancelled(plans: readonly Plan[]): boolean {
  const tasks = plans.flatMap((plan) => plan.tasks);
  return tasks.length > 0 && tasks.every(({ status }) => status === "cancelled");
}

/** Returns the failure of the first task that neither completed nor was cancelled or scheduled; undefined if none. */
function findFailure(plans: readonly Plan[]): ThreadState["failure"] {
  const tasks = plans.flatMap((plan) => plan.tasks);
  const failedTask = tasks.find(
    ({ status }) => status !== "cancelled" && status !== "completed" && status !== "scheduled",
  );
  return failedTask === undefined
    ? undefined
    : { content: failedTask.error ?? formatEnglish("task.noResult", { title: failedTask.title }) };
}
