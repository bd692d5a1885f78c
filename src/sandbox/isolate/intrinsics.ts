// Reads and replaces the members of intrinsic objects. Used only while the realm is hardened.

import { type Fn } from "./conversions.ts";

/** Members by name or symbol. */
export type MemberTable = Readonly<Record<PropertyKey, unknown>>;

const { defineProperty, getOwnPropertyDescriptor, hasOwn } = Object;
const { ownKeys, deleteProperty } = Reflect;

/** Replaces the members of an object. Others are deleted; those that are not configurable remain. */
export function replaceMembers(target: object, members: MemberTable): void {
  for (const key of ownKeys(target)) if (!hasOwn(members, key)) deleteProperty(target, key);
  for (const key of ownKeys(members)) {
    const given = getOwnPropertyDescriptor(members, key);
    const own = getOwnPropertyDescriptor(target, key);
    if (given === undefined || own?.configurable === false) continue;
    defineProperty(target, key, { ...given, enumerable: false, configurable: true });
  }
}

/** Returns the named members with their descriptors. Missing members are left out. */
export function pickMembers(source: object, names: readonly PropertyKey[]): MemberTable {
  const members: Record<PropertyKey, unknown> = {};
  for (const name of names) {
    const found = getOwnPropertyDescriptor(source, name);
    if (found !== undefined) defineProperty(members, name, found);
  }
  return members;
}

/** Merges tables of members; accessors stay accessors. */
export function mergeMembers(...lists: readonly MemberTable[]): MemberTable {
  const members: Record<PropertyKey, unknown> = {};
  for (const list of lists)
    for (const key of ownKeys(list)) defineProperty(members, key, getOwnPropertyDescriptor(list, key) ?? {});
  return members;
}

/** Returns the current methods of an intrinsic object. Call it before the members are replaced. */
export function copyNativeMethods(source: object): Readonly<Record<string, Fn>> {
  const methods: Record<string, Fn> = {};
  for (const key of ownKeys(source)) {
    const value = getOwnPropertyDescriptor(source, key)?.value as unknown;
    if (typeof key === "string" && typeof value === "function") methods[key] = value as Fn;
  }
  return methods;
}
