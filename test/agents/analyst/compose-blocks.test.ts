import { beforeEach, describe, expect, test, vi } from "vitest";
import { ensurePresent } from "../../../src/lib/assert.ts";
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
import { ADVICE_JSON, getBlock, createModelByPrompt, getPrompt, getSlots, createThreeTexts } from "./text-blueprint.ts";

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));

describe("[F111] the texts of a page", () => {
  test("are written by their own nodes, each into its own slot, and later nodes read earlier texts", async () => {
    const model = createModelByPrompt({
      "Say how it went": { text: "It went **well**." },
      "Advise, after": { text: ADVICE_JSON },
      "Close kindly": { text: "Good luck." },
    });
    const { page, events } = await runExecution({ blueprint: createThreeTexts(), model });
    expect(getBlock(page, "text")).toMatchObject({ content: "It went **well**." });
    expect(getBlock(page, "advice")).toMatchObject({ type: "suggestion_list", items: [{ title: "Retest" }] });
    expect(getBlock(page, "own")).toMatchObject({ content: "Good luck." });
    const advice = ensurePresent(
      model.requests.find((request) => getPrompt(request).includes("Advise, after")),
      "advice",
    );
    expect(getPrompt(advice)).toContain('"$compute.insightText":"It went **well**."');
    expect(model.requests.every(({ role }) => role === "compose")).toBe(true);
    const getDeltas = (id: string) => filterByType(events, "SLOT_DELTA").filter(({ blockId }) => blockId === id);
    expect(
      getDeltas("text")
        .map(({ deltaText }) => deltaText)
        .join(""),
    ).toBe("It went **well**.");
    expect(getDeltas("text").every(({ slotKey }) => slotKey === "content")).toBe(true);
    expect(getDeltas("advice")).toEqual([]);
    expect(filterByType(events, "MESSAGE")[0]?.content).toBe("It went **well**.\n\nGood luck.");
  });

  test("stream block by block although they are written in parallel", async () => {
    let ownIsDone = () => {};
    const own = new Promise<void>((resolve) => (ownIsDone = resolve));
    const model = createModelByPrompt({
      "Say how it went": async () => {
        await own;
        return { text: "First." };
      },
      "Advise, after": { text: ADVICE_JSON },
      "Close kindly": async () => {
        ownIsDone();
        return { text: "Last." };
      },
    });
    const { events } = await runExecution({ blueprint: createThreeTexts(), model });
    const blockIds = events.flatMap((event) =>
      event.type === "BLOCK_START" || event.type === "SLOT_DELTA" || event.type === "BLOCK_COMPLETE"
        ? [event.blockId]
        : [],
    );
    expect(blockIds.filter((id, i) => id !== blockIds[i - 1])).toEqual([
      "kpis",
      "chart",
      "table",
      "text",
      "advice",
      "own",
    ]);
  });

  test("stream while they are written", async () => {
    let resume = () => {};
    const pause = new Promise<void>((resolve) => (resume = resolve));
    const model = {
      async complete(_: unknown, emit: (delta: { type: "text"; text: string }) => void) {
        emit({ type: "text", text: "Now " });
        await pause;
        emit({ type: "text", text: "then." });
        return { text: "Now then.", toolCalls: [], usage: { inputTokens: 1, outputTokens: 1 } };
      },
    };
    const deltas: string[] = [];
    for await (const event of startExecution({ model })) {
      if (event.type === "SLOT_DELTA") {
        deltas.push(event.deltaText);
        resume();
      }
    }
    expect(deltas).toEqual(["Now ", "then."]);
  });

  test("shown in two slots are written once", async () => {
    const blueprint = createBlueprint((input) => {
      getSlots(input).push({ id: "again", componentType: "markdown", dataBinding: "$compute.insightText" });
    });
    const model = createTextModel("Once.");
    const { page, events } = await runExecution({ blueprint, model });
    expect(model.requests).toHaveLength(1);
    expect(filterByType(events, "SLOT_DELTA").map(({ blockId }) => blockId)).toEqual(["text"]);
    expect([getBlock(page, "text"), getBlock(page, "again")]).toMatchObject([
      { content: "Once." },
      { content: "Once." },
    ]);
  });

  test("that fail also fail the texts that depend on them, and no others", async () => {
    const model = createModelByPrompt({
      "Say how it went": () => Promise.reject(new Error("broke")),
      "Advise, after": { text: ADVICE_JSON },
      "Close kindly": { text: "Good luck." },
    });
    const ran = await runExecution({ blueprint: createThreeTexts(), model });
    expect(getCompleteEvent(ran).message).toBe("completed");
    expect([getBlock(ran.page, "text"), getBlock(ran.page, "advice"), getBlock(ran.page, "own")]).toMatchObject([
      { variant: "warning" },
      { variant: "warning" },
      { content: "Good luck." },
    ]);
  });

  test("contain no HTML and no active links, neither while they stream nor at the end", async () => {
    const { page, events } = await runExecution({
      model: createTextModel("<img src=x onerror=alert(1)> [go](javascript:alert(1)) **b**"),
    });
    const streamed = filterByType(events, "SLOT_DELTA")
      .map(({ deltaText }) => deltaText)
      .join("");
    for (const text of [streamed, JSON.stringify(page), filterByType(events, "MESSAGE")[0]?.content]) {
      expect(text).not.toContain("<img");
      expect(text).not.toContain("](javascript");
      expect(text).toContain("**b**");
    }
  });

  test("see marked data that their prompt names, and no other results", async () => {
    const model = createTextModel("x");
    await runExecution({ model, blueprint: { ...createBlueprint(), pageSystemPrompt: "Be gentle." } });
    const [request] = model.requests;
    const prompt = getPrompt(ensurePresent(request, "asked"));
    expect(prompt).toContain("Say how it went, from $compute.scoreStats.");
    const data = JSON.parse(ensurePresent(/<untrusted source="Data">\n(.*)\n</.exec(prompt)?.[1], "data")) as Record<
      string,
      unknown
    >;
    expect(Object.keys(data)).toEqual(["$compute.scoreStats"]);
    expect(data["$compute.scoreStats"]).toMatchObject({ mean: 74.2 });
    expect(request?.messages[0]?.content).toContain("Be gentle.");
  });
});

