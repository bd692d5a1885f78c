import { describe, expect, test } from "vitest";
import { parseClasses, findMentionedClasses } from "../../../src/agents/analyst/talk/class-mentions.ts";

const CLASSES = [
  { id: "class-hk-f1a", name: "Form 1A" },
  { id: "class-hk-f1b", name: "Form 1B" },
];
const findClassIds = (text: string) => findMentionedClasses(text, CLASSES).map(({ id }) => id);

describe("findMentionedClasses", () => {
  test.each([
    ["Compare 1A and 1B on the last assignment", ["class-hk-f1a", "class-hk-f1b"]],
    ["Compare 1B with 1A", ["class-hk-f1b", "class-hk-f1a"]],
    ["how is form 1a doing", ["class-hk-f1a"]],
    ["F.1B", ["class-hk-f1b"]],
    ["class-hk-f1a 的成绩", ["class-hk-f1a"]],
    ["对比1A班和1B班", ["class-hk-f1a", "class-hk-f1b"]],
    ["中一A班的成绩怎么样", ["class-hk-f1a"]],
    ["1A, then 1A again", ["class-hk-f1a"]],
    ["assignment a-001, 21A and 1AB", []],
    ["2A", []],
    ["", []],
  ])("finds the classes in %j", (text, ids) => expect(findClassIds(text)).toEqual(ids));

  test("returns the words of the mention", () => {
    expect(findMentionedClasses("Show Form 1A", CLASSES)).toEqual([
      { type: "class", id: "class-hk-f1a", name: "Form 1A", mention: "Form 1A" },
    ]);
  });
});

describe("parseClasses", () => {
  test("reads classes from a list or an object", () => {
    expect(parseClasses({ classes: [{ class_id: "c1", name: "One" }, { classId: "c2" }] })).toEqual([
      { id: "c1", name: "One" },
      { id: "c2", name: "c2" },
    ]);
    expect(parseClasses([{ id: "c3", class_name: "Three" }])).toEqual([{ id: "c3", name: "Three" }]);
  });

  test.each([null, 7, "x", { error: { message: "no" } }, { classes: "x" }, [{}], [null]])(
    "finds no classes in %j",
    (result) => {
      expect(parseClasses(result)).toEqual([]);
    },
  );
});
