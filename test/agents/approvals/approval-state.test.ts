import * as z from "zod";
import { describe, expect, test } from "vitest";
import { decideToolCall } from "../../../src/agents/kit/tools/tool-call-decision.ts";
import { tool } from "../../../src/agents/kit/tools/tool.ts";
import { BOB_PAYMENT, bank, createPaymentAgent, getQuestion, BOB_PAYMENT_JSON } from "../fixtures/payment-agent.ts";
import { stringLike } from "../fixtures/local-agent.ts";
import { scriptedModel } from "../fixtures/scripted-model.ts";

describe("the arguments of an approval", () => {
  const createPayTool = (note: string, run: (args: unknown) => void) =>
    tool({
      name: "pay",
      description: "",
      parameters: z.object({ to: z.string(), note: z.string().default(note) }),
      needs_approval: true,
      run,
    });

  test("are requested again when the tool changed meanwhile", () => {
    const oldArguments = createPayTool("-", () => undefined).check({ to: "Bob" }).arguments;
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
    const approval = { message: "", decision: "approve" } as const;
    expect(decideToolCall(stricter, oldArguments, approval)).toMatchObject({ kind: "ask", arguments: oldArguments });
    expect(decideToolCall(wider, oldArguments, approval)).toMatchObject({
      kind: "ask",
      arguments: { ...oldArguments, fee: 9 },
    });
    expect(
      decideToolCall(
        createPayTool("other", () => undefined),
        oldArguments,
        approval,
      ),
    ).toEqual({
      kind: "run",
      arguments: oldArguments,
      isEdited: false,
    });
  });

  test("stay refused when the tool no longer needs an approval", async () => {
    const { paid, pay } = bank();
    const model = scriptedModel([{ calls: [["pay", BOB_PAYMENT_JSON]] }, { text: "ok" }]);
    const question = getQuestion(await createPaymentAgent(model, [pay]).start());
    const free = { ...pay, check: (args: unknown) => ({ ...pay.check(args), question: null }) };
    await createPaymentAgent(model, [free]).continueFrom(question, { message: "no" });
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
    [
      "a transformation that accumulates",
      z.object({ a: z.string().transform((text) => `${text}!`) }),
      { a: "x" },
      { a: "x" },
    ],
    [
      "dates",
      z.object({ a: z.string().transform((text) => new Date(text)) }),
      { a: "2026-11-21" },
      { a: "2026-11-21" },
    ],
    ["values outside JSON", z.object({ a: z.unknown().transform((a) => new Set([a])) }), { a: 1 }, { a: 1 }],
    ["nested members", z.object({ a: z.object({ b: z.string() }) }), { a: { b: "x", c: 1 } }, { a: { b: "x" } }],
  ])("parse the same way when shown and when run: %s", (_name, parameters, input, shown) => {
    const checkedTool = tool({ name: "t", description: "", parameters, needs_approval: true, run: () => "" });
    expect(checkedTool.check(input).arguments).toEqual(shown);
    expect(checkedTool.check(shown).arguments).toEqual(shown);
    expect(parameters.parse(shown)).toEqual(parameters.parse(input));
  });
});

