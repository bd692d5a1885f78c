// JSON Schemas from models and MCP servers, checked in bounded time. Only the keywords in `CHECKED_KEYWORDS` have an
// effect. The validator of zod does the check.

import * as z from "zod";

/** A JSON value of a schema or of arguments. */
export type JsonSchemaValue = null | boolean | number | string | JsonSchemaValue[] | { [key: string]: JsonSchemaValue };
/** A JSON object. */
export type JsonObject = { [key: string]: JsonSchemaValue };

/** Maximum product of the number of values and the number of `anyOf` and `oneOf` alternatives. */
const MAX_TRIALS = 50_000;
const MAX_PROBLEMS = 5;

/** The keywords that are checked. All others have no effect. */
export const CHECKED_KEYWORDS: ReadonlySet<string> = new Set(
  [
    "type properties required additionalProperties items prefixItems enum const default",
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf",
    "minLength maxLength minItems maxItems uniqueItems minProperties maxProperties anyOf oneOf",
  ].flatMap((line) => line.split(" ")),
);

/**
 * Validates a value against the checked keywords. Returns null if it is valid, else a message with at most five
 * problems. A value that is too large for the number of alternatives counts as invalid. Throws if the schema itself is
 * not a JSON Schema.
 */
export function findSchemaViolation(schema: JsonObject, value: JsonSchemaValue): string | null {
  const alternatives = countAlternatives(schema);
  if (alternatives > 0 && countValues(value) * alternatives > MAX_TRIALS)
    return "There is too much of it to be held against so many alternatives (anyOf, oneOf).";
  const parsed = createValidator(schema).safeParse(value);
  if (parsed.success) return null;
  const { issues } = parsed.error;
  const message = z.prettifyError(new z.ZodError(issues.slice(0, MAX_PROBLEMS)));
  return issues.length > MAX_PROBLEMS ? `${message}\n… ${issues.length - MAX_PROBLEMS} more` : message;
}

function countAlternatives(schema: JsonSchemaValue): number {
  if (typeof schema !== "object" || schema === null) return 0;
  const ownCount = isJsonObject(schema)
    ? [schema["anyOf"], schema["oneOf"]].filter((each) => Array.isArray(each)).flat().length
    : 0;
  return Object.values(schema).reduce<number>((sum, each) => sum + countAlternatives(each), ownCount);
}

function countValues(value: JsonSchemaValue): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, each) => sum + countValues(each), 1);
}

/** Creates the zod type for the checked keywords of a schema. Throws if it is not a JSON Schema. */
export function createValidator(schema: JsonObject): z.ZodType {
  return z.fromJSONSchema(removeUncheckedKeywords(schema) as Parameters<typeof z.fromJSONSchema>[0]);
}

/** Returns the schema without unchecked keywords, and with the type that its keywords imply. */
function removeUncheckedKeywords(schema: JsonSchemaValue): JsonSchemaValue {
  if (!isJsonObject(schema)) return schema;
  const checkedEntries = Object.entries(schema).flatMap(([keyword, value]): [string, JsonSchemaValue][] => {
    if (!CHECKED_KEYWORDS.has(keyword)) return [];
    if (keyword === "properties")
      return [
        [
          keyword,
          Object.fromEntries(
            Object.entries(toJsonObject(value)).map(([name, property]) => [name, removeUncheckedKeywords(property)]),
          ),
        ],
      ];
    if (["anyOf", "oneOf", "prefixItems"].includes(keyword))
      return [[keyword, (value as JsonSchemaValue[]).map(removeUncheckedKeywords)]];
    if (["items", "additionalProperties"].includes(keyword)) return [[keyword, removeUncheckedKeywords(value)]];
    return [[keyword, value]];
  });
  const impliedType =
    schema["type"] === undefined
      ? IMPLIED_TYPES.find(([keywords]) => keywords.some((each) => each in schema))
      : undefined;
  return Object.fromEntries(impliedType === undefined ? checkedEntries : [["type", impliedType[1]], ...checkedEntries]);
}

/** The type that each keyword implies. Without an explicit type the validator would ignore these keywords. */
const IMPLIED_TYPES = [
  [["properties", "required", "additionalProperties", "minProperties", "maxProperties"], "object"],
  [["items", "prefixItems", "minItems", "maxItems", "uniqueItems"], "array"],
  [["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"], "number"],
  [["minLength", "maxLength"], "string"],
] as const;

/** Returns all property names that a schema declares, at any depth. */
export function collectSchemaKeys(schema: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const keys = new Set<string>();
  visitSchema(schema, (name, value) => {
    if (name === "properties" && typeof value === "object" && value !== null)
      for (const key of Object.keys(value)) keys.add(key);
  });
  return keys;
}

/** Returns the values that a schema itself supplies, as texts: defaults and constants, at any depth. */
export function collectSchemaDefaults(schema: Readonly<Record<string, unknown>>): string[] {
  const values: string[] = [];
  visitSchema(schema, (name, value) => {
    if (name === "default" || name === "const") values.push(typeof value === "string" ? value : JSON.stringify(value));
  });
  return values;
}

function visitSchema(value: unknown, visit: (name: string, value: unknown) => void): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(value)) visit(name, member);
    visitSchema(member, visit);
  }
}

/** True for a JSON object, false for arrays and null. */
export function isJsonObject(value: JsonSchemaValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value if it is an object, else an empty object. */
export function toJsonObject(value: JsonSchemaValue | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}
