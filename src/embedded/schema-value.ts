// Builds JSON for a JSON Schema from a text, for requests that demand a format or a call of a tool.

import { findLabelledValue } from "./tools/known-values.ts";
import { toSchema, type ParameterSchema } from "./tools/tool-parameters.ts";

/** The depth of schemas that is filled; deeper values are null. Properties that are not required end earlier. */
const MAX_DEPTH = 8;
const MAX_OPTIONAL_DEPTH = 4;

/** Returns a value for the schema: the text itself where a string is required, and values that it names. */
export function buildSchemaValue(given: ParameterSchema, text: string, root = given, depth = 0): unknown {
  if (depth > MAX_DEPTH) return null;
  const { $ref, anyOf, enum: options, properties, items, minItems, minimum, ...schema } = given;
  const build = (inner: unknown, part = text) => buildSchemaValue(toSchema(inner), part, root, depth + 1);
  if (typeof $ref === "string")
    return build(
      $ref
        .split("/")
        .slice(1)
        .reduce<unknown>((at, name) => toSchema(at)[name], root),
    );
  if (Array.isArray(anyOf)) return build(anyOf.find((option) => toSchema(option)["type"] !== "null"));
  if (Array.isArray(options)) return options.find((option) => text.includes(String(option))) ?? options[0];
  switch (schema["const"] === undefined ? [schema["type"]].flat()[0] : "const") {
    case "const":
      return schema["const"];
    case "object": {
      const isFilled = (name: string) => depth < MAX_OPTIONAL_DEPTH || [schema["required"]].flat().includes(name);
      const entries = Object.entries(toSchema(properties)).filter(([name]) => isFilled(name));
      return Object.fromEntries(
        entries.map(([name, inner]) => [name, build(inner, findLabelledValue(text, name) ?? text)]),
      );
    }
    case "array":
      return Array.from({ length: Math.max(1, Number(minItems ?? 1)) }, () => build(items));
    // A result stands behind the numbers that it was computed from.
    case "number":
    case "integer":
      return Math.max(Number(text.match(/-?\d+/g)?.at(-1) ?? 0), Number(minimum ?? -Infinity));
    case "boolean":
      return !/\b(?:no|not|false)\b|[不没]/i.test(text);
    case "null":
      return null;
    default:
      return text;
  }
}
