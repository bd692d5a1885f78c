// Arrays. Each method pays for the elements that it visits before it calls the native method. Callbacks are code of the
// program and pay for themselves.
//
// Module state: the lists that are being joined, as a stack. It is restored even if the call ends, and it is empty
// between calls.

import { spend } from "./step-budget.ts";
import { visitEach } from "./iterate.ts";
import { copyNativeMethods, type MemberTable } from "./intrinsics.ts";
import { spread } from "./operators.ts";
import { payCopies, payComparison, Rope, SHORT_TEXT } from "./ropes.ts";
import {
  apply,
  assertCallable,
  checkListLength,
  hasOwn,
  isArray,
  isObject,
  toNumber,
  text,
  toInteger,
  type Fn,
  type Obj,
} from "./conversions.ts";

// Saved before the globals are replaced.
const NativeArray = Array;
const native = copyNativeMethods(Array.prototype);
const { log2 } = Math;

/**
 * Returns the value if it is an array. Throws a `TypeError` otherwise: array methods do not accept array-like objects
 * here.
 */
export function assertList(value: unknown): unknown[] {
  if (!isArray(value)) throw new TypeError("List methods are for lists alone");
  return value;
}

/** Wraps a native method that calls back for each element. */
function wrapVisitMethod(name: string, perElement: number): Fn {
  const method = native[name] as Fn;
  return {
    visit(this: unknown, ...args: unknown[]): unknown {
      spend(64 + assertList(this).length * perElement);
      assertCallable(args[0], typeof args[0]);
      return apply(method, this, args);
    },
  }.visit as Fn;
}

/** Wraps a native method that searches for a value. */
function wrapSearchMethod(name: string): Fn {
  const method = native[name] as Fn;
  return {
    seek(this: unknown, ...args: unknown[]): unknown {
      const wanted = args[0];
      const isLong = typeof wanted === "string" && wanted.length > SHORT_TEXT;
      const { length } = assertList(this);
      spend(32 + length * (typeof wanted === "bigint" ? 200 : isLong ? wanted.length : 2));
      // The engine compares the content with each element of the same length.
      if (isLong) payCopies(wanted.length, length + 1);
      return apply(method, this, convertToNumbers(args, 1));
    },
  }.seek as Fn;
}

/**
 * Wraps a native method that copies or moves elements. Leading arguments that are positions are converted to numbers.
 */
function wrapCopyMethod(name: string, perElement: number): Fn {
  const method = native[name] as Fn;
  return {
    copy(this: unknown, ...args: unknown[]): unknown {
      spend(64 + assertList(this).length * perElement + args.length * 16);
      checkListLength((this as unknown[]).length + args.length);
      const first = name.endsWith("plice") || name === "slice" ? 2 : name === "with" ? 1 : 0;
      for (let at = 0; at < first && at < args.length; at += 1)
        if (args[at] !== undefined) args[at] = toNumber(args[at]);
      return apply(method, this, args);
    },
  }.copy as Fn;
}

/** Converts the arguments from index `from` to numbers. */
function convertToNumbers(args: unknown[], from: number): unknown[] {
  for (let at = from; at < args.length; at += 1) if (args[at] !== undefined) args[at] = toNumber(args[at]);
  return args;
}

/** Returns the comparison of a sort, which pays for each call. */
function createComparator(compare: unknown): Fn {
  if (compare === undefined) {
    return (a, b) => {
      const left = text(a);
      const right = text(b);
      spend(16);
      payComparison(left, right);
      return left < right ? -1 : left > right ? 1 : 0;
    };
  }
  const given = assertCallable(compare, "The comparison");
  return (a, b) => {
    spend(16);
    return toNumber(given(a, b));
  };
}

/** Wraps a native sort. It pays for n log n comparisons in advance. */
function wrapSortMethod(name: string): Fn {
  const method = native[name] as Fn;
  return {
    sort(this: unknown, compare?: unknown): unknown {
      const { length } = assertList(this);
      spend(64 + length * 16 + length * 4 * log2(length + 1));
      return apply(method, this, [createComparator(compare)]);
    },
  }.sort as Fn;
}

/** Appends the elements of nested lists up to `depth`. */
function flattenInto(from: unknown[], depth: number, into: unknown[]): unknown[] {
  spend(32 + from.length * 16);
  for (let at = 0; at < from.length; at += 1) {
    if (!hasOwn(from, at)) continue;
    const item = from[at];
    if (isArray(item) && depth >= 1) flattenInto(item, depth - 1, into);
    else {
      checkListLength(into.length + 1);
      into[into.length] = item;
    }
  }
  return into;
}

/** The lists that are being joined; a list that contains itself is empty there. */
const listsBeingJoined: unknown[] = [];

