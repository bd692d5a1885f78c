// Formats numbers, dates and column names in the person's language.

import type { MessageKey } from "../../../language/messages.ts";
import { localize } from "../localize.ts";

/** The formatters of one language. */
export type ValueFormat = {
  readonly language: string;
  /** Formats with at most 2 decimals, or 3 significant digits for values between -1 and 1. */
  readonly number: (value: number) => string;
  /**
   * Formats an ISO 8601 date or date-time and returns any other text unchanged. Times are shown in UTC; a time without
   * a zone is taken as UTC.
   */
  readonly text: (value: string) => string;
  /** Returns the display name of a data member: `Average score` for `average_score`. */
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

/** The labels of data members that the tools return often. */
const MEMBER_LABELS: Readonly<Record<string, MessageKey>> = {
  count: "columnLabel.count",
  mean: "columnLabel.mean",
  average: "columnLabel.average",
  median: "columnLabel.median",
  stddev: "columnLabel.stddev",
  min: "columnLabel.min",
  max: "columnLabel.max",
  sum: "columnLabel.sum",
  p25: "columnLabel.p25",
  p50: "columnLabel.p50",
  p75: "columnLabel.p75",
  p90: "columnLabel.p90",
  score: "columnLabel.score",
  scores: "columnLabel.scores",
  name: "columnLabel.name",
  student_id: "columnLabel.studentId",
  student_name: "columnLabel.studentName",
  class_id: "columnLabel.classId",
  class_name: "columnLabel.className",
  assignment_id: "columnLabel.assignmentId",
  assignment_name: "columnLabel.assignmentName",
  max_score: "columnLabel.maxScore",
  submitted_at: "columnLabel.submittedAt",
  due_date: "columnLabel.dueDate",
  status: "columnLabel.status",
  subject: "columnLabel.subject",
  grade: "columnLabel.grade",
  date: "columnLabel.date",
  rank: "columnLabel.rank",
  label: "columnLabel.label",
  title: "columnLabel.title",
  fitted: "columnLabel.fitted",
  slope: "columnLabel.slope",
  intercept: "columnLabel.intercept",
  correlation: "columnLabel.correlation",
  r: "columnLabel.r",
  r_squared: "columnLabel.rSquared",
  direction: "columnLabel.direction",
  distinct: "columnLabel.distinct",
  gaps: "columnLabel.gaps",
  student_count: "columnLabel.studentCount",
  submission_count: "columnLabel.submissionCount",
  submitted: "columnLabel.submitted",
  type: "columnLabel.type",
  number: "columnLabel.number",
  metric: "columnLabel.metric",
  value: "columnLabel.value",
  difference: "columnLabel.difference",
  group_a: "columnLabel.groupA",
  group_b: "columnLabel.groupB",
};

/** Formats `averageScore` and `average_score` as `Average score`. Names in other scripts stay unchanged. */
function formatMemberName(name: string, language: string): string {
  const snake = name.replace(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase();
  const label = Object.hasOwn(MEMBER_LABELS, snake) ? MEMBER_LABELS[snake] : undefined;
  if (label !== undefined) return localize(label, language);
  if (!/^[a-z][a-z\d_]*$/.test(snake)) return name;
  const words = snake.replaceAll("_", " ").trim();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
