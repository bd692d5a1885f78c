// Strings. Each method pays for the text that it reads and for the text that it creates.

import { spend } from "./budget.ts";
import { compare } from "./intl.ts";
import { natives, pick, together, type Members } from "./members.ts";
import { isPattern, Pattern, resultOf, searchFrom } from "./pattern.ts";
import { matched, matches, paySeek, replaced, split } from "./text-replace.ts";
import { COPY, fits, joined, read } from "./ropes.ts";
import { apply, fitsList, number, payMarks, text, type Fn } from "./values.ts";

// Saved before the globals are replaced.
const native = natives(String.prototype);
const { fromCharCode, fromCodePoint } = String;
const arrayValues = Array.prototype.values as Fn;
const iterate = String.prototype[Symbol.iterator] as Fn;

/** Returns `this` as a text whose content will be read. */
function self(value: unknown): string {
  return read(unread(value));
}

/** Returns `this` as a text without paying for its content. Throws a `TypeError` for null and undefined. */
function unread(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) throw new TypeError(`Cannot read a text from ${text(value)}`);
  return text(value);
}

/** Wraps a native method whose arguments are positions and whose price is constant. */
function positional(name: string, price: number): Fn {
  const method = native[name] as Fn;
  return {
    method(this: unknown, ...args: unknown[]): unknown {
      const given = self(this);
      spend(price);
      for (let at = 0; at < args.length; at += 1) if (args[at] !== undefined) args[at] = number(args[at]);
      return apply(method, given, args);
    },
  }.method as Fn;
}

/** Wraps a native method that reads one character. It is called very often, so it has no own price. */
function single(name: string): Fn {
  const method = native[name] as Fn;
  return {
    method(this: unknown, position?: unknown): unknown {
      const given = typeof this === "string" ? read(this) : self(this);
      return apply(method, given, [typeof position === "number" ? position : number(position ?? 0)]);
    },
  }.method as Fn;
}

/** Wraps a native method whose result has about the length of the text. `price` is per character. */
function remaking(name: string, price: number): Fn {
  const method = native[name] as Fn;
  return {
    method(this: unknown, ...args: unknown[]): unknown {
      const given = self(this);
      spend(32 + given.length * price);
      if (name === "normalize") payMarks(given);
      const made = apply(method, given, name === "normalize" && args[0] !== undefined ? [text(args[0])] : []) as string;
      if (typeof made === "string") grown(given, made);
      return made;
    },
  }.method as Fn;
}

/** Pays for a result that is longer than the text, and checks its length. */
function grown(given: string, made: string): void {
  fits(made.length);
  if (made.length > given.length) spend((made.length - given.length) * 2);
}

/** Wraps a native method that searches for a text. */
function seeking(name: string): Fn {
  const method = native[name] as Fn;
  return {
    method(this: unknown, wanted?: unknown, position?: unknown): unknown {
      const given = self(this);
      if (isPattern(wanted)) throw new TypeError(`${name} takes a text, not a pattern`);
      const sought = read(text(wanted));
      paySeek(given.length, name === "lastIndexOf" ? 2 * sought.length : sought.length);
      return apply(method, given, position === undefined ? [sought] : [sought, number(position)]);
    },
  }.method as Fn;
}

/** Wraps `padStart` and `padEnd`. The length is checked before the text is created. */
function padding(name: string): Fn {
  const method = native[name] as Fn;
  return {
    method(this: unknown, length?: unknown, by?: unknown): unknown {
      const given = unread(this);
      const wanted = number(length);
      if (wanted > given.length) {
        fits(wanted);
        spend(wanted * COPY);
      }
      return apply(method, given, by === undefined ? [wanted] : [wanted, read(text(by))]);
    },
  }.method as Fn;
}

/** Converts a text to a pattern, as `match` and `search` do. */
function patternOf(wanted: unknown, flags: string): Pattern {
  return isPattern(wanted) ? wanted : new Pattern(wanted, flags);
}

/** The iterator of strings: `for … of`, spreads and list patterns call it. */
const iteration: Members = {
  [Symbol.iterator](this: unknown) {
    return apply(iterate, self(this), []);
  },
};

