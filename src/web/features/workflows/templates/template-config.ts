import type { WorkflowConfigInput, WorkflowTemplate } from "../../../../protocol/workflows/workflow-template.ts";

/** Returns the editable part of a template: all except version, status and times. */
export function toPlanInput(template: WorkflowTemplate): WorkflowConfigInput {
  const { version: _, status: __, created_at: ___, updated_at: ____, ...config } = template;
  return config;
}
