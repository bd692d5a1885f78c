// The forms of a verification: the event, the sentences, and the values for the main task's context.

import { SUPER_AGENT } from "../../protocol/wire/events.ts";
import { workflowTaskContextSchema, type WorkflowTaskContext } from "../../protocol/workflows/workflow-template.ts";
import type { ChecklistEntry, Verification } from "../../protocol/plans/verification.ts";
import type { Language } from "../../protocol/language/detect-language.ts";
import type { EventDraft } from "../ports.ts";
import { groupByAgent } from "./checklist.ts";

/** Creates `verification_completed` with the sentences, the checklist and the counts. */
export function createVerificationEvent(threadId: string, verification: Verification, language: Language): EventDraft {
  const { checklist, summary } = verification;
  const payload = { summary: formatVerification(verification, language), results: checklist };
  return {
    event: "verification_completed",
    data: { role: "system", thread_id: threadId, agent_name: SUPER_AGENT, payload, metadata: { summary } },
  };
}

/** Formats the outcome as sentences: the number of verified tasks, then the tasks of each other verdict. */
export function formatVerification({ checklist, summary }: Verification, language: Language): string {
  const messages = VERIFICATION_MESSAGES[language];
  const formatGroup = (verified: ChecklistEntry["verified"], say: (names: string) => string) => {
    const names = checklist.filter((entry) => entry.verified === verified).map(formatEntryName);
    return names.length === 0 ? [] : [say(names.join(messages.comma))];
  };
  return [
    messages.verified(summary.verified_count, summary.total_count),
    ...formatGroup(false, messages.failed),
    ...formatGroup("unable_to_verify", messages.unable),
    ...formatGroup("exception", messages.exception),
  ].join(messages.space);
}

function formatEntryName({ agent_id, task_name }: ChecklistEntry): string {
  return `${agent_id} (${task_name})`;
}

const VERIFICATION_MESSAGES = {
  en: {
    space: " ",
    comma: ", ",
    verified: (count: number, total: number) => `${count} of ${total} ${total === 1 ? "task" : "tasks"} verified.`,
    failed: (names: string) => `Not as it should be: ${names}.`,
    unable: (names: string) => `Cannot be verified: ${names}.`,
    exception: (names: string) => `Could not be asked: ${names}.`,
  },
  zh: {
    space: "",
    comma: "、",
    verified: (count: number, total: number) => `${total} 项任务中已验证 ${count} 项。`,
    failed: (names: string) => `未通过：${names}。`,
    unable: (names: string) => `无法验证：${names}。`,
    exception: (names: string) => `验证时出错：${names}。`,
  },
} as const satisfies Record<Language, object>;

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
