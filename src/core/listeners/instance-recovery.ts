// Failures and missing values of an instance. The main task shows them in its status and context until they are
// resolved by a retry, by the output of another listener, or by the person who resumes the instance.

import type { WorkflowTaskContext, WorkflowTaskStatus } from "../../protocol/workflows/workflow-template.ts";
import { MAX_CONTEXT_BYTES, type InstanceStateBuilder } from "./instance-state-builder.ts";
import { listHeldListeners, buildHold, getTaskState, type InstanceState } from "./instance-state.ts";

/** Sets the status of the main task to that of a failure and saves its previous status. */
export function showFailure(builder: InstanceStateBuilder, status: WorkflowTaskStatus, reason: string): void {
  const { mainTaskId } = builder.plan;
  builder.setPreviousMainStatus(builder.state.previousMainStatus ?? getTaskState(builder.state, mainTaskId).status);
  builder.setTask(mainTaskId, status, buildErrorValues(builder.state), reason);
}

/** Returns the error values for the main task's context; {} if no listener is held. */
function buildErrorValues(state: InstanceState): WorkflowTaskContext {
  if (listHeldListeners(state).length === 0) return {};
  const info = state.hold ?? buildHold(state, "");
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

/** Restores the main task once no listener is held or retried. `by` is the subject of the trace entry's reason. */
export function restoreMainTask(builder: InstanceStateBuilder, by: string): void {
  const { mainTaskId } = builder.plan;
  const { previousMainStatus, listeners } = builder.state;
  const { context } = getTaskState(builder.state, mainTaskId);
  if (previousMainStatus === undefined && context["error_info"] === undefined) return;
  if ([...listeners.values()].some(({ status }) => status === "held" || status === "retrying")) return;
  builder.setContext(mainTaskId, removeErrorValues(context));
  builder.setPreviousMainStatus(undefined);
  if (previousMainStatus !== undefined) builder.setTask(mainTaskId, previousMainStatus, {}, `${by} came to its end.`);
}

/** Holds the instance until the person resumes it. All queued listeners lack values at this point and become held. */
export function holdInstance(builder: InstanceStateBuilder, request_id: string): void {
  for (const id of builder.state.queue) builder.setListener(id, { status: "held" });
  builder.clearQueue();
  const newHold = buildHold(builder.state, request_id);
  builder.setHold(newHold);
  const lacksValuesOnly = listHeldListeners(builder.state).every(([, { missing }]) => missing.length > 0);
  if (lacksValuesOnly) return showFailure(builder, "Pending", newHold.message);
  const { mainTaskId } = builder.plan;
  builder.setContext(mainTaskId, {
    ...getTaskState(builder.state, mainTaskId).context,
    ...buildErrorValues(builder.state),
  });
}

/** Resumes a held instance with the given values, by task and name, and queues all held listeners again. */
export function resumeHeldInstance(
  builder: InstanceStateBuilder,
  values: Readonly<Record<string, WorkflowTaskContext>>,
): void {
  builder.setHold(undefined);
  for (const [id, given] of Object.entries(values)) {
    const task = builder.state.tasks.get(id);
    if (task === undefined) continue;
    if (!builder.hasRoom(id, given)) {
      const content = `The values given make the context of ${id} larger than ${MAX_CONTEXT_BYTES} bytes.`;
      return builder.halt({ content, code: "context_too_large" });
    }
    builder.setContext(id, { ...task.context, ...given });
  }
  const held = listHeldListeners(builder.state);
  for (const [id, { missing }] of held) {
    builder.setListener(id, { status: missing.length === 0 ? "retrying" : "running", tries: 0, ended_at: null });
    builder.enqueue(id);
  }
  if (held.some(([, { missing }]) => missing.length === 0)) showFailure(builder, "Retrying", "The plan was resumed.");
  else restoreMainTask(builder, "What was missing");
}
