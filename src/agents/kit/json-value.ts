// Comparison and conversion of values to JSON.

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
