// Object, Function and the prototypes of errors.

import { spend } from "./step-budget.ts";
import { groupToMap } from "./map-set-builtins.ts";
import { visitEach } from "./iterate.ts";
import { copyNativeMethods, pickMembers, mergeMembers, type MemberTable } from "./intrinsics.ts";
import { eq, key, members, set, spread } from "./operators.ts";
import { joinTexts } from "./ropes.ts";
import {
  apply,
  createBareObject,
  assertCallable,
  checkListLength,
  isArray,
  isObject,
  text,
  toInteger,
  type Fn,
  type Obj,
} from "./conversions.ts";

// Saved before the globals are replaced.
const { keys, values, entries, freeze, isFrozen, is, defineProperty, getPrototypeOf } = Object;
const nativeObject = copyNativeMethods(Object.prototype);
const objectRoot = Object.prototype;
const { call } = Function.prototype;
const { toString: nativeToString } = nativeObject;

/** `Object.assign`. Each member is paid like an assignment of the code. */
function assignMembers(target: unknown, ...sources: unknown[]): unknown {
  for (const source of sources) {
    if (!isObject(source)) continue;
    members(source);
    for (const name of keys(source)) set(target, name, source[name]);
  }
  return target;
}

/** `Object.fromEntries`. */
function fromEntries(source: unknown): Obj {
  const made: Obj = {};
  visitEach(source, (entry) => {
    if (!isObject(entry)) throw new TypeError("An object is made of [name, value] pairs");
    putMember(made, entry[0], entry[1]);
  });
  return made;
}

/** Assigns a member and pays for its name. */
function putMember(object: Obj, name: unknown, value: unknown): void {
  const at = key(name);
  set(object, at, value);
}

/** `Object.groupBy`. */
function groupBy(source: unknown, by: unknown): Obj {
  const made = createBareObject();
  const call = assertCallable(by, typeof by);
  for (const [name, group] of groupToMap(source, (item: unknown, at: unknown) =>
    key(apply(call, undefined, [item, at])),
  ))
    putMember(made, name, group);
  return made;
}

/** `Object.create`, for null only. */
function createWithNull(prototype: unknown, more?: unknown): unknown {
  if (prototype !== null || more !== undefined) throw new TypeError("Object.create takes null and nothing else here");
  spend(64);
  return createBareObject();
}

/** The static members of Object. */
export const objectStatics: MemberTable = {
  keys: (object: unknown) => keys(members(object) as object),
  getOwnPropertyNames: (object: unknown) => keys(members(object) as object),
  values: (object: unknown) => values(members(object) as object) as unknown[],
  entries: (object: unknown) => {
    const found = entries(members(object) as object);
    spend(found.length * 64);
    return found;
  },
  assign: assignMembers,
  fromEntries,
  groupBy,
  create: createWithNull,
  freeze: (object: unknown) => freeze(members(object)),
  isFrozen: (object: unknown) => isFrozen(members(object)),
  is: (a: unknown, b: unknown) => {
    eq(a, b);
    return is(a, b);
  },
  hasOwn: (object: unknown, name: unknown) => Object_hasOwn(object as object, key(name)),
};
const Object_hasOwn = Object.hasOwn;

/** The function Object. It does not create wrappers of primitive values. */
export function createObject(value?: unknown): unknown {
  if (value === null || value === undefined) return {};
  if (isObject(value)) return value;
  throw new TypeError("Object() makes no objects of plain values here");
}

/** The members of `Object.prototype`. */
export const objectMembers: MemberTable = {
  hasOwnProperty(this: unknown, name: unknown) {
    return Object_hasOwn(this as object, key(name));
  },
  propertyIsEnumerable(this: unknown, name: unknown) {
    return apply(nativeObject["propertyIsEnumerable"] as Fn, this, [key(name)]);
  },
  toString(this: unknown) {
    return apply(nativeToString as Fn, this, []);
  },
  toLocaleString(this: unknown) {
    return text(this);
  },
  valueOf: nativeObject["valueOf"],
};

/**
 * Defines members as accessors whose setter creates an own property. A plain value on a frozen prototype could not be
 * overridden by assignment.
 */
export function defineOverridable(target: object, given: MemberTable): void {
  for (const name of keys(given)) {
    const value = given[name];
    defineProperty(target, name, {
      configurable: true,
      enumerable: false,
      get: () => value,
      set(this: unknown, next: unknown) {
        if (!isObject(this) || this === target) throw new TypeError(`Cannot assign to ${name} here`);
        defineProperty(this, name, { value: next, writable: true, enumerable: true, configurable: true });
      },
    });
  }
}

/** `Function.prototype.apply`. */
function applyFunction(this: unknown, scope: unknown, args?: unknown): unknown {
  const called = assertCallable(this, typeof this);
  if (args === null || args === undefined) return apply(called, scope, []);
  const given = isArray(args) ? args : copyArrayLike(args);
  return apply(called, scope, spread(given));
}

/** Copies an array-like object to a list. Throws a `TypeError` for primitive values. */
function copyArrayLike(value: unknown): unknown[] {
  if (!isObject(value)) throw new TypeError("apply takes a list of arguments");
  const length = toInteger(value["length"], 0);
  checkListLength(length);
  const made: unknown[] = [];
  for (let at = 0; at < length; at += 1) {
    spend(32);
    made[at] = value[at];
  }
  return made;
}

/** The members of `Function.prototype`. `toString` hides the source of functions. */
export const functionMembers: MemberTable = mergeMembers(
  pickMembers(Function.prototype, ["length", "name", Symbol.hasInstance]),
  {
    call,
    apply: { apply: applyFunction }.apply,
    toString: () => "function",
  },
);

/** The members of `Error.prototype`. */
export const errorMembers: MemberTable = {
  name: "Error",
  message: "",
  toString(this: unknown) {
    const { name, message } = this as Obj;
    const title = name === undefined ? "Error" : text(name);
    return message === undefined || message === "" ? title : joinTexts(joinTexts(title, ": "), text(message));
  },
};

/** True for objects made by `{}` or by a class of the program; false for built-in objects. */
export function isPlainObject(value: Obj): boolean {
  const prototype = getPrototypeOf(value) as object | null;
  const above = prototype === null ? null : (getPrototypeOf(prototype) as object | null);
  return above === null || (above === objectRoot && !isFrozen(prototype));
}
