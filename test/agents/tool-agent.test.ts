import * as z from "zod";
import { describe, expect, test, vi } from "vitest";
import type { AgentModel, AgentRunEvent } from "../../src/agents/kit/agent.ts";
import type { AgentLimits } from "../../src/agents/kit/agent-limits.ts";
import { tool, type AgentTool } from "../../src/agents/kit/tools/tool.ts";
import { toolAgent } from "../../src/agents/kit/tools/tool-agent.ts";
import { Fault } from "../../src/protocol/wire/fault.ts";
import { formatUntrusted, UNTRUSTED_RULE } from "../../src/protocol/provenance/untrusted-block.ts";
import { stringLike, createRequest, runAgent, joinTextEvents, rejectAfter } from "./fixtures/local-agent.ts";
import { scriptedModel } from "./fixtures/scripted-model.ts";
import { Failure } from "../../src/protocol/wire/message-error.ts";

const double = tool({
  name: "double",
  has_effect: false,
  description: "Doubles a number.",
  parameters: z.object({ value: z.number() }),
  run: ({ value }) => ({ doubled: value * 2 }),
});

function runDoubler(
  model: AgentModel,
  limits: Partial<AgentLimits> = {},
  tools: readonly AgentTool[] = [double],
  request = createRequest("go"),
  signal = new AbortController().signal,
): Promise<AgentRunEvent[]> {
  const agent = toolAgent({ card: { name: "doubler" }, instructions: "Be brief.", tools, limits });
  return runAgent(agent, request, model, signal);
}

const ONE_CALL_USAGE = { type: "usage", usage: { model_calls: 1, input_tokens: 10, output_tokens: 5 } };

describe("the tool loop", () => {
  test("streams text and reasoning, runs tools, answers, and counts usage", async () => {
    const model = scriptedModel([{ reasoning: "think", calls: [["double", '{"value":21}']] }, { text: "It is 42." }]);
    const events = (await runDoubler(model)).filter(({ type }) => type !== "checkpoint");
    expect(events).toEqual([
      { type: "reasoning", text: "think" },
      ONE_CALL_USAGE,
      { type: "tool_started", call_id: stringLike(/^call-/), tool: "double", arguments: '{"value":21}' },
      {
        type: "tool_completed",
        call_id: stringLike(/^call-/),
        tool: "double",
        arguments: '{"value":21}',
        result: '{"doubled":42}',
      },
      { type: "text", text: "It is 42." },
      ONE_CALL_USAGE,
      { type: "completed" },
    ]);
    expect(model.requests[0]?.role).toBe("agent:doubler");
    expect(model.requests[0]?.tools).toMatchObject([
      { name: "double", parameters: { type: "object", required: ["value"] } },
    ]);
    expect(model.requests[1]?.messages.slice(2)).toEqual([
      { role: "assistant", content: "", toolCalls: [{ id: "c0", name: "double", arguments: '{"value":21}' }] },
      { role: "tool", toolCallId: "c0", content: formatUntrusted("tool double", '{"doubled":42}') },
    ]);
  });

  test("[F45] the model reads the user's context and, marked as untrusted, the results of earlier tasks", async () => {
    const model = scriptedModel([{ text: "ok" }]);
    const dependencies = [{ task_id: "task-1", title: "First", agent_name: "clock", result: "noon" }];
    await runDoubler(
      model,
      {},
      [],
      createRequest("Sum up", {
        language: "zh-CN",
        timezone: "Asia/Shanghai",
        user_profile: { name: "Li" },
        dependencies,
      }),
    );
    expect(model.requests[0]?.messages).toEqual([
      {
        role: "system",
        content: `Be brief.\n\n${UNTRUSTED_RULE}\n\nLanguage of the person: zh-CN\nTime zone of the person: Asia/Shanghai\nAbout the person: {"name":"Li"}`,
      },
      {
        role: "user",
        content: `Sum up\n\n${formatUntrusted("Results so far", [{ title: "First", agent_name: "clock", result: "noon" }])}`,
      },
    ]);
  });

  const brokenTool = tool({
    name: "broken",
    description: "Fails.",
    parameters: z.object({}),
    run: () => {
      throw new Error("secret cause");
    },
  });
  const refusingTool = tool({
    name: "picky",
    description: "Refuses.",
    parameters: z.object({}),
    run: () => {
      throw new Fault("unprocessable", "Only on Mondays.");
    },
  });
  test.each([
    ["an unknown tool", "fly", "{}", "Error: there is no tool fly. There are: double, broken, picky."],
    ["arguments that are not JSON", "double", "{", "Error: The arguments are not JSON."],
    ["arguments of the wrong type", "double", '{"value":"x"}', "Error: Wrong arguments for double: "],
    ["arguments that are not an object", "double", "[1]", "Error: Wrong arguments for double: "],
    ["a tool that refuses", "picky", "", "Error: Only on Mondays."],
    ["a tool that throws", "broken", "{}", "Error: the tool failed."],
  ])("%s becomes a result that the model reads", async (_name, name, args, expected) => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const model = scriptedModel([{ calls: [[name, args]] }, { text: "sorry" }]);
    const events = await runDoubler(model, {}, [double, brokenTool, refusingTool]);
    const result = events.find((event) => event.type === "tool_completed");
    expect(result?.type === "tool_completed" && result.result.startsWith(expected)).toBe(true);
    expect(JSON.stringify(events)).not.toContain("secret");
    expect(events.at(-1)).toEqual({ type: "completed" });
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain("Error: ");
    logged.mockRestore();
  });
});

