import { expect, test } from "vitest";
import { extractJson, createWrittenBlock } from "../../../src/agents/analyst/written-block.ts";
import { pageBlockSchema, type ComponentType } from "../../../src/protocol/pages/page.ts";

const written = (componentType: ComponentType, text: string, props = {}, language = "en") =>
  pageBlockSchema.parse(createWrittenBlock({ id: "b", componentType }, text, props, language));

test("suggestions are read from JSON, whatever stands around it", () => {
  const text =
    'Here you are:\n```json\n{"title": "Next", "items": [{"title": "Retest", "description": "Unit 5", "priority": "HIGH", "category": "class"}, "Praise Dan"]}\n```';
  expect(written("suggestion_list", text)).toEqual({
    id: "b",
    type: "suggestion_list",
    title: "Next",
    items: [
      { title: "Retest", description: "Unit 5", priority: "high", category: "class" },
      { title: "Praise Dan", description: "", priority: "medium", category: "" },
    ],
  });
  expect(written("suggestion_list", '[{"建议": "补考", "优先级": "高"}]', {}, "zh")).toMatchObject({
    title: "建议",
    items: [{ title: "补考", priority: "high" }],
  });
});

test("questions are read from JSON", () => {
  const text =
    '{"questions": [{"question": "2+2?", "options": ["3", "4"], "answer": "4", "difficulty": "easy"}, {"stem": "Sky is blue", "type": "true/false", "answer": true}, {"answer": "nothing asked"}]}';
  expect(written("question_generator", text, { title: "Practice", knowledgePoint: "sums" })).toMatchObject({
    title: "Practice",
    knowledgePoint: "sums",
    questions: [
      { id: "q1", order: 1, type: "multiple_choice", question: "2+2?", answer: "4", difficulty: "easy" },
      { id: "q2", order: 2, type: "true_false", question: "Sky is blue", answer: "true" },
    ],
  });
});

test.each(["suggestion_list", "question_generator"] as const)("what is no JSON stays a text in a %s", (type) => {
  expect(written(type, "- Retest [soon]\n- Praise {all}")).toMatchObject({
    type: "markdown",
    content: expect.stringContaining("Retest") as string,
  });
});

test("JSON is found behind brackets that are none", () => {
  expect(extractJson('see [here] and {"a": [1, 2]} there')).toEqual({ a: [1, 2] });
  expect(extractJson("[".repeat(10_000))).toBeNull();
});
