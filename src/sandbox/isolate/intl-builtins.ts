// Intl and the locale methods of other types.
//
// Module state: a cache of native Intl objects by kind, locales and options. Native objects are expensive and their
// memory is outside the heap, so a call may create at most `MAX_INTL_OBJECTS` and each is shared by equal requests. The
// code only receives wrapper objects; `sharedByObject` maps them to the native objects.
// Arguments are converted to primitive values first, so no method of the code runs inside a native call.

import { abortCall, spend } from "./step-budget.ts";
import {
  apply,
  formatBigInt,
  isArray,
  isObject,
  toNumber,
  operand,
  payCombiningMarks,
  text,
  type Fn,
  type Obj,
} from "./conversions.ts";
import { collectItems } from "./iterate.ts";
import { checkTextLength, read } from "./ropes.ts";

/** The maximum number of native objects per call. */
const MAX_INTL_OBJECTS = 40;
/** The price of creating a native object, in units of `completeWithinBudget`. */
const CREATION_STEPS = 1_500_000;

const { Intl: nativeIntl, JSON: nativeJson } = globalThis;
const { keys } = Object;
const parse = nativeJson.parse;
const stringify = nativeJson.stringify;
/** Native objects by the JSON of their kind, locales and options. */
const intlCache = new Map<string, object>();
const { get, set } = WeakMap.prototype;
/** The native object of each wrapper. */
const sharedByObject = new WeakMap<object, SharedIntl>();

/** A native object and the price of one use. */
type SharedIntl = { readonly native: Record<string, Fn>; readonly price: number };
type IntlKind =
  | "DateTimeFormat"
  | "NumberFormat"
  | "Collator"
  | "PluralRules"
  | "ListFormat"
  | "RelativeTimeFormat"
  | "DisplayNames";

/** Copies locales and options to plain data. */
function copyPlainOptions(locales: unknown, options: unknown): readonly [string[] | undefined, Obj | undefined] {
  const wanted =
    locales === undefined
      ? undefined
      : isArray(locales)
        ? locales.slice(0, 10).map(toShortText)
        : [toShortText(locales)];
  if (options === undefined || options === null) return [wanted, undefined];
  if (!isObject(options)) throw new TypeError("Options are an object");
  const copy: Obj = {};
  for (const name of keys(options).slice(0, 40)) {
    const value = options[name];
    if (value === undefined) continue;
    copy[name] = typeof value === "number" || typeof value === "boolean" ? value : toShortText(value);
  }
  return [wanted, copy];
}

/** Converts a value to text. Throws a `RangeError` if it is too long for a locale or an option. */
function toShortText(value: unknown): string {
  const given = text(value);
  if (given.length > 100) throw new RangeError("Too long for a locale or an option");
  return given;
}

/** Returns the native object for a request, from the cache if possible. Ends the call if there are too many. */
function getSharedIntl(kind: IntlKind, locales: unknown, options: unknown): SharedIntl {
  const [wanted, chosen] = copyPlainOptions(locales, options);
  const name = stringify([kind, wanted, chosen]);
  const known = intlCache.get(name);
  if (known !== undefined) {
    spend(300);
    return known as SharedIntl;
  }
  if (intlCache.size >= MAX_INTL_OBJECTS) abortCall(`It makes more than ${MAX_INTL_OBJECTS} different Intl objects`);
  spend(CREATION_STEPS);
  const native = new (nativeIntl as unknown as Record<IntlKind, new (...args: unknown[]) => Record<string, Fn>>)[kind](
    wanted,
    chosen === undefined ? undefined : (parse(stringify(chosen)) as Obj),
  );
  const fresh = { native, price: getStepsPerUse(kind, native) };
  intlCache.set(name, fresh);
  return fresh;
}

/** Calendars whose dates the engine computes quickly. */
const SOLAR_CALENDARS = ["gregory", "iso8601", "buddhist", "roc", "japanese"];

/** Returns the price of one use. The engine computes lunar calendars from scratch for each date. */
function getStepsPerUse(kind: IntlKind, native: Record<string, Fn>): number {
  if (kind !== "DateTimeFormat") return 3_000;
  const { calendar } = (native["resolvedOptions"] as Fn)() as { calendar: string };
  return SOLAR_CALENDARS.includes(calendar) ? 4_000 : 200_000;
}

/** Calls a native method after paying for it. */
function callIntl(these: SharedIntl, method: string, args: unknown[]): unknown {
  spend(these.price);
  return apply(these.native[method] as Fn, these.native, args);
}

/** Formats a value. `value` must be primitive. */
export function formatIntl(kind: IntlKind, locales: unknown, options: unknown, value: unknown): string {
  return callIntl(getSharedIntl(kind, locales, options), "format", [value]) as string;
}

