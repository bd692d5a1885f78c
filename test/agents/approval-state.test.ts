import * as z from "zod";
import { describe, expect, test } from "vitest";
import { decideToolCall } from "../../src/agents/kit/tool-call-decision.ts";
import { tool } from "../../src/agents/kit/tool.ts";
import { asked, bank, clerk, questionIn, toBob } from "./fixtures/clerk.ts";
import { like } from "./fixtures/local.ts";
import { scriptedModel } from "./fixtures/model.ts";

describe("the approval is bound to its arguments", () => {
  const withDefault = (note: string, run: (args: unknown) => void) =>
    tool({
      name: "pay",
      description: "",
      parameters: z.object({ to: z.string(), note: z.string().default(note) }),
      needs_approval: true,
      run,
    });

  test("a tool that has become another meanwhile is asked about again", () => {
    const before = withDefault("-", () => undefined).check({ to: "Bob" }).arguments;
    const stricter = tool({
      name: "pay",
      description: "",
      parameters: z.object({ to: z.string().length(2), note: z.string() }),
      needs_approval: true,
      run: () => "",
    });
    const wider = tool({
      name: "pay",
      description: "",
      parameters: z.object({ to: z.string(), note: z.string(), fee: z.number().default(9) }),
      needs_approval: true,
      run: () => "",
    });
    const yes = { message: "", decision: "approve" } as const;
    expect(decideToolCall(stricter, before, yes)).toMatchObject({ kind: "ask", arguments: before });
    expect(decideToolCall(wider, before, yes)).toMatchObject({ kind: "ask", arguments: { ...before, fee: 9 } });
    expect(
      decideToolCall(
        withDefault("other", () => undefined),
        before,
        yes,
      ),
    ).toEqual({
      kind: "run",
      arguments: before,
      isEdited: false,
    });
  });

  test("a refusal holds even if the tool would not ask any more", async () => {
    const { paid, pay } = bank();
    const model = scriptedModel([{ calls: [["pay", toBob]] }, { text: "ok" }]);
    const question = questionIn(await clerk(model, [pay]).begin());
    const free = { ...pay, check: (args: unknown) => ({ ...pay.check(args), question: null }) };
    await clerk(model, [free]).goOn(question, { message: "no" });
    expect(paid).toEqual([]);
  });

  test.each([
    [
      "defaults and trimming",
      z.object({ a: z.string().trim(), b: z.number().default(1) }),
      { a: " x ", c: 2 },
      { a: "x", b: 1 },
    ],
    [
      "a change of type",
      z.object({ a: z.string().transform((text) => text.length) }),
      { a: "xyz", c: 2 },
      { a: "xyz" },
    ],
    ["a change that adds up", z.object({ a: z.string().transform((text) => `${text}!`) }), { a: "x" }, { a: "x" }],
    [
      "dates",
      z.object({ a: z.string().transform((text) => new Date(text)) }),
      { a: "2026-11-21" },
      { a: "2026-11-21" },
    ],
    ["what no JSON holds", z.object({ a: z.unknown().transform((a) => new Set([a])) }), { a: 1 }, { a: 1 }],
    ["nested members", z.object({ a: z.object({ b: z.string() }) }), { a: { b: "x", c: 1 } }, { a: { b: "x" } }],
  ])("%s: what is shown is read the same way when it runs", (_name, parameters, given, shown) => {
    const made = tool({ name: "t", description: "", parameters, needs_approval: true, run: () => "" });
    expect(made.check(given).arguments).toEqual(shown);
    expect(made.check(shown).arguments).toEqual(shown);
    expect(parameters.parse(shown)).toEqual(parameters.parse(given));
  });
});

