import { beforeEach, describe, expect, test, vi } from "vitest";
import { ensurePresent } from "../../../src/protocol/assert.ts";
import { toolsOf } from "./classroom.ts";
import { answering, begin, blueprintOf, lastOf, of, run, saying } from "./stage.ts";
import { ADVICE, blockOf, byPrompt, promptOf, slotsIn, three } from "./texts.ts";

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));

describe("[F111] texts", () => {
  test("are written by their own nodes, each into its own slot, and later ones see earlier ones", async () => {
    const model = byPrompt({
      "Say how it went": { text: "It went **well**." },
      "Advise, after": { text: ADVICE },
      "Close kindly": { text: "Good luck." },
    });
    const { page, events } = await run({ blueprint: three(), model });
    expect(blockOf(page, "text")).toMatchObject({ content: "It went **well**." });
    expect(blockOf(page, "advice")).toMatchObject({ type: "suggestion_list", items: [{ title: "Retest" }] });
    expect(blockOf(page, "own")).toMatchObject({ content: "Good luck." });
    const advice = ensurePresent(
      model.asked.find((asked) => promptOf(asked).includes("Advise, after")),
      "advice",
    );
    expect(promptOf(advice)).toContain('"$compute.insightText":"It went **well**."');
    expect(model.asked.every(({ role }) => role === "compose")).toBe(true);
    const heard = (id: string) => of(events, "SLOT_DELTA").filter(({ blockId }) => blockId === id);
    expect(
      heard("text")
        .map(({ deltaText }) => deltaText)
        .join(""),
    ).toBe("It went **well**.");
    expect(heard("text").every(({ slotKey }) => slotKey === "content")).toBe(true);
    expect(heard("advice")).toEqual([]);
    expect(of(events, "MESSAGE")[0]?.content).toBe("It went **well**.\n\nGood luck.");
  });

  test("are told block by block, though they are written side by side", async () => {
    let ownIsDone = () => {};
    const own = new Promise<void>((resolve) => (ownIsDone = resolve));
    const model = byPrompt({
      "Say how it went": async () => {
        await own;
        return { text: "First." };
      },
      "Advise, after": { text: ADVICE },
      "Close kindly": async () => {
        ownIsDone();
        return { text: "Last." };
      },
    });
    const { events } = await run({ blueprint: three(), model });
    const told = events.flatMap((event) =>
      event.type === "BLOCK_START" || event.type === "SLOT_DELTA" || event.type === "BLOCK_COMPLETE"
        ? [event.blockId]
        : [],
    );
    expect(told.filter((id, i) => id !== told[i - 1])).toEqual(["kpis", "chart", "table", "text", "advice", "own"]);
  });

  test("are heard while they are written", async () => {
    let goOn = () => {};
    const pause = new Promise<void>((resolve) => (goOn = resolve));
    const model = {
      async complete(_: unknown, hear: (delta: { type: "text"; text: string }) => void) {
        hear({ type: "text", text: "Now " });
        await pause;
        hear({ type: "text", text: "then." });
        return { text: "Now then.", toolCalls: [], usage: { inputTokens: 1, outputTokens: 1 } };
      },
    };
    const deltas: string[] = [];
    for await (const event of begin({ model })) {
      if (event.type === "SLOT_DELTA") {
        deltas.push(event.deltaText);
        goOn();
      }
    }
    expect(deltas).toEqual(["Now ", "then."]);
  });

  test("of a node that two slots show are written once and shown twice", async () => {
    const blueprint = blueprintOf((input) => {
      slotsIn(input).push({ id: "again", componentType: "markdown", dataBinding: "$compute.insightText" });
    });
    const model = saying("Once.");
    const { page, events } = await run({ blueprint, model });
    expect(model.asked).toHaveLength(1);
    expect(of(events, "SLOT_DELTA").map(({ blockId }) => blockId)).toEqual(["text"]);
    expect([blockOf(page, "text"), blockOf(page, "again")]).toMatchObject([{ content: "Once." }, { content: "Once." }]);
  });

  test("of a node that fails take with them those that need it, and no others", async () => {
    const model = byPrompt({
      "Say how it went": () => Promise.reject(new Error("broke")),
      "Advise, after": { text: ADVICE },
      "Close kindly": { text: "Good luck." },
    });
    const ran = await run({ blueprint: three(), model });
    expect(lastOf(ran).message).toBe("completed");
    expect([blockOf(ran.page, "text"), blockOf(ran.page, "advice"), blockOf(ran.page, "own")]).toMatchObject([
      { variant: "warning" },
      { variant: "warning" },
      { content: "Good luck." },
    ]);
  });

  test("carry no HTML and no links that do anything, neither while they are heard nor at the end", async () => {
    const { page, events } = await run({
      model: saying("<img src=x onerror=alert(1)> [go](javascript:alert(1)) **b**"),
    });
    const heard = of(events, "SLOT_DELTA")
      .map(({ deltaText }) => deltaText)
      .join("");
    for (const text of [heard, JSON.stringify(page), of(events, "MESSAGE")[0]?.content]) {
      expect(text).not.toContain("<img");
      expect(text).not.toContain("](javascript");
      expect(text).toContain("**b**");
    }
  });

  test("see data in fences, what their prompt names and nothing of the answers besides", async () => {
    const model = saying("x");
    await run({ model, blueprint: { ...blueprintOf(), pageSystemPrompt: "Be gentle." } });
    const [asked] = model.asked;
    const prompt = promptOf(ensurePresent(asked, "asked"));
    expect(prompt).toContain("Say how it went, from $compute.scoreStats.");
    const data = JSON.parse(ensurePresent(/Data:\n```json\n(.*)\n```/.exec(prompt)?.[1], "data")) as Record<
      string,
      unknown
    >;
    expect(Object.keys(data)).toEqual(["$compute.scoreStats"]);
    expect(data["$compute.scoreStats"]).toMatchObject({ mean: 74.2 });
    expect(asked?.messages[0]?.content).toContain("Be gentle.");
  });
});

