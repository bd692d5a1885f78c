import { beforeEach, describe, expect, test, vi } from "vitest";
import { ensurePresent } from "../../../src/protocol/assert.ts";
import { pageSpecSchema, type PageBlock } from "../../../src/protocol/pages/page.ts";
import { toolsOf } from "./classroom.ts";
import { answering, begin, blueprintOf, lastOf, of, run, saying } from "./stage.ts";

const blocksOf = (page: { tabs: { blocks: PageBlock[] }[] } | null) =>
  ensurePresent(page, "page").tabs.flatMap(({ blocks }) => blocks);

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));

describe("[F116] what goes wrong", () => {
  test("ends with the words of the tool, the nearest names, and no page", async () => {
    const ran = await run({ context: { input: { assignment: "a-9" } } });
    expect(ran.page).toBeNull();
    expect(ran.types).toEqual(["PHASE", "TOOL_CALL", "TOOL_RESULT", "DATA_ERROR", "COMPLETE"]);
    expect(of(ran.events, "DATA_ERROR")).toEqual([
      { type: "DATA_ERROR", entity: "a-9", message: "There is no such assignment.", suggestions: ["a-001"] },
    ]);
    expect(lastOf(ran)).toMatchObject({
      message: "error",
      progress: 100,
      result: { page: null, chatResponse: expect.stringMatching(/no such assignment.*a-001/i) as string },
    });
  });

  test.each([
    ["en", 'There is no class "1C".'],
    ["zh-CN", "没有名为“1C”的班级。"],
  ])("[F119] is told in the reader's language: %s", async (language, message) => {
    const error = { entity: "class", message: 'There is no class "1C".', suggestions: ["Form 1A"], wanted: "1C" };
    const ran = await run({ tools: toolsOf({ get_assignment_submissions: () => ({ error }) }), language });
    expect(of(ran.events, "DATA_ERROR")).toMatchObject([{ entity: "class", message, suggestions: ["Form 1A"] }]);
    expect(lastOf(ran).result.chatResponse).toContain(message);
  });

  test("is told without HTML, whatever was asked for", async () => {
    const tools = toolsOf({
      get_assignment_submissions: () => ({ error: "There is no <img src=x onerror=alert(1)>." }),
    });
    const { chatResponse } = lastOf(await run({ tools })).result;
    expect(chatResponse).toContain("There is no &lt;img src=x");
  });

  test("ends when an input is missing that the data needs", async () => {
    const ran = await run({ context: {} });
    expect(ran.types).toEqual(["COMPLETE"]);
    expect(lastOf(ran).result.chatResponse).toContain("Assignment");
  });

  test("but not when an input is missing that nothing needs", async () => {
    const blueprint = blueprintOf((input) => {
      input.dataContract.inputs.push({ id: "when", type: "date_range", label: "When" });
    });
    expect(lastOf(await run({ blueprint })).message).toBe("completed");
  });

  test("ends when a node fails, and what runs beside it is stopped and told", async () => {
    const blueprint = blueprintOf((input) => {
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
    const tools = toolsOf({
      calculate_stats: async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        throw new Error("secret detail");
      },
      compare_performance: (_, signal) => new Promise(() => signal.addEventListener("abort", () => (stopped = true))),
    });
    const ran = await run({ blueprint, tools });
    expect(of(ran.events, "TOOL_CALL").map(({ callId }) => callId)).toEqual(["submissions", "stats", "slow"]);
    expect(of(ran.events, "TOOL_RESULT").map(({ callId, status }) => [callId, status])).toEqual([
      ["submissions", "success"],
      ["stats", "error"],
      ["slow", "error"],
    ]);
    expect(stopped).toBe(true);
    expect(lastOf(ran)).toMatchObject({ message: "error", result: { page: null } });
    expect(JSON.stringify(ran.events)).not.toContain("secret");
  });

  test("is refused with its place when the blueprint itself is wrong", async () => {
    const blueprint = blueprintOf();
    const [first, second] = blueprint.computeGraph.nodes;
    const circle = [{ ...ensurePresent(first, "node"), dependsOn: ["insight"] }, ensurePresent(second, "node")];
    const ran = await run({ blueprint: { ...blueprint, computeGraph: { nodes: circle } } });
    expect(ran.types).toEqual(["COMPLETE"]);
    expect(lastOf(ran).result.chatResponse).toMatch(/computeGraph\.nodes: .*circle/);
  });

  test("does not keep the page from coming when it is a text: its block says so", async () => {
    const fault = Object.assign(new Error("The model said nothing for 60 seconds."), {
      name: "ModelFault",
      code: "model_interrupted",
    });
    const model = answering(() => Promise.reject(fault));
    const ran = await run({ model });
    expect(lastOf(ran).message).toBe("completed");
    const [text, kpis] = blocksOf(ran.page);
    expect(text).toMatchObject({
      type: "markdown",
      variant: "warning",
      content: expect.stringContaining("60 seconds") as string,
    });
    expect(kpis).toMatchObject({ data: [{ value: "74.2" }, {}, {}, {}, {}, {}] });
    expect(of(ran.events, "MESSAGE")[0]?.content).toBe("“Unit 5” is ready.");
    expect(ran.page?.meta.unverifiedNumbers).toBeUndefined();
  });

  test.each([
    ["an unknown error of the model", () => Promise.reject(new Error("secret detail"))],
    ["silence of the model", () => ({ text: " " })],
  ])("is said in its block: %s", async (_, reply) => {
    const ran = await run({ model: answering(reply) });
    expect(lastOf(ran).message).toBe("completed");
    expect(blocksOf(ran.page)[0]).toMatchObject({ variant: "warning" });
    expect(JSON.stringify(ran.events)).not.toContain("secret");
  });

  test("when model calls run out, the texts say so and the page comes", async () => {
    const ran = await run({ limits: { modelCalls: 0 } });
    expect(lastOf(ran).message).toBe("completed");
    expect(blocksOf(ran.page)[0]).toMatchObject({ content: expect.stringContaining("0 model calls") as string });
  });

  test("when calls of tools run out, there is no page", async () => {
    const ran = await run({ limits: { toolCalls: 1 } });
    expect(lastOf(ran)).toMatchObject({
      message: "error",
      result: { chatResponse: expect.stringContaining("1 tool calls") as string },
    });
  });

  test("when the time is up, there is no page but words", async () => {
    const clock = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(clock.signal);
    const tools = toolsOf({
      calculate_stats: () => {
        clock.abort(new Error("time is up"));
        return new Promise(() => {});
      },
    });
    const ran = await run({ tools });
    expect(timeout).toHaveBeenCalledWith(180_000);
    timeout.mockRestore();
    expect(lastOf(ran)).toMatchObject({
      message: "error",
      result: { page: null, chatResponse: expect.stringContaining("180 seconds") as string },
    });
  });

  test("an answer that is too large is refused", async () => {
    const tools = toolsOf({ get_assignment_submissions: () => ({ scores: "x".repeat(2_100_000) }) });
    expect(lastOf(await run({ tools })).result.chatResponse).toContain("too large");
  });
});

describe("exactly one COMPLETE, last,", () => {
  const failures: [string, Parameters<typeof run>[0]][] = [
    [
      "a tool that throws",
      {
        tools: toolsOf({
          get_assignment_submissions: () => {
            throw new Error("no");
          },
        }),
      },
    ],
    ["a tool that answers undefined", { tools: toolsOf({ get_assignment_submissions: () => undefined }) }],
    ["a tool that answers what is no JSON", { tools: toolsOf({ get_assignment_submissions: () => ({ scores: 1n }) }) }],
    [
      "a tool that answers an error with an object",
      { tools: toolsOf({ calculate_stats: () => ({ error: { message: "no", suggestions: [{ name: "x" }] } }) }) },
    ],
    ["an unknown tool", { tools: { ...toolsOf(), call: () => Promise.reject(new Error("unknown")) } }],
    ["no tools", { tools: { infos: [], call: () => Promise.resolve(null) } }],
    ["no model", { model: { complete: () => Promise.reject(new Error("no")) } }],
    [
      "a model that throws at once",
      {
        model: {
          complete() {
            throw new Error("no");
          },
        },
      },
    ],
    ["a signal that was aborted before", { signal: AbortSignal.abort() }],
    ["an unknown language", { language: "xx-not-a-language-at-all" }],
    ["no teacher", { teacherId: "" }],
    ["data of another shape", { tools: toolsOf({ get_assignment_submissions: () => [1, "two", null] }) }],
    ["a blueprint that is none", { blueprint: {} as never }],
    ["a model that writes HTML", { model: saying("<script>alert(1)</script>") }],
    [
      "a model that calls tools without end",
      { model: answering(() => ({ calls: [["calculate_stats", { data: [1] }]] })) },
    ],
    ["a model that calls what there is not", { model: answering(() => ({ calls: [["hack", "{"]], text: "x" })) }],
  ];
  test.each(failures)("with %s", async (_, staged) => {
    const ran = await run(staged);
    expect(ran.types.filter((type) => type === "COMPLETE")).toHaveLength(1);
    expect(lastOf(ran).result.chatResponse).not.toBe("");
    expect(lastOf(ran).result.page).toEqual(ran.page);
    const open = new Map<string, number>();
    for (const event of ran.events) {
      if (event.type === "TOOL_CALL") open.set(event.callId ?? "", (open.get(event.callId ?? "") ?? 0) + 1);
      if (event.type === "TOOL_RESULT") open.set(event.callId ?? "", (open.get(event.callId ?? "") ?? 0) - 1);
      expect([...open.values()].every((count) => count >= 0)).toBe(true);
    }
    expect([...open.values()].every((count) => count === 0)).toBe(true);
    if (ran.page !== null) pageSpecSchema.parse(ran.page);
  });

  test.each(["TOOL_CALL", "TOOL_RESULT", "BLOCK_START", "SLOT_DELTA", "BLOCK_COMPLETE"] as const)(
    "when it is stopped at the first %s",
    async (type) => {
      const stop = new AbortController();
      const stream = begin({
        signal: stop.signal,
        model: answering(async (_, call) => {
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
      expect(types.filter((one) => one === "BLOCK_START" || one === "TOOL_CALL" || one === "PHASE")).toEqual([]);
      expect(types.filter((one) => one === "COMPLETE")).toHaveLength(1);
      expect(types.at(-1)).toBe("COMPLETE");
      expect(last).toMatchObject({
        message: "error",
        result: { page: null, chatResponse: expect.stringMatching(/stopped/) as string },
      });
    },
  );

  test("a reader who leaves stops what is being written", async () => {
    let signal: AbortSignal | undefined;
    const model = answering(async (asked) => {
      signal = asked.signal;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { text: "late" };
    });
    for await (const event of begin({ model })) if (event.type === "BLOCK_START" && event.blockId === "text") break;
    expect(signal?.aborted).toBe(true);
  });
});
