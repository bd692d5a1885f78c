// Applies one change to the state of an instance. The result depends only on template, bounds, state and change, so
// that a run after a crash reaches the same state (T4).

import { ensurePresent } from "../../protocol/assert.ts";
import type { ToolUse } from "../../protocol/workflows/workflow-instance.ts";
import type { WorkflowTaskContext, ListenerOutput } from "../../protocol/workflows/workflow-template.ts";
import { truncate } from "../../protocol/text/truncate.ts";
import { BUDGET_EXCEEDED, type TaskOutcome, type WaitingTask } from "../task-outcome.ts";
import {
  InstanceStateBuilder,
  MAX_CONTEXT_BYTES,
  MAX_REASON_CHARS,
  type InstanceBounds,
} from "./instance-state-builder.ts";
import type { CompiledTemplate } from "./compile-template.ts";
import { renderOutput, parseAgentResult, parseWholeResult } from "./render-template.ts";
import { buildHold, getListenerState, type ListenerState, type InstanceState } from "./instance-state.ts";
import { holdInstance, restoreMainTask, resumeHeldInstance, showFailure } from "./instance-recovery.ts";

/** A change with all data that decides its effect. `at` is in milliseconds since the epoch. Stored in the journal. */
export type InstanceChange = { readonly at: number } & (
  | { readonly kind: "started"; readonly context: WorkflowTaskContext }
  /** A listener has ended, has failed, or its agent has asked. */
  | { readonly kind: "came"; readonly listener_id: string; readonly outcome: TaskOutcome | WaitingTask }
  /** The question of a listener's agent is no longer open; the listener continues. */
  | { readonly kind: "settled"; readonly listener_id: string }
  /** Nothing can continue without the person; `request_id` is the id of the question to ask. */
  | { readonly kind: "held"; readonly request_id: string }
  | { readonly kind: "resumed"; readonly values: Readonly<Record<string, WorkflowTaskContext>> }
  | { readonly kind: "given_up"; readonly content: string; readonly code: string }
);

/** The maximum number of tool calls that a listener's state keeps; the oldest are dropped. */
const MAX_TOOLS = 50;
/** The maximum length of a tool result in a listener's state. */
const MAX_TOOL_RESULT_CHARS = 4_096;
/** The maximum length of an agent's answer in a listener's state. */
const MAX_RESPONSE_CHARS = 16_384;

/** Returns the state after a change: applies it, fires the listeners that are due, and starts queued listeners. */
export function applyChange(
  plan: CompiledTemplate,
  bounds: InstanceBounds,
  state: InstanceState,
  change: InstanceChange,
): InstanceState {
  const builder = new InstanceStateBuilder(plan, bounds, state, change.at);
  applyEffect(builder, change);
  builder.startQueued();
  return builder.state;
}

/** Applies the effect of a change, without starting queued listeners. */
function applyEffect(builder: InstanceStateBuilder, change: InstanceChange): void {
  switch (change.kind) {
    case "started":
      return builder.setTask(builder.plan.mainTaskId, "Running", change.context, "The plan was started.");
    case "came":
      builder.deactivate(change.listener_id);
      return applyListenerOutcome(builder, change.listener_id, change.outcome);
    case "settled":
      builder.setListener(change.listener_id, { status: "running" });
      return builder.enqueue(change.listener_id);
    case "held":
      return holdInstance(builder, change.request_id);
    case "resumed":
      return resumeHeldInstance(builder, change.values);
    case "given_up":
      builder.setHold(undefined);
      return builder.halt({ content: change.content, code: change.code });
  }
}

