// The JSON Schemas of tools: written by a model, so read with care, and what values they allow.

import * as z from "zod";
import type { Json } from "../../sandbox/sandbox.ts";

export type JsonObject = { [key: string]: Json };

/** Characters of one schema as JSON. */
const MAX_CHARS = 8_192;
/** Values times the alternatives that each may have to be held against. This runs outside the sandbox. */
const MOST_TRIALS = 50_000;
/** Problems of one value that are told. */
const MOST_PROBLEMS = 5;

/** Keywords that are checked. */
const KNOWN = new Set(
  [
    "type properties required additionalProperties items prefixItems enum const default",
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf",
    "minLength maxLength minItems maxItems uniqueItems minProperties maxProperties anyOf oneOf",
  ].flatMap((line) => line.split(" ")),
);

/** Words about a schema, and what cannot be checked in bounded time: allowed and without effect. */
const WITHOUT_EFFECT = new Set(
  "$schema $id $comment title description examples deprecated readOnly writeOnly format pattern".split(" "),
);

const TYPES = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);

export type ReadSchema =
  | { readonly ok: true; readonly schema: JsonObject }
  | { readonly ok: false; readonly problem: string };

/** Reads what a tool takes: an object whose members are all declared. */
export function readParameters(given: Readonly<Record<string, unknown>>): ReadSchema {
  const closed = { type: "object", properties: {}, additionalProperties: false, ...given };
  if (closed.type !== "object") return { ok: false, problem: "parameters must have type object." };
  return readSchema(closed, "parameters");
}

/** Reads any other schema. `place` names it in the problem. */
export function readSchema(given: Readonly<Record<string, unknown>>, place: string): ReadSchema {
  const text = JSON.stringify(given);
  if (text.length > MAX_CHARS) return { ok: false, problem: `${place} must not exceed ${MAX_CHARS} characters.` };
  const schema = JSON.parse(text) as JsonObject;
  const problem = problemIn(schema, place) ?? unreadable(schema, place);
  return problem === null ? { ok: true, schema } : { ok: false, problem };
}

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

/** The arguments with the defaults of what was left out. A null for something that is not required was left out too. */
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

function validator(schema: JsonObject): z.ZodType {
  return z.fromJSONSchema(checkable(schema) as Parameters<typeof z.fromJSONSchema>[0]);
}

function unreadable(schema: JsonObject, place: string): string | null {
  try {
    validator(schema);
    return null;
  } catch (thrown) {
    return `${place} cannot be read: ${thrown instanceof Error ? thrown.message : "it is no JSON Schema"}.`;
  }
}

/** The names of what a tool takes. */
export function namesIn(schema: JsonObject): string[] {
  return Object.keys(objectOf(schema["properties"]));
}

function problemIn(schema: Json, place: string): string | null {
  if (typeof schema === "boolean") return null;
  if (!isObject(schema)) return `${place} must be a JSON Schema.`;
  for (const [keyword, value] of Object.entries(schema)) {
    if (WITHOUT_EFFECT.has(keyword)) continue;
    if (!KNOWN.has(keyword)) return `${place}: the keyword ${keyword} is not supported.`;
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

/** What every object has already cannot be told from what was given. */
function inherited(properties: JsonObject, place: string): string | null {
  const name = Object.keys(properties).find((each) => each in Object.prototype);
  return name === undefined ? null : `${place}: ${name} is no name for a property. Choose another.`;
}

function first(problems: readonly (string | null)[]): string | null {
  return problems.find((problem) => problem !== null) ?? null;
}

/** The schema without what has no effect, and with the type that it takes for granted. */
function checkable(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).flatMap(([keyword, value]): [string, Json][] => {
    if (!KNOWN.has(keyword)) return [];
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

function isPlain(value: Json): boolean {
  return typeof value !== "object" || value === null;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isObject(value) ? value : {};
}
