// Strings. Each method pays for the text that it reads and for the text that it creates.

import { spend } from "./step-budget.ts";
import { compareIntl } from "./intl-builtins.ts";
import { copyNativeMethods, pickMembers, mergeMembers, type MemberTable } from "./intrinsics.ts";
import { isPattern, Pattern, buildMatchResult, searchFrom } from "./regexp.ts";
import { matchText, findMatches, paySearch, replaceText, splitText } from "./string-replace.ts";
import { COPY_BYTES, checkTextLength, joinTexts, read } from "./ropes.ts";
import { apply, checkListLength, toNumber, payCombiningMarks, text, type Fn } from "./conversions.ts";

// Saved before the globals are replaced.
const native = copyNativeMethods(String.prototype);
const { fromCharCode, fromCodePoint } = String;
const arrayValues = Array.prototype.values as Fn;
const iterate = String.prototype[Symbol.iterator] as Fn;

/** Returns `this` as a text whose content will be read. */
function readSelf(value: unknown): string {
  return read(toSelfText(value));
}

/** Returns `this` as a text without paying for its content. Throws a `TypeError` for null and undefined. */
function toSelfText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) throw new TypeError(`Cannot read a text from ${text(value)}`);
  return text(value);
}

/** Wraps a native method whose arguments are positions and whose price is constant. */
function wrapPositionMethod(name: string, price: number): Fn {
  const method = native[name] as Fn;
  return {
    method(this: unknown, ...args: unknown[]): unknown {
      const given = readSelf(this);
      spend(price);
      for (let at = 0; at < args.length; at += 1) if (args[at] !== undefined) args[at] = toNumber(args[at]);
      return apply(method, given, args);
    },
  }.method as Fn;
}

/** Wraps a native method that reads one character. It is called very often, so it has no own price. */
function wrapCharacterMethod(name: string): Fn {
  const method = native[name] as Fn;
  return {
    method(this: unknown, position?: unknown): unknown {
      const given = typeof this === "string" ? read(this) : readSelf(this);
      return apply(method, given, [typeof position === "number" ? position : toNumber(position ?? 0)]);
    },
  }.method as Fn;
}

/** Wraps a native method whose result has about the length of the text. `price` is per character. */
function wrapTransformMethod(name: string, price: number): Fn {
  const method = native[name] as Fn;
  return {
    method(this: unknown, ...args: unknown[]): unknown {
      const given = readSelf(this);
      spend(32 + given.length * price);
      if (name === "normalize") payCombiningMarks(given);
      const made = apply(method, given, name === "normalize" && args[0] !== undefined ? [text(args[0])] : []) as string;
      if (typeof made === "string") payGrowth(given, made);
      return made;
    },
  }.method as Fn;
}

/** Pays for a result that is longer than the text, and checks its length. */
function payGrowth(given: string, made: string): void {
  checkTextLength(made.length);
  if (made.length > given.length) spend((made.length - given.length) * 2);
}

/** Wraps a native method that searches for a text. */
function wrapSearchMethod(name: string): Fn {
  const method = native[name] as Fn;
  return {
    method(this: unknown, wanted?: unknown, position?: unknown): unknown {
      const given = readSelf(this);
      if (isPattern(wanted)) throw new TypeError(`${name} takes a text, not a pattern`);
      const sought = read(text(wanted));
      paySearch(given.length, name === "lastIndexOf" ? 2 * sought.length : sought.length);
      return apply(method, given, position === undefined ? [sought] : [sought, toNumber(position)]);
    },
  }.method as Fn;
}

/** Wraps `padStart` and `padEnd`. The length is checked before the text is created. */
function wrapPadMethod(name: string): Fn {
  const method = native[name] as Fn;
  return {
    method(this: unknown, length?: unknown, by?: unknown): unknown {
      const given = toSelfText(this);
      const wanted = toNumber(length);
      if (wanted > given.length) {
        checkTextLength(wanted);
        spend(wanted * COPY_BYTES);
      }
      return apply(method, given, by === undefined ? [wanted] : [wanted, read(text(by))]);
    },
  }.method as Fn;
}

/** Converts a text to a pattern, as `match` and `search` do. */
function toPattern(wanted: unknown, flags: string): Pattern {
  return isPattern(wanted) ? wanted : new Pattern(wanted, flags);
}

/** The iterator of strings: `for … of`, spreads and list patterns call it. */
const iteratorMember: MemberTable = {
  [Symbol.iterator](this: unknown) {
    return apply(iterate, readSelf(this), []);
  },
};

