// Failures and lacks. They show on the main task until they are made good: by another try, by what somebody else brings,
// or by whoever resumes the instance.

import type { PlanContext, PlanStatus } from "../../protocol/plan-template.ts";
import { MAX_CONTEXT_BYTES, type Changing } from "./change.ts";
import { heldIn, holdOf, taskIn, type State } from "./state.ts";

/** Changes how the main task stands, and says by what. */
export function showTrouble(now: Changing, status: PlanStatus, reason: string): void {
  const { mainTaskId } = now.plan;
  now.setMainBefore(now.state.mainBefore ?? taskIn(now.state, mainTaskId).status);
  now.setTask(mainTaskId, status, troubleIn(now.state), reason);
}

function troubleIn(state: State): PlanContext {
  if (heldIn(state).length === 0) return {};
  const info = state.hold ?? holdOf(state, "");
  return { failed_listener_id: info.failed_listener_id, error_info: info };
}

/** What is known of a task, without what has been noted of trouble. */
export function factsIn({ failed_listener_id: _, error_info: __, ...facts }: PlanContext): PlanContext {
  return facts;
}

/** The main task stands as before, once nothing is held or tried again any more. `by`: what was the last of it. */
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

/** Nothing goes on without the person: what is still queued lacks data. */
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
