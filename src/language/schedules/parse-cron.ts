// Parser of five-field cron expressions: minute, hour, day of the month, month, weekday.

import { createMessage, type Message } from "../messages.ts";

/** A parsed expression. Values are sorted and unique; `weekday` is 0 (Sunday) to 6. */
export type CronExpression = {
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
const MAX_DAYS_PER_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

type CronFieldSpec = {
  readonly name: "minute" | "hour" | "day" | "month" | "weekday";
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
};

const MINUTE: CronFieldSpec = { name: "minute", min: 0, max: 59 };
const HOUR: CronFieldSpec = { name: "hour", min: 0, max: 23 };
const DAY: CronFieldSpec = { name: "day", min: 1, max: 31 };
const MONTH: CronFieldSpec = { name: "month", min: 1, max: 12, names: MONTHS };
const WEEKDAY: CronFieldSpec = { name: "weekday", min: 0, max: 7, names: WEEKDAYS };

/** Parses an expression. Returns a `problem` if it is invalid or if no date can ever match it. Does not throw. */
export function parseCron(expression: string): CronExpression | { readonly problem: Message } {
  const [minute, hour, day, month, weekday, ...more] = expression.trim().split(/\s+/);
  if (
    minute === undefined ||
    hour === undefined ||
    day === undefined ||
    month === undefined ||
    weekday === undefined ||
    more.length > 0
  ) {
    return { problem: createMessage("schedule.wrongFieldCount", { expression }) };
  }
  const parsed = [
    parseCronField(minute, MINUTE),
    parseCronField(hour, HOUR),
    parseCronField(day, DAY),
    parseCronField(month, MONTH),
    parseCronField(weekday, WEEKDAY),
  ] as const;
  const wrong = parsed.find((field) => "problem" in field);
  if (wrong !== undefined && "problem" in wrong) return wrong;
  const [minutes, hours, days, months, weekdays] = parsed.map((field) => ("values" in field ? field.values : []));
  const cron: CronExpression = {
    minute: minutes ?? [],
    hour: hours ?? [],
    day: days ?? [],
    month: months ?? [],
    weekday: sortUnique((weekdays ?? []).map((value) => value % 7)),
    anyDay: day === "*",
    anyWeekday: weekday === "*",
  };
  return hasPossibleDate(cron) ? cron : { problem: createMessage("schedule.impossibleDate", { words: expression }) };
}

type ParsedCronField = { readonly values: readonly number[] } | { readonly problem: Message };

function parseCronField(text: string, field: CronFieldSpec): ParsedCronField {
  const values: number[] = [];
  for (const part of text.split(",")) {
    const [range = "", step, ...rest] = part.split("/");
    const [first = "", last, ...others] = range.split("-");
    const from = range === "*" ? field.min : parseCronValue(first, field);
    const to = range === "*" ? field.max : last === undefined ? from : parseCronValue(last, field);
    const by = step === undefined ? 1 : /^\d{1,3}$/.test(step) ? Number(step) : 0;
    // A step needs a range or `*`, because implementations disagree about the meaning of 5/10.
    const isStepless = step !== undefined && range !== "*" && last === undefined;
    if (from === null || to === null || from > to || by < 1 || isStepless || rest.length + others.length > 0) {
      return {
        problem: createMessage("schedule.invalidCronField", { part, field: field.name, range: formatCronRange(field) }),
      };
    }
    for (let value = from; value <= to; value += by) values.push(value);
  }
  return { values: sortUnique(values) };
}

function parseCronValue(text: string, { min, max, names }: CronFieldSpec): number | null {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0) return named + min;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : null;
}

function formatCronRange({ min, max, names }: CronFieldSpec): string {
  return `${min}-${max}${names === undefined ? "" : `, ${names[0]}-${names.at(-1)}`}`;
}

/** True if the date exists in some year. 30 February and 31 April do not exist. */
function hasPossibleDate({ day, month, anyDay, anyWeekday }: CronExpression): boolean {
  if (anyDay || !anyWeekday) return true;
  const earliest = day[0] ?? 1;
  return month.some((each) => earliest <= (MAX_DAYS_PER_MONTH[each - 1] ?? 0));
}

function sortUnique(values: readonly number[]): number[] {
  return [...new Set(values)].toSorted((a, b) => a - b);
}
