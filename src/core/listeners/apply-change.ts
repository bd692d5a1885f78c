// Applies one change to the state of an instance. The result depends only on template, bounds, language, state and
// change, so that a run after a crash reaches the same state (T4).

import { ensurePresent } from "../../lib/assert.ts";
import { createMessage, type Message } from "../../language/messages.ts";
import type { ToolUse } from "../../protocol/workflows/workflow-instance.ts";
import type { WorkflowTaskContext, ListenerOutput } from "../../protocol/workflows/workflow-template.ts";
import { truncate } from "../../lib/truncate.ts";
import { BUDGET_EXCEEDED, type TaskOutcome, type WaitingTask } from "../turn/task-outcome.ts";
import {
  InstanceStateBuilder,
  MAX_CONTEXT_BYTES,
  MAX_REASON_CHARS,
  type InstanceRules,
} from "./instance-state-builder.ts";
import { renderOutput, parseAgentResult, parseWholeResult } from "./render-template.ts";
import { createFailureMessage, getListenerState, type ListenerState, type InstanceState } from "./instance-state.ts";
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
  /** The person has answered the hold, with values by task and name; {} for a plain retry. */
  | { readonly kind: "resumed"; readonly values: Readonly<Record<string, WorkflowTaskContext>> }
  /** The question of the hold expired or was cancelled; the instance fails. */
  | { readonly kind: "given_up"; readonly content: string; readonly code: string }
);

/** The maximum number of tool calls that a listener's state keeps; the oldest are dropped. */
const MAX_TOOLS = 50;
/** The maximum length of a tool result in a listener's state. */
const MAX_TOOL_RESULT_CHARS = 4_096;
/** The maximum length of an agent's answer in a listener's state. */
const MAX_RESPONSE_CHARS = 16_384;

/**
 * Returns the state after a change: applies it, fires the listeners that become due, and starts queued listeners as far
 * as slots and values allow. Does not change `state`.
 */
export function applyChange(rules: InstanceRules, state: InstanceState, change: InstanceChange): InstanceState {
  const builder = new InstanceStateBuilder(rules, state, change.at);
  applyEffect(builder, change);
  builder.startQueued();
  return builder.state;
}

/** Applies the effect of a change, without starting queued listeners. */
function applyEffect(builder: InstanceStateBuilder, change: InstanceChange): void {
  switch (change.kind) {
    case "started":
      return builder.setTask(builder.compiled.mainTaskId, "Running", change.context, createMessage("workflow.started"));
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
      return restoreMainTask(builder, createMessage("workflow.listenerEnded", { listener: id }));
    case "completed":
    case "scheduled": {
      const used = outcome.status === "completed" ? (outcome.tools ?? []) : [];
      endListener(builder, id, "done", { response: truncate(outcome.result, MAX_RESPONSE_CHARS) }, used);
      restoreMainTask(builder, createMessage("workflow.listenerEnded", { listener: id }));
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
        createMessage("workflow.listenerSucceeded", { listener: id }),
      );
    }
    case "failed":
      return applyFailure(builder, id, outcome);
  }
}

/** Returns a listener of the template. Throws if there is no such listener. */
function getTemplateListener({ compiled }: InstanceStateBuilder, id: string) {
  return ensurePresent(compiled.listeners.get(id), id).listener;
}

/** Applies a failure: halts on an exhausted budget, else applies the failure output, else retries, else holds. */
function applyFailure(
  builder: InstanceStateBuilder,
  id: string,
  failure: Extract<TaskOutcome, { status: "failed" }>,
): void {
  const { code, tools = [] } = failure;
  const error = truncate(failure.error, MAX_REASON_CHARS);
  const reason = createFailureMessage("workflow.listenerFailed", id, error);
  const { failure_output: output, success_output: success } = getTemplateListener(builder, id);
  if (code === BUDGET_EXCEEDED) {
    endListener(builder, id, "failed", { error }, tools);
    return builder.halt({ content: error, code });
  }
  if (output !== undefined && output !== null) {
    endListener(builder, id, "failed", { error }, tools);
    restoreMainTask(builder, createMessage("workflow.listenerEnded", { listener: id }));
    const results = tools.map((use) => use.result);
    const fields = { ...(parseAgentResult("", results) as object), error };
    return applyOutput(builder, id, output, { fields, whole: fields }, reason);
  }
  if (getListenerState(builder.state, id).tries <= builder.compiled.maxRetries) {
    endListener(builder, id, "retrying", { error }, tools);
    builder.enqueue(id);
    return showFailure(builder, "Retrying", createFailureMessage("workflow.listenerRetrying", id, error));
  }
  endListener(builder, id, "held", { error }, tools);
  const currentHold = builder.state.hold;
  if (currentHold !== undefined) builder.setHold(builder.buildHold(currentHold.request_id));
  if (success.task_id !== builder.compiled.mainTaskId) builder.setTask(success.task_id, "Error", {}, reason);
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
  reason: Message,
): void {
  const { tasks } = builder.state;
  const context = renderOutput(output, fields, (taskId) => tasks.get(taskId)?.context, whole);
  if (!builder.hasRoom(output.task_id, context)) {
    const sizes = { listener: id, task: output.task_id, limit: MAX_CONTEXT_BYTES };
    const error = builder.formatMessage(createMessage("workflow.resultTooLarge", sizes));
    builder.setListener(id, { status: "failed", error });
    return builder.halt({ content: error, code: "context_too_large" });
  }
  if (output.task_id === builder.compiled.mainTaskId) builder.setPreviousMainStatus(undefined);
  builder.setTask(output.task_id, output.status, context, reason);
}
