// Checks whether the text of an answer has the requested format.
//
// The schemas are those of clients. Patterns are not checked: they are foreign regular expressions, which could run
// without end. The work of a check is limited by the size of the text, its depth and the number of alternatives.

import { Validator, type Schema } from "@cfworker/json-schema";
import { tryParseJson } from "../../lib/parse-json.ts";
import type { AnswerFormat } from "../ports.ts";

/** The number of answers with a mistake after which a thread fails: the model gets one correction. */
export const MAX_FORMAT_MISTAKES = 2;

const MAX_TEXT_CHARS = 256 * 1024;
const MAX_PROBLEMS = 5;
/** The limit for the number of alternatives to the power of the depth: a recursive schema tries all of them per level. */
const MAX_TRIALS = 1_000_000;
/** Keywords whose members are schemas, by name; the names themselves are no keywords. */
const SCHEMA_MAPS: ReadonlySet<string> = new Set(["$defs", "definitions", "dependentSchemas", "properties"]);
/** Keywords that contain values, not schemas. */
const VALUE_KEYWORDS: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);
const ALTERNATIVES: readonly string[] = ["allOf", "anyOf", "oneOf"];

export type AnyObject = Readonly<Record<string, unknown>>;

/** Returns a sentence for the model if the text does not have the format; otherwise null. Never throws. */
export function findFormatMistake(format: AnswerFormat, text: string): string | null {
  const value = text.length > MAX_TEXT_CHARS ? undefined : tryParseJson(text);
  if (value === undefined) return "The answer must be JSON only, without other text and without code fences.";
  if (format.type === "json_schema") return findSchemaMistake(format.schema, value);
  return isObject(value) ? null : "The answer must be a JSON object.";
}

/** Returns a sentence for the model if the value does not satisfy the schema; otherwise null. Never throws. */
export function findSchemaMistake(schema: AnyObject, value: unknown): string | null {
  try {
    if (countAlternatives(schema) ** measureDepth(value) > MAX_TRIALS) return "The JSON is nested too deep.";
    const checked = omitPatterns(schema) as Schema;
    const { valid, errors } = new Validator(checked, "2020-12", false).validate(value);
    if (valid) return null;
    // The errors of inner values follow those of the values around them.
    const problems = errors.slice(-MAX_PROBLEMS).map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
    return `The JSON does not satisfy the schema. ${problems.join(" ")}`;
  } catch {
    // The value is nested too deep for the stack, or the schema refers to itself without end.
    return "The JSON cannot be checked against the schema.";
  }
}

/** Returns the schema and all schemas in it. */
export function listSchemas(schema: unknown): AnyObject[] {
  if (Array.isArray(schema)) return schema.flatMap(listSchemas);
  if (!isObject(schema)) return [];
  const inner = Object.entries(schema).flatMap(([keyword, value]) => {
    if (VALUE_KEYWORDS.has(keyword)) return [];
    return listSchemas(SCHEMA_MAPS.has(keyword) && isObject(value) ? Object.values(value) : value);
  });
  return [schema, ...inner];
}

/** Removes patterns. Without `patternProperties`, additional properties cannot be limited either. */
function omitPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(omitPatterns);
  if (!isObject(schema)) return schema;
  const { pattern: _, patternProperties, ...rest } = schema;
  const { additionalProperties: __, unevaluatedProperties: ___, ...open } = rest;
  const kept = patternProperties === undefined ? rest : open;
  return Object.fromEntries(
    Object.entries(kept).map(([keyword, value]) => {
      if (VALUE_KEYWORDS.has(keyword)) return [keyword, value];
      if (!SCHEMA_MAPS.has(keyword) || !isObject(value)) return [keyword, omitPatterns(value)];
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, omitPatterns(inner)]))];
    }),
  );
}

/** Returns the number of alternatives of all schemas, at least 1. */
function countAlternatives(schema: AnyObject): number {
  const lists = listSchemas(schema).flatMap((each) => ALTERNATIVES.map((keyword) => each[keyword]));
  return Math.max(1, lists.filter((list) => Array.isArray(list)).flat().length);
}

function measureDepth(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Object.values(value).reduce<number>((deepest, inner) => Math.max(deepest, measureDepth(inner)), 0);
}

function isObject(value: unknown): value is AnyObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
