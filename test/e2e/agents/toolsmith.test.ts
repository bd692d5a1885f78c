// The toolsmith as a black box: with the embedded model, and with a scripted model that writes harmful code.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Frame } from "../../../src/protocol/wire/events.ts";
import type { ToolList, ToolWithVersions } from "../../../src/protocol/tools/stored-tool.ts";
import type { ModelReply } from "../../support/model-reply.ts";
import { startModelServer, type ModelCall, type ModelServer } from "../../support/model-server.ts";
import { filterEvents, createApiUser, joinText, type ThreadResult, type ApiUser } from "../../support/api-user.ts";
import { findViolations } from "../../support/invariants.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import { SECRET, signToken } from "../../http/tokens.ts";

const STEPS = ["search", "generate", "safety_check", "execute", "register"];
const REUSE_STEPS = ["search", "use_existing", "safety_check", "execute", "register"];

/** Lists the steps of the agent, without the tool calls of the runtime. */
const listSteps = (frames: readonly Frame[]) =>
  filterEvents(frames, "tool_call_completed")
    .map(({ payload }) => payload.tool_name)
    .filter((name) => [...STEPS, ...REUSE_STEPS].includes(name));

function listResults(frames: readonly Frame[], tool: string): Record<string, unknown>[] {
  return filterEvents(frames, "tool_call_completed")
    .filter(({ payload }) => payload.tool_name === tool)
    .map(({ payload }) => {
      const [{ content }] = JSON.parse(payload.tool_result) as [{ content: string }];
      return JSON.parse(content) as Record<string, unknown>;
    });
}

describe("toolsmith with the embedded model", () => {
  let runtime: Runtime;
  let ada: ApiUser;
  const runToolsmith = async (message: string, user = ada): Promise<ThreadResult> => {
    const thread = await user.sendAndWait(message, { agent: "toolsmith", timezone: "Asia/Shanghai" });
    expect(findViolations(thread.frames)).toEqual([]);
    return thread;
  };

  beforeAll(async () => {
    runtime = await startRuntime({ vars: { AUTH_SECRET: SECRET } });
    ada = createApiUser(runtime.url, await signToken({ sub: "ada" }));
  });
  afterAll(() => runtime.stop());

  test("[F90] answers a greeting without a tool", async () => {
    const { frames } = await runToolsmith("你好");
    expect(listSteps(frames)).toEqual([]);
    expect(joinText(frames)).not.toBe("");
  });

  test("[F91] [F93] [F101] writes two tools for two sub-tasks and answers with their results", async () => {
    const { frames } = await runToolsmith("首先查询现在时间然后计算678乘以8776的结果");
    expect(listSteps(frames)).toEqual([...STEPS, ...STEPS]);
    expect(joinText(frames)).toContain("5950128");
    const [time] = listResults(frames, "execute");
    expect(joinText(frames)).toContain(String(time?.["result"]));
  });

  test("[F94] reuses the tools for the same and for a similar request", async () => {
    const same = await runToolsmith("首先查询现在时间然后计算678乘以8776的结果");
    expect(listSteps(same.frames)).toEqual([...REUSE_STEPS, ...REUSE_STEPS]);
    const similar = await runToolsmith("12 × 34 等于多少");
    expect(listSteps(similar.frames)).toEqual(REUSE_STEPS);
    expect(joinText(similar.frames)).toContain("408");
  });

  test("[F91] plans three sub-tasks for three parts", async () => {
    const { frames } = await runToolsmith("告诉我现在时间、生成一个随机数、计算123加456");
    expect(listSteps(frames)).toEqual([...REUSE_STEPS, ...STEPS, ...REUSE_STEPS]);
    expect(joinText(frames)).toContain("579");
  });

  test("[F98] stores tools that their owner can list, read and delete and that other users cannot access", async () => {
    const { tools } = await ada.get<ToolList>("/api/v1/tools");
    expect(tools).toHaveLength(3);
    const product = tools.find(({ description }) => /multipl/i.test(description));
    const path = `/api/v1/tools/${product?.name ?? ""}`;
    expect(await ada.get<ToolWithVersions>(path)).toMatchObject({ version: 1, uses: 4, versions: [{ version: 1 }] });
    const bob = createApiUser(runtime.url, await signToken({ sub: "bob" }));
    expect(await bob.get<ToolList>("/api/v1/tools")).toMatchObject({ tools: [] });
    expect((await bob.request("GET", path)).status).toBe(404);
    expect((await bob.request("DELETE", path)).status).toBe(404);
    expect(listSteps((await runToolsmith("What is 678 × 8776?", bob)).frames)).toEqual(STEPS);
    expect((await ada.request("DELETE", path)).status).toBe(200);
    expect((await ada.request("GET", path)).status).toBe(404);
  });

  test("reports sub-tasks that the embedded model cannot do and completes the others", async () => {
    const { frames } = await runToolsmith("Multiply 3 by 4, then write a poem about the sea");
    expect(joinText(frames)).toContain("12");
    expect(joinText(frames)).toMatch(/real model/i);
  });
});

