// Intl and the locale methods of other types.
//
// Module state: a cache of native Intl objects by kind, locales and options. Native objects are expensive and their
// memory is outside the heap, so a call may create at most `MAX_INTL_OBJECTS` and each is shared by equal requests. The
// code only receives wrapper objects; `sharedByObject` maps them to the native objects.
// Arguments are converted to primitive values first, so no method of the code runs inside a native call.

import { giveUp, spend } from "./budget.ts";
import { apply, bigText, isArray, isObject, number, operand, payMarks, text, type Fn, type Obj } from "./values.ts";
import { iterated } from "./iterate.ts";
import { fits, read } from "./ropes.ts";

/** The maximum number of native objects per call. */
const MOST = 40;
/** The price of creating a native object, in units of `spend`. */
const PRICE = 1_500_000;

const { Intl: nativeIntl, JSON: nativeJson } = globalThis;
const { keys } = Object;
const parse = nativeJson.parse;
const stringify = nativeJson.stringify;
/** Native objects by the JSON of their kind, locales and options. */
const made = new Map<string, object>();
const { get, set } = WeakMap.prototype;
/** The native object of each wrapper. */
const inner = new WeakMap<object, Shared>();

/** A native object and the price of one use. */
type Shared = { readonly native: Record<string, Fn>; readonly price: number };
type Kind =
  | "DateTimeFormat"
  | "NumberFormat"
  | "Collator"
  | "PluralRules"
  | "ListFormat"
  | "RelativeTimeFormat"
  | "DisplayNames";

/** Copies locales and options to plain data. */
function plain(locales: unknown, options: unknown): readonly [string[] | undefined, Obj | undefined] {
  const wanted =
    locales === undefined ? undefined : isArray(locales) ? locales.slice(0, 10).map(short) : [short(locales)];
  if (options === undefined || options === null) return [wanted, undefined];
  if (!isObject(options)) throw new TypeError("Options are an object");
  const copy: Obj = {};
  for (const name of keys(options).slice(0, 40)) {
    const value = options[name];
    if (value === undefined) continue;
    copy[name] = typeof value === "number" || typeof value === "boolean" ? value : short(value);
  }
  return [wanted, copy];
}

/** Converts a value to text. Throws a `RangeError` if it is too long for a locale or an option. */
function short(value: unknown): string {
  const given = text(value);
  if (given.length > 100) throw new RangeError("Too long for a locale or an option");
  return given;
}

/** Returns the native object for a request, from the cache if possible. Ends the call if there are too many. */
function shared(kind: Kind, locales: unknown, options: unknown): Shared {
  const [wanted, chosen] = plain(locales, options);
  const name = stringify([kind, wanted, chosen]);
  const known = made.get(name);
  if (known !== undefined) {
    spend(300);
    return known as Shared;
  }
  if (made.size >= MOST) giveUp(`It makes more than ${MOST} different Intl objects`);
  spend(PRICE);
  const native = new (nativeIntl as unknown as Record<Kind, new (...args: unknown[]) => Record<string, Fn>>)[kind](
    wanted,
    chosen === undefined ? undefined : (parse(stringify(chosen)) as Obj),
  );
  const fresh = { native, price: priceOf(kind, native) };
  made.set(name, fresh);
  return fresh;
}

/** Calendars whose dates the engine computes quickly. */
const SOLAR = ["gregory", "iso8601", "buddhist", "roc", "japanese"];

/** Returns the price of one use. The engine computes lunar calendars from scratch for each date. */
function priceOf(kind: Kind, native: Record<string, Fn>): number {
  if (kind !== "DateTimeFormat") return 3_000;
  const { calendar } = (native["resolvedOptions"] as Fn)() as { calendar: string };
  return SOLAR.includes(calendar) ? 4_000 : 200_000;
}

/** Calls a native method after paying for it. */
function use(these: Shared, method: string, args: unknown[]): unknown {
  spend(these.price);
  return apply(these.native[method] as Fn, these.native, args);
}

