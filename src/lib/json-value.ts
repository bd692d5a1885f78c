// JSON values: the schema of a value of limited depth, comparison and conversion.

import * as z from "zod";

const MAX_JSON_DEPTH = 32;

/** True if the value is JSON with at most `levels` nested lists and objects. */
export function isBoundedJson(value: unknown, levels: number): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (levels === 0 || typeof value !== "object") return false;
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && Object.values(value).every((inner) => isBoundedJson(inner, levels - 1));
}

/**
 * A JSON value with at most 32 levels. It does not use `z.json()`, which overflows the stack on deep nesting and yields
 * a cyclic JSON Schema.
 */
export const jsonValueSchema = z
  .unknown()
  .refine(
    (value) => isBoundedJson(value, MAX_JSON_DEPTH),
    `must be JSON, nested no deeper than ${MAX_JSON_DEPTH} levels`,
  ) as z.ZodType<z.core.util.JSONType>;

/**
 * Returns a copy of a JSON value without members that are null, because models write null for omitted arguments.
 * Elements of lists stay. Values below the maximum depth are returned unchanged.
 */
export function omitNullMembers(value: unknown, levels = MAX_JSON_DEPTH): unknown {
  if (typeof value !== "object" || value === null || levels === 0) return value;
  if (Array.isArray(value)) return value.map((inner) => omitNullMembers(inner, levels - 1));
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, omitNullMembers(member, levels - 1)]));
}

/** Returns a copy of the value after a JSON round trip; null for undefined and functions. Throws for cycles. */
export function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? "null");
}

/** True if a JSON round trip changes nothing except that undefined members are dropped. */
export function isJsonValue(value: unknown): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (Array.isArray(value)) return value.every(isJsonValue);
  if (typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).every((member) => member === undefined || isJsonValue(member));
}

/** True if both values are the same JSON, in any order of members. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a, sortMembers) === JSON.stringify(b, sortMembers);
}

function sortMembers(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
