// Applies one change to the state of an instance. The result depends only on template, bounds, state and change, so
// that a run after a crash reaches the same state (T4).

import { must } from "../../protocol/assert.ts";
import type { ToolUse } from "../../protocol/plan-instance.ts";
import type { PlanContext, PlanOutput } from "../../protocol/plan-template.ts";
import { cut } from "../../protocol/shortened.ts";
import { SPENT, type TaskEnd, type Waiting } from "../task-end.ts";
import { Changing, MAX_CONTEXT_BYTES, MAX_REASON, type Bounds } from "./change.ts";
import type { Compiled } from "./compile.ts";
import { renderOutput, resultOf, wholeOf } from "./render.ts";
import { holdOf, listenerIn, type ListenerState, type State } from "./state.ts";
import { hold, recover, resume, showTrouble } from "./trouble.ts";

/** A change with all data that decides its effect. `at` is in milliseconds since the epoch. Stored in the journal. */
export type Change = { readonly at: number } & (
  | { readonly kind: "started"; readonly context: PlanContext }
  /** A listener has ended, has failed, or its agent has asked. */
  | { readonly kind: "came"; readonly listener_id: string; readonly outcome: TaskEnd | Waiting }
  /** The question of a listener's agent is no longer open; the listener continues. */
  | { readonly kind: "settled"; readonly listener_id: string }
  /** Nothing can continue without the person; `request_id` is the id of the question to ask. */
  | { readonly kind: "held"; readonly request_id: string }
  | { readonly kind: "resumed"; readonly values: Readonly<Record<string, PlanContext>> }
  | { readonly kind: "given_up"; readonly content: string; readonly code: string }
);

/** The maximum number of tool calls that a listener's state keeps; the oldest are dropped. */
const MAX_TOOLS = 50;
/** The maximum length of a tool result in a listener's state. */
const MAX_TOOL_RESULT = 4_096;
/** The maximum length of an agent's answer in a listener's state. */
const MAX_RESPONSE = 16_384;

/** Returns the state after a change: applies it, fires the listeners that are due, and starts queued listeners. */
export function advance(plan: Compiled, bounds: Bounds, state: State, change: Change): State {
  const now = new Changing(plan, bounds, state, change.at);
  take(now, change);
  now.fill();
  return now.state;
}

/** Applies the effect of a change, without starting queued listeners. */
function take(now: Changing, change: Change): void {
  switch (change.kind) {
    case "started":
      return now.setTask(now.plan.mainTaskId, "Running", change.context, "The plan was started.");
    case "came":
      now.rest(change.listener_id);
      return came(now, change.listener_id, change.outcome);
    case "settled":
      now.setListener(change.listener_id, { status: "running" });
      return now.enqueue(change.listener_id);
    case "held":
      return hold(now, change.request_id);
    case "resumed":
      return resume(now, change.values);
    case "given_up":
      now.setHold(undefined);
      return now.halt({ content: change.content, code: change.code });
  }
}

/** Applies the outcome of a listener: its output on success, retry, hold or failure output otherwise. */
function came(now: Changing, id: string, outcome: TaskEnd | Waiting): void {
  switch (outcome.status) {
    case "waiting":
      return now.setListener(id, { status: "waiting_input", waiting: outcome });
    case "cancelled":
      end(now, id, "cancelled", { error: outcome.error });
      return recover(now, id);
    case "completed":
    case "scheduled": {
      const used = outcome.status === "completed" ? (outcome.tools ?? []) : [];
      end(now, id, "done", { response: cut(outcome.result, MAX_RESPONSE) }, used);
      recover(now, id);
      const results = used.map(({ result }) => result);
      const brought = { fields: resultOf(outcome.result, results), whole: wholeOf(outcome.result, results) };
      return apply(now, id, listenerOf(now, id).success_output, brought, `${id} went well.`);
    }
    case "failed":
      return fail(now, id, outcome);
  }
}

/** Returns a listener of the template. Throws if there is no such listener. */
function listenerOf({ plan }: Changing, id: string) {
  return must(plan.listeners.get(id), id).listener;
}

/** Applies a failure: halts on an exhausted budget, else applies the failure output, else retries, else holds. */
function fail(now: Changing, id: string, failure: Extract<TaskEnd, { status: "failed" }>): void {
  const { code, tools = [] } = failure;
  const error = cut(failure.error, MAX_REASON);
  const words = `${id} failed: ${error}`;
  const { failure_output: output, success_output: success } = listenerOf(now, id);
  if (code === SPENT) {
    end(now, id, "failed", { error }, tools);
    return now.halt({ content: error, code });
  }
  if (output !== undefined && output !== null) {
    end(now, id, "failed", { error }, tools);
    recover(now, id);
    const results = tools.map((use) => use.result);
    const fields = { ...(resultOf("", results) as object), error };
    return apply(now, id, output, { fields, whole: fields }, words);
  }
  if (listenerIn(now.state, id).tries <= now.plan.maxRetries) {
    end(now, id, "retrying", { error }, tools);
    now.enqueue(id);
    return showTrouble(now, "Retrying", `${id} failed and is tried again: ${error}`);
  }
  end(now, id, "held", { error }, tools);
  const known = now.state.hold;
  if (known !== undefined) now.setHold(holdOf(now.state, known.request_id));
  if (success.task_id !== now.plan.mainTaskId) now.setTask(success.task_id, "Error", {}, words);
  showTrouble(now, "Error", words);
}

/** Sets the status of a listener whose run has ended and appends its tool calls, truncated. */
function end(
  now: Changing,
  id: string,
  status: ListenerState["status"],
  said: Partial<ListenerState>,
  used: readonly ToolUse[] = [],
): void {
  const told = used.map((use) => ({ ...use, result: cut(use.result, MAX_TOOL_RESULT) }));
  const ended_at = status === "retrying" ? null : now.state.at;
  const tools = [...listenerIn(now.state, id).tools, ...told].slice(-MAX_TOOLS);
  now.setListener(id, { status, ended_at, waiting: null, response: null, error: null, ...said, tools });
}

/** The result of a listener for its output: `fields` for `{{result.x}}`, `whole` for `{{result}}`. */
type Brought = { readonly fields: unknown; readonly whole: unknown };

/** Applies an output to its target task. Halts the instance if the context would become too large. */
function apply(now: Changing, id: string, output: PlanOutput, { fields, whole }: Brought, reason: string): void {
  const { tasks } = now.state;
  const context = renderOutput(output, fields, (taskId) => tasks.get(taskId)?.context, whole);
  if (!now.fits(output.task_id, context)) {
    const error = `What ${id} brought makes the context of ${output.task_id} larger than ${MAX_CONTEXT_BYTES} bytes.`;
    now.setListener(id, { status: "failed", error });
    return now.halt({ content: error, code: "context_too_large" });
  }
  if (output.task_id === now.plan.mainTaskId) now.setMainBefore(undefined);
  now.setTask(output.task_id, output.status, context, reason);
}
