import { expect, test } from "vitest";
import { dataToolRegistry } from "../../src/datasets/tools/all-data-tools.ts";
import { formatDataSource } from "../../src/pages/page-source-names.ts";

test.each(dataToolRegistry.tools.map(({ name }) => name))("formatDataSource() names %s in both languages", (name) => {
  expect(formatDataSource(name, "en")).toMatch(/^[a-z ]+$/);
  expect(formatDataSource(name, "zh")).toMatch(/^\p{Script=Han}+$/u);
});

test("formatDataSource() names equal sources once and keeps unknown sources", () => {
  expect(formatDataSource("query_dataset, column_stats, get_student_grades", "en")).toBe(
    "your tables, grades of the student",
  );
  expect(formatDataSource("query_dataset, get_student_grades", "zh")).toBe("你的表格、学生成绩");
  expect(formatDataSource("Classroom (sample)", "en")).toBe("Classroom (sample)");
});
