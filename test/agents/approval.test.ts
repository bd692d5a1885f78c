import * as z from "zod";
import { describe, expect, test, vi } from "vitest";
import { tool } from "../../src/agents/kit/tool.ts";
import { approvalSchema } from "../../src/protocol/wire/question.ts";
import { asked, bank, clerk, questionIn, toBob } from "./fixtures/clerk.ts";
import { like, textOf } from "./fixtures/local.ts";
import { scriptedModel } from "./fixtures/model.ts";

describe("a tool that needs approval", () => {
  test("stops before it acts and shows what would run, from data and not from the model's words", async () => {
    const { paid, pay } = bank();
    const model = scriptedModel([{ text: "I will pay nobody.", calls: [["pay", toBob]] }]);
    const said = await clerk(model, [pay]).begin();
    expect(said.map(({ type }) => type)).toEqual(["text", "usage", "input_required"]);
    const { prompt, options, approval } = questionIn(said);
    expect(approvalSchema.parse(approval)).toEqual({
      tool: "pay",
      arguments: asked,
      parameters: expect.objectContaining({ type: "object", required: ["to", "amount"] }) as unknown,
    });
    expect(options).toEqual(["approve", "refuse"]);
    expect(prompt).not.toContain("nobody");
    expect(JSON.parse(prompt.slice(prompt.indexOf("{"), prompt.lastIndexOf("}") + 1))).toEqual(asked);
    expect(paid).toEqual([]);
  });

  test("approved, runs with exactly these arguments, once; what was said and done before stays", async () => {
    const { paid, pay, balance } = bank();
    const model = scriptedModel([
      {
        text: "One moment. ",
        calls: [
          ["balance", "{}"],
          ["pay", toBob],
        ],
      },
      { text: "Done." },
    ]);
    const agent = clerk(model, [pay, balance]);
    const first = await agent.begin();
    const second = await agent.goOn(questionIn(first), { message: "approve", decision: "approve" });
    expect(paid).toEqual(["looked", asked]);
    expect(second.filter(({ type }) => type !== "checkpoint")).toEqual([
      { type: "tool_started", call_id: like(/^call-/), tool: "pay", arguments: JSON.stringify(asked) },
      {
        type: "tool_completed",
        call_id: like(/^call-/),
        tool: "pay",
        arguments: JSON.stringify(asked),
        result: "paid 5 to Bob",
      },
      { type: "text", text: "Done." },
      { type: "usage", usage: { model_calls: 1, input_tokens: 10, output_tokens: 5 } },
      { type: "completed" },
    ]);
    expect(textOf([...first, ...second])).toBe("One moment. Done.");
    expect(model.heard[1]?.messages).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: "One moment. ",
        toolCalls: [
          { id: "c0", name: "balance", arguments: "{}" },
          { id: "c1", name: "pay", arguments: toBob },
        ],
      },
      { role: "tool", toolCallId: "c0", content: "50" },
      { role: "tool", toolCallId: "c1", content: "paid 5 to Bob" },
    ]);
  });

  test.each([
    [{ message: "refuse", decision: "refuse" }, /was not carried out\. Do not repeat it unless they ask for it\.$/],
    [{ message: "no, too much" }, /Their words: "no, too much"$/],
    [{ message: "拒绝" }, /Their words: "拒绝"$/],
    [{ message: "", decision: "refuse", arguments: asked }, /^The person refused/],
  ] as const)("refused with %j, does not run, and the model sees it", async (answer, seen) => {
    const { paid, pay } = bank();
    const model = scriptedModel([{ calls: [["pay", toBob]] }, { text: "As you wish." }]);
    const agent = clerk(model, [pay]);
    const said = await agent.goOn(questionIn(await agent.begin()), answer);
    expect(paid).toEqual([]);
    expect(said.map(({ type }) => type)).toEqual([
      "tool_started",
      "tool_completed",
      "checkpoint",
      "text",
      "usage",
      "completed",
    ]);
    expect(model.heard[1]?.messages.at(-1)).toMatchObject({ role: "tool", content: like(seen) });
  });

  test("edited, runs with the new arguments, and the model is told which", async () => {
    const { paid, pay } = bank();
    const model = scriptedModel([{ calls: [["pay", toBob]] }, { text: "Paid 7." }]);
    const agent = clerk(model, [pay]);
    const edited = { note: "x", amount: 7, to: "Eve" };
    const said = await agent.goOn(questionIn(await agent.begin()), { message: "less", arguments: edited });
    expect(paid).toEqual([edited]);
    expect(said.find(({ type }) => type === "tool_completed")).toMatchObject({ result: "paid 7 to Eve" });
    expect(model.heard[1]?.messages.at(-1)).toMatchObject({
      content: 'The person changed the arguments to {"to":"Eve","amount":7,"note":"x"}.\npaid 7 to Eve',
    });
  });

  test.each([
    ["too much", { ...asked, amount: 5000 }, /cannot be used.*amount/s],
    ["nothing", {}, /cannot be used/],
    [
      "a member that the tool does not know",
      { ...asked, amount: 1, urgent: true },
      /reads the arguments in another way/,
    ],
    ["without a default that would come in unseen", { to: "Bob", amount: 1 }, /reads the arguments in another way/],
  ])("edited to %s, never runs but is asked about again", async (_name, edited, remark) => {
    const { paid, pay } = bank();
    const model = scriptedModel([{ calls: [["pay", toBob]] }, { text: "Paid." }]);
    const agent = clerk(model, [pay]);
    const again = questionIn(
      await agent.goOn(questionIn(await agent.begin()), { message: "", decision: "approve", arguments: edited }),
    );
    expect(paid).toEqual([]);
    expect(model.heard).toHaveLength(1);
    expect(again.prompt).toMatch(remark);
    const shown = again.approval?.arguments;
    await agent.goOn(again, { message: "ok" });
    expect(paid).toEqual([shown]);
  });

  test.each(["Why?", "", "yes but less", "approve it for Eve"])(
    "answered %j, is asked about again",
    async (message) => {
      const { paid, pay } = bank();
      const model = scriptedModel([{ calls: [["pay", toBob]] }, { text: "Paid." }]);
      const agent = clerk(model, [pay]);
      const again = questionIn(await agent.goOn(questionIn(await agent.begin()), { message }));
      expect(paid).toEqual([]);
      expect(again.prompt).toMatch(/^The answer was neither approve nor refuse\./);
      expect(again.approval?.arguments).toEqual(asked);
    },
  );

  test("wrong arguments go back to the model, not to the person", async () => {
    const { paid, pay } = bank();
    const model = scriptedModel([{ calls: [["pay", '{"to":"Bob","amount":-1}']] }, { text: "Sorry." }]);
    const said = await clerk(model, [pay]).begin();
    expect(said.at(-1)).toEqual({ type: "completed" });
    expect(model.heard[1]?.messages.at(-1)).toMatchObject({ content: like(/^Error: Wrong arguments for pay/) });
    expect(paid).toEqual([]);
  });

  test("two approvals in one completion are asked one after the other, and nothing is done twice", async () => {
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
    const agent = clerk(model, [pay, balance]);
    const first = questionIn(await agent.begin());
    expect(paid).toEqual([]);
    const second = questionIn(await agent.goOn(first, { message: "yes" }));
    expect(second.approval?.arguments).toEqual({ to: "B", amount: 2, note: "-" });
    expect(paid).toEqual([{ to: "A", amount: 1, note: "-" }, "looked"]);
    expect((await agent.goOn(second, { message: "no" })).at(-1)).toEqual({ type: "completed" });
    expect(paid).toEqual([{ to: "A", amount: 1, note: "-" }, "looked", "looked"]);
    expect(model.heard).toHaveLength(2);
    expect(model.heard[1]?.messages.filter(({ role }) => role === "tool")).toHaveLength(4);
  });

  test("may depend on the arguments; where that cannot be told, nothing runs", async () => {
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
    const of = (path: string) => scriptedModel([{ calls: [["remove", JSON.stringify({ path })]] }, { text: "ok" }]);
    expect((await clerk(of("/tmp/x"), [remove]).begin()).at(-1)?.type).toBe("completed");
    expect((await clerk(of("/etc"), [remove]).begin()).at(-1)?.type).toBe("input_required");
    expect((await clerk(of("?"), [remove]).begin()).at(-1)?.type).toBe("completed");
    expect(ran).toEqual(["/tmp/x"]);
    logged.mockRestore();
  });

  test("what cannot be seen is written out, in the name and in the arguments", async () => {
    const odd = tool({
      name: "pay\u202E",
      description: "",
      parameters: z.object({ to: z.string(), note: z.string() }),
      needs_approval: true,
      run: () => "",
    });
    const hidden = { to: "Bob\u202Eeve\u200B\u0007\uFE0F\u2028\u{E0041}", note: "好 ü 🙂" };
    const agent = clerk(scriptedModel([{ calls: [["pay\u202E", JSON.stringify(hidden)]] }]), [odd]);
    const { prompt, approval } = questionIn(await agent.begin());
    expect(prompt).toContain(String.raw`"Bob\u202eeve\u200b\u0007\ufe0f\u2028\udb40\udc41"`);
    expect(prompt).toContain("好 ü 🙂");
    expect(prompt).toContain(String.raw`pay\u202e needs`);
    expect(prompt).not.toMatch(/\p{Cf}|\u2028|\uFE0F|\p{Cc}(?<!\n)/u);
    expect(approval?.arguments).toEqual(hidden);
  });
});
