// Makes the isolate a place with nothing in it but what is offered. Runs once, before any of the code is even read
// by the engine: everything else is taken off the global object and off every intrinsic that syntax can reach, and
// what remains is frozen.

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

type Maker = (...args: unknown[]) => unknown;

/** A constructor that stands in for a native one: same prototype, own statics. */
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

/** What free names there are. `policy.ts` tells the same to whoever writes the code. */
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

function offering(target: object, members: Members): object {
  for (const key of ownKeys(members))
    defineProperty(target, key, { ...getOwnPropertyDescriptor(members, key), enumerable: false });
  return target;
}

function silent(): Members {
  const nothing = (): undefined => undefined;
  return Object.fromEntries(["log", "info", "warn", "error", "debug", "table"].map((name) => [name, nothing]));
}

/** Intrinsics that no name leads to, only syntax, with what they may keep. */
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

/** Freezes these and all that can be reached from them. */
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

function localNumber(this: unknown, locales?: unknown, options?: unknown): string {
  const value = typeof this === "bigint" ? bigText(this, 10) : Number(this);
  return format("NumberFormat", locales, options, value);
}
