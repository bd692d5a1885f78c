import * as z from "zod";
import { describe, expect, test, vi } from "vitest";
import type { AgentModel, AgentRunEvent } from "../../src/agents/kit/agent.ts";
import type { AgentLimits } from "../../src/agents/kit/agent-limits.ts";
import { tool, type AgentTool } from "../../src/agents/kit/tool.ts";
import { toolAgent } from "../../src/agents/kit/tool-agent.ts";
import { Fault } from "../../src/protocol/wire/fault.ts";
import { like, requestFor, runWith, textOf, within } from "./fixtures/local.ts";
import { scriptedModel } from "./fixtures/model.ts";

const double = tool({
  name: "double",
  description: "Doubles a number.",
  parameters: z.object({ value: z.number() }),
  run: ({ value }) => ({ doubled: value * 2 }),
});

function run(
  model: AgentModel,
  limits: Partial<AgentLimits> = {},
  tools: readonly AgentTool[] = [double],
  request = requestFor("go"),
  signal = new AbortController().signal,
): Promise<AgentRunEvent[]> {
  const agent = toolAgent({ card: { name: "doubler" }, instructions: "Be brief.", tools, limits });
  return runWith(agent, request, model, signal);
}

const oneCall = { type: "usage", usage: { model_calls: 1, input_tokens: 10, output_tokens: 5 } };

describe("the loop", () => {
  test("streams text and reasoning, runs tools, answers, counts its use", async () => {
    const model = scriptedModel([{ reasoning: "think", calls: [["double", '{"value":21}']] }, { text: "It is 42." }]);
    const said = (await run(model)).filter(({ type }) => type !== "checkpoint");
    expect(said).toEqual([
      { type: "reasoning", text: "think" },
      oneCall,
      { type: "tool_started", call_id: like(/^call-/), tool: "double", arguments: '{"value":21}' },
      {
        type: "tool_completed",
        call_id: like(/^call-/),
        tool: "double",
        arguments: '{"value":21}',
        result: '{"doubled":42}',
      },
      { type: "text", text: "It is 42." },
      oneCall,
      { type: "completed" },
    ]);
    expect(model.heard[0]?.role).toBe("agent:doubler");
    expect(model.heard[0]?.tools).toMatchObject([
      { name: "double", parameters: { type: "object", required: ["value"] } },
    ]);
    expect(model.heard[1]?.messages.slice(2)).toEqual([
      { role: "assistant", content: "", toolCalls: [{ id: "c0", name: "double", arguments: '{"value":21}' }] },
      { role: "tool", toolCallId: "c0", content: '{"doubled":42}' },
    ]);
  });

  test("F45: the model reads who asks and, fenced, what earlier tasks found", async () => {
    const model = scriptedModel([{ text: "ok" }]);
    const dependencies = [{ task_id: "task-1", title: "First", agent_name: "clock", result: "noon" }];
    await run(
      model,
      {},
      [],
      requestFor("Sum up", {
        language: "zh-CN",
        timezone: "Asia/Shanghai",
        user_profile: { name: "Li" },
        dependencies,
      }),
    );
    expect(model.heard[0]?.messages).toEqual([
      {
        role: "system",
        content:
          'Be brief.\n\nLanguage of the person: zh-CN\nTime zone of the person: Asia/Shanghai\nAbout the person: {"name":"Li"}',
      },
      {
        role: "user",
        content: 'Sum up\n\nResults so far:\n```json\n[{"title":"First","agent_name":"clock","result":"noon"}]\n```',
      },
    ]);
  });

  const broken = tool({
    name: "broken",
    description: "Fails.",
    parameters: z.object({}),
    run: () => {
      throw new Error("secret cause");
    },
  });
  const picky = tool({
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
  ])("%s becomes a result that the model sees", async (_name, name, args, expected) => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const model = scriptedModel([{ calls: [[name, args]] }, { text: "sorry" }]);
    const said = await run(model, {}, [double, broken, picky]);
    const result = said.find((event) => event.type === "tool_completed");
    expect(result?.type === "tool_completed" && result.result.startsWith(expected)).toBe(true);
    expect(JSON.stringify(said)).not.toContain("secret");
    expect(said.at(-1)).toEqual({ type: "completed" });
    expect(JSON.stringify(model.heard[1]?.messages.at(-1))).toContain("Error: ");
    logged.mockRestore();
  });
});

