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

import { spend } from "./step-budget.ts";
import { createMap, createSet, mapMembers, mapStatics, setMembers } from "./map-set-builtins.ts";
import { dateMembers, dateStatics, createDate } from "./date-builtins.ts";
import { sealError } from "./sealed-errors.ts";
import { formatIntl, intlObject } from "./intl-builtins.ts";
import { jsonObject } from "./json-stringify.ts";
import { arrayMembers, arrayStatics, createArray } from "./array-builtins.ts";
import { replaceMembers, pickMembers, type MemberTable } from "./intrinsics.ts";
import {
  bigIntMembers,
  bigIntStatics,
  createBigInt,
  createNumber,
  mathObject,
  numberGlobals,
  numberMembers,
  numberStatics,
} from "./number-builtins.ts";
import {
  errorMembers,
  functionMembers,
  createObject,
  objectMembers,
  objectStatics,
  defineOverridable,
} from "./object-builtins.ts";
import { Pattern } from "./regexp.ts";
import { createString, stringGlobals, stringMembers, stringStatics } from "./string-builtins.ts";
import { formatBigInt, isObject, text } from "./conversions.ts";

const { getPrototypeOf, getOwnPropertyDescriptor, defineProperty, freeze, isFrozen, hasOwn } = Object;
const { ownKeys, deleteProperty } = Reflect;
const objectPrototype = Object.prototype;
const globalObject: object = globalThis;

/** The body of a constructor. */
type ConstructorBody = (...args: unknown[]) => unknown;

/**
 * Creates a constructor with the prototype of a native constructor and its own statics. `calls` states whether it is
 * called with `new`, without it, or both.
 */
