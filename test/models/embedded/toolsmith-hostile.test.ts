import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cpuMs } from "../../support/cpu-time.ts";
import { choose, said, split, write } from "./toolsmith-drive.ts";

const ADD = {
  name: "add",
  description: "Adds two numbers.",
  category: "math",
  parameters: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
};

describe("hostile input", () => {
  const words = [
    ..."加减乘除的和、，“”'\"()[]{}%.-:：\n 年月日天",
    "678",
    "计算",
    "现在几点",
    "sort",
    "in",
    "the",
    "of",
    "and",
    "2026-02-30",
  ];
  const phrase = fc
    .array(fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 5 })), { maxLength: 30 })
    .map((parts) => parts.join(""));

  test("no text makes a call fail, and every one says something", () => {
    fc.assert(
      fc.property(phrase, fc.constantFrom("plan_subtasks", "choose_tool", "write_tool", null), (text, name) => {
        const fenced = `${text}\n\nSub-task:\n\`\`\`json\n${JSON.stringify({ id: "1", description: text })}\n\`\`\``;
        const answer = said(name, fenced);
        expect(answer.text ?? Object.keys(answer.call ?? {}).length).toBeTruthy();
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["lists", "1, 2 and 3、"],
    ["sums", "加1"],
    ["quotes", "“a”"],
    ["words", "the words in "],
    ["dates", "2026年1月1日到"],
    ["colons", "统计: "],
    ["spaces", " ."],
  ])("11,000 characters of %s are read in under three seconds", (_, part) => {
    const text = part.repeat(Math.ceil(11_000 / part.length));
    for (const call of [() => split(text), () => write(text), () => choose(text, [ADD])]) {
      const start = cpuMs();
      call();
      expect(cpuMs() - start).toBeLessThan(3_000);
    }
  });
});
