// Arrays. Each method pays for the elements that it visits before it calls the native method. Callbacks are code of the
// program and pay for themselves.
//
// Module state: the lists that are being joined, as a stack. It is restored even if the call ends, and it is empty
// between calls.

import { spend } from "./budget.ts";
import { each } from "./iterate.ts";
import { natives, type Members } from "./members.ts";
import { spread } from "./operators.ts";
import { payCopies, payBoth, Rope, SHORT } from "./ropes.ts";
import {
  apply,
  callable,
  fitsList,
  hasOwn,
  isArray,
  isObject,
  number,
  text,
  whole,
  type Fn,
  type Obj,
} from "./values.ts";

// Saved before the globals are replaced.
const NativeArray = Array;
const native = natives(Array.prototype);
const { log2 } = Math;

/**
 * Returns the value if it is an array. Throws a `TypeError` otherwise: array methods do not accept array-like objects
 * here.
 */
export function list(value: unknown): unknown[] {
  if (!isArray(value)) throw new TypeError("List methods are for lists alone");
  return value;
}

/** Wraps a native method that calls back for each element. */
function visiting(name: string, perElement: number): Fn {
  const method = native[name] as Fn;
  return {
    visit(this: unknown, ...args: unknown[]): unknown {
      spend(64 + list(this).length * perElement);
      callable(args[0], typeof args[0]);
      return apply(method, this, args);
    },
  }.visit as Fn;
}

/** Wraps a native method that searches for a value. */
function seeking(name: string): Fn {
  const method = native[name] as Fn;
  return {
    seek(this: unknown, ...args: unknown[]): unknown {
      const wanted = args[0];
      const isLong = typeof wanted === "string" && wanted.length > SHORT;
      const { length } = list(this);
      spend(32 + length * (typeof wanted === "bigint" ? 200 : isLong ? wanted.length : 2));
      // The engine compares the content with each element of the same length.
      if (isLong) payCopies(wanted.length, length + 1);
      return apply(method, this, numeric(args, 1));
    },
  }.seek as Fn;
}

/**
 * Wraps a native method that copies or moves elements. Leading arguments that are positions are converted to numbers.
 */
function copying(name: string, perElement: number): Fn {
  const method = native[name] as Fn;
  return {
    copy(this: unknown, ...args: unknown[]): unknown {
      spend(64 + list(this).length * perElement + args.length * 16);
      fitsList((this as unknown[]).length + args.length);
      const first = name.endsWith("plice") || name === "slice" ? 2 : name === "with" ? 1 : 0;
      for (let at = 0; at < first && at < args.length; at += 1) if (args[at] !== undefined) args[at] = number(args[at]);
      return apply(method, this, args);
    },
  }.copy as Fn;
}

/** Converts the arguments from index `from` to numbers. */
function numeric(args: unknown[], from: number): unknown[] {
  for (let at = from; at < args.length; at += 1) if (args[at] !== undefined) args[at] = number(args[at]);
  return args;
}

/** Returns the comparison of a sort, which pays for each call. */
function order(compare: unknown): Fn {
  if (compare === undefined) {
    return (a, b) => {
      const left = text(a);
      const right = text(b);
      spend(16);
      payBoth(left, right);
      return left < right ? -1 : left > right ? 1 : 0;
    };
  }
  const given = callable(compare, "The comparison");
  return (a, b) => {
    spend(16);
    return number(given(a, b));
  };
}

/** Wraps a native sort. It pays for n log n comparisons in advance. */
function sorting(name: string): Fn {
  const method = native[name] as Fn;
  return {
    sort(this: unknown, compare?: unknown): unknown {
      const { length } = list(this);
      spend(64 + length * 16 + length * 4 * log2(length + 1));
      return apply(method, this, [order(compare)]);
    },
  }.sort as Fn;
}

/** Appends the elements of nested lists up to `depth`. */
function flattened(from: unknown[], depth: number, into: unknown[]): unknown[] {
  spend(32 + from.length * 16);
  for (let at = 0; at < from.length; at += 1) {
    if (!hasOwn(from, at)) continue;
    const item = from[at];
    if (isArray(item) && depth >= 1) flattened(item, depth - 1, into);
    else {
      fitsList(into.length + 1);
      into[into.length] = item;
    }
  }
  return into;
}

/** The lists that are being joined; a list that contains itself is empty there. */
const joining: unknown[] = [];

