import { describe, expect, test } from "vitest";
import { buildChecklistEntry, summarizeChecklist } from "../../../src/core/verify/checklist.ts";
import { buildVerificationContext, createVerificationEvent } from "../../../src/core/verify/verification-events.ts";
import {
  verificationSchema,
  type Verification,
  type VerificationVerdict,
} from "../../../src/protocol/plans/verification.ts";
import { createFormatter } from "../../support/scripted-ports.ts";

const createEntry = (agent_name: string, task_id: string, verified: VerificationVerdict, ...tools: string[]) =>
  buildChecklistEntry(
    { agent_name, task_id, task_name: `Task ${task_id}` },
    { verified, response: `${agent_name} ${task_id}`, tools: tools.map((tool) => ({ tool, result: "" })) },
  );

function createVerification(...checklist: ReturnType<typeof createEntry>[]): Verification {
  return verificationSchema.parse({ checklist, summary: summarizeChecklist(checklist), verification_completed: true });
}

test("buildChecklistEntry() returns a status for every verdict", () => {
  const statuses = ([true, false, "unable_to_verify", "exception"] as const).map((verified) => [
    verified,
    createEntry("hr", "1", verified).status,
  ]);
  expect(statuses).toEqual([
    [true, "executed_and_verified"],
    [false, "verification_failed"],
    ["unable_to_verify", "executed_but_unverified"],
    ["exception", "verification_exception"],
  ]);
});

test("buildChecklistEntry() lists each tool once and truncates the answer", () => {
  const built = buildChecklistEntry(
    { agent_name: "hr", task_id: "1", task_name: "x" },
    { verified: true, response: "y".repeat(10_000), tools: ["a", "b", "a"].map((tool) => ({ tool, result: "" })) },
  );
  expect(built.tools_used).toEqual(["a", "b"]);
  expect(built.response).toHaveLength(4_096);
});

describe("[F136] verification summary", () => {
  test("counts every verdict and fails only for a failed verification", () => {
    const { summary } = createVerification(
      createEntry("hr", "1", true),
      createEntry("it", "2", "unable_to_verify"),
      createEntry("x", "3", "exception"),
    );
    expect(summary).toEqual({
      has_explicit_failure: false,
      overall_status: "incomplete",
      verified_count: 1,
      unable_to_verify_count: 1,
      failed_count: 0,
      exception_count: 1,
      total_count: 3,
    });
    expect(createVerification(createEntry("hr", "1", false)).summary).toMatchObject({
      has_explicit_failure: true,
      overall_status: "failed",
      failed_count: 1,
    });
    expect(createVerification(createEntry("hr", "1", true)).summary.overall_status).toBe("passed");
    expect(createVerification(createEntry("hr", "1", "unable_to_verify")).summary.overall_status).toBe("unverified");
    expect(createVerification().summary).toMatchObject({ overall_status: "unverified", total_count: 0 });
  });

  test("is published as text that names the failed agents", () => {
    const built = createVerification(
      createEntry("hr", "1", false),
      createEntry("it", "2", "unable_to_verify"),
      createEntry("inv", "3", true),
    );
    const draft = createVerificationEvent({ formatMessage: createFormatter("en") }, "th-1", built);
    expect(draft).toMatchObject({
      event: "verification_completed",
      data: {
        thread_id: "th-1",
        role: "system",
        payload: {
          summary: "1 of 3 tasks verified. Not done: hr (Task 1). Can’t be verified: it (Task 2).",
          results: built.checklist,
        },
        metadata: { summary: built.summary },
      },
    });
    expect(JSON.stringify(createVerificationEvent({ formatMessage: createFormatter("zh") }, "th-1", built))).toContain(
      "3 项任务中已核验 1 项。未通过：hr (Task 1)。",
    );
  });
});

describe("[F132] verification context of the main task", () => {
  test("contains an entry per agent, the summary and the checklist", () => {
    const built = createVerification(
      createEntry("hr", "002", true, "query_profile"),
      createEntry("it", "003", "unable_to_verify"),
    );
    expect(buildVerificationContext(built)).toEqual({
      planner_verification: "completed",
      verification_results: {
        hr: { verified: true, response: "hr 002", tools_used: ["query_profile"], task_id: "002" },
        it: { verified: "unable_to_verify", response: "it 003", tools_used: [], task_id: "003" },
        _summary: built.summary,
        _checklist: built.checklist,
      },
    });
  });

  test.each([
    [[true, false, "exception"], false],
    [[true, "unable_to_verify", "exception"], "exception"],
    [["unable_to_verify", true], "unable_to_verify"],
    [[true, true], true],
  ] as const)("[X23] contains the worst verdict of an agent with several tasks: %j", (outcomes, worst) => {
    const built = createVerification(...outcomes.map((verified, i) => createEntry("hr", `${i}`, verified)));
    const { verification_results } = buildVerificationContext(built);
    expect(verification_results).toMatchObject({ hr: { verified: worst } });
    const { tasks } = (verification_results as { hr: { tasks: { task_id: string }[] } }).hr;
    expect(tasks.map(({ task_id }) => task_id).toSorted()).toEqual(outcomes.map((_, i) => `${i}`));
  });

  test("is safe for agents named _summary or __proto__", () => {
    const built = createVerification(createEntry("_summary", "1", false), createEntry("__proto__", "2", true));
    const { verification_results } = buildVerificationContext(built);
    expect(verification_results).toMatchObject({ _summary: { failed_count: 1, total_count: 2 } });
    expect(Object.getPrototypeOf(verification_results)).toBe(Object.prototype);
  });
});
