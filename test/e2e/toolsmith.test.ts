// The toolsmith from outside: with the built-in model, and with one that writes what nobody should run.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Frame } from "../../src/protocol/wire/events.ts";
import type { ToolList, ToolWithVersions } from "../../src/protocol/tools/stored-tool.ts";
import type { Reply } from "../support/model-reply.ts";
import { startModelServer, type ModelCall, type ModelServer } from "../support/model-server.ts";
import { eventsOf, personAt, textOf, type Heard, type Person } from "../support/person.ts";
import { breachesIn } from "../support/rules.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";
import { SECRET, signed } from "../http/tokens.ts";

const STEPS = ["search", "generate", "safety_check", "execute", "register"];
const AGAIN = ["search", "use_existing", "safety_check", "execute", "register"];

/** The agent's own steps, without the runtime's. */
const stepsIn = (frames: readonly Frame[]) =>
  eventsOf(frames, "tool_call_completed")
    .map(({ payload }) => payload.tool_name)
    .filter((name) => [...STEPS, ...AGAIN].includes(name));

function resultsIn(frames: readonly Frame[], tool: string): Record<string, unknown>[] {
  return eventsOf(frames, "tool_call_completed")
    .filter(({ payload }) => payload.tool_name === tool)
    .map(({ payload }) => {
      const [{ content }] = JSON.parse(payload.tool_result) as [{ content: string }];
      return JSON.parse(content) as Record<string, unknown>;
    });
}

describe("with the built-in model", () => {
  let runtime: Runtime;
  let ada: Person;
  const smith = async (message: string, person = ada): Promise<Heard> => {
    const heard = await person.say(message, { agent: "toolsmith", timezone: "Asia/Shanghai" });
    expect(breachesIn(heard.frames)).toEqual([]);
    return heard;
  };

  beforeAll(async () => {
    runtime = await startRuntime({ vars: { AUTH_SECRET: SECRET } });
    ada = personAt(runtime.url, await signed({ sub: "ada" }));
  });
  afterAll(() => runtime.stop());

  test("[F90] a greeting needs no tool", async () => {
    const { frames } = await smith("你好");
    expect(stepsIn(frames)).toEqual([]);
    expect(textOf(frames)).not.toBe("");
  });

  test("[F91] [F93] [F101] the seed's request is two tools, and the product stands in the answer", async () => {
    const { frames } = await smith("首先查询现在时间然后计算678乘以8776的结果");
    expect(stepsIn(frames)).toEqual([...STEPS, ...STEPS]);
    expect(textOf(frames)).toContain("5950128");
    const [time] = resultsIn(frames, "execute");
    expect(textOf(frames)).toContain(String(time?.["result"]));
  });

  test("[F94] the same again, and one like it, write nothing new", async () => {
    const same = await smith("首先查询现在时间然后计算678乘以8776的结果");
    expect(stepsIn(same.frames)).toEqual([...AGAIN, ...AGAIN]);
    const similar = await smith("12 × 34 等于多少");
    expect(stepsIn(similar.frames)).toEqual(AGAIN);
    expect(textOf(similar.frames)).toContain("408");
  });

  test("[F91] three things are three sub-tasks", async () => {
    const { frames } = await smith("告诉我现在时间、生成一个随机数、计算123加456");
    expect(stepsIn(frames)).toEqual([...AGAIN, ...STEPS, ...STEPS]);
    expect(textOf(frames)).toContain("579");
  });

  test("[F98] what was kept is listed, read with its code and deleted, and nobody else sees it", async () => {
    const { tools } = await ada.get<ToolList>("/api/v1/tools");
    expect(tools).toHaveLength(4);
    const product = tools.find(({ description }) => /multipl/i.test(description));
    const path = `/api/v1/tools/${product?.name ?? ""}`;
    expect(await ada.get<ToolWithVersions>(path)).toMatchObject({ version: 1, uses: 3, versions: [{ version: 1 }] });
    const bob = personAt(runtime.url, await signed({ sub: "bob" }));
    expect(await bob.get<ToolList>("/api/v1/tools")).toMatchObject({ tools: [] });
    expect((await bob.request("GET", path)).status).toBe(404);
    expect((await bob.request("DELETE", path)).status).toBe(404);
    expect(stepsIn((await smith("What is 678 × 8776?", bob)).frames)).toEqual(STEPS);
    expect((await ada.request("DELETE", path)).status).toBe(200);
    expect((await ada.request("GET", path)).status).toBe(404);
  });

  test("what the built-in model cannot do is said, and the rest is done", async () => {
    const { frames } = await smith("Multiply 3 by 4, then write a poem about the sea");
    expect(textOf(frames)).toContain("12");
    expect(textOf(frames)).toMatch(/real model/i);
  });
});

