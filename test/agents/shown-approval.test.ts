// What the web application shows of the approvals that our own agents ask for: it knows their words.

import { describe, expect, test } from "vitest";
import { createApprovalQuestion } from "../../src/agents/kit/approval-question.ts";
import { createCodeQuestion } from "../../src/agents/toolsmith/code-approval.ts";
import type { Approval } from "../../src/protocol/wire/question.ts";
import { parseApprovalNotes, listShownArguments } from "../../src/web/question/approval-content.ts";

describe("what an approval shows", () => {
  const approvalIn = (asks: { approval?: Approval | undefined; prompt: string }) => {
    if (asks.approval === undefined) throw new Error("This is no approval.");
    return { approval: asks.approval, content: asks.prompt };
  };

  test("nothing twice: the words of our own agents only repeat the arguments", () => {
    const { approval, content } = approvalIn(createApprovalQuestion("send_mail", { to: "ada\u200b@example.com" }, {}));
    expect(parseApprovalNotes({ content }, approval)).toEqual({ isChecked: false, words: "" });
    const again = approvalIn(createApprovalQuestion("send_mail", { to: "x" }, {}, "These arguments cannot be used."));
    expect(parseApprovalNotes(again, again.approval)).toMatchObject({
      remark: "These arguments cannot be used.",
      words: "",
    });
  });

  const candidate = {
    name: "add",
    description: "Adds.",
    category: "math",
    code: "function run({ a }) {\n\n  return a;\n}",
    parameters: { type: "object", properties: { a: { type: "number" } } },
    arguments: { a: 1 },
    origin: "written",
  } as unknown as Parameters<typeof createCodeQuestion>[0];

  test("of new code the result of its check, and why it is asked again", () => {
    const { approval, content } = approvalIn(createCodeQuestion(candidate, "The answer was neither."));
    expect(parseApprovalNotes({ content }, approval)).toEqual({
      remark: "The answer was neither.",
      isChecked: true,
      words: "",
    });
  });

  test("of anybody else every word, also of who speaks like the toolsmith", () => {
    const { approval, content } = approvalIn(createCodeQuestion(candidate));
    const other = { ...approval, tool: "delete_all" };
    expect(parseApprovalNotes({ content }, other)).toEqual({ isChecked: false, words: content });
    expect(parseApprovalNotes({ content: "May I?" }, approval)).toEqual({ isChecked: false, words: "May I?" });
  });

  test("of code first what it is, and every argument", () => {
    const { approval } = approvalIn(createCodeQuestion(candidate));
    const shown = listShownArguments(approval);
    expect(shown.map(({ name }) => name)).toEqual([
      "name",
      "description",
      "code",
      "arguments",
      ...Object.keys(approval.arguments).filter((name) => !["name", "description", "code", "arguments"].includes(name)),
    ]);
    expect(shown[2]?.lines).toEqual(["function run({ a }) {", "", "  return a;", "}"]);
  });
});
