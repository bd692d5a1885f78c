import { describe, expect, test } from "vitest";
import type { ThreadQuestion } from "../../src/core/ports.ts";
import { parseAnswer } from "../../src/core/turn/questions.ts";
import { Fault } from "../../src/protocol/wire/fault.ts";
import { parseDecision } from "../../src/protocol/wire/question.ts";

describe("answer", () => {
  const plainQuestion = { approval: undefined } as unknown as ThreadQuestion;
  const approval = {
    tool: "send",
    arguments: { to: "a@b.c" },
    parameters: {
      type: "object",
      properties: { to: { type: "string" } },
      required: ["to"],
      additionalProperties: false,
    },
  };
  const approvalQuestion = { approval } as unknown as ThreadQuestion;

  test.each([
    ["approve", "approve"],
    [" Yes! ", "approve"],
    ["同意", "approve"],
    ["no", "refuse"],
    ["Refuse: too expensive", "refuse"],
    ["不要，太贵了", "refuse"],
    ["yes, but ask again", null],
    ["note this", null],
    ["approve everything", null],
    ["不知道", null],
  ])("%s is parsed as %s", (words, decision) => expect(parseDecision(words)).toBe(decision));

  test("requires a decision and valid edited arguments for an approval", () => {
    expect(parseAnswer(plainQuestion, { message: "anything" })).toEqual({ message: "anything" });
    expect(parseAnswer(approvalQuestion, { message: "ok" })).toEqual({ message: "ok", decision: "approve" });
    expect(parseAnswer(approvalQuestion, { message: "ok", arguments: { to: "x" } })).toMatchObject({
      arguments: { to: "x" },
    });
    const refusals = [
      { message: "maybe" },
      { message: "ok", arguments: { to: 1 } },
      { message: "ok", arguments: { to: "x", cc: "y" } },
      { message: "no", arguments: { to: "x" } },
    ];
    for (const refused of refusals) expect(() => parseAnswer(approvalQuestion, refused)).toThrow(/message|arguments/);
    expect(() => parseAnswer(plainQuestion, { message: "x", arguments: {} })).toThrow(/message only/);
  });

  test.each([{ type: "frob" }, { $ref: "https://example.com/schema" }, { type: "string", pattern: "(" }])(
    "an approval with the schema %j can be approved but its arguments cannot be edited",
    (parameters) => {
      const invalidQuestion = { approval: { tool: "send", arguments: {}, parameters } } as unknown as ThreadQuestion;
      expect(parseAnswer(invalidQuestion, { message: "ok" })).toEqual({ message: "ok", decision: "approve" });
      expect(() => parseAnswer(invalidQuestion, { message: "ok", arguments: { to: "x" } })).toThrow(Fault);
    },
  );

  test("requires workflow values by task and name and rejects all others", () => {
    const pendingQuestion = { takesValues: true } as unknown as ThreadQuestion;
    const values = { context: { "001": { seats: 8 } } };
    expect(parseAnswer(pendingQuestion, { message: "go on", arguments: values })).toEqual({
      message: "go on",
      arguments: values,
    });
    expect(() => parseAnswer(pendingQuestion, { message: "go on", arguments: { seats: 8 } })).toThrow(
      /arguments: .*seats/,
    );
    expect(() => parseAnswer(pendingQuestion, { message: "go on", arguments: { context: { "001": 8 } } })).toThrow(
      /arguments\.context\.001: /,
    );
  });
});
