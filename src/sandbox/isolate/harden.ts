// Replaces the globals of the isolate by a closed set.
//
// `hardenRealm` runs once, while the isolate is loaded and before the program is evaluated. Afterwards the realm
// contains only what is defined here, and all of it is frozen.
// Order of operations: create the constructors, replace the members of all intrinsics, replace the global object,
// freeze everything reachable. Modules of this folder must save native functions at their top level, because they are
// gone afterwards.
// Invariants:
// - Intrinsics that only syntax reaches (iterators, generators, async functions) are reduced like named intrinsics.
// - Each offered function either has bounded cost or pays before it works.
// - `constructor` is removed from all prototypes, so no object leads to a native constructor.

import { spend } from "./budget.ts";
import { makeMap, makeSet, mapMembers, mapStatics, setMembers } from "./collections.ts";
import { dateMembers, dateStatics, makeDate } from "./dates.ts";
import { seal } from "./errors.ts";
import { format, intlObject } from "./intl.ts";
import { jsonObject } from "./json.ts";
import { listMembers, listStatics, makeList } from "./lists.ts";
import { offer, pick, type Members } from "./members.ts";
import {
  bigMembers,
  bigStatics,
  makeBig,
  makeNumber,
  mathObject,
  numberGlobals,
  numberMembers,
  numberStatics,
} from "./numbers.ts";
import { errorMembers, functionMembers, makeObject, objectMembers, objectStatics, overridable } from "./objects.ts";
import { Pattern } from "./pattern.ts";
import { makeText, textGlobals, textMembers, textStatics } from "./text.ts";
import { bigText, isObject, text } from "./values.ts";

const { getPrototypeOf, getOwnPropertyDescriptor, defineProperty, freeze, isFrozen, hasOwn } = Object;
const { ownKeys, deleteProperty } = Reflect;
const root = Object.prototype;
const world: object = globalThis;

/** The body of a constructor. */
type Maker = (...args: unknown[]) => unknown;

/**
 * Creates a constructor with the prototype of a native constructor and its own statics. `calls` states whether it is
 * called with `new`, without it, or both.
 */
function standIn(
  name: string,
  prototype: object,
  make: Maker,
  statics: Members,
  calls: "new" | "call" | "both",
): unknown {
  function Made(...args: unknown[]): unknown {
    const isNew = new.target !== undefined;
    if (isNew && calls === "call") throw new TypeError(`Call ${name}(…) without new`);
    if (!isNew && calls === "new") throw new TypeError(`Use new ${name}(…)`);
    return make(...args);
  }
  defineProperty(Made, "prototype", { value: prototype, writable: false });
  defineProperty(Made, "name", { value: name });
  for (const key of ownKeys(statics)) defineProperty(Made, key, { value: statics[key] });
  return Made;
}

/**
 * Creates the constructor of an error class. `isBaseError` is true for Error itself, whose prototype has the methods.
 */
function errorFor(
  name: string,
  native: { new (message?: string): Error; readonly prototype: Error },
  parent: boolean,
): unknown {
  const make: Maker = (message, options) => {
    spend(3_000);
    const error = message === undefined ? new native() : new native(text(message));
    if (isObject(options) && "cause" in options)
      defineProperty(error, "cause", { value: options["cause"], writable: true, configurable: true });
    seal(error);
    return error;
  };
  const stand = standIn(name, native.prototype, make, {}, "both");
  offer(native.prototype, {});
  overridable(native.prototype, parent ? { ...errorMembers, name } : { name, message: "" });
  return stand;
}

/**
 * Returns the globals that programs can use. `sandbox-policy.ts` lists the same names for the check and for authors.
 */
function offered(): Members {
  const errors = { Error, TypeError, RangeError, SyntaxError, EvalError, ReferenceError, URIError };
  return {
    ...numberGlobals,
    ...textGlobals,
    undefined,
    NaN,
    Infinity,
    Math: offering({ [Symbol.toStringTag]: "Math" }, mathObject),
    JSON: offering({ [Symbol.toStringTag]: "JSON" }, jsonObject),
    Intl: offering({}, intlObject),
    console: offering({}, silent()),
    Object: standIn("Object", root, makeObject, objectStatics, "both"),
    Array: standIn("Array", Array.prototype, makeList, listStatics, "both"),
    String: standIn("String", String.prototype, makeText, textStatics, "call"),
    Number: standIn("Number", Number.prototype, makeNumber, numberStatics, "call"),
    Boolean: standIn("Boolean", Boolean.prototype, (value) => !!value, {}, "call"),
    BigInt: standIn("BigInt", BigInt.prototype, makeBig as Maker, bigStatics, "call"),
    Date: standIn("Date", Date.prototype, makeDate as Maker, dateStatics, "new"),
    Map: standIn("Map", Map.prototype, makeMap, mapStatics, "new"),
    Set: standIn("Set", Set.prototype, makeSet, {}, "new"),
    RegExp: standIn("RegExp", Pattern.prototype, (source, flags) => new Pattern(source, flags), {}, "both"),
    ...Object.fromEntries(
      Object.entries(errors).map(([name, native]) => [name, errorFor(name, native, name === "Error")]),
    ),
  };
}

