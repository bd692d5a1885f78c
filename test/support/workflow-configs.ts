// Small workflow templates for tests.

import type { WorkflowConfigInput } from "../../src/protocol/workflows/workflow-template.ts";

/** Returns a template in which 001 starts an agent for 002, and 002 completes 001. */
export function createTemplateConfig(changes: Partial<WorkflowConfigInput> = {}): WorkflowConfigInput {
  return {
    plan_id: "welcome",
    name: "Welcome",
    description: "Greets somebody new.",
    main_task_id: "001",
    tasks: [
      { task_id: "001", name: "Welcome somebody", is_main_task: true },
      { task_id: "002", name: "Greeting" },
    ],
    listeners: [
      {
        listener_id: "L001",
        trigger_task_id: "001",
        trigger_condition: "001.status == Running",
        agent_id: "assistant",
        action_prompt: "What is {001.context.seats} * 2?",
        success_output: { task_id: "002", status: "Done" },
      },
      {
        listener_id: "L002",
        trigger_task_id: "002",
        trigger_condition: "002.status == Done",
        listener_type: "code",
        success_output: { task_id: "001", status: "Done" },
      },
    ],
    max_retries: 0,
    ...changes,
  };
}

/** A clerk writes a guest into a book, a herald announces the guest, and code builds the welcome. */
export const ARRIVAL_TEMPLATE: WorkflowConfigInput = {
  plan_id: "arrival",
  name: "Arrival",
  description: "Prepares the arrival of a guest in the house: writes the guest book and announces the guest.",
  tasks: [
    { task_id: "001", name: "Arrival", is_main_task: true },
    { task_id: "002", name: "Guest book" },
    { task_id: "003", name: "Announcement" },
  ],
  listeners: [
    {
      listener_id: "L001",
      trigger_task_id: "001",
      trigger_condition: "001.status == Running",
      agent_id: "clerk",
      action_prompt: "Write {001.context.guest} into the book",
      success_output: { task_id: "002", status: "Done", context: { by: "clerk" } },
    },
    {
      listener_id: "L002",
      trigger_task_id: "002",
      trigger_condition: "002.status == Done && 001.status != Done",
      agent_id: "herald",
      action_prompt: "Announce {001.context.guest}",
      success_output: { task_id: "003", status: "Done" },
    },
    {
      listener_id: "L003",
      trigger_task_id: "003",
      trigger_condition: "003.status == Done",
      listener_type: "code",
      code_snippet: "({ values }) => ({ welcome: 'Welcome, ' + values.guest })",
      success_output: { task_id: "001", status: "Done", context: { welcome: "{{result.welcome}}" } },
    },
  ],
  max_retries: 0,
};
