import { describe, expect, test } from "vitest";
import type { CodeRunner } from "../../../src/core/ports.ts";
import { codeListener, getInstance, runTestInstance, createTemplate } from "./instance-fixture.ts";

describe("code listener", () => {
  const createSumScenario = (code: CodeRunner | undefined, max_retries = 0) => ({
    template: createTemplate({
      max_retries,
      listeners: [
        {
          ...codeListener("S", "001", "Running", "002"),
          code_snippet: "({ tasks, values }) => ({ sum: values.a + values.b })",
          success_output: { task_id: "002", status: "Done", context: { sum: "{{result.sum}}" } },
        },
        codeListener("Z", "002", "002.context.sum == 5"),
      ],
    }),
    agents: {},
    context: { a: 2, b: 3 },
    ...(code === undefined ? {} : { code }),
  });

  test("[F125] receives task statuses and values, and its result is rendered into the output", async () => {
    const inputs: unknown[] = [];
    const code: CodeRunner = {
      run: (_, input) => {
        inputs.push(input);
        return Promise.resolve({ kind: "returned", value: { sum: 5 } });
      },
    };
    const { memory, end } = await runTestInstance(createSumScenario(code));
    expect(end.status).toBe("completed");
    expect(inputs).toEqual([
      {
        tasks: { "001": { status: "Running", context: { a: 2, b: 3 } }, "002": { status: "NotStarted", context: {} } },
        values: { a: 2, b: 3 },
      },
    ]);
    expect(getInstance(memory).tasks[1]?.context).toEqual({ sum: 5 });
  });

  test("holds the instance when its code fails or when no code runner exists", async () => {
    const failed: CodeRunner = { run: () => Promise.resolve({ kind: "failed", message: "b is not defined" }) };
    const { memory } = await runTestInstance(createSumScenario(failed));
    expect(getInstance(memory, "open").hold?.message).toBe("S failed: b is not defined.");
    const nowhere = await runTestInstance(createSumScenario(undefined));
    expect(getInstance(nowhere.memory, "open").hold?.message).toBe("S failed: Code can’t run here.");
  });
});
