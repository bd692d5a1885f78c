import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { getCpuMs } from "../support/cpu-time.ts";
import { chooseTool, askToolsmith, planSubtasks, writeTool } from "./toolsmith-runner.ts";

const ADD = {
  name: "add",
  description: "Adds two numbers.",
  category: "math",
  parameters: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
};

describe("hostile input to the toolsmith", () => {
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

  test("never makes a call fail or return nothing", () => {
    fc.assert(
      fc.property(phrase, fc.constantFrom("plan_subtasks", "choose_tool", "write_tool", null), (text, name) => {
        const fenced = `${text}\n\nSub-task:\n\`\`\`json\n${JSON.stringify({ id: "1", description: text })}\n\`\`\``;
        const answer = askToolsmith(name, fenced);
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
  ])("takes less than 3 s to read for 11,000 characters of %s", (_, part) => {
    const text = part.repeat(Math.ceil(11_000 / part.length));
    for (const call of [() => planSubtasks(text), () => writeTool(text), () => chooseTool(text, [ADD])]) {
      const start = getCpuMs();
      call();
      expect(getCpuMs() - start).toBeLessThan(3_000);
    }
  });
});
