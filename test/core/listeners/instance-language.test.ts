import { describe, expect, test } from "vitest";
import type { CodeRunner } from "../../../src/core/ports.ts";
import { eventsOf, LIMITS, saying } from "../../support/scripted.ts";
import {
  closing,
  failing,
  instanceIn,
  listener,
  playInstance,
  tasks,
  templateOf,
  type GivenConfig,
  type World,
} from "./playing.ts";

const CHINESE = { request: { message: "Start the plan", language: "zh-CN" } };

/** How an instance ends for somebody who reads Chinese. */
async function ended(listeners: GivenConfig["listeners"], more: Partial<World> = {}) {
  const template = templateOf({ name: "P", max_retries: 0, tasks: tasks("001", "002", "003"), listeners });
  const agents = { a: saying("x"), broken: failing(1, saying("")) };
  return playInstance({ template, agents, ...more, turn: { ...CHINESE, ...more.turn } });
}

describe("whoever started an instance in Chinese reads in Chinese", () => {
  test("why nothing goes on", async () => {
    const { memory } = await ended([
      listener("A", "001", "Running", "a", "002"),
      listener("B", "002", "Done", "a", "003", { action_condition: "002.context.level >= 5" }),
      closing("Z", "003", "Done"),
    ]);
    const words =
      "“Task 001”停在 Running，无法继续。B 没有触发：它在等待“Done”和“002.context.level >= 5”，而 002 是 Done。" +
      "Z 没有触发：它在等待“Done”，而 003 是 NotStarted。";
    expect(instanceIn(memory).error).toBe(words);
    expect(eventsOf({ memory }, "system_failed").map(({ payload }) => payload.content)).toEqual([words]);
    expect(eventsOf({ memory }, "task_cancelled").map(({ payload }) => payload.content)).toEqual([
      "计划结束时它没有执行。",
    ]);
  });

  test("that it was made an error", async () => {
    const failure_output = { task_id: "001", status: "Error" } as const;
    const { memory } = await ended([listener("A", "001", "Running", "broken", "002", { failure_output })]);
    expect(instanceIn(memory).error).toBe("“Task 001”以错误告终。A 失败：The system is down.");
  });

  test("that it was stopped", async () => {
    const listeners = [closing("L1", "001", "Any", "002"), closing("L2", "001", "Any", "003")];
    const { memory } = await ended(listeners, { turn: { limits: { ...LIMITS, maxFirings: 1 } } });
    expect(instanceIn(memory).error).toBe("触发的监听器超过 1 个：计划在 L2 之前停止。");
  });

  test("which values it lacks", async () => {
    const { memory } = await ended([
      listener("A", "001", "Running", "a", "001", { action_prompt: "{001.context.seats}" }),
    ]);
    expect(memory.open().map(({ prompt }) => prompt)).toEqual(["缺少以下值：001.seats."]);
  });

  test("why code does not run", async () => {
    const message = "The engine that runs code failed. Please try again.";
    const code: CodeRunner = { run: () => Promise.resolve({ kind: "failed", message }) };
    const listeners = [{ ...closing("S", "001", "Running"), code_snippet: "() => 1" }];
    const errorOf = async (more: Partial<World>) =>
      instanceIn((await ended(listeners, more)).memory, "open").listeners[0]?.error;
    expect(await errorOf({ code })).toBe("运行代码的引擎出现故障。请再试一次。");
    expect(await errorOf({})).toBe("这里没有可以运行代码的环境。");
  });
});
