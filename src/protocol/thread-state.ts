// How one thread stands, as a fold of its events.

import type { Frame, Usage } from "./events.ts";
import type { Plan } from "./plan.ts";
import type { Pending } from "./question.ts";
import { foldPlans } from "./tasks.ts";
import { foldPending } from "./view.ts";

/**
 * `submitted` while it waits for its turn; `failed` as well when one of its tasks has failed; `cancelled` as well when
 * the person has stopped all of them.
 */
export type ThreadStatus = "submitted" | "working" | "input_required" | "completed" | "failed" | "cancelled";

export type ThreadState = {
  readonly status: ThreadStatus;
  /** The questions that wait for the person, oldest first. */
  readonly pending: readonly Pending[];
  readonly plans: readonly Plan[];
  /** Why it failed. */
  readonly failure?: { readonly content: string; readonly code?: string | undefined };
  readonly usage?: Usage;
};

export const NEW_THREAD: ThreadState = { status: "submitted", pending: [], plans: [] };

export function isOver(status: ThreadStatus): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

/** Whether the first event of a thread is a message of the person, to that agent if one is named. */
export function isAsked(first: Frame | undefined, agent?: string): boolean {
  if (first?.event !== "thread_started" || first.data.role !== "user") return false;
  return agent === undefined || first.data.metadata?.["agent"] === agent;
}

/** Folds one event of the thread. What ended stays as it ended. */
export function foldThread(state: ThreadState, frame: Frame): ThreadState {
  if (isOver(state.status)) return state;
  switch (frame.event) {
    case "conversation_started":
    case "thread_started":
      return state;
    case "message_chunk":
    case "reasoning":
      // Most events are these, and all that they change is that it works.
      return state.status === "submitted" ? { ...state, status: "working" } : state;
    case "plan_failed":
    case "system_failed":
      return { ...going(state, frame), failure: frame.data.payload };
    case "done":
      return ended(state, frame.data.metadata ?? {});
    default:
      return going(state, frame);
  }
}

function going(state: ThreadState, frame: Frame): ThreadState {
  const pending = foldPending(state.pending, frame);
  const status = pending.length > 0 ? "input_required" : "working";
  return { ...state, pending, status, plans: foldPlans(state.plans, frame) };
}

function ended(state: ThreadState, { cancelled, usage }: Readonly<Record<string, unknown>>): ThreadState {
  const used = usage === undefined ? {} : { usage: usage as Usage };
  const over = { ...state, ...used, pending: [] };
  if (cancelled === true) return { ...over, status: "cancelled" };
  const failure = state.failure ?? failureIn(state.plans);
  if (failure !== undefined) return { ...over, status: "failed", failure };
  return { ...over, status: areStopped(state.plans) ? "cancelled" : "completed" };
}

/** Whether there is work and the person has stopped all of it. */
export function areStopped(plans: readonly Plan[]): boolean {
  const tasks = plans.flatMap((plan) => plan.tasks);
  return tasks.length > 0 && tasks.every(({ status }) => status === "cancelled");
}

/** A task that brought nothing, if there is one; the person wanted nothing more of those that are cancelled. */
function failureIn(plans: readonly Plan[]): ThreadState["failure"] {
  const tasks = plans.flatMap((plan) => plan.tasks);
  const lost = tasks.find(({ status }) => status !== "cancelled" && status !== "completed" && status !== "scheduled");
  return lost === undefined ? undefined : { content: lost.error ?? `${lost.title}: nothing came of it.` };
}
