// The examples of the table of abilities. Each runs from triage to the tools of the assistant.

import { describe, expect, test } from "vitest";
import { ABILITIES, type AbilityExample, type ExpectedTask } from "../../src/embedded/abilities.ts";
import { runRequest, type RunTask } from "./run-request.ts";

describe.each(ABILITIES)("the stand-in model can $description.en", ({ examples }) => {
  test.each(examples)("$request", async (example) => checkExample(example));
});

async function checkExample({ request, expect: expected, history }: AbilityExample): Promise<void> {
  const { text, tasks, calls } = await runRequest(request, history);
  switch (expected.kind) {
    case "calls":
      expect(calls).toEqual(expected.calls);
      break;
    case "plan":
      expect(tasks.map((task) => toExpectedTask(task, tasks))).toEqual(
        expected.tasks.map((task) => ({ agent: "assistant", after: [], ...task })),
      );
      break;
    case "says":
      expect(text).toContain(expected.text);
      expect([tasks, calls]).toEqual([[], []]);
      break;
    case "declines":
      expect(calls).toEqual([]);
      expect(tasks.filter(({ agent_name: agent }) => agent === "analyst")).toEqual([]);
      expect(text).not.toBe("");
  }
}

function toExpectedTask(
  { query, agent_name: agent, depends_on, schedule_config: schedule }: RunTask,
  tasks: readonly RunTask[],
): ExpectedTask {
  const after = depends_on.map((id) => tasks.findIndex((task) => task.id === id));
  return { query, agent, after, ...(schedule === undefined ? {} : { schedule }) };
}

test("the requests of the table are different, and some of each ability are in Chinese", () => {
  const requests = ABILITIES.flatMap(({ examples }) =>
    examples.map(({ request, history = [] }) => [...history, request].join("\n")),
  );
  expect(new Set(requests).size).toBe(requests.length);
  for (const { examples } of ABILITIES) {
    const chinese = examples.filter(({ request }) => /[\u4e00-\u9fff]/.test(request));
    expect(chinese.length).toBeGreaterThan(0);
    expect(chinese.length).toBeLessThan(examples.length);
  }
});
