// JSON Schemas that others wrote: what they say of a value, as far as it can be checked in bounded time.

import * as z from "zod";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** Values times the alternatives that each may have to be held against. */
const MOST_TRIALS = 50_000;
/** Problems of one value that are told. */
const MOST_PROBLEMS = 5;

/** Keywords that are checked; every other is without effect. */
export const CHECKED_KEYWORDS: ReadonlySet<string> = new Set(
  [
    "type properties required additionalProperties items prefixItems enum const default",
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf",
    "minLength maxLength minItems maxItems uniqueItems minProperties maxProperties anyOf oneOf",
  ].flatMap((line) => line.split(" ")),
);

/** What is wrong with a value, in words; null when it is as the schema says. */
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

/** Throws for what is no JSON Schema. */
export function validator(schema: JsonObject): z.ZodType {
  return z.fromJSONSchema(checkable(schema) as Parameters<typeof z.fromJSONSchema>[0]);
}

/** The schema without what has no effect, and with the type that it takes for granted. */
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

/** Without a type, the validator would hold nothing against these. */
const IMPLIED = [
  [["properties", "required", "additionalProperties", "minProperties", "maxProperties"], "object"],
  [["items", "prefixItems", "minItems", "maxItems", "uniqueItems"], "array"],
  [["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"], "number"],
  [["minLength", "maxLength"], "string"],
] as const;

export function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isObject(value) ? value : {};
}
