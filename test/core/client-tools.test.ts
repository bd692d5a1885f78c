// Tools of the client and formats of the answer, with a scripted model.

import { describe, expect, test } from "vitest";
import type { AnswerOptions, ClientTools } from "../../src/core/models/answer-options.ts";
import { findFormatMistake } from "../../src/core/models/answer-format.ts";
import { isUsableSchema } from "../../src/core/models/usable-schema.ts";
import { matchToolMessages } from "../../src/core/models/match-tool-messages.ts";
import type { AnswerFormat, ChatMessage, ToolCall } from "../../src/core/ports.ts";
import { formatUntrusted } from "../../src/protocol/provenance/untrusted-block.ts";
import {
  answerWith,
  Crash,
  getEvents,
  handoff,
  Memory,
  plan,
  runTestTurn,
  scriptModel,
  task,
  type ScriptedReply,
} from "../support/scripted-ports.ts";

const CITY = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const WEATHER = { name: "get_weather", description: "Returns the weather.", parameters: CITY };
const TOOLS: ClientTools = { tools: [WEATHER], mustCall: false, callsOnce: false };
const FORMAT: AnswerFormat = { type: "json_schema", name: "city", schema: CITY, strict: true };

const callWeather = (id: string, args: unknown): ToolCall => ({
  id,
  name: "get_weather",
  arguments: JSON.stringify(args),
});
const runWith = (answer: AnswerOptions, triage: ScriptedReply[], more: Record<string, ScriptedReply[]> = {}) => {
  const model = scriptModel({ triage, ...more });
  const turn = { request: { message: "Weather in Oslo?", answer } };
  return runTestTurn({ model, agents: { clock: answerWith("noon") } }, "Weather in Oslo?", { turn }).then((result) => ({
    ...result,
    model,
  }));
};

describe("client tools", () => {
  test("[T3] a call ends the thread with exactly one done and without a plan", async () => {
    const calls = [callWeather("a", { city: "Oslo" }), callWeather("b", { city: "Rome" })];
    const result = await runWith({ clientTools: TOOLS }, [{ text: "Looking.", calls }]);
    expect(result.events.slice(-4)).toEqual(["triage_completed", "tool_call_started", "tool_call_started", "done"]);
    expect(getEvents(result, "tool_call_started").map(({ payload }) => payload)).toEqual(
      calls.map((call) => ({ tool_call_id: call.id, tool_name: call.name, tool_arguments: call.arguments })),
    );
    expect(getEvents(result, "plan_created")).toEqual([]);
    expect(result.model.requests[0]?.tools?.map(({ name }) => name)).toEqual(["handoff_to_planner", "get_weather"]);
  });

  test("[T4] a call is not made again after a crash that follows its step", async () => {
    const memory = new Memory();
    const model = scriptModel({ triage: [{ calls: [callWeather("a", { city: "Oslo" })] }] });
    const turn = { request: { message: "Weather?", answer: { clientTools: TOOLS } } };
    const run = (step: ReturnType<Memory["createStepRunner"]>) =>
      runTestTurn({ model, agents: {} }, "Weather?", { turn, memory, step }).catch((thrown: unknown) => thrown);
    expect(await run(memory.createStepRunner({ crashAfter: "triage" }))).toSatisfy(
      (thrown) => thrown instanceof Crash || typeof thrown === "object",
    );
    memory.restart();
    await run(memory.createStepRunner({ isCatchingUp: true }));
    expect(model.requests).toHaveLength(1);
  });

  test("a wrong call is corrected: no JSON object, against a strict schema, or missing although required", async () => {
    const strict: ClientTools = { ...TOOLS, tools: [{ ...WEATHER, strict: true }], mustCall: true };
    const result = await runWith({ clientTools: strict }, [
      { text: "Sunny." },
      { calls: [callWeather("a", { town: "Oslo" })] },
      { calls: [callWeather("a", { city: "Oslo" })] },
    ]);
    expect(result.end.status).toBe("completed");
    expect(getEvents(result, "tool_call_started")).toHaveLength(1);
    const [first, second, third] = result.model.requests;
    expect(first).toMatchObject({ mustCall: true });
    expect(first?.tools?.map(({ name }) => name)).toEqual(["get_weather"]);
    expect(second?.messages.at(-1)?.content).toContain("Call one of the tools: get_weather.");
    expect(third?.messages.at(-1)?.content).toContain("town");
  });

  test("only the first call counts if calls must not be parallel, and repeated ids are replaced", async () => {
    const calls = [callWeather("a", {}), callWeather("a", {})];
    const once = await runWith({ clientTools: { ...TOOLS, callsOnce: true } }, [{ calls }]);
    expect(getEvents(once, "tool_call_started")).toHaveLength(1);
    const both = await runWith({ clientTools: TOOLS }, [{ calls }]);
    const ids = getEvents(both, "tool_call_started").map(({ payload }) => payload.tool_call_id);
    expect(new Set(ids).size).toBe(2);
  });

  test("results are read with their calls, and triage may still hand off", async () => {
    const call = callWeather("a", { city: "Oslo" });
    const input: ChatMessage[] = [
      { role: "user", content: "Weather in Oslo?" },
      { role: "assistant", content: "", toolCalls: [call] },
      { role: "tool", toolCallId: "a", content: "Rain." },
    ];
    const result = await runWith({ clientTools: TOOLS, input }, [
      handoff({ strategy: "single_agent", selected_agents: ["clock"], enriched_query: "Time?" }),
    ]);
    const sent = result.model.requests[0]?.messages.slice(1) ?? [];
    expect(sent).toEqual([...input.slice(0, 2), { ...input[2], content: formatUntrusted("get_weather", "Rain.") }]);
    expect(getEvents(result, "task_completed")).toHaveLength(1);
  });
});

