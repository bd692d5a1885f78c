import * as z from "zod";
import { describe, expect, test, vi } from "vitest";
import { tool } from "../../../src/agents/kit/tools/tool.ts";
import { formatUntrusted, UNTRUSTED_RULE } from "../../../src/protocol/provenance/untrusted-block.ts";
import { approvalSchema } from "../../../src/protocol/wire/question.ts";
import { BOB_PAYMENT, bank, createPaymentAgent, getQuestion, BOB_PAYMENT_JSON } from "../fixtures/payment-agent.ts";
import { stringLike, joinTextEvents } from "../fixtures/local-agent.ts";
import { scriptedModel } from "../fixtures/scripted-model.ts";

describe("a tool that needs approval", () => {
  test("stops before it runs and shows the actual arguments, not the words of the model", async () => {
    const { paid, pay } = bank();
    const model = scriptedModel([{ text: "I will pay nobody.", calls: [["pay", BOB_PAYMENT_JSON]] }]);
    const events = await createPaymentAgent(model, [pay]).start();
    expect(events.map(({ type }) => type)).toEqual(["text", "usage", "input_required"]);
    const { prompt, options, approval } = getQuestion(events);
    expect(approvalSchema.parse(approval)).toEqual({
      tool: "pay",
      arguments: BOB_PAYMENT,
      parameters: expect.objectContaining({ type: "object", required: ["to", "amount"] }) as unknown,
    });
    expect(options).toEqual(["approve", "refuse"]);
    expect(prompt).not.toContain("nobody");
    expect(JSON.parse(prompt.slice(prompt.indexOf("{"), prompt.lastIndexOf("}") + 1))).toEqual(BOB_PAYMENT);
    expect(paid).toEqual([]);
  });

  test("runs once with the approved arguments and keeps earlier output", async () => {
    const { paid, pay, balance } = bank();
    const model = scriptedModel([
      {
        text: "One moment. ",
        calls: [
          ["balance", "{}"],
          ["pay", BOB_PAYMENT_JSON],
        ],
      },
      { text: "Done." },
    ]);
    const agent = createPaymentAgent(model, [pay, balance]);
    const first = await agent.start();
    const second = await agent.continueFrom(getQuestion(first), { message: "approve", decision: "approve" });
    expect(paid).toEqual(["looked", BOB_PAYMENT]);
    expect(second.filter(({ type }) => type !== "checkpoint")).toEqual([
      { type: "tool_started", call_id: stringLike(/^call-/), tool: "pay", arguments: JSON.stringify(BOB_PAYMENT) },
      {
        type: "tool_completed",
        call_id: stringLike(/^call-/),
        tool: "pay",
        arguments: JSON.stringify(BOB_PAYMENT),
        result: "paid 5 to Bob",
      },
      { type: "text", text: "Done." },
      { type: "usage", usage: { model_calls: 1, input_tokens: 10, output_tokens: 5 } },
      { type: "completed" },
    ]);
    expect(joinTextEvents([...first, ...second])).toBe("One moment. Done.");
    expect(model.requests[1]?.messages).toEqual([
      { role: "system", content: `Be brief.\n\n${UNTRUSTED_RULE}` },
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: "One moment. ",
        toolCalls: [
          { id: "c0", name: "balance", arguments: "{}" },
          { id: "c1", name: "pay", arguments: BOB_PAYMENT_JSON },
        ],
      },
      { role: "tool", toolCallId: "c0", content: formatUntrusted("tool balance", "50") },
      { role: "tool", toolCallId: "c1", content: formatUntrusted("tool pay", "paid 5 to Bob") },
    ]);
  });

  test.each([
    [{ message: "refuse", decision: "refuse" }, /was not carried out\. Do not repeat it unless they ask for it\.$/],
    [{ message: "no, too much" }, /Their words: "no, too much"$/],
    [{ message: "拒绝" }, /Their words: "拒绝"$/],
    [{ message: "", decision: "refuse", arguments: BOB_PAYMENT }, /^The person refused/],
  ] as const)("does not run when refused with %j, and the model is told so", async (answer, pattern) => {
    const { paid, pay } = bank();
    const model = scriptedModel([{ calls: [["pay", BOB_PAYMENT_JSON]] }, { text: "As you wish." }]);
    const agent = createPaymentAgent(model, [pay]);
    const events = await agent.continueFrom(getQuestion(await agent.start()), answer);
    expect(paid).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual([
      "tool_started",
      "tool_completed",
      "checkpoint",
      "text",
      "usage",
      "completed",
    ]);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", content: stringLike(pattern) });
  });

  test("runs with edited arguments and tells the model", async () => {
    const { paid, pay } = bank();
    const model = scriptedModel([{ calls: [["pay", BOB_PAYMENT_JSON]] }, { text: "Paid 7." }]);
    const agent = createPaymentAgent(model, [pay]);
    const edited = { note: "x", amount: 7, to: "Eve" };
    const events = await agent.continueFrom(getQuestion(await agent.start()), { message: "less", arguments: edited });
    expect(paid).toEqual([edited]);
    expect(events.find(({ type }) => type === "tool_completed")).toMatchObject({ result: "paid 7 to Eve" });
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      content: `The person changed the arguments to {"to":"Eve","amount":7,"note":"x"}.\n${formatUntrusted("tool pay", "paid 7 to Eve")}`,
    });
  });

  test.each([
    ["an amount above the maximum", { ...BOB_PAYMENT, amount: 5000 }, /can’t be used.*amount/s],
    ["an empty object", {}, /can’t be used/],
    [
      "a member that the tool does not know",
      { ...BOB_PAYMENT, amount: 1, urgent: true },
      /reads the arguments differently/,
    ],
    ["a set without a member that has a default", { to: "Bob", amount: 1 }, /reads the arguments differently/],
  ])("asks again when the arguments are edited to %s", async (_name, edited, remark) => {
    const { paid, pay } = bank();
    const model = scriptedModel([{ calls: [["pay", BOB_PAYMENT_JSON]] }, { text: "Paid." }]);
    const agent = createPaymentAgent(model, [pay]);
    const again = getQuestion(
      await agent.continueFrom(getQuestion(await agent.start()), {
        message: "",
        decision: "approve",
        arguments: edited,
      }),
    );
    expect(paid).toEqual([]);
    expect(model.requests).toHaveLength(1);
    expect(again.prompt).toMatch(remark);
    const shown = again.approval?.arguments;
    await agent.continueFrom(again, { message: "ok" });
    expect(paid).toEqual([shown]);
  });

  test.each(["Why?", "", "yes but less", "approve it for Eve"])("asks again after the answer %j", async (message) => {
    const { paid, pay } = bank();
    const model = scriptedModel([{ calls: [["pay", BOB_PAYMENT_JSON]] }, { text: "Paid." }]);
    const agent = createPaymentAgent(model, [pay]);
    const again = getQuestion(await agent.continueFrom(getQuestion(await agent.start()), { message }));
    expect(paid).toEqual([]);
    expect(again.prompt).toMatch(/^The answer was neither approve nor refuse\./);
    expect(again.approval?.arguments).toEqual(BOB_PAYMENT);
  });

  test("returns invalid arguments to the model, not to the user", async () => {
    const { paid, pay } = bank();
    const model = scriptedModel([{ calls: [["pay", '{"to":"Bob","amount":-1}']] }, { text: "Sorry." }]);
    const events = await createPaymentAgent(model, [pay]).start();
    expect(events.at(-1)).toEqual({ type: "completed" });
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      content: stringLike(/^Error: Wrong arguments for pay/),
    });
    expect(paid).toEqual([]);
  });

  test("asks for two approvals in one completion one after the other and runs nothing twice", async () => {
    const { paid, pay, balance } = bank();
    const model = scriptedModel([
      {
        calls: [
          ["pay", '{"to":"A","amount":1}'],
          ["balance", "{}"],
          ["pay", '{"to":"B","amount":2}'],
          ["balance", "{}"],
        ],
      },
      { text: "Done." },
    ]);
    const agent = createPaymentAgent(model, [pay, balance]);
    const first = getQuestion(await agent.start());
    expect(paid).toEqual([]);
    const second = getQuestion(await agent.continueFrom(first, { message: "yes" }));
    expect(second.approval?.arguments).toEqual({ to: "B", amount: 2, note: "-" });
    expect(paid).toEqual([{ to: "A", amount: 1, note: "-" }, "looked"]);
    expect((await agent.continueFrom(second, { message: "no" })).at(-1)).toEqual({ type: "completed" });
    expect(paid).toEqual([{ to: "A", amount: 1, note: "-" }, "looked", "looked"]);
    expect(model.requests).toHaveLength(2);
    expect(model.requests[1]?.messages.filter(({ role }) => role === "tool")).toHaveLength(4);
  });

  test("may depend on the arguments, and does not run where the check throws", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const ran: string[] = [];
    const remove = tool({
      name: "remove",
      description: "",
      parameters: z.object({ path: z.string() }),
      needs_approval: ({ path }) => {
        if (path === "?") throw new Error("no idea");
        return !path.startsWith("/tmp/");
      },
      run: ({ path }) => void ran.push(path),
    });
    const createRemoveModel = (path: string) =>
      scriptedModel([{ calls: [["remove", JSON.stringify({ path })]] }, { text: "ok" }]);
    expect((await createPaymentAgent(createRemoveModel("/tmp/x"), [remove]).start()).at(-1)?.type).toBe("completed");
    expect((await createPaymentAgent(createRemoveModel("/etc"), [remove]).start()).at(-1)?.type).toBe("input_required");
    expect((await createPaymentAgent(createRemoveModel("?"), [remove]).start()).at(-1)?.type).toBe("completed");
    expect(ran).toEqual(["/tmp/x"]);
    logged.mockRestore();
  });

  test("escapes invisible characters in its name and arguments", async () => {
    const invisibleTool = tool({
      name: "pay\u202E",
      description: "",
      parameters: z.object({ to: z.string(), note: z.string() }),
      needs_approval: true,
      run: () => "",
    });
    const hidden = { to: "Bob\u202Eeve\u200B\u0007\uFE0F\u2028\u{E0041}", note: "好 ü 🙂" };
    const agent = createPaymentAgent(scriptedModel([{ calls: [["pay\u202E", JSON.stringify(hidden)]] }]), [
      invisibleTool,
    ]);
    const { prompt, approval } = getQuestion(await agent.start());
    expect(prompt).toContain(String.raw`"Bob\u202eeve\u200b\u0007\ufe0f\u2028\udb40\udc41"`);
    expect(prompt).toContain("好 ü 🙂");
    expect(prompt).toContain(String.raw`pay\u202e needs`);
    expect(prompt).not.toMatch(/\p{Cf}|\u2028|\uFE0F|\p{Cc}(?<!\n)/u);
    expect(approval?.arguments).toEqual(hidden);
  });
});
