import * as z from "zod";

const MAX_DEPTH = 32;

/** True for what JSON can say, with no more levels of lists and objects than that. */
function isJson(value: unknown, levels: number): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (levels === 0 || typeof value !== "object") return false;
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && Object.values(value).every((inner) => isJson(inner, levels - 1));
}

/** A JSON value. Not `z.json()`: what that makes of hostile nesting is an overflow, and of a description a circle. */
export const jsonSchema = z
  .unknown()
  .refine(
    (value) => isJson(value, MAX_DEPTH),
    `must be JSON, nested no deeper than ${MAX_DEPTH} levels`,
  ) as z.ZodType<z.core.util.JSONType>;

/** A JSON value without the members that are null: models write so what they leave out. Deeper ones stay as they are. */
export function withoutNulls(value: unknown, levels = MAX_DEPTH): unknown {
  if (typeof value !== "object" || value === null || levels === 0) return value;
  if (Array.isArray(value)) return value.map((inner) => withoutNulls(inner, levels - 1));
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member, levels - 1)]));
}