test("the planner reads earlier calls with results from the history and from the message, marked as data", async () => {
  const model = scriptModel({ triage: [handoff({})], planner: [plan(task("1", "clock"))] });
  const createCall = (id: string): ChatMessage => ({
    role: "assistant",
    content: "",
    toolCalls: [callWeather(id, { city: "Oslo" })],
  });
  const createResult = (toolCallId: string, content: string): ChatMessage => ({ role: "tool", toolCallId, content });
  const history = (): ChatMessage[] => [createCall("a"), createResult("a", "Rain."), createCall("b")];
  const turn = { request: { message: "Sun.", answer: { input: [createResult("b", "Sun.")] } }, history };
  await runTestTurn({ model, agents: { clock: answerWith("noon") } }, "Sun.", { turn });
  const sent = model.requests.find(({ role }) => role === "planner")?.messages ?? [];
  expect(sent.slice(1, -1)).toEqual([
    createCall("a"),
    createResult("a", formatUntrusted("get_weather", "Rain.")),
    createCall("b"),
    createResult("b", formatUntrusted("get_weather", "Sun.")),
  ]);
});

describe("formats of answers", () => {
  test("a direct answer of another format gets one correction, then the thread fails", async () => {
    const corrected = await runWith({ format: FORMAT }, [{ text: "Oslo" }, { text: '{"city":"Oslo"}' }]);
    expect(corrected.end.status).toBe("completed");
    expect(corrected.model.requests[0]).toMatchObject({ format: FORMAT });
    expect(corrected.model.requests[0]?.messages[0]?.content).toContain('"additionalProperties":false');
    const failed = await runWith({ format: FORMAT }, [{ text: "Oslo" }, { text: '{"city":7}' }]);
    expect(failed.model.requests).toHaveLength(2);
    expect(getEvents(failed, "system_failed")[0]?.payload.code).toBe("model_malformed");
  });

  test("the result of a single task is converted by a synthesis with the format", async () => {
    const decision = handoff({ strategy: "single_agent", selected_agents: ["clock"], enriched_query: "Time?" });
    const result = await runWith({ format: FORMAT }, [decision], {
      synthesis: [{ text: "x" }, { text: '{"city":"Oslo"}' }],
    });
    expect(result.end.status).toBe("completed");
    expect(result.model.requests.map(({ role }) => role)).toEqual(["triage", "synthesis", "synthesis"]);
  });

  test.each<[string, object, unknown, boolean]>([
    ["a reference", { $defs: { n: { type: "integer" } }, type: "array", items: { $ref: "#/$defs/n" } }, [1, 2], true],
    ["a violated reference", { $defs: { n: { type: "integer" } }, items: { $ref: "#/$defs/n" } }, ["x"], false],
    ["an alternative", { anyOf: [{ type: "null" }, { type: "string" }] }, null, true],
    ["a violated list of values", { enum: ["ok"] }, "no", false],
    ["a property named pattern", { properties: { pattern: { type: "number" } } }, { pattern: "x" }, false],
    ["a pattern, which is not checked", { type: "string", pattern: "^(a+)+$" }, `${"a".repeat(40)}!`, true],
    ["an endless reference", { $ref: "#" }, 1, false],
    ["too many alternatives at a depth", createNestedSchema(), createNestedValue(40), false],
  ])("a schema with %s is checked", (_, schema, value, isValid) => {
    const format: AnswerFormat = { type: "json_schema", name: "x", schema: { ...schema }, strict: true };
    expect(findFormatMistake(format, JSON.stringify(value)) === null).toBe(isValid);
  });

  test.each(["[1]", "7", "null", "", "```json\n{}\n```", "[".repeat(200_000)])("%.20s is no JSON object", (text) =>
    expect(findFormatMistake({ type: "json_object" }, text)).not.toBeNull(),
  );

  test.each<[object, boolean]>([
    [{ $defs: { a: {} }, $ref: "#/$defs/a", enum: [{ $ref: "x:y" }] }, true],
    [{ properties: { type: { type: "string" }, $ref: { type: "string" } }, additionalProperties: false }, true],
    [{ type: ["string", "null"], items: true }, true],
    [{ $ref: "https://schemas.example/city" }, false],
    [{ $ref: "#/$defs/missing" }, false],
    [{ $ref: "#/$defs/toString", $defs: {} }, false],
    [{ properties: { a: { type: "wizard" } } }, false],
    [{ anyOf: "a" }, false],
    [{ items: { required: [7] } }, false],
    [{ minimum: "1" }, false],
  ])("a schema must be well formed and stand alone: %j", (schema, isUsable) => {
    expect(isUsableSchema({ ...schema })).toBe(isUsable);
  });
});

/** Two equal alternatives per level: a check without a limit takes twice as long with each level. */
function createNestedSchema(): object {
  return { type: "object", properties: { a: { anyOf: [{ $ref: "#" }, { $ref: "#" }] } }, required: ["a"] };
}

function createNestedValue(levels: number): unknown {
  return levels === 0 ? 1 : { a: createNestedValue(levels - 1) };
}

test("messages of tools are paired: results without a call are left out, missing results are added", () => {
  const call = (id: string): ChatMessage => ({ role: "assistant", content: "", toolCalls: [callWeather(id, {})] });
  const result = (toolCallId: string, content: string): ChatMessage => ({ role: "tool", toolCallId, content });
  const marked = (id: string, content: string) => result(id, formatUntrusted("get_weather", content));
  const user: ChatMessage = { role: "user", content: "So?" };
  expect(
    matchToolMessages([
      result("x", "lost"),
      call("a"),
      user,
      result("a", "late"),
      call("b"),
      call("a"),
      result("a", "2"),
    ]),
  ).toEqual([
    call("a"),
    marked("a", "late"),
    user,
    call("b"),
    marked("b", "No result was returned."),
    call("a"),
    marked("a", "2"),
  ]);
});
