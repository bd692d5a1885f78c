// Names of the data sources of a page for people. A page itself lists the names of the tools.

import type { Both, Language } from "./words/language.ts";

const OWN: Both = { en: "your tables", zh: "你的表格" };
const SUMS: Both = { en: "computed figures", zh: "计算得出的数值" };

const SOURCES: ReadonlyMap<string, Both> = new Map([
  ["list_datasets", OWN],
  ["describe_dataset", OWN],
  ["query_dataset", OWN],
  ["column_stats", OWN],
  ["get_teacher_classes", { en: "list of classes", zh: "班级列表" }],
  ["get_class_detail", { en: "students and assignments of the class", zh: "班级的学生和作业" }],
  ["get_assignment_submissions", { en: "scores of the assignment", zh: "作业成绩" }],
  ["get_student_grades", { en: "grades of the student", zh: "学生成绩" }],
  ["calculate_stats", SUMS],
  ["compare_performance", SUMS],
  ["correlation", SUMS],
  ["linear_trend", SUMS],
  ["histogram", SUMS],
  ["ranking", SUMS],
]);

/** Formats the `dataSource` of a page: unique source names in order. Unknown tool names stay unchanged. */
export function sourceText(dataSource: string, language: Language): string {
  const parts = dataSource.split(", ").map((part) => SOURCES.get(part)?.[language] ?? part);
  return [...new Set(parts)].join(language === "zh" ? "、" : ", ");
}
