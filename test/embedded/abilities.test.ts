// The examples of the table of abilities. Each runs from triage to the tools of the assistant.

import { describe, expect, test } from "vitest";
import { ABILITIES } from "../../src/embedded/abilities.ts";
import { runRequest, type RequestRun, type RunTask } from "./run-request.ts";

describe.each(ABILITIES)("the stand-in model: $description.en", ({ examples }) => {
  test.each(examples)("%s", async (request, expected = "") => {
    const messages = request.split(" → ");
    const run = await runRequest(messages.at(-1) ?? "", messages.slice(0, -1));
    if (expected === "declined") {
      expect(run.calls).toEqual([]);
      expect(run.text).not.toBe("");
    } else if (run.tasks.length === 0) expect(run.text).toContain(expected);
    else expect([run.calls.join("; "), formatPlan(run)]).toContain(expected);
  });
});

function formatPlan({ tasks, isVerified }: RequestRun): string {
  return tasks.map((task) => formatTask(task, tasks) + (isVerified ? " (verified)" : "")).join(" / ");
}

function formatTask({ query, agent_name, depends_on, schedule_config }: RunTask, tasks: readonly RunTask[]): string {
  const waits = depends_on.map((id) => `(after ${tasks.findIndex((task) => task.id === id) + 1})`);
  const schedule = Object.entries(schedule_config ?? {}).filter(([name]) => name !== "timezone");
  const times = schedule.map(([name, value]) => `(${name} ${String(value)})`);
  return [query, ...(agent_name === "assistant" ? [] : [`(${agent_name})`]), ...waits, ...times].join(" ");
}

test("the requests of the table are different, and some of each ability are in Chinese", () => {
  const requests = ABILITIES.flatMap(({ examples }) => examples.map(([request]) => request));
  expect(new Set(requests).size).toBe(requests.length);
  for (const { examples } of ABILITIES) {
    const chinese = examples.filter(([request]) => /[\u4e00-\u9fff]/.test(request));
    expect(chinese.length).toBeGreaterThan(0);
    expect(chinese.length).toBeLessThan(examples.length);
  }
});
