// Validates the JSON Schemas of tools. A model writes them, so unsupported keywords are rejected.

import { CHECKED_KEYWORDS, isObject, objectOf, validator, type Json, type JsonObject } from "../kit/json-schema.ts";

/** Maximum characters of one schema as JSON. */
const MAX_CHARS = 8_192;

/** Keywords that are allowed and ignored: descriptions, and those that cannot be checked in bounded time. */
const WITHOUT_EFFECT = new Set(
  "$schema $id $comment title description examples deprecated readOnly writeOnly format pattern".split(" "),
);

const TYPES = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);

/** The schema, or the problem for the model. */
export type ReadSchema =
  | { readonly ok: true; readonly schema: JsonObject }
  | { readonly ok: false; readonly problem: string };

/**
 * Parses the schema of a tool's parameters: an object that accepts only declared members unless it states otherwise.
 */
export function readParameters(given: Readonly<Record<string, unknown>>): ReadSchema {
  const closed = { type: "object", properties: {}, additionalProperties: false, ...given };
  if (closed.type !== "object") return { ok: false, problem: "parameters must have type object." };
  return readSchema(closed, "parameters");
}

/** Parses any other schema. `label` names it in the problem. */
export function readSchema(given: Readonly<Record<string, unknown>>, place: string): ReadSchema {
  const text = JSON.stringify(given);
  if (text.length > MAX_CHARS) return { ok: false, problem: `${place} must not exceed ${MAX_CHARS} characters.` };
  const schema = JSON.parse(text) as JsonObject;
  const problem = problemIn(schema, place) ?? unreadable(schema, place);
  return problem === null ? { ok: true, schema } : { ok: false, problem };
}

/** Returns the arguments with defaults for missing members. A null for an optional member counts as missing. */
export function withDefaults(schema: JsonObject, args: Readonly<Record<string, Json>>): Record<string, Json> {
  const properties = objectOf(schema["properties"]);
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const defaults = Object.entries(properties).flatMap(([name, property]) => {
    const fallback = objectOf(property)["default"];
    return fallback === undefined ? [] : [[name, fallback] as const];
  });
  const given = Object.entries(args).filter(([name, value]) => value !== null || required.includes(name));
  return { ...Object.fromEntries(defaults), ...Object.fromEntries(given) };
}

function unreadable(schema: JsonObject, place: string): string | null {
  try {
    validator(schema);
    return null;
  } catch (thrown) {
    return `${place} cannot be read: ${thrown instanceof Error ? thrown.message : "it is no JSON Schema"}.`;
  }
}

/** Returns the names of the declared parameters. */
export function namesIn(schema: JsonObject): string[] {
  return Object.keys(objectOf(schema["properties"]));
}

function problemIn(schema: Json, place: string): string | null {
  if (typeof schema === "boolean") return null;
  if (!isObject(schema)) return `${place} must be a JSON Schema.`;
  for (const [keyword, value] of Object.entries(schema)) {
    if (WITHOUT_EFFECT.has(keyword)) continue;
    if (!CHECKED_KEYWORDS.has(keyword)) return `${place}: the keyword ${keyword} is not supported.`;
    const problem = problemOf(keyword, value, place);
    if (problem !== null) return problem;
  }
  return null;
}

function problemOf(keyword: string, value: Json, place: string): string | null {
  const within = `${place}.${keyword}`;
  switch (keyword) {
    case "type": {
      const types: Json[] = Array.isArray(value) ? value : [value];
      return types.every((type) => typeof type === "string" && TYPES.has(type)) ? null : `${within} is no JSON type.`;
    }
    case "properties":
      if (!isObject(value)) return `${within} must be an object.`;
      return (
        inherited(value, within) ??
        first(Object.entries(value).map(([name, property]) => problemIn(property, `${within}.${name}`)))
      );
    case "items":
    case "additionalProperties":
      return problemIn(value, within);
    case "anyOf":
    case "oneOf":
    case "prefixItems":
      if (!Array.isArray(value)) return `${within} must be a list.`;
      return first((value as Json[]).map((one, i) => problemIn(one, `${within}.${i}`)));
    case "required":
      return Array.isArray(value) && value.every((name) => typeof name === "string")
        ? null
        : `${within} must be a list of names.`;
    case "enum":
      return Array.isArray(value) && value.every(isPlain) ? null : `${within} must be a list of plain values.`;
    case "const":
      return isPlain(value) ? null : `${within} must be a plain value.`;
    case "default":
    case "uniqueItems":
      return null;
    default:
      return typeof value === "number" ? null : `${within} must be a number.`;
  }
}

/** Rejects property names that every object inherits, because they cannot be distinguished from given members. */
function inherited(properties: JsonObject, place: string): string | null {
  const name = Object.keys(properties).find((each) => each in Object.prototype);
  return name === undefined ? null : `${place}: ${name} is no name for a property. Choose another.`;
}

function first(problems: readonly (string | null)[]): string | null {
  return problems.find((problem) => problem !== null) ?? null;
}

function isPlain(value: Json): boolean {
  return typeof value !== "object" || value === null;
}
