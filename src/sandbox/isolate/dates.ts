// Date. Module state: the time of the call, set once by `setClock`. The clock stands still during a call, so that code
// cannot measure time.

import { spend } from "./budget.ts";
import { format } from "./intl.ts";
import { natives, pick, together, type Members } from "./members.ts";
import { payText } from "./ropes.ts";
import { apply, isObject, number, primitive, text, type Fn, type Obj } from "./values.ts";

// Saved before the globals are replaced.
const NativeDate = Date;
const native = natives(Date.prototype);
const { getTime } = Date.prototype;
const { now: realNow, UTC } = Date;
let now = realNow();

/** Sets the time of the call. Call it before the code runs. */
export function setClock(): void {
  now = realNow();
}

/** Wraps a native method whose arguments are numbers. */
function method(name: string): Fn {
  const given = native[name] as Fn;
  return {
    method(this: unknown, ...args: unknown[]): unknown {
      spend(name.startsWith("to") ? 120 : 40);
      for (let at = 0; at < args.length; at += 1) args[at] = number(args[at]);
      return apply(given, this, args);
    },
  }.method as Fn;
}

// The parts that a locale method shows if its options name none.
const DATE = { year: "numeric", month: "numeric", day: "numeric" };
const TIME = { hour: "numeric", minute: "numeric", second: "numeric" };
// The options that count as a request for parts.
const ANY_DATE = ["weekday", "year", "month", "day", "dateStyle"];
const ANY_TIME = ["dayPeriod", "hour", "minute", "second", "fractionalSecondDigits", "timeStyle"];

/**
 * Creates a locale method: `parts` are the defaults, `asked` the options that replace them (ECMA-402,
 * ToDateTimeOptions).
 */
function local(parts: Obj, asked: readonly string[]): Fn {
  return {
    method(this: unknown, locales?: unknown, options?: unknown): unknown {
      const time = apply(getTime, this, []) as number;
      if (time !== time) return "Invalid Date";
      const given = isObject(options) ? options : {};
      const isAsked = asked.some((name) => given[name] !== undefined);
      return format("DateTimeFormat", locales, isAsked ? given : { ...given, ...parts }, time);
    },
  }.method as Fn;
}

const plainMethods = Object.getOwnPropertyNames(Date.prototype).filter(
  (name) => /^(get|set|to)/.test(name) && !name.startsWith("toLocale") && name !== "toTemporalInstant",
);

/** The members of `Date.prototype`. */
export const dateMembers: Members = together(pick(Date.prototype, [Symbol.toPrimitive, "valueOf"]), {
  ...Object.fromEntries(plainMethods.map((name) => [name, method(name)])),
  toJSON(this: unknown) {
    return isNaN_(apply(getTime, this, []) as number) ? null : apply(native["toISOString"] as Fn, this, []);
  },
  toLocaleString: local({ ...DATE, ...TIME }, [...ANY_DATE, ...ANY_TIME]),
  toLocaleDateString: local(DATE, ANY_DATE),
  toLocaleTimeString: local(TIME, ANY_TIME),
});

function isNaN_(value: number): boolean {
  return value !== value;
}

export function isDate(value: unknown): value is Date {
  return value instanceof NativeDate;
}

/** Returns the time in ms since the epoch; NaN for an invalid date. */
export function timeOf(date: Date): number {
  return apply(getTime, date, []) as number;
}

/** Converts the single argument of `new Date`. Long texts are invalid dates: the native parser is not interruptible. */
function argument(value: unknown): unknown {
  if (isDate(value)) return timeOf(value);
  const given = primitive(value, "default");
  if (typeof given === "string") {
    if (given.length > 200) return NaN;
    payText(given);
    spend(200);
    return given;
  }
  return number(given);
}

/** The constructor of Date. */
export function makeDate(...args: unknown[]): Date {
  spend(160);
  if (args.length === 0) return new NativeDate(now);
  if (args.length === 1) return new NativeDate(argument(args[0]) as number);
  const parts: number[] = [];
  for (let at = 0; at < args.length; at += 1) parts[at] = number(args[at]);
  return new NativeDate(...(parts as [number, number]));
}

/** The static members of Date. */
export const dateStatics: Members = {
  now: () => now,
  parse: (value: unknown) => apply(getTime, makeDate(text(value)), []),
  UTC: (...args: unknown[]) => {
    spend(100);
    return UTC(...(args.map((part) => number(part)) as [number]));
  },
};
