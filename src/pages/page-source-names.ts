// Names of the data sources of a page for people. A page itself lists the names of the tools. The browser formats them
// as well, so they are not in the message catalogue of the server.

import type { Language } from "../language/detect-language.ts";

type SourceName = Readonly<Record<Language, string>>;

const USER_TABLES: SourceName = { en: "your tables", zh: "你的表格" };
const COMPUTED_FIGURES: SourceName = { en: "computed figures", zh: "计算得出的数值" };

const SOURCE_NAMES: ReadonlyMap<string, SourceName> = new Map([
  ["list_datasets", USER_TABLES],
  ["describe_dataset", USER_TABLES],
  ["query_dataset", USER_TABLES],
  ["column_stats", USER_TABLES],
  ["get_teacher_classes", { en: "list of classes", zh: "班级列表" }],
  ["get_class_detail", { en: "students and assignments of the class", zh: "班级的学生和作业" }],
  ["get_assignment_submissions", { en: "scores of the assignment", zh: "作业成绩" }],
  ["get_student_grades", { en: "grades of the student", zh: "学生成绩" }],
  ["calculate_stats", COMPUTED_FIGURES],
  ["compare_performance", COMPUTED_FIGURES],
  ["correlation", COMPUTED_FIGURES],
  ["linear_trend", COMPUTED_FIGURES],
  ["histogram", COMPUTED_FIGURES],
  ["ranking", COMPUTED_FIGURES],
]);

/** Formats the `dataSource` of a page: unique source names in order. Unknown tool names stay unchanged. */
export function formatDataSource(dataSource: string, language: Language): string {
  const parts = dataSource.split(", ").map((part) => SOURCE_NAMES.get(part)?.[language] ?? part);
  return [...new Set(parts)].join(language === "zh" ? "、" : ", ");
}
