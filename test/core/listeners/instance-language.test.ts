import { describe, expect, test } from "vitest";
import type { CodeRunner } from "../../../src/core/ports.ts";
import { createMessage } from "../../../src/language/messages.ts";
import { getEvents, answerWith } from "../../support/scripted-ports.ts";
import {
  codeListener,
  failingAgent,
  getInstance,
  listener,
  runTestInstance,
  tasks,
  createTemplate,
  type TemplateConfigInput,
  type InstanceScenario,
} from "./instance-fixture.ts";

const CHINESE = { request: { message: "Start the plan", language: "zh-CN" } };

/** Runs an instance for a user whose language is Chinese. */
async function runToEnd(listeners: TemplateConfigInput["listeners"], more: Partial<InstanceScenario> = {}) {
  const template = createTemplate({ name: "P", max_retries: 0, tasks: tasks("001", "002", "003"), listeners });
  const agents = { a: answerWith("x"), broken: failingAgent(1, answerWith("")) };
  return runTestInstance({ template, agents, ...more, turn: { ...CHINESE, ...more.turn } });
}

describe("Chinese messages of an instance that was started in Chinese", () => {
  test("explain why the instance is stuck", async () => {
    const { memory } = await runToEnd([
      listener("A", "001", "Running", "a", "002"),
      listener("B", "002", "Done", "a", "003", { action_condition: "002.context.level >= 5" }),
      codeListener("Z", "003", "Done"),
    ]);
    const words =
      "“Task 001”停在 Running，无法继续。B 从未触发。它在等待“Done”、“002.context.level >= 5”，而当前状态是 002 (Done)。" +
      "Z 从未触发。它在等待“Done”，而当前状态是 003 (NotStarted)。";
    expect(getInstance(memory).error).toBe(words);
    expect(getEvents({ memory }, "system_failed").map(({ payload }) => payload.content)).toEqual([words]);
    expect(getEvents({ memory }, "task_cancelled").map(({ payload }) => payload.content)).toEqual([
      "工作流结束时此任务尚未运行。",
    ]);
  });

  test("explain why code does not run", async () => {
    const message = createMessage("sandbox.engineFailed");
    const code: CodeRunner = { run: () => Promise.resolve({ kind: "failed", message }) };
    const listeners = [{ ...codeListener("S", "001", "Running"), code_snippet: "() => 1" }];
    const getError = async (more: Partial<InstanceScenario>) =>
      getInstance((await runToEnd(listeners, more)).memory, "open").listeners[0]?.error;
    expect(await getError({ code })).toBe("运行代码的引擎出错，请重试。");
    expect(await getError({})).toBe("这里无法运行代码。");
  });
});
