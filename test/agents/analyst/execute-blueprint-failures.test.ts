import { beforeEach, describe, expect, test, vi } from "vitest";
import { ensurePresent } from "../../../src/lib/assert.ts";
import { pageSpecSchema } from "../../../src/protocol/pages/page.ts";
import { createTools } from "./classroom.ts";
import {
  createModel,
  startExecution,
  createBlueprint,
  getCompleteEvent,
  filterByType,
  runExecution,
  createTextModel,
} from "./run-execution.ts";
import { listBlocks } from "./text-blueprint.ts";
import { Failure } from "../../../src/protocol/wire/message-error.ts";

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));

describe("[F116] a failure of an execution", () => {
  test("ends it with the message of the tool, the nearest names and no page", async () => {
    const result = await runExecution({ context: { input: { assignment: "a-9" } } });
    expect(result.page).toBeNull();
    expect(result.types).toEqual(["PHASE", "TOOL_CALL", "TOOL_RESULT", "DATA_ERROR", "COMPLETE"]);
    expect(filterByType(result.events, "DATA_ERROR")).toEqual([
      { type: "DATA_ERROR", entity: "assignment", message: "There is no such assignment.", suggestions: ["a-001"] },
    ]);
    expect(getCompleteEvent(result)).toMatchObject({
      message: "error",
      progress: 100,
      result: { page: null, chatResponse: expect.stringMatching(/no such assignment.*a-001/i) as string },
    });
  });

  test.each([
    ["en", "There is no class named “1C”."],
    ["zh-CN", "没有名为“1C”的班级。"],
  ])("[F119] is reported in the language of the reader: %s", async (language, message) => {
    const error = { entity: "class", message: 'There is no class "1C".', suggestions: ["Form 1A"], wanted: "1C" };
    const result = await runExecution({
      tools: createTools({ get_assignment_submissions: () => ({ error }) }),
      language,
    });
    expect(filterByType(result.events, "DATA_ERROR")).toMatchObject([
      { entity: "class", message, suggestions: ["Form 1A"] },
    ]);
    expect(getCompleteEvent(result).result.chatResponse).toContain(message);
  });

  test("is reported without HTML, also where the tool returns HTML", async () => {
    const tools = createTools({
      get_assignment_submissions: () => ({
        error: { entity: "x", message: "There is no <img src=x onerror=alert(1)>.", suggestions: [] },
      }),
    });
    const { chatResponse } = getCompleteEvent(await runExecution({ tools })).result;
    expect(chatResponse).toContain("There is no &lt;img src=x");
  });

  test("ends it when an input is missing that the data needs", async () => {
    const result = await runExecution({ context: {} });
    expect(result.types).toEqual(["COMPLETE"]);
    expect(getCompleteEvent(result).result.chatResponse).toContain("Assignment");
  });

  test("does not end it when an input is missing that nothing needs", async () => {
    const blueprint = createBlueprint((input) => {
      input.dataContract.inputs.push({ id: "when", type: "date_range", label: "When" });
    });
    expect(getCompleteEvent(await runExecution({ blueprint })).message).toBe("completed");
  });

  test("of one node ends it, and nodes that run in parallel are aborted and reported", async () => {
    const blueprint = createBlueprint((input) => {
      const args = { group_a: "$data.submissions.scores", group_b: [1] };
      input.computeGraph.nodes.push({
        id: "slow",
        type: "tool",
        toolName: "compare_performance",
        toolArgs: args,
        outputKey: "slow",
      });
    });
    let stopped = false;
    const tools = createTools({
      calculate_stats: async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        throw new Error("secret detail");
      },
      compare_performance: (_, signal) => new Promise(() => signal.addEventListener("abort", () => (stopped = true))),
    });
    const result = await runExecution({ blueprint, tools });
    expect(filterByType(result.events, "TOOL_CALL").map(({ callId }) => callId)).toEqual([
      "submissions",
      "stats",
      "slow",
    ]);
    expect(filterByType(result.events, "TOOL_RESULT").map(({ callId, status }) => [callId, status])).toEqual([
      ["submissions", "success"],
      ["stats", "error"],
      ["slow", "error"],
    ]);
    expect(stopped).toBe(true);
    expect(getCompleteEvent(result)).toMatchObject({ message: "error", result: { page: null } });
    expect(JSON.stringify(result.events)).not.toContain("secret");
  });

  test("of the blueprint check ends it with the place of the problem", async () => {
    const blueprint = createBlueprint();
    const [first, second] = blueprint.computeGraph.nodes;
    const cycle = [{ ...ensurePresent(first, "node"), dependsOn: ["insight"] }, ensurePresent(second, "node")];
    const result = await runExecution({ blueprint: { ...blueprint, computeGraph: { nodes: cycle } } });
    expect(result.types).toEqual(["COMPLETE"]);
    expect(getCompleteEvent(result).result.chatResponse).toMatch(/computeGraph\.nodes: .*circle/);
  });

  test("of a model call leaves the page, and the block reports it", async () => {
    const fault = new Failure("model_interrupted", "The model said nothing for 60 seconds.");
    const model = createModel(() => Promise.reject(fault));
    const result = await runExecution({ model });
    expect(getCompleteEvent(result).message).toBe("completed");
    const [text, kpis] = listBlocks(result.page);
    expect(text).toMatchObject({
      type: "markdown",
      variant: "warning",
      content: expect.stringContaining("60 seconds") as string,
    });
    expect(kpis).toMatchObject({ data: [{ value: "74.2" }, {}, {}, {}, {}, {}] });
    expect(filterByType(result.events, "MESSAGE")[0]?.content).toBe("“Unit 5” is ready.");
    expect(result.page?.meta.unverifiedNumbers).toBeUndefined();
  });

  test.each<[string, Parameters<typeof runExecution>[0], string]>([
    ["an unknown error", { model: createModel(() => Promise.reject(new Error("secret detail"))) }, ""],
    ["an empty completion", { model: createModel(() => ({ text: " " })) }, ""],
    ["no model calls left", { limits: { modelCalls: 0 } }, "0 model calls"],
  ])("is reported in the block of its text: %s", async (_, setup, words) => {
    const result = await runExecution(setup);
    expect(getCompleteEvent(result).message).toBe("completed");
    const content = expect.stringContaining(words) as string;
    expect(listBlocks(result.page)[0]).toMatchObject({ variant: "warning", content });
    expect(JSON.stringify(result.events)).not.toContain("secret");
  });

  test("leaves no page when the tool calls run out", async () => {
    const result = await runExecution({ limits: { toolCalls: 1 } });
    expect(getCompleteEvent(result)).toMatchObject({
      message: "error",
      result: { chatResponse: expect.stringContaining("1 tool call") as string },
    });
  });

  test("leaves no page but a message when the time is up", async () => {
    const clock = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(clock.signal);
    const tools = createTools({
      calculate_stats: () => {
        clock.abort(new Error("time is up"));
        return new Promise(() => {});
      },
    });
    const result = await runExecution({ tools });
    expect(timeout).toHaveBeenCalledWith(180_000);
    timeout.mockRestore();
    expect(getCompleteEvent(result)).toMatchObject({
      message: "error",
      result: { page: null, chatResponse: expect.stringContaining("180 seconds") as string },
    });
  });

  test("ends it when a tool result is too large", async () => {
    const tools = createTools({ get_assignment_submissions: () => ({ scores: "x".repeat(2_100_000) }) });
    expect(getCompleteEvent(await runExecution({ tools })).result.chatResponse).toContain("too large");
  });
});

