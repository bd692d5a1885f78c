// Failures and missing values of an instance. The main task shows them in its status and context until they are
// resolved by a retry, by the output of another listener, or by the person who resumes the instance.

import type { PlanContext, PlanStatus } from "../../protocol/plan-template.ts";
import { MAX_CONTEXT_BYTES, type Changing } from "./change.ts";
import { heldIn, holdOf, taskIn, type State } from "./state.ts";

/** Sets the status of the main task to that of a failure and saves its previous status. */
export function showTrouble(now: Changing, status: PlanStatus, reason: string): void {
  const { mainTaskId } = now.plan;
  now.setMainBefore(now.state.mainBefore ?? taskIn(now.state, mainTaskId).status);
  now.setTask(mainTaskId, status, troubleIn(now.state), reason);
}

/** Returns the error values for the main task's context; {} if no listener is held. */
function troubleIn(state: State): PlanContext {
  if (heldIn(state).length === 0) return {};
  const info = state.hold ?? holdOf(state, "");
  return { failed_listener_id: info.failed_listener_id, error_info: info };
}

/** Returns a context without the error values. */
export function factsIn({ failed_listener_id: _, error_info: __, ...facts }: PlanContext): PlanContext {
  return facts;
}

/** Restores the main task once no listener is held or retried. `by` is the subject of the trace entry's reason. */
export function recover(now: Changing, by: string): void {
  const { mainTaskId } = now.plan;
  const { mainBefore, listeners } = now.state;
  const { context } = taskIn(now.state, mainTaskId);
  if (mainBefore === undefined && context["error_info"] === undefined) return;
  if ([...listeners.values()].some(({ status }) => status === "held" || status === "retrying")) return;
  now.setContext(mainTaskId, factsIn(context));
  now.setMainBefore(undefined);
  if (mainBefore !== undefined) now.setTask(mainTaskId, mainBefore, {}, `${by} came to its end.`);
}

/** Holds the instance until the person resumes it. All queued listeners lack values at this point and become held. */
export function hold(now: Changing, request_id: string): void {
  for (const id of now.state.queue) now.setListener(id, { status: "held" });
  now.clearQueue();
  const told = holdOf(now.state, request_id);
  now.setHold(told);
  const isLack = heldIn(now.state).every(([, { missing }]) => missing.length > 0);
  if (isLack) return showTrouble(now, "Pending", told.message);
  const { mainTaskId } = now.plan;
  now.setContext(mainTaskId, { ...taskIn(now.state, mainTaskId).context, ...troubleIn(now.state) });
}

/** Resumes a held instance with the given values, by task and name, and queues all held listeners again. */
export function resume(now: Changing, values: Readonly<Record<string, PlanContext>>): void {
  now.setHold(undefined);
  for (const [id, given] of Object.entries(values)) {
    const task = now.state.tasks.get(id);
    if (task === undefined) continue;
    if (!now.fits(id, given)) {
      const content = `The values given make the context of ${id} larger than ${MAX_CONTEXT_BYTES} bytes.`;
      return now.halt({ content, code: "context_too_large" });
    }
    now.setContext(id, { ...task.context, ...given });
  }
  const held = heldIn(now.state);
  for (const [id, { missing }] of held) {
    now.setListener(id, { status: missing.length === 0 ? "retrying" : "running", tries: 0, ended_at: null });
    now.enqueue(id);
  }
  if (held.some(([, { missing }]) => missing.length === 0)) showTrouble(now, "Retrying", "The plan was resumed.");
  else recover(now, "What was missing");
}
