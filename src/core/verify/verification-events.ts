// The forms of a verification: the event, the sentences, and the values for the main task's context.

import { SUPER_AGENT } from "../../protocol/wire/events.ts";
import { workflowTaskContextSchema, type WorkflowTaskContext } from "../../protocol/workflows/workflow-template.ts";
import type { ChecklistEntry, Verification } from "../../protocol/plans/verification.ts";
import { createMessage } from "../../language/messages.ts";
import type { EventDraft, Ports } from "../ports.ts";
import { groupByAgent } from "./checklist.ts";

/** Creates `verification_completed` with the sentences, the checklist and the counts. */
export function createVerificationEvent(
  ports: Pick<Ports, "formatMessage">,
  threadId: string,
  verification: Verification,
): EventDraft {
  const { checklist, summary } = verification;
  const payload = { summary: formatVerification(ports, verification), results: checklist };
  return {
    event: "verification_completed",
    data: { role: "system", thread_id: threadId, agent_name: SUPER_AGENT, payload, metadata: { summary } },
  };
}

/** Formats the outcome as text: the number of verified tasks, then the tasks of each other verdict. */
export function formatVerification(
  { formatMessage }: Pick<Ports, "formatMessage">,
  { checklist, summary }: Verification,
): string {
  const listNames = (verified: ChecklistEntry["verified"]): string[] =>
    checklist.filter((entry) => entry.verified === verified).map(formatEntryName);
  const [failed, unverifiable, errors] = [listNames(false), listNames("unable_to_verify"), listNames("exception")];
  return formatMessage(
    createMessage("verification.summary", {
      verified: summary.verified_count,
      total: summary.total_count,
      failedCount: failed.length,
      failed,
      unverifiableCount: unverifiable.length,
      unverifiable,
      errorCount: errors.length,
      errors,
    }),
  );
}

function formatEntryName({ agent_id, task_name }: ChecklistEntry): string {
  return `${agent_id} (${task_name})`;
}

/**
 * Returns the verification values for the main task's context. The entry of an agent is that of its worst task and
 * lists all its tasks if there are several (X23).
 */
export function buildVerificationContext({ checklist, summary }: Verification): WorkflowTaskContext {
  const agents = Array.from(groupByAgent(checklist), ([agent, [worst, ...others]]): [string, object] => {
    if (worst === undefined) return [agent, {}];
    const { verified, response, tools_used, task_id } = worst;
    const tasks = [worst, ...others].map((entry) => ({ task_id: entry.task_id, verified: entry.verified }));
    return [agent, { verified, response, tools_used, task_id, ...(others.length === 0 ? {} : { tasks }) }];
  });
  const results: Readonly<Record<string, unknown>> = Object.fromEntries(agents);
  return workflowTaskContextSchema.parse({
    verification_results: { ...results, _summary: summary, _checklist: checklist },
    planner_verification: "completed",
  });
}
