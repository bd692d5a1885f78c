import type { WorkflowConfigInput, WorkflowTemplate } from "../../../../protocol/workflows/workflow-template.ts";

/** Returns the editable part of a template: all except version, status and times. */
export function toPlanInput(template: WorkflowTemplate): WorkflowConfigInput {
  const { version: _, status: __, created_at: ___, updated_at: ____, ...config } = template;
  return config;
}

/** A small template that runs without configuration: it uses only the built-in assistant. */
export const EXAMPLE_TEMPLATE = {
  name: "Seats",
  description: "Calculates how many chairs are needed.",
  main_task_id: "001",
  tasks: [
    { task_id: "001", name: "Prepare the room" },
    { task_id: "002", name: "Count the chairs" },
  ],
  listeners: [
    {
      listener_id: "L001",
      trigger_task_id: "001",
      trigger_condition: "001.status == Running",
      agent_id: "assistant",
      action_prompt: "What is {001.context.seats} * 2?",
      success_output: { task_id: "002", status: "Done", context: { chairs: "{{result.value}}" } },
    },
    {
      listener_id: "L002",
      trigger_task_id: "002",
      trigger_condition: "002.status == Done",
      listener_type: "code",
      success_output: { task_id: "001", status: "Done" },
    },
  ],
} as const satisfies WorkflowConfigInput;