describe("[F113] a text that calls tools", () => {
  const createCallingModel = (name: string, args: unknown) =>
    createModel((_, call) => (call === 1 ? { calls: [[name, args]] } : { text: "Median 72." }));

  test("emits the calls inside its block, and their numbers count as known", async () => {
    const model = createCallingModel("calculate_stats", { data: [1, 2, 6] });
    const { events, page } = await runExecution({ model });
    const at = events.findIndex((event) => event.type === "BLOCK_START" && event.blockId === "text");
    expect(events.slice(at, at + 4)).toMatchObject([
      { type: "BLOCK_START" },
      { type: "TOOL_CALL", tool: "calculate_stats", args: { data: [1, 2, 6] }, callId: "text" },
      { type: "TOOL_RESULT", status: "success", callId: "text" },
      { type: "SLOT_DELTA" },
    ]);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: "tool",
      content: expect.stringContaining('"mean":3') as string,
    });
    expect(getBlock(page, "text")).toMatchObject({ content: "Median 72." });
  });

  test.each([
    ["an unknown tool", "hack", {}, /There is no tool hack/],
    ["arguments that are not JSON", "calculate_stats", "{", /not a JSON object/],
    [
      "data that does not exist",
      "get_assignment_submissions",
      { teacher_id: "t", assignment_id: "z" },
      /no such assignment.*a-001/,
    ],
  ])("receives an error when it requests %s", async (_, name, args, error) => {
    const model = createCallingModel(name, args);
    const ran = await runExecution({ model });
    expect(model.requests[1]?.messages.at(-1)?.content).toMatch(error);
    expect(filterByType(ran.events, "DATA_ERROR")).toEqual([]);
    expect(getCompleteEvent(ran).message).toBe("completed");
  });

  test("may not call tools without end: its last model call offers none", async () => {
    const model = createModel(({ tools = [] }) =>
      tools.length > 0 ? { calls: [["calculate_stats", { data: [1, 2] }]] } : { text: "Enough." },
    );
    const tools = createTools();
    const { page } = await runExecution({ model, tools });
    expect(model.requests).toHaveLength(3);
    expect(tools.calls).toHaveLength(4);
    expect(getBlock(page, "text")).toMatchObject({ content: "Enough." });
  });
});

