// Replaces what an intrinsic object offers by a list of its own: what is not on it is gone.

import { type Fn } from "./values.ts";

export type Members = Readonly<Record<PropertyKey, unknown>>;

const { defineProperty, getOwnPropertyDescriptor, hasOwn } = Object;
const { ownKeys, deleteProperty } = Reflect;

/** Leaves `target` with these members and no other that can be taken away. */
export function offer(target: object, members: Members): void {
  for (const key of ownKeys(target)) if (!hasOwn(members, key)) deleteProperty(target, key);
  for (const key of ownKeys(members)) {
    const given = getOwnPropertyDescriptor(members, key);
    const own = getOwnPropertyDescriptor(target, key);
    if (given === undefined || own?.configurable === false) continue;
    defineProperty(target, key, { ...given, enumerable: false, configurable: true });
  }
}

/** The members of `source` with these names, as they are. */
export function pick(source: object, names: readonly PropertyKey[]): Members {
  const members: Record<PropertyKey, unknown> = {};
  for (const name of names) {
    const found = getOwnPropertyDescriptor(source, name);
    if (found !== undefined) defineProperty(members, name, found);
  }
  return members;
}

/** All of these together, accessors as accessors. */
export function together(...lists: readonly Members[]): Members {
  const members: Record<PropertyKey, unknown> = {};
  for (const list of lists)
    for (const key of ownKeys(list)) defineProperty(members, key, getOwnPropertyDescriptor(list, key) ?? {});
  return members;
}

/** The methods of an intrinsic as they are now, to be called when others have taken their place. */
export function natives(source: object): Readonly<Record<string, Fn>> {
  const methods: Record<string, Fn> = {};
  for (const key of ownKeys(source)) {
    const value = getOwnPropertyDescriptor(source, key)?.value as unknown;
    if (typeof key === "string" && typeof value === "function") methods[key] = value as Fn;
  }
  return methods;
}