describe("the single final COMPLETE event", () => {
  const withSubmissions = (answer: () => unknown) => ({ tools: createTools({ get_assignment_submissions: answer }) });
  const fail = () => {
    throw new Error("no");
  };
  const dataError = { entity: "data", message: "no", suggestions: ["x"] };
  const failures: [string, Parameters<typeof runExecution>[0]][] = [
    ["a tool that throws", withSubmissions(fail)],
    ["a tool that returns undefined", withSubmissions(() => undefined)],
    ["a tool that returns a value outside JSON", withSubmissions(() => ({ scores: 1n }))],
    ["a tool that returns an error", { tools: createTools({ calculate_stats: () => ({ error: dataError }) }) }],
    ["an unknown tool", { tools: { ...createTools(), call: () => Promise.reject(new Error("unknown")) } }],
    ["no tools", { tools: { infos: [], call: () => Promise.resolve(null) } }],
    ["no model", { model: { complete: () => Promise.reject(new Error("no")) } }],
    ["a model that throws at once", { model: { complete: fail } }],
    ["a signal that is aborted in advance", { signal: AbortSignal.abort() }],
    ["an unknown language", { language: "xx-not-a-language-at-all" }],
    ["no teacher", { teacherId: "" }],
    ["data of another shape", withSubmissions(() => [1, "two", null])],
    ["an invalid blueprint", { blueprint: {} as never }],
    ["a model that writes HTML", { model: createTextModel("<script>alert(1)</script>") }],
    ["a model that calls an unknown tool", { model: createModel(() => ({ calls: [["hack", "{"]], text: "x" })) }],
  ];
  test.each(failures)("is emitted for %s", async (_, setup) => {
    const result = await runExecution(setup);
    expect(result.types.filter((type) => type === "COMPLETE")).toHaveLength(1);
    expect(getCompleteEvent(result).result.chatResponse).not.toBe("");
    expect(getCompleteEvent(result).result.page).toEqual(result.page);
    const listCalls = (type: "TOOL_CALL" | "TOOL_RESULT") =>
      filterByType(result.events, type).map(({ callId = "" }) => callId);
    const calls = listCalls("TOOL_CALL").toSorted((a, b) => a.localeCompare(b));
    expect(listCalls("TOOL_RESULT").toSorted((a, b) => a.localeCompare(b))).toEqual(calls);
    if (result.page !== null) pageSpecSchema.parse(result.page);
  });

  test.each(["TOOL_CALL", "TOOL_RESULT", "BLOCK_START", "SLOT_DELTA", "BLOCK_COMPLETE"] as const)(
    "is emitted when the run is aborted at the first %s",
    async (type) => {
      const stop = new AbortController();
      const stream = startExecution({
        signal: stop.signal,
        model: createModel(async (_, call) => {
          if (call > 1) await new Promise(() => {});
          return { text: "One two three." };
        }),
      });
      const types: string[] = [];
      let last: unknown;
      for await (const event of stream) {
        types.push(event.type);
        last = event;
        if (!stop.signal.aborted && event.type === type) {
          stop.abort(new Error("the reader has gone"));
          types.length = 0;
        }
      }
      expect(types.filter((item) => item === "BLOCK_START" || item === "TOOL_CALL" || item === "PHASE")).toEqual([]);
      expect(types.filter((item) => item === "COMPLETE")).toHaveLength(1);
      expect(types.at(-1)).toBe("COMPLETE");
      expect(last).toMatchObject({
        message: "error",
        result: { page: null, chatResponse: expect.stringMatching(/stopped/) as string },
      });
    },
  );

  test("a reader who leaves aborts the model call of a text", async () => {
    let signal: AbortSignal | undefined;
    const model = createModel(async (request) => {
      signal = request.signal;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { text: "late" };
    });
    for await (const event of startExecution({ model }))
      if (event.type === "BLOCK_START" && event.blockId === "text") break;
    expect(signal?.aborted).toBe(true);
  });
});
