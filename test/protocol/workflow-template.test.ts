import { expect, test } from "vitest";
import {
  CANONICAL_STATUS,
  WORKFLOW_TASK_STATUSES,
  listenerOutputSchema,
  parseWorkflowTaskStatus,
} from "../../src/protocol/workflows/workflow-template.ts";

test("[X6] parseWorkflowTaskStatus() accepts every status in any case, repeatedly", () => {
  for (const status of WORKFLOW_TASK_STATUSES) {
    const forms = [status, status.toLowerCase(), status.toUpperCase()];
    expect(forms.map(parseWorkflowTaskStatus)).toEqual([status, status, status]);
    expect(listenerOutputSchema.parse({ task_id: "002", status }).status).toBe(status);
  }
});

test("[X6] parseWorkflowTaskStatus() accepts canonical statuses and rejects unknown words", () => {
  expect(WORKFLOW_TASK_STATUSES.map((status) => parseWorkflowTaskStatus(CANONICAL_STATUS[status]))).toEqual([
    "Pending", // Both vocabularies have this word; here it is a workflow status.
    "Running",
    "Retrying",
    "Pending",
    "Done",
    "Error",
  ]);
  expect(["not started", "NOT_STARTED", " waiting-input "].map(parseWorkflowTaskStatus)).toEqual([
    "NotStarted",
    "NotStarted",
    "Pending",
  ]);
  expect(["cancelled", "Doen", ""].map(parseWorkflowTaskStatus)).toEqual([null, null, null]);
});
