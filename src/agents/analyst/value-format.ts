// Formats numbers, dates and column names in the person's language.

export type ValueFormat = {
  readonly language: string;
  readonly number: (value: number) => string;
  /**
   * Formats an ISO 8601 date or date-time and returns any other text unchanged. Times are shown in UTC; a time without
   * a zone is taken as UTC.
   */
  readonly text: (value: string) => string;
  /** Returns the display name of a data member. */
  readonly label: (name: string) => string;
};

const DATE_PATTERN = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME_PATTERN = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?$/;

/** Creates the formatters for a language tag. Unknown tags are treated as English. */
export function createValueFormat(language: string): ValueFormat {
  const locale = getLocale(language);
  const largeNumber = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const smallNumber = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
  return {
    language,
    number: (value) => (value !== 0 && Math.abs(value) < 1 ? smallNumber : largeNumber).format(value),
    text(value) {
      const format = DATE_PATTERN.test(value) ? date : DATE_TIME_PATTERN.test(value) ? dateTime : null;
      if (format === null) return value;
      const at = Date.parse(
        DATE_PATTERN.test(value) || /(?:Z|[+-]\d{2}:?\d{2})$/.test(value) ? value : `${value.replace(" ", "T")}Z`,
      );
      return Number.isNaN(at) ? value : format.format(at);
    },
    label: (name) => formatMemberName(name, language),
  };
}

/** True for a text that is a date, a date-time or a month (`2026-03`). */
export function isDate(value: unknown): boolean {
  return (
    typeof value === "string" &&
    (DATE_PATTERN.test(value) || DATE_TIME_PATTERN.test(value) || /^\d{4}-\d{2}$/.test(value))
  );
}

function getLocale(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? "en";
  } catch {
    return "en";
  }
}

/** English labels that differ from the words of the member name. All known Chinese labels follow below. */
const LABELS_EN: Readonly<Record<string, string>> = {
  mean: "Average",
  stddev: "Standard deviation",
  min: "Lowest",
  max: "Highest",
  p25: "25th percentile",
  p50: "50th percentile",
  p75: "75th percentile",
  p90: "90th percentile",
  student_name: "Student",
  class_name: "Class",
  assignment_name: "Assignment",
  max_score: "Full score",
  submitted_at: "Submitted",
  due_date: "Due",
  label: "Name",
  fitted: "Trend",
  r: "Correlation",
  r_squared: "R²",
  distinct: "Distinct values",
  student_count: "Students",
  submission_count: "Submissions",
  metric: "Measure",
  group_a: "Group A",
  group_b: "Group B",
};
const LABELS_ZH: Readonly<Record<string, string>> = {
  count: "数量",
  mean: "平均值",
  average: "平均",
  median: "中位数",
  stddev: "标准差",
  min: "最低",
  max: "最高",
  sum: "合计",
  p25: "第25百分位",
  p50: "第50百分位",
  p75: "第75百分位",
  p90: "第90百分位",
  score: "分数",
  scores: "分数",
  name: "名称",
  student_id: "学号",
  student_name: "学生",
  class_id: "班级编号",
  class_name: "班级",
  assignment_id: "作业编号",
  assignment_name: "作业",
  max_score: "满分",
  submitted_at: "提交时间",
  due_date: "截止日期",
  status: "状态",
  subject: "科目",
  grade: "年级",
  date: "日期",
  rank: "名次",
  label: "名称",
  title: "标题",
  fitted: "趋势",
  slope: "斜率",
  intercept: "截距",
  correlation: "相关系数",
  r: "相关系数",
  r_squared: "R²",
  direction: "方向",
  distinct: "不同的值",
  gaps: "缺失",
  student_count: "学生人数",
  submission_count: "提交份数",
  submitted: "已提交",
  type: "类型",
  number: "序号",
  metric: "指标",
  value: "值",
  difference: "差值",
  group_a: "A组",
  group_b: "B组",
};

/** Formats `averageScore` and `average_score` as `Average score`. Names in other scripts stay unchanged. */
function formatMemberName(name: string, language: string): string {
  const snake = name.replace(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase();
  const labels = language.toLowerCase().startsWith("zh") ? LABELS_ZH : LABELS_EN;
  if (Object.hasOwn(labels, snake)) return labels[snake] ?? name;
  if (!/^[a-z][a-z\d_]*$/.test(snake)) return name;
  const words = snake.replaceAll("_", " ").trim();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
