// An example of a workflow, in the document of the API and in the editor of the application.

import type { WorkflowConfigInput } from "./workflow-template.ts";

/** A small workflow that runs without configuration: it uses only the built-in assistant. */
export const EXAMPLE_WORKFLOW = {
  name: "Welcome",
  description: "Welcomes a new participant and informs the team.",
  main_task_id: "001",
  tasks: [
    { task_id: "001", name: "Welcome a participant" },
    { task_id: "002", name: "Write the greeting" },
  ],
  listeners: [
    {
      listener_id: "L001",
      trigger_task_id: "001",
      trigger_condition: "001.status == Running",
      agent_id: "assistant",
      action_prompt: "What is {001.context.seats} * 2?",
      success_output: { task_id: "002", status: "Done", context: { result: "{{result.value}}" } },
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