describe("[F112] unverified numbers", () => {
  test("are listed with their block", async () => {
    const { page } = await runExecution({ model: createTextModel("The mean of unit 5 is 74.2, the target 88.8%.") });
    expect(page?.meta.unverifiedNumbers).toEqual([{ blockId: "text", number: "88.8%" }]);
  });

  test("do not include numbers of the request or the context", async () => {
    const blueprint = { ...createBlueprint(), sourcePrompt: "Who is under 55.5?" };
    const { page } = await runExecution({ blueprint, model: createTextModel("Nobody is under 55.5.") });
    expect(page?.meta.unverifiedNumbers).toBeUndefined();
    const context = { input: { assignment: "a-001" }, target: 66.6 };
    const other = await runExecution({ context, model: createTextModel("The target is 66.6.") });
    expect(other.page?.meta.unverifiedNumbers).toBeUndefined();
  });

  test("include numbers that only the prompt of the blueprint suggests", async () => {
    const blueprint = createBlueprint((input) => {
      ensurePresent(input.computeGraph.nodes[1], "node")["promptTemplate"] =
        "Say that the mean is 99.9, from $compute.scoreStats.";
    });
    const { page } = await runExecution({ blueprint, model: createTextModel("The mean is 99.9.") });
    expect(page?.meta.unverifiedNumbers).toEqual([{ blockId: "text", number: "99.9" }]);
  });

  test("are corrected by the model once, and nobody reads them before", async () => {
    const texts = ["The mean is 74.2. The total is 999,999.99.", "The mean is 74.2."];
    const model = createModel((_, call) => ({ text: texts[call - 1] ?? "" }));
    const { page, events } = await runExecution({ model });
    expect(getBlock(page, "text")).toMatchObject({ content: "The mean is 74.2." });
    expect(page?.meta.unverifiedNumbers).toBeUndefined();
    expect(model.requests[1]?.messages.at(-1)?.content).toContain("not in the data: 999,999.99.");
    const deltas = filterByType(events, "SLOT_DELTA").map(({ deltaText }) => deltaText);
    expect(deltas.join("")).toMatch(/^The mean is 74\.2\. (?:The total is )?$/);
  });

  test.each([
    ["en", "The total is 999,999.99.", "The total is 999,999.99 (unverified)."],
    ["zh-CN", "总额是一百二十三万。", "总额是一百二十三万（未经核实）。"],
  ])("are marked in the message about the page: %s", async (language, text, marked) => {
    const run = await runExecution({ language, model: createTextModel(text) });
    expect(getCompleteEvent(run).result.chatResponse).toBe(marked);
    expect(run.page?.meta.unverifiedNumbers).toMatchObject([{ blockId: "text" }]);
  });

  test("are listed and marked where the blueprint invents values, a title or a summary", async () => {
    const blueprint = createBlueprint((input) => {
      Object.assign(input, { name: "Total 999,999.99", description: "Mean 74.2, total 888,888.88" });
      getSlots(input).push({
        id: "invented",
        componentType: "kpi_grid",
        props: { data: [{ label: "Total", value: 999_999.99, subtext: "n = 5, up 12.5%" }] },
      });
    });
    const { page } = await runExecution({ blueprint });
    expect(page?.meta.unverifiedNumbers).toEqual([
      { blockId: "invented", number: "999,999.99" },
      { blockId: "invented", number: "12.5%" },
    ]);
    expect(page?.meta.pageTitle).toBe("Total 999,999.99 (unverified)");
    expect(page?.meta.summary).toBe("Mean 74.2, total 888,888.88 (unverified)");
  });
});