/** Defines members that are not enumerable. */
function offering(target: object, members: Members): object {
  for (const key of ownKeys(members))
    defineProperty(target, key, { ...getOwnPropertyDescriptor(members, key), enumerable: false });
  return target;
}

/** Returns a console whose methods do nothing. */
function silent(): Members {
  const nothing = (): undefined => undefined;
  return Object.fromEntries(["log", "info", "warn", "error", "debug", "table"].map((name) => [name, nothing]));
}

/** Returns the intrinsics that are reachable by syntax only, with the members that they keep. */
function hidden(): (readonly [object, Members])[] {
  const iterator: typeof Symbol.iterator = Symbol.iterator;
  const proto = (value: object): object => getPrototypeOf(value) as object;
  const iterators = [[][iterator](), ""[iterator](), new Map()[iterator](), new Set()[iterator](), "".matchAll(/a/g)];
  const functions = [async () => undefined, function* () {}, async function* () {}].map((made) => proto(made));
  const generators = [function* () {}, async function* () {}].map((made) => proto(made.prototype as object));
  const asyncIterator = proto(proto(async function* () {}.prototype as object));
  return [
    ...iterators.map((made) => [proto(made), pick(proto(made), ["next"])] as const),
    ...functions.map((found) => [found, pick(found, ["prototype"])] as const),
    ...generators.map((found) => [found, pick(found, ["next", "return", "throw"])] as const),
    [proto(asyncIterator), pick(proto(asyncIterator), [Symbol.asyncIterator])],
    [asyncIterator, pick(asyncIterator, [Symbol.asyncIterator])],
    [proto(proto([][iterator]())), pick(proto(proto([][iterator]())), [iterator])],
    [Promise.prototype, pick(Promise.prototype, ["then"])],
    [RegExp.prototype, {}],
    [Symbol.prototype, {}],
    [Boolean.prototype, pick(Boolean.prototype, ["toString", "valueOf"])],
  ];
}

/** Replaces and freezes all intrinsics and the global object. Call it exactly once. */
export function harden(): void {
  const globals = offered();
  const intrinsics: (readonly [object, Members])[] = [
    ...hidden(),
    [Function.prototype, functionMembers],
    [Array.prototype, listMembers],
    [String.prototype, textMembers],
    [Number.prototype, { ...numberMembers, toLocaleString: localNumber }],
    [BigInt.prototype, { ...bigMembers, toLocaleString: localNumber }],
    [Date.prototype, dateMembers],
    [Map.prototype, mapMembers],
    [Set.prototype, setMembers],
    [Pattern.prototype, patternMembers()],
  ];
  const frozen: unknown[] = [...Object.values(globals), ...intrinsics.map(([object]) => object), root];
  for (const [object, members] of intrinsics) offer(object, members);
  offer(root, {});
  overridable(root, objectMembers);
  emptyGlobal(globals);
  freezeAll(frozen);
}

function patternMembers(): Members {
  return pick(
    Pattern.prototype,
    Object.getOwnPropertyNames(Pattern.prototype).filter((name) => name !== "constructor"),
  );
}

/** Deletes all properties of the global object and its prototypes, and defines the allowed globals as constants. */
function emptyGlobal(globals: Members): void {
  for (
    let object: object | null = world;
    object !== null && object !== root;
    object = getPrototypeOf(object) as object | null
  )
    for (const key of ownKeys(object)) if (!hasOwn(globals, key) || object !== world) deleteProperty(object, key);
  for (const key of ownKeys(globals)) {
    const isFixed = getOwnPropertyDescriptor(world, key)?.configurable === false;
    if (!isFixed) defineProperty(world, key, { value: globals[key], writable: false, configurable: false });
  }
}

/** Freezes the objects and everything reachable from them. It is iterative, because the depth is unknown. */
function freezeAll(roots: readonly unknown[]): void {
  const rest = [...roots];
  for (let at = 0; at < rest.length; at += 1) {
    const next = rest[at];
    if (!isObject(next) || isFrozen(next)) continue;
    freeze(next);
    rest[rest.length] = getPrototypeOf(next);
    for (const key of ownKeys(next)) {
      const found = getOwnPropertyDescriptor(next, key);
      rest[rest.length] = found?.value;
      rest[rest.length] = found?.get;
      rest[rest.length] = found?.set;
    }
  }
}

/** `toLocaleString` of numbers and BigInts. */
function localNumber(this: unknown, locales?: unknown, options?: unknown): string {
  const value = typeof this === "bigint" ? bigText(this, 10) : Number(this);
  return format("NumberFormat", locales, options, value);
}