/** Compares two texts by the rules of a locale (`String.prototype.localeCompare`). */
export function compareIntl(a: string, b: string, locales: unknown, options: unknown): number {
  const { native } = getSharedIntl("Collator", locales, options);
  payCollation(a, b);
  return (native["compare"] as unknown as (a: string, b: string) => number)(a, b);
}

/** Converts a date to a number, as DateTimeFormat requires. */
function toInstant(value: unknown): number | undefined {
  return value === undefined ? undefined : toNumber(value);
}

/** Converts the argument of NumberFormat. BigInts and texts keep their digits, at most 1,000. */
function toAmount(value: unknown): unknown {
  const given = operand(value);
  const digits = typeof given === "bigint" ? formatBigInt(given, 10) : given;
  if (typeof digits !== "string") return digits;
  spend(digits.length * 100);
  if (digits.length > 1_000) throw new RangeError("Too many digits to format");
  return digits;
}

function toTexts(value: unknown): unknown {
  return collectItems(value).map((item) => text(item));
}

/** Converts the list of ListFormat and pays for its result. */
function toTextList(value: unknown): unknown {
  const items = toTexts(value) as string[];
  let length = 0;
  for (const item of items) {
    spend(32 + read(item).length * 2);
    // The separators are short, but every item has a separator.
    length += item.length + 16;
  }
  checkTextLength(length);
  spend(items.length * 100);
  return items;
}

/** Converts one argument of a method. */
type ArgumentReader = (value: unknown) => unknown;

/** The methods of each kind, with the conversions of their arguments. */
const INTL_METHODS: Record<IntlKind, Record<string, readonly ArgumentReader[]>> = {
  DateTimeFormat: {
    format: [toInstant],
    formatToParts: [toInstant],
    formatRange: [toInstant, toInstant],
    formatRangeToParts: [toInstant, toInstant],
  },
  NumberFormat: { format: [toAmount], formatToParts: [toAmount] },
  Collator: { compare: [text, text] },
  PluralRules: { select: [toNumber] },
  ListFormat: { format: [toTextList], formatToParts: [toTextList] },
  RelativeTimeFormat: { format: [toNumber, toShortText], formatToParts: [toNumber, toShortText] },
  DisplayNames: { of: [toShortText] },
};

/** Creates the constructor of one kind. Its prototype is private to it. */
function createIntlClass(kind: IntlKind): unknown {
  function make(this: unknown, locales?: unknown, options?: unknown): object {
    const bound: Obj = Object_create(prototype) as Obj;
    apply(set, sharedByObject, [bound, getSharedIntl(kind, locales, options)]);
    // In the language these two are getters of bound functions, so they work without their object.
    for (const name of ["format", "compare"])
      if (name in INTL_METHODS[kind])
        Object_define(bound, name, { value: (...args: unknown[]) => apply(methods[name] as Fn, bound, args) });
    return bound;
  }
  const methods: Record<string, Fn> = {
    resolvedOptions(this: unknown) {
      return callIntl(requireShared(this), "resolvedOptions", []);
    },
  };
  for (const [name, readers] of Object.entries(INTL_METHODS[kind]))
    methods[name] = {
      method(this: unknown, ...args: unknown[]): unknown {
        const these = requireShared(this);
        const read: unknown[] = [];
        for (let at = 0; at < readers.length; at += 1) read[at] = (readers[at] as ArgumentReader)(args[at]);
        if (name !== "compare") return callIntl(these, name, read);
        return compareShared(these, read as [string, string]);
      },
    }.method as Fn;
  const prototype = make.prototype as Obj;
  Reflect.deleteProperty(prototype, "constructor");
  for (const name of Object.keys(methods))
    Object.defineProperty(prototype, name, { value: methods[name], configurable: true });
  return make;
}
const Object_define = Object.defineProperty;
const Object_create = Object.create as (prototype: unknown) => unknown;

/** Pays for a comparison; the engine normalizes longer texts. */
function payCollation(a: string, b: string): void {
  spend(200 + (a.length + b.length) * 8);
  if (a.length + b.length > 64) {
    payCombiningMarks(a);
    payCombiningMarks(b);
  }
}

function compareShared({ native }: SharedIntl, [a, b]: [string, string]): number {
  payCollation(a, b);
  return (native["compare"] as unknown as (a: string, b: string) => number)(a, b);
}

/** Returns the native object of a wrapper. Throws a `TypeError` for other values. */
function requireShared(value: unknown): SharedIntl {
  const found = isObject(value) ? (apply(get, sharedByObject, [value]) as SharedIntl | undefined) : undefined;
  if (found === undefined) throw new TypeError("This is not an Intl object");
  return found;
}

/** The members of Intl. */
export const intlObject: Record<string, unknown> = Object.fromEntries(
  (Object.keys(INTL_METHODS) as IntlKind[]).map((kind) => [kind, createIntlClass(kind)]),
);