function createConstructor(
  name: string,
  prototype: object,
  make: ConstructorBody,
  statics: MemberTable,
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
function createErrorConstructor(
  name: string,
  native: { new (message?: string): Error; readonly prototype: Error },
  isBaseError: boolean,
): unknown {
  const make: ConstructorBody = (message, options) => {
    spend(3_000);
    const error = message === undefined ? new native() : new native(text(message));
    if (isObject(options) && "cause" in options)
      defineProperty(error, "cause", { value: options["cause"], writable: true, configurable: true });
    sealError(error);
    return error;
  };
  const constructorFunction = createConstructor(name, native.prototype, make, {}, "both");
  replaceMembers(native.prototype, {});
  defineOverridable(native.prototype, isBaseError ? { ...errorMembers, name } : { name, message: "" });
  return constructorFunction;
}

/**
 * Returns the globals that programs can use. `sandbox-policy.ts` lists the same names for the check and for authors.
 */
function createGlobals(): MemberTable {
  const errors = { Error, TypeError, RangeError, SyntaxError, EvalError, ReferenceError, URIError };
  return {
    ...numberGlobals,
    ...stringGlobals,
    undefined,
    NaN,
    Infinity,
    Math: defineMembers({ [Symbol.toStringTag]: "Math" }, mathObject),
    JSON: defineMembers({ [Symbol.toStringTag]: "JSON" }, jsonObject),
    Intl: defineMembers({}, intlObject),
    console: defineMembers({}, createSilentConsole()),
    Object: createConstructor("Object", objectPrototype, createObject, objectStatics, "both"),
    Array: createConstructor("Array", Array.prototype, createArray, arrayStatics, "both"),
    String: createConstructor("String", String.prototype, createString, stringStatics, "call"),
    Number: createConstructor("Number", Number.prototype, createNumber, numberStatics, "call"),
    Boolean: createConstructor("Boolean", Boolean.prototype, (value) => !!value, {}, "call"),
    BigInt: createConstructor("BigInt", BigInt.prototype, createBigInt as ConstructorBody, bigIntStatics, "call"),
    Date: createConstructor("Date", Date.prototype, createDate as ConstructorBody, dateStatics, "new"),
    Map: createConstructor("Map", Map.prototype, createMap, mapStatics, "new"),
    Set: createConstructor("Set", Set.prototype, createSet, {}, "new"),
    RegExp: createConstructor("RegExp", Pattern.prototype, (source, flags) => new Pattern(source, flags), {}, "both"),
    ...Object.fromEntries(
      Object.entries(errors).map(([name, native]) => [name, createErrorConstructor(name, native, name === "Error")]),
    ),
  };
}

/** Defines members that are not enumerable. */
function defineMembers(target: object, members: MemberTable): object {
  for (const key of ownKeys(members))
    defineProperty(target, key, { ...getOwnPropertyDescriptor(members, key), enumerable: false });
  return target;
}

/** Returns a console whose methods do nothing. */
function createSilentConsole(): MemberTable {
  const nothing = (): undefined => undefined;
  return Object.fromEntries(["log", "info", "warn", "error", "debug", "table"].map((name) => [name, nothing]));
}

/** Returns the intrinsics that are reachable by syntax only, with the members that they keep. */
function listHiddenIntrinsics(): (readonly [object, MemberTable])[] {
  const iterator: typeof Symbol.iterator = Symbol.iterator;
  const proto = (value: object): object => getPrototypeOf(value) as object;
  const iterators = [[][iterator](), ""[iterator](), new Map()[iterator](), new Set()[iterator](), "".matchAll(/a/g)];
  const functions = [async () => undefined, function* () {}, async function* () {}].map((made) => proto(made));
  const generators = [function* () {}, async function* () {}].map((made) => proto(made.prototype as object));
  const asyncIterator = proto(proto(async function* () {}.prototype as object));
  return [
    ...iterators.map((made) => [proto(made), pickMembers(proto(made), ["next"])] as const),
    ...functions.map((found) => [found, pickMembers(found, ["prototype"])] as const),
    ...generators.map((found) => [found, pickMembers(found, ["next", "return", "throw"])] as const),
    [proto(asyncIterator), pickMembers(proto(asyncIterator), [Symbol.asyncIterator])],
    [asyncIterator, pickMembers(asyncIterator, [Symbol.asyncIterator])],
    [proto(proto([][iterator]())), pickMembers(proto(proto([][iterator]())), [iterator])],
    [Promise.prototype, pickMembers(Promise.prototype, ["then"])],
    [RegExp.prototype, {}],
    [Symbol.prototype, {}],
    [Boolean.prototype, pickMembers(Boolean.prototype, ["toString", "valueOf"])],
  ];
}

/** Replaces and freezes all intrinsics and the global object. Call it exactly once. */
export function hardenRealm(): void {
  const globals = createGlobals();
  const intrinsics: (readonly [object, MemberTable])[] = [
    ...listHiddenIntrinsics(),
    [Function.prototype, functionMembers],
    [Array.prototype, arrayMembers],
    [String.prototype, stringMembers],
    [Number.prototype, { ...numberMembers, toLocaleString: formatLocaleNumber }],
    [BigInt.prototype, { ...bigIntMembers, toLocaleString: formatLocaleNumber }],
    [Date.prototype, dateMembers],
    [Map.prototype, mapMembers],
    [Set.prototype, setMembers],
    [Pattern.prototype, getPatternMembers()],
  ];
  const frozen: unknown[] = [...Object.values(globals), ...intrinsics.map(([object]) => object), objectPrototype];
  for (const [object, members] of intrinsics) replaceMembers(object, members);
  replaceMembers(objectPrototype, {});
  defineOverridable(objectPrototype, objectMembers);
  replaceGlobals(globals);
  freezeAll(frozen);
}

function getPatternMembers(): MemberTable {
  return pickMembers(
    Pattern.prototype,
    Object.getOwnPropertyNames(Pattern.prototype).filter((name) => name !== "constructor"),
  );
}

/** Deletes all properties of the global object and its prototypes, and defines the allowed globals as constants. */
function replaceGlobals(globals: MemberTable): void {
  for (
    let object: object | null = globalObject;
    object !== null && object !== objectPrototype;
    object = getPrototypeOf(object) as object | null
  )
    for (const key of ownKeys(object))
      if (!hasOwn(globals, key) || object !== globalObject) deleteProperty(object, key);
  for (const key of ownKeys(globals)) {
    const isFixed = getOwnPropertyDescriptor(globalObject, key)?.configurable === false;
    if (!isFixed) defineProperty(globalObject, key, { value: globals[key], writable: false, configurable: false });
  }
}

/** Freezes the objects and everything reachable from them. It is iterative, because the depth is unknown. */
function freezeAll(roots: readonly unknown[]): void {
  const pending = [...roots];
  for (let at = 0; at < pending.length; at += 1) {
    const next = pending[at];
    if (!isObject(next) || isFrozen(next)) continue;
    freeze(next);
    pending[pending.length] = getPrototypeOf(next);
    for (const key of ownKeys(next)) {
      const found = getOwnPropertyDescriptor(next, key);
      pending[pending.length] = found?.value;
      pending[pending.length] = found?.get;
      pending[pending.length] = found?.set;
    }
  }
}

/** `toLocaleString` of numbers and BigInts. */
function formatLocaleNumber(this: unknown, locales?: unknown, options?: unknown): string {
  const value = typeof this === "bigint" ? formatBigInt(this, 10) : Number(this);
  return formatIntl("NumberFormat", locales, options, value);
}
