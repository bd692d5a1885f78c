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
  ["find", /^(?:find|old|pattern)\b/],
  ["replacement", /^(?:replacement|replace|new|with)\b/],
  ["expression", /\b(?:expr(?:ession)?|formula|equation|calculation)\b/],
  ["zone", /time ?zone|\btz\b|\bzone\b/],
  ["place", /\b(?:city|cities|location|place|country|where)\b/],
  ["email", /e-?mail|recipient|^to$/],
  ["date", /\b(?:dates?|day|birthday|deadline)\b/],
  ["subject", /\b(?:subject|title)\b/],
  ["text", /\b(?:text|content|input|string|sentence|phrase|body|words?|message)\b/],
  ["question", /\b(?:query|question|prompt|request|search|topic|task|instructions?|goal)\b/],
] as const;

export type ToolParameterKind =
  | (typeof NAMED)[number][0]
  | "choice"
  | "flag"
  | "min"
  | "max"
  | "number"
  | "name"
  | "other";

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
  const variants = schema["anyOf"] ?? schema["oneOf"];
  return Array.isArray(variants)
    ? { ...schema, ...variants.map(toSchema).find(({ type }) => type !== "null") }
    : schema;
}

function detectKind(words: string, { enum: options, type, format }: ParameterSchema): ToolParameterKind {
  if (Array.isArray(options)) return "choice";
  if (type === "boolean") return "flag";
  if (type === "object" || type === "array") return "other";
  if (type === "number" || type === "integer")
    return /^(?:min|low|from|start)/.test(words)
      ? "min"
      : /^(?:max|high|to\b|end|sides)/.test(words)
        ? "max"
        : "number";
  if (format === "date" || format === "email") return format;
  return NAMED.find(([, pattern]) => pattern.test(words))?.[0] ?? "name";
}

function toSchema(value: unknown): ParameterSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as ParameterSchema) : {};
}
