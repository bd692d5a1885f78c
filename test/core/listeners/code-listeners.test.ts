import { describe, expect, test } from "vitest";
import type { CodeRunner } from "../../../src/core/ports.ts";
import { closing, instanceIn, playInstance, tasks, templateOf } from "./playing.ts";

describe("code listeners", () => {
  const summing = (code: CodeRunner | undefined, max_retries = 0) => ({
    template: templateOf({
      name: "Sums",
      max_retries,
      tasks: tasks("001", "002"),
      listeners: [
        {
          ...closing("S", "001", "Running", "002"),
          code_snippet: "({ tasks, values }) => ({ sum: values.a + values.b })",
          success_output: { task_id: "002", status: "Done", context: { sum: "{{result.sum}}" } },
        },
        closing("Z", "002", "002.context.sum == 5"),
      ],
    }),
    agents: {},
    context: { a: 2, b: 3 },
    ...(code === undefined ? {} : { code }),
  });

  test("[F125] run with how tasks stand and what is known, and their result is rendered", async () => {
    const inputs: unknown[] = [];
    const code: CodeRunner = {
      run: (_, input) => {
        inputs.push(input);
        return Promise.resolve({ kind: "returned", value: { sum: 5 } });
      },
    };
    const { memory, end } = await playInstance(summing(code));
    expect(end.status).toBe("completed");
    expect(inputs).toEqual([
      {
        tasks: { "001": { status: "Running", context: { a: 2, b: 3 } }, "002": { status: "NotStarted", context: {} } },
        values: { a: 2, b: 3 },
      },
    ]);
    expect(instanceIn(memory).tasks[1]?.context).toEqual({ sum: 5 });
  });

  test("fail like agents, also where nothing runs code", async () => {
    const failed: CodeRunner = { run: () => Promise.resolve({ kind: "failed", message: "b is not defined" }) };
    const { memory } = await playInstance(summing(failed));
    expect(instanceIn(memory, "open").hold?.message).toBe("S failed: b is not defined.");
    const nowhere = await playInstance(summing(undefined));
    expect(instanceIn(nowhere.memory, "open").hold?.message).toBe("S failed: There is nothing here that runs code.");
  });
});