describe("toolsmith with a model that writes harmful code", () => {
  let runtime: Runtime;
  let modelServer: ModelServer;
  let user: ApiUser;
  beforeAll(async () => {
    modelServer = await startModelServer();
    runtime = await startRuntime({ vars: { OPENAI_BASE_URL: modelServer.url } });
    user = createApiUser(runtime.url);
  });
  afterAll(async () => {
    await runtime.stop();
    await modelServer.close();
  });

  /** Scripts a model that writes these programs, one per attempt. */
  async function runToolsmith(...programs: readonly object[]): Promise<{ thread: ThreadResult; calls: ModelCall[] }> {
    const mark = modelServer.addScript({
      "agent:toolsmith": ({ request }): ModelReply => {
        const tool = request.tools?.[0]?.function.name ?? "";
        const attempt = request.messages.filter(({ role }) => role === "assistant").length;
        const program = {
          name: `t${attempt}`,
          description: "A tool.",
          category: "math",
          parameters: {},
          arguments: {},
        };
        const answers: Record<string, ModelReply> = {
          plan_subtasks: {
            calls: [{ name: tool, arguments: { tasks: [{ id: 1, description: "do it", category: "math" }] } }],
          },
          choose_tool: { calls: [{ name: tool, arguments: { use_existing: false, reason: "none fits" } }] },
          write_tool: { calls: [{ name: tool, arguments: { ...program, ...programs[attempt] } }] },
        };
        return answers[tool] ?? { text: "Here it is: 42" };
      },
    });
    const thread = await user.sendAndWait(`Do it ${mark}`, { agent: "toolsmith" });
    expect(findViolations(thread.frames)).toEqual([]);
    return { thread, calls: modelServer.getCalls(mark) };
  }

  const goodProgram = { code: "function run() { return 42; }" };

  test("[F95] [F96] tells the model the forbidden name and its line, and accepts the corrected program", async () => {
    const { thread, calls } = await runToolsmith(
      { code: "function run() {\n  return fetch('https://example.com');\n}" },
      goodProgram,
    );
    expect(listSteps(thread.frames)).toEqual([...STEPS.slice(0, 3), ...STEPS.slice(1)]);
    expect(listResults(thread.frames, "safety_check")).toMatchObject([
      { passed: false, issues: [{ message: expect.stringContaining("fetch") as string, line: 2 }] },
      { passed: true },
    ]);
    const correction = calls.at(-2)?.request.messages.at(-1);
    expect(correction).toMatchObject({ role: "tool", content: expect.stringMatching(/Line 2.*fetch/s) as string });
    expect(joinText(thread.frames)).toBe("Here it is: 42");
  });

  test.each([
    ["loops forever", "function run() { for (;;) {} }"],
    ["recurses forever", "function run() { const f = (n) => f(n + 1) + f(n); return f(0); }"],
    ["fills the memory", "function run() { const all = []; for (;;) all.push('x'.repeat(1e6)); }"],
    ["doubles a string", "function run() { let s = 'x'; for (let i = 0; i < 60; i++) s += s; return s.length; }"],
    ["backtracks forever in a pattern", "function run() { return /^(a+)+$/.test('a'.repeat(40) + 'b'); }"],
    ["returns too much", "function run() { return 'x'.repeat(1e6); }"],
    [
      "reaches for a constructor",
      "function run() { return ''['con' + 'structor']['con' + 'structor']('return 1')(); }",
    ],
  ])("[F97] stops code that %s within its limits and keeps the server running", async (_, code) => {
    const started = Date.now();
    const { thread } = await runToolsmith({ code }, { code }, { code });
    expect(joinText(thread.frames)).toMatch(/failed: No working tool was written in 3 attempts/);
    expect(Date.now() - started).toBeLessThan(15_000);
    const { thread: next } = await runToolsmith(goodProgram);
    expect(joinText(next.frames)).toBe("Here it is: 42");
  });

  test.each([
    [
      "calls a helper function declared below it",
      "function t0() { return half(84); }\nfunction half(n) { return n / 2; }",
    ],
    [
      "matches an empty pattern 8 trillion times",
      `function run() { /${"(?:".repeat(3)}${"){20000}".repeat(3)}/.test("x"); return 42; }`,
    ],
  ])("runs code that %s", async (_, code) => {
    const { thread } = await runToolsmith({ code });
    expect(listResults(thread.frames, "execute")).toMatchObject([{ result: "42" }]);
  });

  test("rejects a result that needs too many schema alternatives", async () => {
    const returns = { type: "array", items: { anyOf: Array.from({ length: 300 }, () => ({ type: "string" })) } };
    const { thread } = await runToolsmith(
      { code: "function run() { return Array(30000).fill(5); }", returns },
      goodProgram,
    );
    expect(listResults(thread.frames, "execute")).toMatchObject([
      { error: expect.stringContaining("alternatives") as string },
      { result: "42" },
    ]);
  });

  test("does not mistake other text for the result in the answer", async () => {
    const { thread } = await runToolsmith({ code: "function run() { return 2; }" });
    expect(joinText(thread.frames)).toBe("Task 1 (do it): 2");
  });

  test("keeps no state between two calls of a tool", async () => {
    const code = "let count = 0; function run() { count += 1; return count; }";
    for (let i = 0; i < 3; i++) {
      const { thread } = await runToolsmith({ code });
      expect(listResults(thread.frames, "execute")).toMatchObject([{ result: "1" }]);
    }
  });
});