describe("its bounds", () => {
  const again = () => ({ calls: [["double", '{"value":1}']] as [string, string][] });

  test.each([
    ["model calls", { modelCalls: 3 }, "after 3 model calls"],
    ["tool calls", { toolCalls: 2 }, "after 2 tool calls"],
    ["tokens", { tokens: 40 }, "after 40 tokens"],
  ])("T6: running out of %s is a failure with the reason, and the use is told", async (_name, limits, reason) => {
    const said = await run(scriptedModel(again), limits);
    expect(said.at(-1)).toMatchObject({
      type: "failed",
      code: "agent_exhausted",
      reason: like(new RegExp(reason)),
    });
    expect(said.filter(({ type }) => type === "usage").length).toBeGreaterThan(1);
  });

  test("T6: running out of time is a failure, even in a tool that does not listen", async () => {
    const stuck = tool({
      name: "stuck",
      description: "",
      parameters: z.object({}),
      run: () => new Promise(() => undefined),
    });
    const said = await within(1000, run(scriptedModel([{ calls: [["stuck", "{}"]] }]), { seconds: 0.05 }, [stuck]));
    expect(said.at(-1)).toMatchObject({
      type: "failed",
      code: "agent_exhausted",
      reason: like(/seconds/),
    });
  });

  test("a long tool result is cut, and says so", async () => {
    const long = tool({ name: "long", description: "", parameters: z.object({}), run: () => "x".repeat(100) });
    const model = scriptedModel([{ calls: [["long", "{}"]] }, { text: "ok" }]);
    await run(model, { resultChars: 10 }, [long]);
    expect(model.heard[1]?.messages.at(-1)).toMatchObject({ content: "xxxxxxxxxx\n[90 more characters were cut]" });
  });

  test("a tool result is cut between characters: half of one is no text that a model's provider takes", async () => {
    const long = tool({ name: "long", description: "", parameters: z.object({}), run: () => "🌍".repeat(10) });
    const model = scriptedModel([{ calls: [["long", "{}"]] }, { text: "ok" }]);
    await run(model, { resultChars: 11 }, [long]);
    const { content = "" } = model.heard[1]?.messages.at(-1) ?? {};
    expect(content).toMatch(/^🌍{5}/u);
    expect(content.isWellFormed()).toBe(true);
  });

  test("no answer at all is a failure", async () => {
    expect((await run(scriptedModel([{}]))).at(-1)).toMatchObject({ type: "failed", code: "model_malformed" });
  });

  /** A model that cannot be understood so many times, each time after these words. */
  function muttering(times: number, words: string) {
    const good = scriptedModel([{ text: "It is 42." }]);
    const state = { calls: 0, attempts: [] as unknown[] };
    const complete: AgentModel["complete"] = (request, hear) => {
      state.calls += 1;
      state.attempts.push(request.attempt);
      if (state.calls > times) return good.complete(request, hear);
      if (words !== "") hear({ type: "text", text: words });
      return Promise.reject(
        Object.assign(new Fault("internal", "The model gave an empty answer."), { retryable: true }),
      );
    };
    return { model: { complete }, state };
  }

  test("asks again for an answer that could not be read, three times at most", async () => {
    const once = muttering(2, "");
    expect(textOf(await run(once.model))).toBe("It is 42.");
    expect(once.state.calls).toBe(3);
    expect(once.state.attempts, "so the model can be given time").toEqual([1, 2, 3]);
    const never = muttering(9, "");
    expect((await run(never.model)).at(-1)).toMatchObject({ type: "failed" });
    expect(never.state.calls).toBe(3);
    const spoken = muttering(1, "It");
    const said = await run(spoken.model);
    const retracted = said.findIndex(({ type }) => type === "retracted");
    expect(textOf(said.slice(0, retracted)), "what was told is taken back").toBe("It");
    expect(textOf(said.slice(retracted))).toBe("It is 42.");
  });

  test("a model that fails tells the person why", async () => {
    const fault = Object.assign(new Error("The model is busy."), { name: "ModelFault", code: "model_unavailable" });
    const said = await run({ complete: () => Promise.reject(fault) });
    expect(said).toEqual([
      { type: "usage", usage: { model_calls: 1, input_tokens: 0, output_tokens: 0 } },
      { type: "failed", reason: "The model is busy.", code: "model_unavailable" },
    ]);
  });

  test("T5: cancelled, it stops without a word", async () => {
    const stop = new AbortController();
    const model: AgentModel = {
      complete: ({ signal }, hear) => {
        hear({ type: "text", text: "a" });
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    };
    const running = run(model, {}, [], requestFor("go"), stop.signal);
    setTimeout(() => stop.abort(new Error("stopped")), 20);
    await expect(within(1000, running)).rejects.toThrow("stopped");
  });

  test("a fast model costs one event per look, not per token", async () => {
    const model = scriptedModel([{ text: "word ".repeat(2000) }]);
    const said = await run(model);
    expect(textOf(said)).toBe("word ".repeat(2000));
    expect(said.length).toBeLessThan(10);
  });
});
