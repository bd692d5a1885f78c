// Failures and missing values of an instance. The main task shows them in its status and context until they are
// resolved by a retry, by the output of another listener, or by the person who resumes the instance.

import { createMessage, type Message } from "../../language/messages.ts";
import type { WorkflowTaskContext, WorkflowTaskStatus } from "../../protocol/workflows/workflow-template.ts";
import { MAX_CONTEXT_BYTES, type InstanceStateBuilder } from "./instance-state-builder.ts";
import { listHeldListeners, getTaskState } from "./instance-state.ts";

/**
 * Sets the status of the main task to that of a failure, with the error values while a listener is held. Saves its
 * status from before the first of consecutive failures.
 */
export function showFailure(builder: InstanceStateBuilder, status: WorkflowTaskStatus, reason: Message | string): void {
  const { mainTaskId } = builder.compiled;
  builder.setPreviousMainStatus(builder.state.previousMainStatus ?? getTaskState(builder.state, mainTaskId).status);
  builder.setTask(mainTaskId, status, buildErrorValues(builder), reason);
}

/** Returns the error values for the main task's context; {} if no listener is held. */
function buildErrorValues(builder: InstanceStateBuilder): WorkflowTaskContext {
  if (listHeldListeners(builder.state).length === 0) return {};
  const info = builder.state.hold ?? builder.buildHold("");
  return { failed_listener_id: info.failed_listener_id, error_info: info };
}

/** Returns a context without the error values. */
export function removeErrorValues({
  failed_listener_id: _,
  error_info: __,
  ...facts
}: WorkflowTaskContext): WorkflowTaskContext {
  return facts;
}

/**
 * Restores the main task's status from before a failure and removes the error values, unless a listener is still held
 * or retried. Does nothing if the main task shows no failure. `reason` is the reason of the trace entry.
 */
export function restoreMainTask(builder: InstanceStateBuilder, reason: Message): void {
  const { mainTaskId } = builder.compiled;
  const { previousMainStatus, listeners } = builder.state;
  const { context } = getTaskState(builder.state, mainTaskId);
  if (previousMainStatus === undefined && context["error_info"] === undefined) return;
  if ([...listeners.values()].some(({ status }) => status === "held" || status === "retrying")) return;
  builder.setContext(mainTaskId, removeErrorValues(context));
  builder.setPreviousMainStatus(undefined);
  if (previousMainStatus !== undefined) builder.setTask(mainTaskId, previousMainStatus, {}, reason);
}

/**
 * Holds the instance until the person resumes it. All queued listeners lack values at this point and become held. If no
 * held listener has failed, the main task becomes `Pending`; else it keeps its status and gets the error values.
 */
export function holdInstance(builder: InstanceStateBuilder, request_id: string): void {
  for (const id of builder.state.queue) builder.setListener(id, { status: "held" });
  builder.clearQueue();
  const newHold = builder.buildHold(request_id);
  builder.setHold(newHold);
  const lacksValuesOnly = listHeldListeners(builder.state).every(([, { missing }]) => missing.length > 0);
  if (lacksValuesOnly) return showFailure(builder, "Pending", newHold.message);
  const { mainTaskId } = builder.compiled;
  const { context } = getTaskState(builder.state, mainTaskId);
  builder.setContext(mainTaskId, { ...context, ...buildErrorValues(builder) });
}

/**
 * Resumes a held instance with the given values, by task and name, and queues all held listeners again. Ignores values
 * of unknown tasks. Halts with `context_too_large` if a task's context would become too large.
 */
export function resumeHeldInstance(
  builder: InstanceStateBuilder,
  values: Readonly<Record<string, WorkflowTaskContext>>,
): void {
  builder.setHold(undefined);
  for (const [id, given] of Object.entries(values)) {
    const task = builder.state.tasks.get(id);
    if (task === undefined) continue;
    if (!builder.hasRoom(id, given)) {
      const message = createMessage("workflow.valuesTooLarge", { task: id, limit: MAX_CONTEXT_BYTES });
      return builder.halt({ content: builder.formatMessage(message), code: "context_too_large" });
    }
    builder.setContext(id, { ...task.context, ...given });
  }
  const held = listHeldListeners(builder.state);
  for (const [id, { missing }] of held) {
    builder.setListener(id, { status: missing.length === 0 ? "retrying" : "running", tries: 0, ended_at: null });
    builder.enqueue(id);
  }
  if (held.some(([, { missing }]) => missing.length === 0))
    showFailure(builder, "Retrying", createMessage("workflow.resumed"));
  else restoreMainTask(builder, createMessage("workflow.valuesProvided"));
}