/** The members of `String.prototype`. */
export const stringMembers: MemberTable = mergeMembers(
  pickMembers(String.prototype, ["length", "valueOf", "toString"]),
  iteratorMember,
  {
    ...Object.fromEntries(
      ["at", "charAt", "charCodeAt", "codePointAt"].map((name) => [name, wrapCharacterMethod(name)]),
    ),
    ...Object.fromEntries(["slice", "substring", "substr"].map((name) => [name, wrapPositionMethod(name, 40)])),
    ...Object.fromEntries(["trim", "trimStart", "trimEnd"].map((name) => [name, wrapTransformMethod(name, 0.25)])),
    ...Object.fromEntries(
      ["toLowerCase", "toUpperCase", "toLocaleLowerCase", "toLocaleUpperCase", "toWellFormed", "isWellFormed"].map(
        (name) => [name, wrapTransformMethod(name, 4)],
      ),
    ),
    normalize: wrapTransformMethod("normalize", 32),
    ...Object.fromEntries(
      ["includes", "indexOf", "lastIndexOf", "startsWith", "endsWith"].map((name) => [name, wrapSearchMethod(name)]),
    ),
    padStart: wrapPadMethod("padStart"),
    padEnd: wrapPadMethod("padEnd"),
    repeat(this: unknown, times?: unknown) {
      const given = toSelfText(this);
      const count = toNumber(times);
      if (count > 0 && given !== "") {
        checkTextLength(given.length * count);
        spend(64 + given.length * count * COPY_BYTES);
      }
      return apply(native["repeat"] as Fn, given, [count]);
    },
    concat(this: unknown, ...others: unknown[]) {
      let made = toSelfText(this);
      for (const other of others) made = joinTexts(made, text(other));
      return made;
    },
    localeCompare(this: unknown, other?: unknown, locales?: unknown, options?: unknown) {
      return compareIntl(readSelf(this), text(other), locales, options);
    },
    replace(this: unknown, wanted: unknown, by: unknown) {
      return replaceText(readSelf(this), wanted, by, false);
    },
    replaceAll(this: unknown, wanted: unknown, by: unknown) {
      return replaceText(readSelf(this), wanted, by, true);
    },
    match(this: unknown, wanted?: unknown) {
      return matchText(readSelf(this), toPattern(wanted, ""));
    },
    matchAll(this: unknown, wanted?: unknown) {
      const given = readSelf(this);
      const pattern = toPattern(wanted, "g");
      if (!pattern.global) throw new TypeError("matchAll must be called with a global RegExp");
      const fresh = new Pattern(pattern);
      const results = findMatches(fresh, given).map((found) => buildMatchResult(fresh, given, found));
      return apply(arrayValues, results, []);
    },
    search(this: unknown, wanted?: unknown) {
      const pattern = toPattern(wanted, "");
      return searchFrom(pattern, readSelf(this), 0, pattern.sticky)?.[0] ?? -1;
    },
    split(this: unknown, separator?: unknown, limit?: unknown) {
      const given = readSelf(this);
      const most = limit === undefined ? Infinity : toNumber(limit) >>> 0;
      if (isPattern(separator)) return splitText(given, separator, most);
      if (separator === undefined) return most === 0 ? [] : [given];
      const by = read(text(separator));
      paySearch(given.length, by.length);
      if (by === "") spend(given.length * 32);
      const parts = apply(native["split"] as Fn, given, [by]) as string[];
      spend(64 + parts.length * 40);
      checkListLength(parts.length);
      return most < parts.length ? parts.slice(0, most) : parts;
    },
  },
);

/** Wraps `String.fromCharCode` and `String.fromCodePoint`. */
function wrapFromCodes(make: (...codes: number[]) => string): unknown {
  return (...codes: unknown[]) => {
    spend(32 + codes.length * 8);
    return make(...codes.map((code) => toNumber(code)));
  };
}

/** The static members of String. */
export const stringStatics: MemberTable = {
  fromCharCode: wrapFromCodes(fromCharCode),
  fromCodePoint: wrapFromCodes(fromCodePoint),
};

/** The function String. */
export function createString(...args: unknown[]): string {
  return args.length === 0 ? "" : text(args[0]);
}

const { encodeURIComponent, decodeURIComponent, encodeURI, decodeURI, btoa, atob } = globalThis as unknown as Record<
  string,
  (given: string) => string
>;

/** Wraps a native encoder or decoder. */
function wrapCodec(native: ((given: string) => string) | undefined): unknown {
  return (value: unknown) => {
    const given = text(value);
    spend(64 + given.length * 24);
    const made = (native as (given: string) => string)(given);
    payGrowth(given, made);
    return made;
  };
}

/** The global functions for texts. */
export const stringGlobals = {
  encodeURIComponent: wrapCodec(encodeURIComponent),
  decodeURIComponent: wrapCodec(decodeURIComponent),
  encodeURI: wrapCodec(encodeURI),
  decodeURI: wrapCodec(decodeURI),
  btoa: wrapCodec(btoa),
  atob: wrapCodec(atob),
};
