// Derives the purpose of a tool's parameters from schema and name.

import { splitIdentifier } from "../work/words.ts";

export type ParameterSchema = Readonly<Record<string, unknown>>;
export type ToolParameter = {
  readonly name: string;
  readonly schema: ParameterSchema;
  readonly isRequired: boolean;
  readonly kind: ToolParameterKind;
};

const NAMED = [
  ["expression", /\b(?:expr(?:ession)?|formula|calculation)\b/],
  ["zone", /time ?zone|\bzone\b/],
  ["place", /\b(?:city|location|place|country)\b/],
  ["email", /e-?mail|recipient|^to$/],
  ["subject", /\b(?:subject|title)\b/],
  ["text", /\b(?:text|content|input|sentence|body|message)\b/],
  ["question", /\b(?:query|question|prompt|request|search|topic|task|instructions?)\b/],
] as const;

export type ToolParameterKind = (typeof NAMED)[number][0] | "choice" | "min" | "max" | "number" | "name" | "other";

export function listParameters(schema: ParameterSchema): ToolParameter[] {
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.entries(toSchema(schema["properties"])).map(([name, value]) => {
    const property = pickVariant(toSchema(value));
    const kind = detectKind(splitIdentifier(name).toLowerCase(), property);
    return { name, schema: property, isRequired: required.includes(name), kind };
  });
}

/** Returns the non-null variant of `string | null`. */
function pickVariant(schema: ParameterSchema): ParameterSchema {
  const variants = schema["anyOf"];
  return Array.isArray(variants)
    ? { ...schema, ...variants.map(toSchema).find(({ type }) => type !== "null") }
    : schema;
}

function detectKind(words: string, { enum: options, type, format }: ParameterSchema): ToolParameterKind {
  if (Array.isArray(options)) return "choice";
  if (type === "number" || type === "integer")
    return /^(?:min|from)/.test(words) ? "min" : /^(?:max|to\b)/.test(words) ? "max" : "number";
  if (type !== "string") return "other";
  if (format === "email") return "email";
  return NAMED.find(([, pattern]) => pattern.test(words))?.[0] ?? "name";
}

export function toSchema(value: unknown): ParameterSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as ParameterSchema) : {};
}
