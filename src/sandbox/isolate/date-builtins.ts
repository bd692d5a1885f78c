// Date. Module state: the time of the call, set once by `setClock`. The clock stands still during a call, so that code
// cannot measure time.

import { spend } from "./step-budget.ts";
import { formatIntl } from "./intl-builtins.ts";
import { copyNativeMethods, pickMembers, mergeMembers, type MemberTable } from "./intrinsics.ts";
import { payText } from "./ropes.ts";
import { apply, isObject, toNumber, toPrimitive, text, type Fn, type Obj } from "./conversions.ts";

// Saved before the globals are replaced.
const NativeDate = Date;
const native = copyNativeMethods(Date.prototype);
const { getTime } = Date.prototype;
const { now: realNow, UTC } = Date;
let callTime = realNow();

/** Sets the time of the call. Call it before the code runs. */
export function setClock(): void {
  callTime = realNow();
}

/** Wraps a native method whose arguments are numbers. */
function wrapDateMethod(name: string): Fn {
  const given = native[name] as Fn;
  return {
    method(this: unknown, ...args: unknown[]): unknown {
      spend(name.startsWith("to") ? 120 : 40);
      for (let at = 0; at < args.length; at += 1) args[at] = toNumber(args[at]);
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
function wrapLocaleMethod(parts: Obj, asked: readonly string[]): Fn {
  return {
    method(this: unknown, locales?: unknown, options?: unknown): unknown {
      const time = apply(getTime, this, []) as number;
      if (time !== time) return "Invalid Date";
      const given = isObject(options) ? options : {};
      const isAsked = asked.some((name) => given[name] !== undefined);
      return formatIntl("DateTimeFormat", locales, isAsked ? given : { ...given, ...parts }, time);
    },
  }.method as Fn;
}

const plainMethods = Object.getOwnPropertyNames(Date.prototype).filter(
  (name) => /^(get|set|to)/.test(name) && !name.startsWith("toLocale") && name !== "toTemporalInstant",
);

/** The members of `Date.prototype`. */
export const dateMembers: MemberTable = mergeMembers(pickMembers(Date.prototype, [Symbol.toPrimitive, "valueOf"]), {
  ...Object.fromEntries(plainMethods.map((name) => [name, wrapDateMethod(name)])),
  toJSON(this: unknown) {
    return isNotANumber(apply(getTime, this, []) as number) ? null : apply(native["toISOString"] as Fn, this, []);
  },
  toLocaleString: wrapLocaleMethod({ ...DATE, ...TIME }, [...ANY_DATE, ...ANY_TIME]),
  toLocaleDateString: wrapLocaleMethod(DATE, ANY_DATE),
  toLocaleTimeString: wrapLocaleMethod(TIME, ANY_TIME),
});

function isNotANumber(value: number): boolean {
  return value !== value;
}

export function isDate(value: unknown): value is Date {
  return value instanceof NativeDate;
}

/** Returns the time in ms since the epoch; NaN for an invalid date. */
export function getTimestamp(date: Date): number {
  return apply(getTime, date, []) as number;
}

/** Converts the single argument of `new Date`. Long texts are invalid dates: the native parser is not interruptible. */
function toDateArgument(value: unknown): unknown {
  if (isDate(value)) return getTimestamp(value);
  const given = toPrimitive(value, "default");
  if (typeof given === "string") {
    if (given.length > 200) return NaN;
    payText(given);
    spend(200);
    return given;
  }
  return toNumber(given);
}

/** The constructor of Date. */
export function createDate(...args: unknown[]): Date {
  spend(160);
  if (args.length === 0) return new NativeDate(callTime);
  if (args.length === 1) return new NativeDate(toDateArgument(args[0]) as number);
  const parts: number[] = [];
  for (let at = 0; at < args.length; at += 1) parts[at] = toNumber(args[at]);
  return new NativeDate(...(parts as [number, number]));
}

/** The static members of Date. */
export const dateStatics: MemberTable = {
  now: () => callTime,
  parse: (value: unknown) => apply(getTime, createDate(text(value)), []),
  UTC: (...args: unknown[]) => {
    spend(100);
    return UTC(...(args.map((part) => toNumber(part)) as [number]));
  },
};
