// Map and Set. The price of a lookup grows with the size of the collection: an attacker can choose numbers with equal
// hash codes, which makes lookups linear.

import { spend } from "./step-budget.ts";
import { visitEach, collectItems } from "./iterate.ts";
import { copyNativeMethods, pickMembers, mergeMembers, type MemberTable } from "./intrinsics.ts";
import { apply, assertCallable, isObject, operand, type Fn } from "./conversions.ts";

// Saved before the globals are replaced.
const NativeMap = Map;
const NativeSet = Set;
const maps = copyNativeMethods(Map.prototype);
const sets = copyNativeMethods(Set.prototype);
const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, "size")?.get as Fn;
const setSize = Object.getOwnPropertyDescriptor(Set.prototype, "size")?.get as Fn;

/**
 * Wraps a native method that looks up a key. `newEntryBytes` is the number of bytes of a new entry, 0 if the method
 * adds none.
 */
function wrapKeyMethod(methods: Readonly<Record<string, Fn>>, getSize: Fn, name: string, newEntryBytes: number): Fn {
  const method = methods[name] as Fn;
  return {
    method(this: unknown, key: unknown, value?: unknown): unknown {
      spend(8 + newEntryBytes + ((apply(getSize, this, []) as number) >> 6));
      // The engine hashes the content of the key.
      if (typeof key === "string" || typeof key === "bigint") operand(key);
      return apply(method, this, [key, value]);
    },
  }.method as Fn;
}

/** Wraps a native method that visits the complete collection. */
function wrapFullMethod(methods: Readonly<Record<string, Fn>>, getSize: Fn, name: string): Fn {
  const method = methods[name] as Fn;
  return {
    method(this: unknown, ...args: unknown[]): unknown {
      spend(64 + (apply(getSize, this, []) as number) * 8);
      if (name === "forEach") assertCallable(args[0], typeof args[0]);
      return apply(method, this, args);
    },
  }.method as Fn;
}

/** The members of `Map.prototype`. */
export const mapMembers: MemberTable = mergeMembers(
  pickMembers(Map.prototype, ["size", "entries", "keys", "values", Symbol.iterator, Symbol.toStringTag]),
  {
    get: wrapKeyMethod(maps, mapSize, "get", 0),
    has: wrapKeyMethod(maps, mapSize, "has", 0),
    delete: wrapKeyMethod(maps, mapSize, "delete", 0),
    set: wrapKeyMethod(maps, mapSize, "set", 56),
    clear: wrapFullMethod(maps, mapSize, "clear"),
    forEach: wrapFullMethod(maps, mapSize, "forEach"),
  },
);

type SetCombination = "union" | "intersection" | "difference" | "symmetricDifference";
type SetRelation = "isSubsetOf" | "isSupersetOf" | "isDisjointFrom";

/** Wraps a native method with another set. The native getter of the size throws for anything that is not a Set. */
function wrapSetMethod(name: SetCombination | SetRelation): Fn {
  const method = sets[name] as Fn;
  return {
    among(this: unknown, other: unknown): unknown {
      const size = (apply(setSize, this, []) as number) + (apply(setSize, other, []) as number);
      spend(64 + size * (64 + (size >> 6)));
      return apply(method, this, [other]);
    },
  }.among as Fn;
}

const SET_METHODS: readonly (SetCombination | SetRelation)[] = [
  "union",
  "intersection",
  "difference",
  "symmetricDifference",
  "isSubsetOf",
  "isSupersetOf",
  "isDisjointFrom",
];

/** The members of `Set.prototype`. */
export const setMembers: MemberTable = mergeMembers(
  pickMembers(Set.prototype, ["size", "entries", "keys", "values", Symbol.iterator, Symbol.toStringTag]),
  {
    has: wrapKeyMethod(sets, setSize, "has", 0),
    delete: wrapKeyMethod(sets, setSize, "delete", 0),
    add: wrapKeyMethod(sets, setSize, "add", 48),
    clear: wrapFullMethod(sets, setSize, "clear"),
    forEach: wrapFullMethod(sets, setSize, "forEach"),
    ...Object.fromEntries(SET_METHODS.map((name) => [name, wrapSetMethod(name)])),
  },
);

/** The constructor of Map. Each entry is paid and added separately. */
export function createMap(source?: unknown): Map<unknown, unknown> {
  spend(200);
  const made = new NativeMap();
  if (source === null || source === undefined) return made;
  visitEach(source, (entry) => {
    if (!isObject(entry)) throw new TypeError("A Map is made of [key, value] pairs");
    apply(mapMembers["set"] as Fn, made, [entry[0], entry[1]]);
  });
  return made;
}

/** The constructor of Set. */
export function createSet(source?: unknown): Set<unknown> {
  spend(200);
  const made = new NativeSet();
  if (source !== null && source !== undefined)
    visitEach(source, (item) => apply(setMembers["add"] as Fn, made, [item]));
  return made;
}

/** `Map.groupBy`, and the basis of `Object.groupBy`. */
export function groupToMap(source: unknown, by: unknown): Map<unknown, unknown[]> {
  const call = assertCallable(by, typeof by);
  const groups = createMap() as Map<unknown, unknown[]>;
  collectItems(source).forEach((item, at) => {
    const key = apply(call, undefined, [item, at]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  });
  return groups;
}

export const mapStatics: MemberTable = { groupBy: { groupBy: groupToMap }.groupBy };
