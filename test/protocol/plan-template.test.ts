import { expect, test } from "vitest";
import { CANONICAL, PLAN_STATUSES, planOutputSchema, planStatusOf } from "../../src/protocol/plan-template.ts";

test("[X6] every status is itself in any case, however often it is read", () => {
  for (const status of PLAN_STATUSES) {
    const forms = [status, status.toLowerCase(), status.toUpperCase()];
    expect(forms.map(planStatusOf)).toEqual([status, status, status]);
    expect(planOutputSchema.parse({ task_id: "002", status }).status).toBe(status);
  }
});

test("[X6] the words that others use are understood where they are no words of plans", () => {
  expect(PLAN_STATUSES.map((status) => planStatusOf(CANONICAL[status]))).toEqual([
    "Pending", // Both vocabularies have the word, and it is a plan that is read.
    "Running",
    "Retrying",
    "Pending",
    "Done",
    "Error",
  ]);
  expect(["not started", "NOT_STARTED", " waiting-input "].map(planStatusOf)).toEqual([
    "NotStarted",
    "NotStarted",
    "Pending",
  ]);
  expect(["cancelled", "Doen", ""].map(planStatusOf)).toEqual([null, null, null]);
});