/** Applies the outcome of a listener: its output on success, retry, hold or failure output otherwise. */
function applyListenerOutcome(builder: InstanceStateBuilder, id: string, outcome: TaskOutcome | WaitingTask): void {
  switch (outcome.status) {
    case "waiting":
      return builder.setListener(id, { status: "waiting_input", waiting: outcome });
    case "cancelled":
      endListener(builder, id, "cancelled", { error: outcome.error });
      return restoreMainTask(builder, id);
    case "completed":
    case "scheduled": {
      const used = outcome.status === "completed" ? (outcome.tools ?? []) : [];
      endListener(builder, id, "done", { response: truncate(outcome.result, MAX_RESPONSE_CHARS) }, used);
      restoreMainTask(builder, id);
      const results = used.map(({ result }) => result);
      const listenerResult = {
        fields: parseAgentResult(outcome.result, results),
        whole: parseWholeResult(outcome.result, results),
      };
      return applyOutput(
        builder,
        id,
        getTemplateListener(builder, id).success_output,
        listenerResult,
        `${id} went well.`,
      );
    }
    case "failed":
      return applyFailure(builder, id, outcome);
  }
}

/** Returns a listener of the template. Throws if there is no such listener. */
function getTemplateListener({ plan }: InstanceStateBuilder, id: string) {
  return ensurePresent(plan.listeners.get(id), id).listener;
}

/** Applies a failure: halts on an exhausted budget, else applies the failure output, else retries, else holds. */
function applyFailure(
  builder: InstanceStateBuilder,
  id: string,
  failure: Extract<TaskOutcome, { status: "failed" }>,
): void {
  const { code, tools = [] } = failure;
  const error = truncate(failure.error, MAX_REASON_CHARS);
  const reason = `${id} failed: ${error}`;
  const { failure_output: output, success_output: success } = getTemplateListener(builder, id);
  if (code === BUDGET_EXCEEDED) {
    endListener(builder, id, "failed", { error }, tools);
    return builder.halt({ content: error, code });
  }
  if (output !== undefined && output !== null) {
    endListener(builder, id, "failed", { error }, tools);
    restoreMainTask(builder, id);
    const results = tools.map((use) => use.result);
    const fields = { ...(parseAgentResult("", results) as object), error };
    return applyOutput(builder, id, output, { fields, whole: fields }, reason);
  }
  if (getListenerState(builder.state, id).tries <= builder.plan.maxRetries) {
    endListener(builder, id, "retrying", { error }, tools);
    builder.enqueue(id);
    return showFailure(builder, "Retrying", `${id} failed and is tried again: ${error}`);
  }
  endListener(builder, id, "held", { error }, tools);
  const currentHold = builder.state.hold;
  if (currentHold !== undefined) builder.setHold(buildHold(builder.state, currentHold.request_id));
  if (success.task_id !== builder.plan.mainTaskId) builder.setTask(success.task_id, "Error", {}, reason);
  showFailure(builder, "Error", reason);
}

/** Sets the status of a listener whose run has ended and appends its tool calls, truncated. */
function endListener(
  builder: InstanceStateBuilder,
  id: string,
  status: ListenerState["status"],
  fields: Partial<ListenerState>,
  used: readonly ToolUse[] = [],
): void {
  const truncated = used.map((use) => ({ ...use, result: truncate(use.result, MAX_TOOL_RESULT_CHARS) }));
  const ended_at = status === "retrying" ? null : builder.state.at;
  const tools = [...getListenerState(builder.state, id).tools, ...truncated].slice(-MAX_TOOLS);
  builder.setListener(id, { status, ended_at, waiting: null, response: null, error: null, ...fields, tools });
}

/** The result of a listener for its output: `fields` for `{{result.x}}`, `whole` for `{{result}}`. */
type ListenerResult = { readonly fields: unknown; readonly whole: unknown };

/** Applies an output to its target task. Halts the instance if the context would become too large. */
function applyOutput(
  builder: InstanceStateBuilder,
  id: string,
  output: ListenerOutput,
  { fields, whole }: ListenerResult,
  reason: string,
): void {
  const { tasks } = builder.state;
  const context = renderOutput(output, fields, (taskId) => tasks.get(taskId)?.context, whole);
  if (!builder.hasRoom(output.task_id, context)) {
    const error = `What ${id} brought makes the context of ${output.task_id} larger than ${MAX_CONTEXT_BYTES} bytes.`;
    builder.setListener(id, { status: "failed", error });
    return builder.halt({ content: error, code: "context_too_large" });
  }
  if (output.task_id === builder.plan.mainTaskId) builder.setPreviousMainStatus(undefined);
  builder.setTask(output.task_id, output.status, context, reason);
}
