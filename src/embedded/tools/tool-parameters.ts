// Derives the purpose of a tool's parameters from schema, name and description.

import { splitIdentifier } from "../work/words.ts";

export type ParameterSchema = Readonly<Record<string, unknown>>;
export type ToolParameter = {
  readonly name: string;
  /** The words of the name, in lower case. */
  readonly words: string;
  readonly schema: ParameterSchema;
  readonly isRequired: boolean;
  readonly kind: ParameterKind;
};

export type ParameterKind =
  | "choice"
  | "flag"
  | "object"
  | "numbers"
  | "texts"
  | "min"
  | "max"
  | "number"
  | "find"
  | "replacement"
  | "expression"
  | "zone"
  | "place"
  | "email"
  | "url"
  | "date"
  | "subject"
  | "text"
  | "question"
  | "name";

const NAMED: readonly (readonly [ParameterKind, RegExp])[] = [
  ["find", /^(?:find|old|pattern)\b/],
  ["replacement", /^(?:replacement|replace|new|with)\b/],
  ["expression", /\b(?:expr(?:ession)?|formula|equation|calculation|arithmetic)\b/],
  ["zone", /time ?zone|\btz\b|\bzone\b/],
  ["place", /\b(?:city|cities|location|place|country|where)\b/],
  ["email", /e-?mail|recipient|^to$/],
  ["url", /\b(?:url|link|uri|website)\b/],
  ["date", /\b(?:dates?|day|birthday|deadline)\b/],
  ["subject", /\b(?:subject|title)\b/],
  ["text", /\b(?:text|content|input|string|str|sentence|phrase|body|words?|message)\b/],
  ["question", /\b(?:query|question|prompt|request|keywords?|q|search|topic|task|instructions?|goal)\b/],
];

export function listParameters(schema: ParameterSchema): ToolParameter[] {
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.entries(toSchema(schema["properties"])).map(([name, value]) => {
    const property = pickVariant(toSchema(value));
    const words = splitIdentifier(name).toLowerCase();
    return { name, words, schema: property, isRequired: required.includes(name), kind: detectKind(words, property) };
  });
}

/** Returns the non-null variant of `string | null`. */
function pickVariant(schema: ParameterSchema): ParameterSchema {
  const variants = schema["anyOf"] ?? schema["oneOf"];
  if (!Array.isArray(variants)) return schema;
  return { ...schema, ...variants.map(toSchema).find(({ type }) => type !== "null") };
}

function detectKind(words: string, schema: ParameterSchema): ParameterKind {
  if (Array.isArray(schema["enum"])) return "choice";
  const type = schema["type"];
  if (type === "boolean") return "flag";
  if (type === "object") return "object";
  if (type === "array") return /number|integer/.test(String(toSchema(schema["items"])["type"])) ? "numbers" : "texts";
  if (type === "number" || type === "integer") {
    if (/^(?:min|low|from|start|least)/.test(words)) return "min";
    return /^(?:max|high|to\b|up|end|most|sides|faces)/.test(words) ? "max" : "number";
  }
  const format = schema["format"];
  if (format === "date" || format === "date-time") return "date";
  return format === "email" ? "email" : (NAMED.find(([, pattern]) => pattern.test(words))?.[0] ?? "name");
}

function toSchema(value: unknown): ParameterSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as ParameterSchema) : {};
}
