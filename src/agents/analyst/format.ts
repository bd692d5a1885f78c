// Numbers and dates as the person's language writes them, and names of columns as people read them.

import type { Both } from "../../protocol/words/language.ts";
import { inLanguage } from "./language.ts";

export type Format = {
  readonly language: string;
  readonly number: (value: number) => string;
  /** A date or a moment in ISO 8601 as it is said; any other text as it is. Moments without a zone, and all others, are told in UTC. */
  readonly text: (value: string) => string;
  /** What a member of the data is called. */
  readonly label: (name: string) => string;
};

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?$/;

/** For a language tag; one that nobody knows is taken for English. */
export function formatFor(language: string): Format {
  const locale = localeOf(language);
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const small = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
  return {
    language,
    number: (value) => (value !== 0 && Math.abs(value) < 1 ? small : whole).format(value),
    text(value) {
      const format = DATE.test(value) ? date : MOMENT.test(value) ? moment : null;
      if (format === null) return value;
      const at = Date.parse(
        DATE.test(value) || /(?:Z|[+-]\d{2}:?\d{2})$/.test(value) ? value : `${value.replace(" ", "T")}Z`,
      );
      return Number.isNaN(at) ? value : format.format(at);
    },
    label: (name) => labelOf(name, language),
  };
}

/** Whether a text is a date or a moment, a month included. */
export function isDate(value: unknown): boolean {
  return typeof value === "string" && (DATE.test(value) || MOMENT.test(value) || /^\d{4}-\d{2}$/.test(value));
}

function localeOf(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? "en";
  } catch {
    return "en";
  }
}

const NAMES: Readonly<Record<string, Both>> = {
  count: { en: "Count", zh: "数量" },
  mean: { en: "Average", zh: "平均值" },
  average: { en: "Average", zh: "平均" },
  median: { en: "Median", zh: "中位数" },
  stddev: { en: "Standard deviation", zh: "标准差" },
  min: { en: "Lowest", zh: "最低" },
  max: { en: "Highest", zh: "最高" },
  sum: { en: "Sum", zh: "合计" },
  p25: { en: "25th percentile", zh: "第25百分位" },
  p50: { en: "50th percentile", zh: "第50百分位" },
  p75: { en: "75th percentile", zh: "第75百分位" },
  p90: { en: "90th percentile", zh: "第90百分位" },
  score: { en: "Score", zh: "分数" },
  scores: { en: "Scores", zh: "分数" },
  name: { en: "Name", zh: "名称" },
  student_id: { en: "Student id", zh: "学号" },
  student_name: { en: "Student", zh: "学生" },
  class_id: { en: "Class id", zh: "班级编号" },
  class_name: { en: "Class", zh: "班级" },
  assignment_id: { en: "Assignment id", zh: "作业编号" },
  assignment_name: { en: "Assignment", zh: "作业" },
  max_score: { en: "Full score", zh: "满分" },
  submitted_at: { en: "Submitted", zh: "提交时间" },
  due_date: { en: "Due", zh: "截止日期" },
  status: { en: "Status", zh: "状态" },
  subject: { en: "Subject", zh: "科目" },
  grade: { en: "Grade", zh: "年级" },
  date: { en: "Date", zh: "日期" },
  rank: { en: "Rank", zh: "名次" },
  label: { en: "Name", zh: "名称" },
  title: { en: "Title", zh: "标题" },
  fitted: { en: "Trend", zh: "趋势" },
  slope: { en: "Slope", zh: "斜率" },
  intercept: { en: "Intercept", zh: "截距" },
  correlation: { en: "Correlation", zh: "相关系数" },
  direction: { en: "Direction", zh: "方向" },
  distinct: { en: "Distinct values", zh: "不同的值" },
  gaps: { en: "Gaps", zh: "缺失" },
  student_count: { en: "Students", zh: "学生人数" },
  submission_count: { en: "Submissions", zh: "提交份数" },
  submitted: { en: "Submitted", zh: "已提交" },
  type: { en: "Type", zh: "类型" },
  number: { en: "Number", zh: "序号" },
  metric: { en: "Measure", zh: "指标" },
  value: { en: "Value", zh: "值" },
  difference: { en: "Difference", zh: "差值" },
  group_a: { en: "Group A", zh: "A组" },
  group_b: { en: "Group B", zh: "B组" },
};

/** `averageScore` and `average_score` as `Average score`; names in other scripts as they are. */
function labelOf(name: string, language: string): string {
  const snake = name.replace(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase();
  const known = Object.hasOwn(NAMES, snake) ? NAMES[snake] : undefined;
  if (known !== undefined) return inLanguage(known, language);
  if (!/^[a-z][a-z\d_]*$/.test(snake)) return name;
  const words = snake.replaceAll("_", " ").trim();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