describe("the limits of a tool agent", () => {
  const repeatCall = () => ({ calls: [["double", '{"value":1}']] as [string, string][] });

  test.each([
    ["model calls", { modelCalls: 3 }, "after 3 model calls"],
    ["tool calls", { toolCalls: 2 }, "after 2 tool calls"],
    ["tokens", { tokens: 40 }, "after 40 tokens"],
  ])("[T6] running out of %s fails with the reason and reports the usage", async (_name, limits, reason) => {
    const events = await runDoubler(scriptedModel(repeatCall), limits);
    expect(events.at(-1)).toMatchObject({
      type: "failed",
      code: "agent_exhausted",
      reason: stringLike(new RegExp(reason)),
    });
    expect(events.filter(({ type }) => type === "usage").length).toBeGreaterThan(1);
  });

  test("[T6] running out of time fails, even in a tool that ignores its signal", async () => {
    const stuck = tool({
      name: "stuck",
      description: "",
      parameters: z.object({}),
      run: () => new Promise(() => undefined),
    });
    const events = await rejectAfter(
      1000,
      runDoubler(scriptedModel([{ calls: [["stuck", "{}"]] }]), { seconds: 0.05 }, [stuck]),
    );
    expect(events.at(-1)).toMatchObject({
      type: "failed",
      code: "agent_exhausted",
      reason: stringLike(/seconds/),
    });
  });

  test("a long tool result is truncated and marked as such", async () => {
    const long = tool({ name: "long", description: "", parameters: z.object({}), run: () => "x".repeat(100) });
    const model = scriptedModel([{ calls: [["long", "{}"]] }, { text: "ok" }]);
    await runDoubler(model, { resultChars: 10 }, [long]);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      content: formatUntrusted("tool long", "xxxxxxxxxx\n[90 more characters were cut]"),
    });
  });

  test("a tool result is truncated between characters, since models reject half a character", async () => {
    const long = tool({ name: "long", description: "", parameters: z.object({}), run: () => "🌍".repeat(10) });
    const model = scriptedModel([{ calls: [["long", "{}"]] }, { text: "ok" }]);
    await runDoubler(model, { resultChars: 11 }, [long]);
    const { content = "" } = model.requests[1]?.messages.at(-1) ?? {};
    expect(content).toMatch(/^🌍{5}/mu);
    expect(content.isWellFormed()).toBe(true);
  });

  test("an empty completion fails", async () => {
    expect((await runDoubler(scriptedModel([{}]))).at(-1)).toMatchObject({ type: "failed", code: "model_malformed" });
  });

  /** Creates a model that fails as malformed `times` times. */
  function createMalformedModel(times: number) {
    const good = scriptedModel([{ text: "It is 42." }]);
    const state = { calls: 0, attempts: [] as unknown[] };
    const complete: AgentModel["complete"] = (request, emit) => {
      state.calls += 1;
      state.attempts.push(request.attempt);
      if (state.calls > times) return good.complete(request, emit);
      return Promise.reject(
        Object.assign(new Fault("internal", "The model gave an empty answer."), { retryable: true }),
      );
    };
    return { model: { complete }, state };
  }

  test("a malformed completion is requested again, up to three times", async () => {
    const recovering = createMalformedModel(2);
    expect(joinTextEvents(await runDoubler(recovering.model))).toBe("It is 42.");
    expect(recovering.state.calls).toBe(3);
    expect(recovering.state.attempts, "so the model can be given time").toEqual([1, 2, 3]);
    const failing = createMalformedModel(9);
    expect((await runDoubler(failing.model)).at(-1)).toMatchObject({ type: "failed" });
    expect(failing.state.calls).toBe(3);
  });

  test("a failure of the model is reported with its reason", async () => {
    const fault = new Failure("model_unavailable", "The model is busy.");
    const events = await runDoubler({ complete: () => Promise.reject(fault) });
    expect(events).toEqual([
      { type: "usage", usage: { model_calls: 1, input_tokens: 0, output_tokens: 0 } },
      { type: "failed", reason: "The model is busy.", code: "model_unavailable" },
    ]);
  });

  test("[T5] cancellation stops the run without further events", async () => {
    const stop = new AbortController();
    const model: AgentModel = {
      complete: ({ signal }, emit) => {
        emit({ type: "text", text: "a" });
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    };
    const running = runDoubler(model, {}, [], createRequest("go"), stop.signal);
    setTimeout(() => stop.abort(new Error("stopped")), 20);
    await expect(rejectAfter(1000, running)).rejects.toThrow("stopped");
  });

  test("a fast model produces one event per read, not per token", async () => {
    const model = scriptedModel([{ text: "word ".repeat(2000) }]);
    const events = await runDoubler(model);
    expect(joinTextEvents(events)).toBe("word ".repeat(2000));
    expect(events.length).toBeLessThan(10);
  });
});
