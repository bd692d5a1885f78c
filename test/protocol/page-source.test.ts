import { expect, test } from "vitest";
import { registry } from "../../src/datasets/tools/all.ts";
import { sourceText } from "../../src/protocol/page-source.ts";

test.each(registry.tools.map(({ name }) => name))("%s is told in words of people, in both languages", (name) => {
  expect(sourceText(name, "en")).toMatch(/^[a-z ]+$/);
  expect(sourceText(name, "zh")).toMatch(/^\p{Script=Han}+$/u);
});

test("what is the same in words is told once, and what is no tool stays as it is", () => {
  expect(sourceText("query_dataset, column_stats, get_student_grades", "en")).toBe(
    "your tables, grades of the student",
  );
  expect(sourceText("query_dataset, get_student_grades", "zh")).toBe("你的表格、学生成绩");
  expect(sourceText("Classroom (sample)", "en")).toBe("Classroom (sample)");
});
