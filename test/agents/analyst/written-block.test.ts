import { expect, test } from "vitest";
import { extractJson, createWrittenBlock } from "../../../src/agents/analyst/compose/written-block.ts";
import { pageBlockSchema, type ComponentType } from "../../../src/protocol/pages/page.ts";

const createBlock = (componentType: ComponentType, text: string, props = {}, language = "en") =>
  pageBlockSchema.parse(createWrittenBlock({ id: "b", componentType }, text, props, language));

test("a suggestion list is read from JSON, also inside other text", () => {
  const text =
    'Here you are:\n```json\n{"title": "Next", "items": [{"title": "Retest", "description": "Unit 5", "priority": "HIGH", "category": "class"}, "Praise Dan"]}\n```';
  expect(createBlock("suggestion_list", text)).toEqual({
    id: "b",
    type: "suggestion_list",
    title: "Next",
    items: [
      { title: "Retest", description: "Unit 5", priority: "high", category: "class" },
      { title: "Praise Dan", description: "", priority: "medium", category: "" },
    ],
  });
  expect(createBlock("suggestion_list", '[{"建议": "补考", "优先级": "高"}]', {}, "zh")).toMatchObject({
    title: "建议",
    items: [{ title: "补考", priority: "high" }],
  });
});

test("a question list is read from JSON", () => {
  const text =
    '{"questions": [{"question": "2+2?", "options": ["3", "4"], "answer": "4", "difficulty": "easy"}, {"stem": "Sky is blue", "type": "true/false", "answer": true}, {"answer": "nothing asked"}]}';
  expect(createBlock("question_generator", text, { title: "Practice", knowledgePoint: "sums" })).toMatchObject({
    title: "Practice",
    knowledgePoint: "sums",
    questions: [
      { id: "q1", order: 1, type: "multiple_choice", question: "2+2?", answer: "4", difficulty: "easy" },
      { id: "q2", order: 2, type: "true_false", question: "Sky is blue", answer: "true" },
    ],
  });
});

test.each(["suggestion_list", "question_generator"] as const)(
  "text without JSON becomes a markdown block in place of a %s",
  (type) => {
    expect(createBlock(type, "- Retest [soon]\n- Praise {all}")).toMatchObject({
      type: "markdown",
      content: expect.stringContaining("Retest") as string,
    });
  },
);

test("extractJson finds JSON behind unrelated brackets", () => {
  expect(extractJson('see [here] and {"a": [1, 2]} there')).toEqual({ a: [1, 2] });
  expect(extractJson("[".repeat(10_000))).toBeNull();
});