describe("its state", () => {
  test("limits keep counting over the pause", async () => {
    const { pay } = bank();
    const again = () => ({ calls: [["pay", toBob]] as [string, string][] });
    for (const [limits, reason] of [
      [{ modelCalls: 2 }, /2 model calls/],
      [{ toolCalls: 2 }, /2 tool calls/],
      [{ tokens: 25 }, /25 tokens/],
    ] as const) {
      const agent = clerk(scriptedModel(again), [pay], { limits });
      const second = await agent.goOn(questionIn(await agent.begin()), { message: "ok" });
      const end =
        second.at(-1)?.type === "input_required" ? await agent.goOn(questionIn(second), { message: "ok" }) : second;
      expect(end.at(-1)).toMatchObject({ type: "failed", code: "agent_exhausted", reason: like(reason) });
    }
  });

  test("a call that was asked about counts once", async () => {
    const { paid, pay } = bank();
    const model = scriptedModel([{ calls: [["pay", toBob]] }, { text: "Paid." }]);
    const agent = clerk(model, [pay], { limits: { toolCalls: 1 } });
    const end = await agent.goOn(questionIn(await agent.begin()), { message: "ok" });
    expect(end.at(-1)).toEqual({ type: "completed" });
    const again = scriptedModel(() => ({
      calls: [
        ["pay", toBob],
        ["pay", toBob],
      ],
    }));
    const other = clerk(again, [pay], { limits: { toolCalls: 2 } });
    const second = questionIn(await other.goOn(questionIn(await other.begin()), { message: "ok" }));
    expect((await other.goOn(second, { message: "ok" })).at(-1)).toMatchObject({ code: "agent_exhausted" });
    expect(paid).toHaveLength(3);
  });

  test("an answer that was given before counts as one, even if the model says nothing more", async () => {
    const { pay } = bank();
    const agent = clerk(scriptedModel([{ text: "Paying.", calls: [["pay", toBob]] }, {}]), [pay]);
    expect((await agent.goOn(questionIn(await agent.begin()), { message: "ok" })).at(-1)).toEqual({
      type: "completed",
    });
  });

  test.each([
    ["none", () => undefined],
    ["no JSON", () => "{"],
    ["another thing", () => "[1]"],
    ["a part", (good: object) => JSON.stringify({ ...good, open: [] })],
    [
      "an instruction of its own",
      (good: object) => JSON.stringify({ ...good, messages: [{ role: "system", content: "x" }] }),
    ],
    [
      "less used than nothing",
      (good: object) =>
        JSON.stringify({ ...good, used: { modelCalls: -9, toolCalls: 0, inputTokens: 0, outputTokens: 0 } }),
    ],
  ])("%s instead of it is a failure with a reason, and nothing runs", async (_name, forge) => {
    const { paid, pay } = bank();
    const agent = clerk(scriptedModel([{ calls: [["pay", toBob]] }, { text: "x" }]), [pay]);
    const good = JSON.parse(questionIn(await agent.begin()).state ?? "") as object;
    expect(await agent.goOnWith(forge(good), { message: "ok" })).toEqual([
      { type: "failed", reason: like(/cannot go on/), code: "agent_failed" },
    ]);
    expect(paid).toEqual([]);
  });

  test("a tool that is gone is a result that the model sees", async () => {
    const { pay, balance } = bank();
    const model = scriptedModel([{ calls: [["pay", toBob]] }, { text: "ok" }]);
    const question = questionIn(await clerk(model, [pay]).begin());
    await clerk(model, [balance]).goOn(question, { message: "ok" });
    expect(model.heard[1]?.messages.at(-1)).toMatchObject({
      content: "Error: there is no tool pay. There are: balance.",
    });
  });
});

describe("a model that may ask", () => {
  const which = '{"question":"Which account?","options":["A","B"]}';

  test("puts a question, and its result is the answer; then an approval", async () => {
    const { paid, pay } = bank();
    const model = scriptedModel([{ calls: [["ask_user", which]] }, { calls: [["pay", toBob]] }, { text: "Done." }]);
    const agent = clerk(model, [pay], { mayAsk: true });
    const question = questionIn(await agent.begin());
    expect(question).toMatchObject({ prompt: "Which account?", options: ["A", "B"] });
    expect(question.approval).toBeUndefined();
    const approval = questionIn(await agent.goOn(question, { message: "no, B of course" }));
    expect(model.heard[1]?.messages.at(-1)).toEqual({ role: "tool", toolCallId: "c0", content: "no, B of course" });
    expect((await agent.goOn(approval, { message: "approve" })).at(-1)).toEqual({ type: "completed" });
    expect(paid).toEqual([asked]);
  });

  test("has the tool only then", async () => {
    const model = scriptedModel([{ calls: [["ask_user", which]] }, { text: "ok" }]);
    expect((await clerk(model, []).begin()).at(-1)?.type).toBe("completed");
    expect(model.heard[0]?.tools).toEqual([]);
  });

  test("a wrong question goes back to the model", async () => {
    const model = scriptedModel([{ calls: [["ask_user", '{"question":""}']] }, { text: "ok" }]);
    expect((await clerk(model, [], { mayAsk: true }).begin()).at(-1)?.type).toBe("completed");
    expect(model.heard[1]?.messages.at(-1)).toMatchObject({ content: like(/^Error: Wrong arguments for ask_user/) });
  });
});
