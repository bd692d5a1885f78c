// Verifies an ordinary plan: each completed task, with the person's request as the subject and its query and result as
// facts.

import { SUPER_AGENT } from "../../protocol/wire/events.ts";
import type { Verification } from "../../protocol/plans/verification.ts";
import type { EndedTask } from "../turn/executor.ts";
import type { EventDraft } from "../ports.ts";
import { getStageTaskId, type TurnContext } from "../turn/turn-context.ts";
import { createVerificationEvent, formatVerification } from "./verification-events.ts";
import { verifyTasks } from "./verify-tasks.ts";
import type { VerificationTarget } from "./verification-request.ts";

/** The verification of a plan. */
export type PlanVerification = {
  readonly verification: Verification;
  /** The event that fails the thread, if a task was explicitly found not done. Not published yet. */
  readonly failure?: EventDraft;
};

/**
 * Verifies the completed tasks and publishes `verification_completed`. Null, without publishing it, if no task
 * completed or the signal aborted.
 */
export async function verifyPlan(turn: TurnContext, ended: readonly EndedTask[]): Promise<PlanVerification | null> {
  const { threadId: thread_id, request, ports } = turn;
  const targets = ended.flatMap((end): VerificationTarget[] => {
    if (end.status !== "completed") return [];
    const { agent_name, task_id, title: task_name, query: task_query } = end.task;
    return [{ agent_name, task_id, task_name, facts: { task_query, task_result: end.result } }];
  });
  if (targets.length === 0) return null;
  const verification = await verifyTasks(turn, targets, { request: request.message });
  if (turn.signal.aborted) return null;
  const scope = getStageTaskId(thread_id, "verification");
  const spec = { name: "verified", scope, agentName: SUPER_AGENT, isAtomic: true };
  const closing = [createVerificationEvent(ports, thread_id, verification)];
  await ports.step(spec, () => Promise.resolve({ value: null, closing }));
  if (!verification.summary.has_explicit_failure) return { verification };
  const payload = { content: formatVerification(ports, verification), code: "verification_failed" };
  return { verification, failure: { event: "system_failed", data: { role: "system", thread_id, payload } } };
}