/** The members of `String.prototype`. */
export const textMembers: Members = together(pick(String.prototype, ["length", "valueOf", "toString"]), iteration, {
  ...Object.fromEntries(["at", "charAt", "charCodeAt", "codePointAt"].map((name) => [name, single(name)])),
  ...Object.fromEntries(["slice", "substring", "substr"].map((name) => [name, positional(name, 40)])),
  ...Object.fromEntries(["trim", "trimStart", "trimEnd"].map((name) => [name, remaking(name, 0.25)])),
  ...Object.fromEntries(
    ["toLowerCase", "toUpperCase", "toLocaleLowerCase", "toLocaleUpperCase", "toWellFormed", "isWellFormed"].map(
      (name) => [name, remaking(name, 4)],
    ),
  ),
  normalize: remaking("normalize", 32),
  ...Object.fromEntries(
    ["includes", "indexOf", "lastIndexOf", "startsWith", "endsWith"].map((name) => [name, seeking(name)]),
  ),
  padStart: padding("padStart"),
  padEnd: padding("padEnd"),
  repeat(this: unknown, times?: unknown) {
    const given = unread(this);
    const count = number(times);
    if (count > 0 && given !== "") {
      fits(given.length * count);
      spend(64 + given.length * count * COPY);
    }
    return apply(native["repeat"] as Fn, given, [count]);
  },
  concat(this: unknown, ...others: unknown[]) {
    let made = unread(this);
    for (const other of others) made = joined(made, text(other));
    return made;
  },
  localeCompare(this: unknown, other?: unknown, locales?: unknown, options?: unknown) {
    return compare(self(this), text(other), locales, options);
  },
  replace(this: unknown, wanted: unknown, by: unknown) {
    return replaced(self(this), wanted, by, false);
  },
  replaceAll(this: unknown, wanted: unknown, by: unknown) {
    return replaced(self(this), wanted, by, true);
  },
  match(this: unknown, wanted?: unknown) {
    return matched(self(this), patternOf(wanted, ""));
  },
  matchAll(this: unknown, wanted?: unknown) {
    const given = self(this);
    const pattern = patternOf(wanted, "g");
    if (!pattern.global) throw new TypeError("matchAll must be called with a global RegExp");
    const fresh = new Pattern(pattern);
    const results = matches(fresh, given).map((found) => resultOf(fresh, given, found));
    return apply(arrayValues, results, []);
  },
  search(this: unknown, wanted?: unknown) {
    const pattern = patternOf(wanted, "");
    return searchFrom(pattern, self(this), 0, pattern.sticky)?.[0] ?? -1;
  },
  split(this: unknown, separator?: unknown, limit?: unknown) {
    const given = self(this);
    const most = limit === undefined ? Infinity : number(limit) >>> 0;
    if (isPattern(separator)) return split(given, separator, most);
    if (separator === undefined) return most === 0 ? [] : [given];
    const by = read(text(separator));
    paySeek(given.length, by.length);
    if (by === "") spend(given.length * 32);
    const parts = apply(native["split"] as Fn, given, [by]) as string[];
    spend(64 + parts.length * 40);
    fitsList(parts.length);
    return most < parts.length ? parts.slice(0, most) : parts;
  },
});

/** Wraps `String.fromCharCode` and `String.fromCodePoint`. */
function fromCodes(make: (...codes: number[]) => string): unknown {
  return (...codes: unknown[]) => {
    spend(32 + codes.length * 8);
    return make(...codes.map((code) => number(code)));
  };
}

/** The static members of String. */
export const textStatics: Members = {
  fromCharCode: fromCodes(fromCharCode),
  fromCodePoint: fromCodes(fromCodePoint),
};

/** The function String. */
export function makeText(...args: unknown[]): string {
  return args.length === 0 ? "" : text(args[0]);
}

const { encodeURIComponent, decodeURIComponent, encodeURI, decodeURI, btoa, atob } = globalThis as unknown as Record<
  string,
  (given: string) => string
>;

/** Wraps a native encoder or decoder. */
function coding(native: ((given: string) => string) | undefined): unknown {
  return (value: unknown) => {
    const given = text(value);
    spend(64 + given.length * 24);
    const made = (native as (given: string) => string)(given);
    grown(given, made);
    return made;
  };
}

/** The global functions for texts. */
export const textGlobals = {
  encodeURIComponent: coding(encodeURIComponent),
  decodeURIComponent: coding(decodeURIComponent),
  encodeURI: coding(encodeURI),
  decodeURI: coding(decodeURI),
  btoa: coding(btoa),
  atob: coding(atob),
};