describe("[F113] a text may call tools", () => {
  const calling = (name: string, args: unknown) =>
    answering((_, call) => (call === 1 ? { calls: [[name, args]] } : { text: "Median 72." }));

  test("which is told within its block, and its numbers count", async () => {
    const model = calling("calculate_stats", { data: [1, 2, 6] });
    const { events, page } = await run({ model });
    const at = events.findIndex((event) => event.type === "BLOCK_START" && event.blockId === "text");
    expect(events.slice(at, at + 4)).toMatchObject([
      { type: "BLOCK_START" },
      { type: "TOOL_CALL", tool: "calculate_stats", args: { data: [1, 2, 6] }, callId: "text" },
      { type: "TOOL_RESULT", status: "success", callId: "text" },
      { type: "SLOT_DELTA" },
    ]);
    expect(model.asked[1]?.messages.at(-1)).toMatchObject({
      role: "tool",
      content: expect.stringContaining('"mean":3') as string,
    });
    expect(blockOf(page, "text")).toMatchObject({ content: "Median 72." });
  });

  test.each([
    ["an unknown tool", "hack", {}, /There is no tool hack/],
    ["arguments that are no JSON", "calculate_stats", "{", /not a JSON object/],
    [
      "what does not exist",
      "get_assignment_submissions",
      { teacher_id: "t", assignment_id: "z" },
      /no such assignment.*a-001/,
    ],
  ])("and is told when it calls %s", async (_, name, args, told) => {
    const model = calling(name, args);
    const ran = await run({ model });
    expect(model.asked[1]?.messages.at(-1)?.content).toMatch(told);
    expect(of(ran.events, "DATA_ERROR")).toEqual([]);
    expect(lastOf(ran).message).toBe("completed");
  });

  test("but not without end: the last call of the model is offered none", async () => {
    const model = answering(({ tools = [] }) =>
      tools.length > 0 ? { calls: [["calculate_stats", { data: [1, 2] }]] } : { text: "Enough." },
    );
    const tools = toolsOf();
    const { page } = await run({ model, tools });
    expect(model.asked).toHaveLength(3);
    expect(tools.calls).toHaveLength(4);
    expect(blockOf(page, "text")).toMatchObject({ content: "Enough." });
  });
});

describe("[F112] numbers that nobody can vouch for", () => {
  test("are named with their block", async () => {
    const { page } = await run({ model: saying("The mean of unit 5 is 74.2, the target 88.8%.") });
    expect(page?.meta.unverifiedNumbers).toEqual([{ blockId: "text", number: "88.8%" }]);
  });

  test("are not those of the request, nor those that a tool gave while the text was written", async () => {
    const blueprint = { ...blueprintOf(), sourcePrompt: "Who is under 55.5?" };
    const { page } = await run({ blueprint, model: saying("Nobody is under 55.5.") });
    expect(page?.meta.unverifiedNumbers).toBeUndefined();
    const context = { input: { assignment: "a-001" }, target: 66.6 };
    const other = await run({ context, model: saying("The target is 66.6.") });
    expect(other.page?.meta.unverifiedNumbers).toBeUndefined();
  });

  test("are also those that the blueprint's own prompt suggests", async () => {
    const blueprint = blueprintOf((input) => {
      ensurePresent(input.computeGraph.nodes[1], "node")["promptTemplate"] =
        "Say that the mean is 99.9, from $compute.scoreStats.";
    });
    const { page } = await run({ blueprint, model: saying("The mean is 99.9.") });
    expect(page?.meta.unverifiedNumbers).toEqual([{ blockId: "text", number: "99.9" }]);
  });
});