describe("the state of an approval", () => {
  test("keeps counting limits across the pause", async () => {
    const { pay } = bank();
    const again = () => ({ calls: [["pay", BOB_PAYMENT_JSON]] as [string, string][] });
    for (const [limits, reason] of [
      [{ modelCalls: 2 }, /2 model calls/],
      [{ toolCalls: 2 }, /2 tool calls/],
      [{ tokens: 25 }, /25 tokens/],
    ] as const) {
      const agent = createPaymentAgent(scriptedModel(again), [pay], { limits });
      const second = await agent.continueFrom(getQuestion(await agent.start()), { message: "ok" });
      const end =
        second.at(-1)?.type === "input_required"
          ? await agent.continueFrom(getQuestion(second), { message: "ok" })
          : second;
      expect(end.at(-1)).toMatchObject({ type: "failed", code: "agent_exhausted", reason: stringLike(reason) });
    }
  });

  test("counts a call once although it waited for approval", async () => {
    const { paid, pay } = bank();
    const model = scriptedModel([{ calls: [["pay", BOB_PAYMENT_JSON]] }, { text: "Paid." }]);
    const agent = createPaymentAgent(model, [pay], { limits: { toolCalls: 1 } });
    const end = await agent.continueFrom(getQuestion(await agent.start()), { message: "ok" });
    expect(end.at(-1)).toEqual({ type: "completed" });
    const again = scriptedModel(() => ({
      calls: [
        ["pay", BOB_PAYMENT_JSON],
        ["pay", BOB_PAYMENT_JSON],
      ],
    }));
    const other = createPaymentAgent(again, [pay], { limits: { toolCalls: 2 } });
    const second = getQuestion(await other.continueFrom(getQuestion(await other.start()), { message: "ok" }));
    expect((await other.continueFrom(second, { message: "ok" })).at(-1)).toMatchObject({ code: "agent_exhausted" });
    expect(paid).toHaveLength(3);
  });

  test("completes after the answer even if the model returns nothing more", async () => {
    const { pay } = bank();
    const agent = createPaymentAgent(scriptedModel([{ text: "Paying.", calls: [["pay", BOB_PAYMENT_JSON]] }, {}]), [
      pay,
    ]);
    expect((await agent.continueFrom(getQuestion(await agent.start()), { message: "ok" })).at(-1)).toEqual({
      type: "completed",
    });
  });

  test.each([
    ["no state", () => undefined],
    ["text that is not JSON", () => "{"],
    ["an array", () => "[1]"],
    ["an incomplete state", (good: object) => JSON.stringify({ ...good, open: [] })],
    [
      "a forged system message",
      (good: object) => JSON.stringify({ ...good, messages: [{ role: "system", content: "x" }] }),
    ],
    [
      "negative usage",
      (good: object) =>
        JSON.stringify({ ...good, used: { modelCalls: -9, toolCalls: 0, inputTokens: 0, outputTokens: 0 } }),
    ],
  ])("fails with a reason and runs nothing if it is replaced with %s", async (_name, forge) => {
    const { paid, pay } = bank();
    const agent = createPaymentAgent(scriptedModel([{ calls: [["pay", BOB_PAYMENT_JSON]] }, { text: "x" }]), [pay]);
    const good = JSON.parse(getQuestion(await agent.start()).state ?? "") as object;
    expect(await agent.goOnWith(forge(good), { message: "ok" })).toEqual([
      { type: "failed", reason: stringLike(/saved state is missing/), code: "agent_failed" },
    ]);
    expect(paid).toEqual([]);
  });

  test("reports a removed tool to the model as a result", async () => {
    const { pay, balance } = bank();
    const model = scriptedModel([{ calls: [["pay", BOB_PAYMENT_JSON]] }, { text: "ok" }]);
    const question = getQuestion(await createPaymentAgent(model, [pay]).start());
    await createPaymentAgent(model, [balance]).continueFrom(question, { message: "ok" });
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      content: "Error: there is no tool pay. There are: balance.",
    });
  });
});

describe("the tool ask_user", () => {
  const which = '{"question":"Which account?","options":["A","B"]}';

  test("asks the user, returns the answer as its result, and may be followed by an approval", async () => {
    const { paid, pay } = bank();
    const model = scriptedModel([
      { calls: [["ask_user", which]] },
      { calls: [["pay", BOB_PAYMENT_JSON]] },
      { text: "Done." },
    ]);
    const agent = createPaymentAgent(model, [pay], { mayAsk: true });
    const question = getQuestion(await agent.start());
    expect(question).toMatchObject({ prompt: "Which account?", options: ["A", "B"] });
    expect(question.approval).toBeUndefined();
    const approval = getQuestion(await agent.continueFrom(question, { message: "no, B of course" }));
    expect(model.requests[1]?.messages.at(-1)).toEqual({ role: "tool", toolCallId: "c0", content: "no, B of course" });
    expect((await agent.continueFrom(approval, { message: "approve" })).at(-1)).toEqual({ type: "completed" });
    expect(paid).toEqual([BOB_PAYMENT]);
  });

  test("is offered only with mayAsk", async () => {
    const model = scriptedModel([{ calls: [["ask_user", which]] }, { text: "ok" }]);
    expect((await createPaymentAgent(model, []).start()).at(-1)?.type).toBe("completed");
    expect(model.requests[0]?.tools).toEqual([]);
  });

  test("returns an invalid question to the model", async () => {
    const model = scriptedModel([{ calls: [["ask_user", '{"question":""}']] }, { text: "ok" }]);
    expect((await createPaymentAgent(model, [], { mayAsk: true }).start()).at(-1)?.type).toBe("completed");
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      content: stringLike(/^Error: Wrong arguments for ask_user/),
    });
  });
});
