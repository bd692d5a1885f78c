// The summary of an ended instance, as the agent of its workflow answers it.

import type { Language } from "../../language/detect-language.ts";
import { createMessage, formatMessage } from "../../language/messages.ts";
import type { WorkflowInstanceDetails } from "../../protocol/workflows/workflow-instance.ts";

/**
 * Formats the end of the instance, one line each: its outcome, its started tasks except the main task, the
 * verification.
 */
export function formatSummary(
  { name, status, tasks, main_task_id, verification }: WorkflowInstanceDetails,
  language: Language,
): string {
  const key = status === "done" || status === "cancelled" ? (`workflow.${status}` as const) : "workflow.failed";
  const done = tasks
    .filter((task) => task.task_id !== main_task_id && task.status !== "NotStarted")
    .map((task) => createMessage("workflow.taskLine", { name: task.name, status: task.status }));
  const checked = (verification?.checklist ?? []).map((entry) =>
    createMessage("workflow.verificationLine", {
      name: entry.task_name,
      agent: entry.agent_id,
      status: entry.status,
    }),
  );
  const verified = checked.length === 0 ? [] : ["", createMessage("workflow.verification"), ...checked];
  const lines = [createMessage(key, { name }), ...done, ...verified];
  return lines.map((line) => formatMessage(language, line)).join("\n");
}