/** `Array.prototype.join`. Native code could not be interrupted. */
function joinItems(these: unknown[], separator: string): string {
  for (const outer of listsBeingJoined) if (outer === these) return "";
  listsBeingJoined[listsBeingJoined.length] = these;
  try {
    const rope = new Rope();
    for (let at = 0; at < these.length; at += 1) {
      spend(16);
      if (at > 0 && separator !== "") rope.add(separator);
      const item = these[at];
      if (item !== null && item !== undefined) rope.add(text(item));
    }
    return rope.toText();
  } finally {
    listsBeingJoined.length -= 1;
  }
}

const iterators = ["entries", "keys", "values"] as const;

/** The members of `Array.prototype`. */
export const arrayMembers: MemberTable = {
  length: 0,
  [Symbol.iterator]: native["values"],
  [Symbol.unscopables]: undefined,
  ...Object.fromEntries(iterators.map((name) => [name, native[name]])),
  ...Object.fromEntries(
    ["every", "some", "forEach", "find", "findIndex", "findLast", "findLastIndex", "reduce", "reduceRight"].map(
      (name) => [name, wrapVisitMethod(name, 4)],
    ),
  ),
  map: wrapVisitMethod("map", 16),
  filter: wrapVisitMethod("filter", 24),
  ...Object.fromEntries(["includes", "indexOf", "lastIndexOf"].map((name) => [name, wrapSearchMethod(name)])),
  ...Object.fromEntries(
    ["slice", "splice", "reverse", "toReversed", "toSpliced", "with"].map((name) => [name, wrapCopyMethod(name, 12)]),
  ),
  shift: wrapCopyMethod("shift", 0.25),
  unshift: wrapCopyMethod("unshift", 0.5),
  sort: wrapSortMethod("sort"),
  toSorted: wrapSortMethod("toSorted"),
  at(this: unknown, position: unknown) {
    return apply(native["at"] as Fn, assertList(this), [toNumber(position)]);
  },
  pop(this: unknown) {
    return apply(native["pop"] as Fn, assertList(this), []);
  },
  push(this: unknown, ...items: unknown[]) {
    const these = assertList(this);
    spend(16 + items.length * 16);
    checkListLength(these.length + items.length);
    return apply(native["push"] as Fn, these, items);
  },
  fill(this: unknown, ...args: unknown[]) {
    spend(32 + assertList(this).length * 2);
    return apply(native["fill"] as Fn, this, convertToNumbers(args, 1));
  },
  concat(this: unknown, ...others: unknown[]) {
    let length = assertList(this).length;
    for (const other of others) length += isArray(other) ? other.length : 1;
    checkListLength(length);
    spend(64 + length * 16);
    return apply(native["concat"] as Fn, this, others);
  },
  flat(this: unknown, depth?: unknown) {
    return flattenInto(assertList(this), toInteger(depth, 1), []);
  },
  flatMap(this: unknown, visit: unknown, scope?: unknown) {
    const these = assertList(this);
    const mapped: unknown[] = [];
    spend(64 + these.length * 16);
    const call = assertCallable(visit, typeof visit);
    for (let at = 0; at < these.length; at += 1)
      if (hasOwn(these, at)) mapped[mapped.length] = apply(call, scope, [these[at], at, these]);
    return flattenInto(mapped, 1, []);
  },
  join(this: unknown, separator?: unknown) {
    return joinItems(assertList(this), separator === undefined ? "," : text(separator));
  },
  toString(this: unknown) {
    return isArray(this) ? joinItems(this, ",") : "[object Object]";
  },
};

/** `Array.from`, for iterables and for array-like objects. */
function from(source: unknown, visit?: unknown): unknown[] {
  const call = visit === undefined ? null : assertCallable(visit, typeof visit);
  const made: unknown[] = [];
  const add = (item: unknown): void => {
    checkListLength(made.length + 1);
    made[made.length] = call === null ? item : apply(call, undefined, [item, made.length]);
  };
  if (source === null || source === undefined) throw new TypeError(`${text(source)} is not iterable`);
  if (typeof source === "string" || (isObject(source) && iteratorKey in source)) visitEach(source, add);
  else if (isObject(source)) {
    const length = toInteger((source as Obj)["length"], 0);
    checkListLength(length);
    for (let at = 0; at < length; at += 1) {
      spend(32);
      add((source as Obj)[at]);
    }
  }
  return made;
}
const iteratorKey = Symbol.iterator;

/** `Array.of`. The arguments are already a list. */
function of(...items: unknown[]): unknown[] {
  return spread(items);
}

/** `Array(…)` and `new Array(…)`. */
export function createArray(...args: unknown[]): unknown[] {
  const [length] = args;
  if (args.length !== 1 || typeof length !== "number") return spread(args);
  if (!(length >= 0 && length % 1 === 0 && length < 4_294_967_296)) throw new RangeError("Invalid array length");
  checkListLength(length);
  spend(32 + length * 8);
  return new NativeArray(length) as unknown[];
}

/** The static members of Array. */
export const arrayStatics: MemberTable = { isArray, from: { from }.from, of: { of }.of };
