// JSON Schemas from models and MCP servers, checked in bounded time. Only the keywords in `CHECKED_KEYWORDS` have an
// effect. The validator of zod does the check.

import * as z from "zod";

/** A JSON value of a schema or of arguments. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/** Maximum product of the number of values and the number of `anyOf` and `oneOf` alternatives. */
const MOST_TRIALS = 50_000;
/** Maximum number of problems that one message lists. */
const MOST_PROBLEMS = 5;

/** The keywords that are checked. All others have no effect. */
export const CHECKED_KEYWORDS: ReadonlySet<string> = new Set(
  [
    "type properties required additionalProperties items prefixItems enum const default",
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf",
    "minLength maxLength minItems maxItems uniqueItems minProperties maxProperties anyOf oneOf",
  ].flatMap((line) => line.split(" ")),
);

/**
 * Validates a value. Returns null if it is valid, else a message with at most five problems. Throws if the schema
 * itself is not a JSON Schema.
 */
export function problemWith(schema: JsonObject, value: Json): string | null {
  const alternatives = alternativesIn(schema);
  if (alternatives > 0 && sizeOf(value) * alternatives > MOST_TRIALS)
    return "There is too much of it to be held against so many alternatives (anyOf, oneOf).";
  const parsed = validator(schema).safeParse(value);
  if (parsed.success) return null;
  const { issues } = parsed.error;
  const told = z.prettifyError(new z.ZodError(issues.slice(0, MOST_PROBLEMS)));
  return issues.length > MOST_PROBLEMS ? `${told}\n… ${issues.length - MOST_PROBLEMS} more` : told;
}

function alternativesIn(schema: Json): number {
  if (typeof schema !== "object" || schema === null) return 0;
  const own = isObject(schema)
    ? [schema["anyOf"], schema["oneOf"]].filter((each) => Array.isArray(each)).flat().length
    : 0;
  return Object.values(schema).reduce<number>((sum, each) => sum + alternativesIn(each), own);
}

function sizeOf(value: Json): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, each) => sum + sizeOf(each), 1);
}

/** Creates the zod type for a schema. Throws if it is not a JSON Schema. */
export function validator(schema: JsonObject): z.ZodType {
  return z.fromJSONSchema(checkable(schema) as Parameters<typeof z.fromJSONSchema>[0]);
}

/** Returns the schema without unchecked keywords, and with the type that its keywords imply. */
function checkable(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).flatMap(([keyword, value]): [string, Json][] => {
    if (!CHECKED_KEYWORDS.has(keyword)) return [];
    if (keyword === "properties")
      return [
        [keyword, Object.fromEntries(Object.entries(objectOf(value)).map(([name, one]) => [name, checkable(one)]))],
      ];
    if (["anyOf", "oneOf", "prefixItems"].includes(keyword)) return [[keyword, (value as Json[]).map(checkable)]];
    if (["items", "additionalProperties"].includes(keyword)) return [[keyword, checkable(value)]];
    return [[keyword, value]];
  });
  const meant =
    schema["type"] === undefined ? IMPLIED.find(([keywords]) => keywords.some((each) => each in schema)) : undefined;
  return Object.fromEntries(meant === undefined ? kept : [["type", meant[1]], ...kept]);
}

/** The type that each keyword implies. Without an explicit type the validator would ignore these keywords. */
const IMPLIED = [
  [["properties", "required", "additionalProperties", "minProperties", "maxProperties"], "object"],
  [["items", "prefixItems", "minItems", "maxItems", "uniqueItems"], "array"],
  [["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"], "number"],
  [["minLength", "maxLength"], "string"],
] as const;

/** True for a JSON object, false for arrays and null. */
export function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value if it is an object, else an empty object. */
export function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isObject(value) ? value : {};
}