/** `Array.prototype.join`. Native code could not be interrupted. */
function join(these: unknown[], separator: string): string {
  for (const outer of joining) if (outer === these) return "";
  joining[joining.length] = these;
  try {
    const made = new Rope();
    for (let at = 0; at < these.length; at += 1) {
      spend(16);
      if (at > 0 && separator !== "") made.add(separator);
      const item = these[at];
      if (item !== null && item !== undefined) made.add(text(item));
    }
    return made.whole();
  } finally {
    joining.length -= 1;
  }
}

const iterators = ["entries", "keys", "values"] as const;

/** The members of `Array.prototype`. */
export const listMembers: Members = {
  length: 0,
  [Symbol.iterator]: native["values"],
  [Symbol.unscopables]: undefined,
  ...Object.fromEntries(iterators.map((name) => [name, native[name]])),
  ...Object.fromEntries(
    ["every", "some", "forEach", "find", "findIndex", "findLast", "findLastIndex", "reduce", "reduceRight"].map(
      (name) => [name, visiting(name, 4)],
    ),
  ),
  map: visiting("map", 16),
  filter: visiting("filter", 24),
  ...Object.fromEntries(["includes", "indexOf", "lastIndexOf"].map((name) => [name, seeking(name)])),
  ...Object.fromEntries(
    ["slice", "splice", "reverse", "toReversed", "toSpliced", "with"].map((name) => [name, copying(name, 12)]),
  ),
  shift: copying("shift", 0.25),
  unshift: copying("unshift", 0.5),
  sort: sorting("sort"),
  toSorted: sorting("toSorted"),
  at(this: unknown, position: unknown) {
    return apply(native["at"] as Fn, list(this), [number(position)]);
  },
  pop(this: unknown) {
    return apply(native["pop"] as Fn, list(this), []);
  },
  push(this: unknown, ...items: unknown[]) {
    const these = list(this);
    spend(16 + items.length * 16);
    fitsList(these.length + items.length);
    return apply(native["push"] as Fn, these, items);
  },
  fill(this: unknown, ...args: unknown[]) {
    spend(32 + list(this).length * 2);
    return apply(native["fill"] as Fn, this, numeric(args, 1));
  },
  concat(this: unknown, ...others: unknown[]) {
    let length = list(this).length;
    for (const other of others) length += isArray(other) ? other.length : 1;
    fitsList(length);
    spend(64 + length * 16);
    return apply(native["concat"] as Fn, this, others);
  },
  flat(this: unknown, depth?: unknown) {
    return flattened(list(this), whole(depth, 1), []);
  },
  flatMap(this: unknown, visit: unknown, scope?: unknown) {
    const these = list(this);
    const mapped: unknown[] = [];
    spend(64 + these.length * 16);
    const call = callable(visit, typeof visit);
    for (let at = 0; at < these.length; at += 1)
      if (hasOwn(these, at)) mapped[mapped.length] = apply(call, scope, [these[at], at, these]);
    return flattened(mapped, 1, []);
  },
  join(this: unknown, separator?: unknown) {
    return join(list(this), separator === undefined ? "," : text(separator));
  },
  toString(this: unknown) {
    return isArray(this) ? join(this, ",") : "[object Object]";
  },
};

/** `Array.from`, for iterables and for array-like objects. */
function from(source: unknown, visit?: unknown): unknown[] {
  const call = visit === undefined ? null : callable(visit, typeof visit);
  const made: unknown[] = [];
  const add = (item: unknown): void => {
    fitsList(made.length + 1);
    made[made.length] = call === null ? item : apply(call, undefined, [item, made.length]);
  };
  if (source === null || source === undefined) throw new TypeError(`${text(source)} is not iterable`);
  if (typeof source === "string" || (isObject(source) && iteratorKey in source)) each(source, add);
  else if (isObject(source)) {
    const length = whole((source as Obj)["length"], 0);
    fitsList(length);
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
export function makeList(...args: unknown[]): unknown[] {
  const [length] = args;
  if (args.length !== 1 || typeof length !== "number") return spread(args);
  if (!(length >= 0 && length % 1 === 0 && length < 4_294_967_296)) throw new RangeError("Invalid array length");
  fitsList(length);
  spend(32 + length * 8);
  return new NativeArray(length) as unknown[];
}

/** The static members of Array. */
export const listStatics: Members = { isArray, from: { from }.from, of: { of }.of };
