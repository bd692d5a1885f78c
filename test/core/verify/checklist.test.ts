import { describe, expect, test } from "vitest";
import { buildChecklistEntry, summarizeChecklist } from "../../../src/core/verify/checklist.ts";
import { buildVerificationContext, createVerificationEvent } from "../../../src/core/verify/verification-events.ts";
import {
  verificationSchema,
  type Verification,
  type VerificationVerdict,
} from "../../../src/protocol/plans/verification.ts";

const entry = (agent_name: string, task_id: string, verified: VerificationVerdict, ...tools: string[]) =>
  buildChecklistEntry(
    { agent_name, task_id, task_name: `Task ${task_id}` },
    { verified, response: `${agent_name} ${task_id}`, tools: tools.map((tool) => ({ tool, result: "" })) },
  );

function verification(...checklist: ReturnType<typeof entry>[]): Verification {
  return verificationSchema.parse({ checklist, summary: summarizeChecklist(checklist), verification_completed: true });
}

test("every outcome has its status on the checklist", () => {
  const statuses = ([true, false, "unable_to_verify", "exception"] as const).map((verified) => [
    verified,
    entry("hr", "1", verified).status,
  ]);
  expect(statuses).toEqual([
    [true, "executed_and_verified"],
    [false, "verification_failed"],
    ["unable_to_verify", "executed_but_unverified"],
    ["exception", "verification_exception"],
  ]);
});

test("an entry names each tool once and holds a bounded answer", () => {
  const made = buildChecklistEntry(
    { agent_name: "hr", task_id: "1", task_name: "x" },
    { verified: true, response: "y".repeat(10_000), tools: ["a", "b", "a"].map((tool) => ({ tool, result: "" })) },
  );
  expect(made.tools_used).toEqual(["a", "b"]);
  expect(made.response).toHaveLength(4_096);
});

describe("[F136] the summary", () => {
  test("counts every kind; only a failure fails", () => {
    const { summary } = verification(
      entry("hr", "1", true),
      entry("it", "2", "unable_to_verify"),
      entry("x", "3", "exception"),
    );
    expect(summary).toEqual({
      has_explicit_failure: false,
      overall_status: "passed",
      verified_count: 1,
      unable_to_verify_count: 1,
      failed_count: 0,
      exception_count: 1,
      total_count: 3,
    });
    expect(verification(entry("hr", "1", false)).summary).toMatchObject({
      has_explicit_failure: true,
      overall_status: "failed",
      failed_count: 1,
    });
    expect(verification().summary).toMatchObject({ overall_status: "passed", total_count: 0 });
  });

  test("is told in words that name who failed", () => {
    const made = verification(entry("hr", "1", false), entry("it", "2", "unable_to_verify"), entry("inv", "3", true));
    const draft = createVerificationEvent("th-1", made, "en");
    expect(draft).toMatchObject({
      event: "verification_completed",
      data: {
        thread_id: "th-1",
        role: "system",
        payload: {
          summary: "1 of 3 tasks verified. Not as it should be: hr (Task 1). Cannot be verified: it (Task 2).",
          results: made.checklist,
        },
        metadata: { summary: made.summary },
      },
    });
    expect(JSON.stringify(createVerificationEvent("th-1", made, "zh"))).toContain(
      "3 项任务中已验证 1 项。未通过：hr (Task 1)。",
    );
  });
});

describe("[F132] the context of the main task", () => {
  test("has an entry per agent, the summary and the checklist", () => {
    const made = verification(entry("hr", "002", true, "query_profile"), entry("it", "003", "unable_to_verify"));
    expect(buildVerificationContext(made)).toEqual({
      planner_verification: "completed",
      verification_results: {
        hr: { verified: true, response: "hr 002", tools_used: ["query_profile"], task_id: "002" },
        it: { verified: "unable_to_verify", response: "it 003", tools_used: [], task_id: "003" },
        _summary: made.summary,
        _checklist: made.checklist,
      },
    });
  });

  test.each([
    [[true, false, "exception"], false],
    [[true, "unable_to_verify", "exception"], "exception"],
    [["unable_to_verify", true], "unable_to_verify"],
    [[true, true], true],
  ] as const)("[X23] an agent with several tasks has the worst of them: %j", (outcomes, worst) => {
    const made = verification(...outcomes.map((verified, i) => entry("hr", `${i}`, verified)));
    const { verification_results } = buildVerificationContext(made);
    expect(verification_results).toMatchObject({ hr: { verified: worst } });
    const { tasks } = (verification_results as { hr: { tasks: { task_id: string }[] } }).hr;
    expect(tasks.map(({ task_id }) => task_id).toSorted()).toEqual(outcomes.map((_, i) => `${i}`));
  });

  test("an agent with an odd name does no harm", () => {
    const made = verification(entry("_summary", "1", false), entry("__proto__", "2", true));
    const { verification_results } = buildVerificationContext(made);
    expect(verification_results).toMatchObject({ _summary: { failed_count: 1, total_count: 2 } });
    expect(Object.getPrototypeOf(verification_results)).toBe(Object.prototype);
  });
});
