// Validates the JSON Schemas of tools. A model writes them, so unsupported keywords are rejected.

import {
  CHECKED_KEYWORDS,
  isJsonObject,
  toJsonObject,
  createValidator,
  type JsonSchemaValue,
  type JsonObject,
} from "../kit/tools/json-schema.ts";

const MAX_SCHEMA_CHARS = 8_192;

/** Keywords that are allowed and ignored: descriptions, and those that cannot be checked in bounded time. */
const IGNORED_KEYWORDS = new Set(
  "$schema $id $comment title description examples deprecated readOnly writeOnly format pattern".split(" "),
);

const JSON_TYPES = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);

/** The schema, or the problem for the model. */
export type ParsedSchema =
  | { readonly ok: true; readonly schema: JsonObject }
  | { readonly ok: false; readonly problem: string };

/**
 * Parses the schema of a tool's parameters. It must describe an object, which accepts only declared members unless the
 * schema states otherwise. Throws nothing: an unusable schema is a problem for the model.
 */
export function parseParameters(rawSchema: Readonly<Record<string, unknown>>): ParsedSchema {
  const closedSchema = { type: "object", properties: {}, additionalProperties: false, ...rawSchema };
  if (closedSchema.type !== "object") return { ok: false, problem: "parameters must have type object." };
  return parseSchema(closedSchema, "parameters");
}

/** Parses any other schema. It is a problem if it is too long or has unsupported keywords. `label` names the schema. */
export function parseSchema(rawSchema: Readonly<Record<string, unknown>>, label: string): ParsedSchema {
  const text = JSON.stringify(rawSchema);
  if (text.length > MAX_SCHEMA_CHARS)
    return { ok: false, problem: `${label} must not exceed ${MAX_SCHEMA_CHARS} characters.` };
  const schema = JSON.parse(text) as JsonObject;
  const problem = findSchemaProblem(schema, label) ?? findParseProblem(schema, label);
  return problem === null ? { ok: true, schema } : { ok: false, problem };
}

/**
 * Returns the arguments with the defaults of the schema for missing members. A null for a member that is not required
 * counts as missing. Nothing is validated.
 */
export function withDefaults(
  schema: JsonObject,
  args: Readonly<Record<string, JsonSchemaValue>>,
): Record<string, JsonSchemaValue> {
  const properties = toJsonObject(schema["properties"]);
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const defaults = Object.entries(properties).flatMap(([name, property]) => {
    const fallback = toJsonObject(property)["default"];
    return fallback === undefined ? [] : [[name, fallback] as const];
  });
  const givenArguments = Object.entries(args).filter(([name, value]) => value !== null || required.includes(name));
  return { ...Object.fromEntries(defaults), ...Object.fromEntries(givenArguments) };
}

function findParseProblem(schema: JsonObject, label: string): string | null {
  try {
    createValidator(schema);
    return null;
  } catch (thrown) {
    return `${label} cannot be read: ${thrown instanceof Error ? thrown.message : "it is no JSON Schema"}.`;
  }
}

/** Returns the names of the parameters that the schema declares, in their order. */
export function listParameterNames(schema: JsonObject): string[] {
  return Object.keys(toJsonObject(schema["properties"]));
}

function findSchemaProblem(schema: JsonSchemaValue, path: string): string | null {
  if (typeof schema === "boolean") return null;
  if (!isJsonObject(schema)) return `${path} must be a JSON Schema.`;
  for (const [keyword, value] of Object.entries(schema)) {
    if (IGNORED_KEYWORDS.has(keyword)) continue;
    if (!CHECKED_KEYWORDS.has(keyword)) return `${path}: the keyword ${keyword} is not supported.`;
    const problem = findKeywordProblem(keyword, value, path);
    if (problem !== null) return problem;
  }
  return null;
}

function findKeywordProblem(keyword: string, value: JsonSchemaValue, path: string): string | null {
  const keywordPath = `${path}.${keyword}`;
  switch (keyword) {
    case "type": {
      const types: JsonSchemaValue[] = Array.isArray(value) ? value : [value];
      return types.every((type) => typeof type === "string" && JSON_TYPES.has(type))
        ? null
        : `${keywordPath} is no JSON type.`;
    }
    case "properties":
      if (!isJsonObject(value)) return `${keywordPath} must be an object.`;
      return (
        findInheritedName(value, keywordPath) ??
        getFirstProblem(
          Object.entries(value).map(([name, property]) => findSchemaProblem(property, `${keywordPath}.${name}`)),
        )
      );
    case "items":
    case "additionalProperties":
      return findSchemaProblem(value, keywordPath);
    case "anyOf":
    case "oneOf":
    case "prefixItems":
      if (!Array.isArray(value)) return `${keywordPath} must be a list.`;
      return getFirstProblem(
        (value as JsonSchemaValue[]).map((subschema, i) => findSchemaProblem(subschema, `${keywordPath}.${i}`)),
      );
    case "required":
      return Array.isArray(value) && value.every((name) => typeof name === "string")
        ? null
        : `${keywordPath} must be a list of names.`;
    case "enum":
      return Array.isArray(value) && value.every(isScalarJson)
        ? null
        : `${keywordPath} must be a list of plain values.`;
    case "const":
      return isScalarJson(value) ? null : `${keywordPath} must be a plain value.`;
    case "default":
    case "uniqueItems":
      return null;
    default:
      return typeof value === "number" ? null : `${keywordPath} must be a number.`;
  }
}

/** Rejects property names that every object inherits, because they cannot be distinguished from given members. */
function findInheritedName(properties: JsonObject, path: string): string | null {
  const name = Object.keys(properties).find((each) => each in Object.prototype);
  return name === undefined ? null : `${path}: ${name} is no name for a property. Choose another.`;
}

function getFirstProblem(problems: readonly (string | null)[]): string | null {
  return problems.find((problem) => problem !== null) ?? null;
}

function isScalarJson(value: JsonSchemaValue): boolean {
  return typeof value !== "object" || value === null;
}
