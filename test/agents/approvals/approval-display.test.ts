// The display of approvals in the web application, for the question formats of our own agents.

import { describe, expect, test } from "vitest";
import { createApprovalQuestion } from "../../../src/agents/kit/tools/approval-question.ts";
import type { ToolQuestion } from "../../../src/agents/kit/ask.ts";
import { createCodeQuestion } from "../../../src/agents/toolsmith/code-approval.ts";
import { createMessage, formatMessage } from "../../../src/language/messages.ts";
import type { Approval } from "../../../src/protocol/wire/question.ts";
import { joinPieces } from "../../../src/web/features/conversations/question/marked-text.ts";
import {
  parseApprovalNotes,
  listShownArguments,
} from "../../../src/web/features/conversations/question/approval-content.ts";

describe("the display of an approval", () => {
  const getApproval = (question: { approval?: Approval | undefined; prompt: string }) => {
    if (question.approval === undefined) throw new Error("This is no approval.");
    return { approval: question.approval, content: question.prompt };
  };

  test.each(["en", "zh"] as const)(
    "omits the text of our own agents in %s, which only repeats the arguments",
    (language) => {
      const remark = createMessage("approval.unclearAnswer");
      const format = (question: ToolQuestion) =>
        getApproval({ ...question, prompt: formatMessage(language, question.prompt) });
      const { approval, content } = format(createApprovalQuestion("send_mail", { to: "ada\u200b@example.com" }, {}));
      expect(parseApprovalNotes({ content }, approval)).toEqual({ isChecked: false, words: "" });
      const again = format(createApprovalQuestion("send_mail", { to: "x" }, {}, remark));
      expect(parseApprovalNotes(again, again.approval)).toMatchObject({
        remark: formatMessage(language, remark),
        words: "",
      });
    },
  );

  const candidate = {
    name: "add",
    description: "Adds.",
    category: "math",
    code: "function run({ a }) {\n\n  return a;\n}",
    parameters: { type: "object", properties: { a: { type: "number" } } },
    arguments: { a: 1 },
    origin: "written",
  } as unknown as Parameters<typeof createCodeQuestion>[0];

  test.each(["en", "zh"] as const)(
    "shows the check result of new code in %s, and why it is requested again",
    (language) => {
      const { approval, content } = getApproval(
        createCodeQuestion(candidate, language, { remark: createMessage("approval.unclearAnswer"), origins: [] }),
      );
      expect(parseApprovalNotes({ content }, approval)).toEqual({
        remark: formatMessage(language, createMessage("approval.unclearAnswer")),
        isChecked: true,
        words: "",
      });
    },
  );

  test("shows the full text of any other agent, also in the format of the toolsmith", () => {
    const { approval, content } = getApproval(createCodeQuestion(candidate, "en"));
    const other = { ...approval, tool: "delete_all" };
    expect(parseApprovalNotes({ content }, other)).toEqual({ isChecked: false, words: content });
    expect(parseApprovalNotes({ content: "May I?" }, approval)).toEqual({ isChecked: false, words: "May I?" });
  });

  test("lists name, description and code first, then every other argument", () => {
    const { approval } = getApproval(createCodeQuestion(candidate, "en"));
    const shown = listShownArguments(approval);
    expect(shown.map(({ name }) => joinPieces(name))).toEqual([
      "name",
      "description",
      "code",
      "arguments",
      ...Object.keys(approval.arguments).filter((name) => !["name", "description", "code", "arguments"].includes(name)),
    ]);
    expect(shown[2]?.lines?.map(joinPieces)).toEqual(["function run({ a }) {", "", "  return a;", "}"]);
  });
});