/** Formats a value. `value` must be primitive. */
export function format(kind: Kind, locales: unknown, options: unknown, value: unknown): string {
  return use(shared(kind, locales, options), "format", [value]) as string;
}

/** Compares two texts by the rules of a locale (`String.prototype.localeCompare`). */
export function compare(a: string, b: string, locales: unknown, options: unknown): number {
  const { native } = shared("Collator", locales, options);
  payCollation(a, b);
  return (native["compare"] as unknown as (a: string, b: string) => number)(a, b);
}

/** Converts a date to a number, as DateTimeFormat requires. */
function instant(value: unknown): number | undefined {
  return value === undefined ? undefined : number(value);
}

/** Converts the argument of NumberFormat. BigInts and texts keep their digits, at most 1,000. */
function amount(value: unknown): unknown {
  const given = operand(value);
  const digits = typeof given === "bigint" ? bigText(given, 10) : given;
  if (typeof digits !== "string") return digits;
  spend(digits.length * 100);
  if (digits.length > 1_000) throw new RangeError("Too many digits to format");
  return digits;
}

function texts(value: unknown): unknown {
  return iterated(value).map((item) => text(item));
}

/** Converts the list of ListFormat and pays for its result. */
function several(value: unknown): unknown {
  const items = texts(value) as string[];
  let length = 0;
  for (const item of items) {
    spend(32 + read(item).length * 2);
    // The separators are short, but every item has a separator.
    length += item.length + 16;
  }
  fits(length);
  spend(items.length * 100);
  return items;
}

/** Converts one argument of a method. */
type Reader = (value: unknown) => unknown;

/** The methods of each kind, with the conversions of their arguments. */
const METHODS: Record<Kind, Record<string, readonly Reader[]>> = {
  DateTimeFormat: {
    format: [instant],
    formatToParts: [instant],
    formatRange: [instant, instant],
    formatRangeToParts: [instant, instant],
  },
  NumberFormat: { format: [amount], formatToParts: [amount] },
  Collator: { compare: [text, text] },
  PluralRules: { select: [number] },
  ListFormat: { format: [several], formatToParts: [several] },
  RelativeTimeFormat: { format: [number, short], formatToParts: [number, short] },
  DisplayNames: { of: [short] },
};

/** Creates the constructor of one kind. Its prototype is private to it. */
function classFor(kind: Kind): unknown {
  function make(this: unknown, locales?: unknown, options?: unknown): object {
    const bound: Obj = Object_create(prototype) as Obj;
    apply(set, inner, [bound, shared(kind, locales, options)]);
    // In the language these two are getters of bound functions, so they work without their object.
    for (const name of ["format", "compare"])
      if (name in METHODS[kind])
        Object_define(bound, name, { value: (...args: unknown[]) => apply(methods[name] as Fn, bound, args) });
    return bound;
  }
  const methods: Record<string, Fn> = {
    resolvedOptions(this: unknown) {
      return use(its(this), "resolvedOptions", []);
    },
  };
  for (const [name, readers] of Object.entries(METHODS[kind]))
    methods[name] = {
      method(this: unknown, ...args: unknown[]): unknown {
        const these = its(this);
        const read: unknown[] = [];
        for (let at = 0; at < readers.length; at += 1) read[at] = (readers[at] as Reader)(args[at]);
        if (name !== "compare") return use(these, name, read);
        return compareWith(these, read as [string, string]);
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
    payMarks(a);
    payMarks(b);
  }
}

function compareWith({ native }: Shared, [a, b]: [string, string]): number {
  payCollation(a, b);
  return (native["compare"] as unknown as (a: string, b: string) => number)(a, b);
}

/** Returns the native object of a wrapper. Throws a `TypeError` for other values. */
function its(value: unknown): Shared {
  const found = isObject(value) ? (apply(get, inner, [value]) as Shared | undefined) : undefined;
  if (found === undefined) throw new TypeError("This is not an Intl object");
  return found;
}

/** The members of Intl. */
export const intlObject: Record<string, unknown> = Object.fromEntries(
  (Object.keys(METHODS) as Kind[]).map((kind) => [kind, classFor(kind)]),
);
