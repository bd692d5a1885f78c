// Parser of five-field cron expressions: minute, hour, day of the month, month, weekday.

import * as say from "./words/schedule-problems.ts";
import type { Both } from "./words/language.ts";

/** A parsed expression. Values are sorted and unique; `weekday` is 0 (Sunday) to 6. */
export type Cron = {
  readonly minute: readonly number[];
  readonly hour: readonly number[];
  readonly day: readonly number[];
  readonly month: readonly number[];
  readonly weekday: readonly number[];
  /** True if the field is `*`. If both fields are restricted, a date needs to match only one of them. */
  readonly anyDay: boolean;
  readonly anyWeekday: boolean;
};

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const WEEKDAYS = "sun mon tue wed thu fri sat".split(" ");
/** Maximum number of days of each month. */
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

type Field = {
  readonly title: Both;
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
};

const MINUTE: Field = { title: { en: "minute", zh: "分钟" }, least: 0, most: 59 };
const HOUR: Field = { title: { en: "hour", zh: "小时" }, least: 0, most: 23 };
const DAY: Field = { title: { en: "day of the month", zh: "日期" }, least: 1, most: 31 };
const MONTH: Field = { title: { en: "month", zh: "月份" }, least: 1, most: 12, names: MONTHS };
const WEEKDAY: Field = { title: { en: "weekday", zh: "星期" }, least: 0, most: 7, names: WEEKDAYS };

/** Parses an expression. Returns a `problem` if it is invalid or if no date can ever match it. Does not throw. */
export function readCron(expression: string): Cron | { readonly problem: Both } {
  const [minute, hour, day, month, weekday, ...more] = expression.trim().split(/\s+/);
  if (
    minute === undefined ||
    hour === undefined ||
    day === undefined ||
    month === undefined ||
    weekday === undefined ||
    more.length > 0
  ) {
    return { problem: say.notFiveFields(expression) };
  }
  const read = [
    readField(minute, MINUTE),
    readField(hour, HOUR),
    readField(day, DAY),
    readField(month, MONTH),
    readField(weekday, WEEKDAY),
  ] as const;
  const wrong = read.find((field) => "problem" in field);
  if (wrong !== undefined && "problem" in wrong) return wrong;
  const [minutes, hours, days, months, weekdays] = read.map((field) => ("values" in field ? field.values : []));
  const cron: Cron = {
    minute: minutes ?? [],
    hour: hours ?? [],
    day: days ?? [],
    month: months ?? [],
    weekday: sorted((weekdays ?? []).map((value) => value % 7)),
    anyDay: day === "*",
    anyWeekday: weekday === "*",
  };
  return comes(cron) ? cron : { problem: say.neverComes(expression) };
}

type Read = { readonly values: readonly number[] } | { readonly problem: Both };

function readField(text: string, field: Field): Read {
  const values: number[] = [];
  for (const part of text.split(",")) {
    const [range = "", step, ...rest] = part.split("/");
    const [first = "", last, ...others] = range.split("-");
    const from = range === "*" ? field.least : valueOf(first, field);
    const to = range === "*" ? field.most : last === undefined ? from : valueOf(last, field);
    const by = step === undefined ? 1 : /^\d{1,3}$/.test(step) ? Number(step) : 0;
    // A step needs a range or `*`, because implementations disagree about the meaning of 5/10.
    const isStepless = step !== undefined && range !== "*" && last === undefined;
    if (from === null || to === null || from > to || by < 1 || isStepless || rest.length + others.length > 0) {
      return { problem: say.wrongField(part, field.title, rangeOf(field)) };
    }
    for (let value = from; value <= to; value += by) values.push(value);
  }
  return { values: sorted(values) };
}

function valueOf(text: string, { least, most, names }: Field): number | null {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0) return named + least;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : null;
}

function rangeOf({ least, most, names }: Field): string {
  return `${least}-${most}${names === undefined ? "" : `, ${names[0]}-${names.at(-1)}`}`;
}

/** True if the date exists in some year. 30 February and 31 April do not exist. */
function comes({ day, month, anyDay, anyWeekday }: Cron): boolean {
  if (anyDay || !anyWeekday) return true;
  const earliest = day[0] ?? 1;
  return month.some((each) => earliest <= (DAYS[each - 1] ?? 0));
}

function sorted(values: readonly number[]): number[] {
  return [...new Set(values)].toSorted((a, b) => a - b);
}