describe("with a model that writes what nobody should run", () => {
  let runtime: Runtime;
  let models: ModelServer;
  let person: Person;
  beforeAll(async () => {
    models = await startModelServer();
    runtime = await startRuntime({ vars: { OPENAI_BASE_URL: models.url } });
    person = personAt(runtime.url);
  });
  afterAll(async () => {
    await runtime.stop();
    await models.close();
  });

  /** Has the model write these programs, one for each attempt. */
  async function smith(...programs: readonly object[]): Promise<{ heard: Heard; calls: ModelCall[] }> {
    const mark = models.act({
      "agent:toolsmith": ({ request }): Reply => {
        const tool = request.tools?.[0]?.function.name ?? "";
        const attempt = request.messages.filter(({ role }) => role === "assistant").length;
        const program = {
          name: `t${attempt}`,
          description: "A tool.",
          category: "math",
          parameters: {},
          arguments: {},
        };
        const answers: Record<string, Reply> = {
          plan_subtasks: {
            calls: [{ name: tool, arguments: { tasks: [{ id: 1, description: "do it", category: "math" }] } }],
          },
          choose_tool: { calls: [{ name: tool, arguments: { use_existing: false, reason: "none fits" } }] },
          write_tool: { calls: [{ name: tool, arguments: { ...program, ...programs[attempt] } }] },
        };
        return answers[tool] ?? { text: "Here it is: 42" };
      },
    });
    const heard = await person.say(`Do it ${mark}`, { agent: "toolsmith" });
    expect(breachesIn(heard.frames)).toEqual([]);
    return { heard, calls: models.callsOf(mark) };
  }

  const good = { code: "function run() { return 42; }" };

  test("[F95] [F96] the offender and its line are told to the model, which does better", async () => {
    const { heard, calls } = await smith({ code: "function run() {\n  return fetch('https://example.com');\n}" }, good);
    expect(stepsIn(heard.frames)).toEqual([...STEPS.slice(0, 3), ...STEPS.slice(1)]);
    expect(resultsIn(heard.frames, "safety_check")).toMatchObject([
      { passed: false, issues: [{ message: expect.stringContaining("fetch") as string, line: 2 }] },
      { passed: true },
    ]);
    const told = calls.at(-2)?.request.messages.at(-1);
    expect(told).toMatchObject({ role: "tool", content: expect.stringMatching(/Line 2.*fetch/s) as string });
    expect(textOf(heard.frames)).toBe("Here it is: 42");
  });

  test.each([
    ["loops for ever", "function run() { for (;;) {} }"],
    ["recurses for ever", "function run() { const f = (n) => f(n + 1) + f(n); return f(0); }"],
    ["fills the memory", "function run() { const all = []; for (;;) all.push('x'.repeat(1e6)); }"],
    ["doubles a text", "function run() { let s = 'x'; for (let i = 0; i < 60; i++) s += s; return s.length; }"],
    ["backtracks for ever", "function run() { return /^(a+)+$/.test('a'.repeat(40) + 'b'); }"],
    ["returns too much", "function run() { return 'x'.repeat(1e6); }"],
    [
      "reaches for a constructor",
      "function run() { return ''['con' + 'structor']['con' + 'structor']('return 1')(); }",
    ],
  ])("[F97] code that %s fails in its bounds, and the server goes on", async (_, code) => {
    const started = Date.now();
    const { heard } = await smith({ code }, { code }, { code });
    expect(textOf(heard.frames)).toMatch(/failed - No tool for this came about in 3 attempts/);
    expect(Date.now() - started).toBeLessThan(15_000);
    const { heard: next } = await smith(good);
    expect(textOf(next.frames)).toBe("Here it is: 42");
  });

  test.each([
    ["calls a helper that stands below it", "function t0() { return half(84); }\nfunction half(n) { return n / 2; }"],
    [
      "asks a pattern for nothing, 8 million million times",
      `function run() { /${"(?:".repeat(3)}${"){20000}".repeat(3)}/.test("x"); return 42; }`,
    ],
  ])("code that %s runs", async (_, code) => {
    const { heard } = await smith({ code });
    expect(resultsIn(heard.frames, "execute")).toMatchObject([{ result: "42" }]);
  });

  test("a result that thousands of alternatives would have to be tried against is refused at once", async () => {
    const returns = { type: "array", items: { anyOf: Array.from({ length: 300 }, () => ({ type: "string" })) } };
    const { heard } = await smith({ code: "function run() { return Array(30000).fill(5); }", returns }, good);
    expect(resultsIn(heard.frames, "execute")).toMatchObject([
      { error: expect.stringContaining("alternatives") as string },
      { result: "42" },
    ]);
  });

  test("the end of the words for a result is not taken for the result", async () => {
    const { heard } = await smith({ code: "function run() { return 2; }" });
    expect(textOf(heard.frames)).toBe("Task 1 (do it): 2");
  });

  test("nothing of a call is left for the next one", async () => {
    const code = "let count = 0; function run() { count += 1; return count; }";
    for (let i = 0; i < 3; i++) {
      const { heard } = await smith({ code });
      expect(resultsIn(heard.frames, "execute")).toMatchObject([{ result: "1" }]);
    }
  });
});
