// Map and Set. The price of a lookup grows with the size of the collection: an attacker can choose numbers with equal
// hash codes, which makes lookups linear.

import { spend } from "./budget.ts";
import { each, iterated } from "./iterate.ts";
import { natives, pick, together, type Members } from "./members.ts";
import { apply, callable, isObject, operand, type Fn } from "./values.ts";

// Saved before the globals are replaced.
const NativeMap = Map;
const NativeSet = Set;
const maps = natives(Map.prototype);
const sets = natives(Set.prototype);
const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, "size")?.get as Fn;
const setSize = Object.getOwnPropertyDescriptor(Set.prototype, "size")?.get as Fn;

/**
 * Wraps a native method that looks up a key. `newEntryBytes` is the number of bytes of a new entry, 0 if the method
 * adds none.
 */
function keyed(methods: Readonly<Record<string, Fn>>, sizeOf: Fn, name: string, room: number): Fn {
  const method = methods[name] as Fn;
  return {
    method(this: unknown, key: unknown, value?: unknown): unknown {
      spend(8 + room + ((apply(sizeOf, this, []) as number) >> 6));
      // The engine hashes the content of the key.
      if (typeof key === "string" || typeof key === "bigint") operand(key);
      return apply(method, this, [key, value]);
    },
  }.method as Fn;
}

/** Wraps a native method that visits the complete collection. */
function whole(methods: Readonly<Record<string, Fn>>, sizeOf: Fn, name: string): Fn {
  const method = methods[name] as Fn;
  return {
    method(this: unknown, ...args: unknown[]): unknown {
      spend(64 + (apply(sizeOf, this, []) as number) * 8);
      if (name === "forEach") callable(args[0], typeof args[0]);
      return apply(method, this, args);
    },
  }.method as Fn;
}

/** The members of `Map.prototype`. */
export const mapMembers: Members = together(
  pick(Map.prototype, ["size", "entries", "keys", "values", Symbol.iterator, Symbol.toStringTag]),
  {
    get: keyed(maps, mapSize, "get", 0),
    has: keyed(maps, mapSize, "has", 0),
    delete: keyed(maps, mapSize, "delete", 0),
    set: keyed(maps, mapSize, "set", 56),
    clear: whole(maps, mapSize, "clear"),
    forEach: whole(maps, mapSize, "forEach"),
  },
);

type Combination = "union" | "intersection" | "difference" | "symmetricDifference";
type Relation = "isSubsetOf" | "isSupersetOf" | "isDisjointFrom";

/** Wraps a native method with another set. The native getter of the size throws for anything that is not a Set. */
function among(name: Combination | Relation): Fn {
  const method = sets[name] as Fn;
  return {
    among(this: unknown, other: unknown): unknown {
      const size = (apply(setSize, this, []) as number) + (apply(setSize, other, []) as number);
      spend(64 + size * (64 + (size >> 6)));
      return apply(method, this, [other]);
    },
  }.among as Fn;
}

const combining: readonly (Combination | Relation)[] = [
  "union",
  "intersection",
  "difference",
  "symmetricDifference",
  "isSubsetOf",
  "isSupersetOf",
  "isDisjointFrom",
];

/** The members of `Set.prototype`. */
export const setMembers: Members = together(
  pick(Set.prototype, ["size", "entries", "keys", "values", Symbol.iterator, Symbol.toStringTag]),
  {
    has: keyed(sets, setSize, "has", 0),
    delete: keyed(sets, setSize, "delete", 0),
    add: keyed(sets, setSize, "add", 48),
    clear: whole(sets, setSize, "clear"),
    forEach: whole(sets, setSize, "forEach"),
    ...Object.fromEntries(combining.map((name) => [name, among(name)])),
  },
);

/** The constructor of Map. Each entry is paid and added separately. */
export function makeMap(source?: unknown): Map<unknown, unknown> {
  spend(200);
  const made = new NativeMap();
  if (source === null || source === undefined) return made;
  each(source, (entry) => {
    if (!isObject(entry)) throw new TypeError("A Map is made of [key, value] pairs");
    apply(mapMembers["set"] as Fn, made, [entry[0], entry[1]]);
  });
  return made;
}

/** The constructor of Set. */
export function makeSet(source?: unknown): Set<unknown> {
  spend(200);
  const made = new NativeSet();
  if (source !== null && source !== undefined) each(source, (item) => apply(setMembers["add"] as Fn, made, [item]));
  return made;
}

/** `Map.groupBy`, and the basis of `Object.groupBy`. */
export function grouped(source: unknown, by: unknown): Map<unknown, unknown[]> {
  const call = callable(by, typeof by);
  const groups = makeMap() as Map<unknown, unknown[]>;
  iterated(source).forEach((item, at) => {
    const key = apply(call, undefined, [item, at]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  });
  return groups;
}

export const mapStatics: Members = { groupBy: { groupBy: grouped }.groupBy };
