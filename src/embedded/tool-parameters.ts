// Derives the purpose of a tool's parameters from schema, name and description.

import { splitIdentifier } from "./idea-glossary.ts";

export type ParameterSchema = Readonly<Record<string, unknown>>;
export type ToolParameter = {
  readonly name: string;
  readonly words: string;
  readonly schema: ParameterSchema;
  readonly isRequired: boolean;
};

/** True if the tool takes an arithmetic expression. */
export function takesExpression(schema: ParameterSchema): boolean {
  return listParameters(schema).some((parameter) => detectParameterKind(parameter) === "expression");
}

export function takesDate(schema: ParameterSchema): boolean {
  return listParameters(schema).some((parameter) => detectParameterKind(parameter) === "date");
}

/** True if the only required parameter is a question in free text. */
export function takesQuestion(schema: ParameterSchema): boolean {
  const required = listParameters(schema).filter(({ isRequired }) => isRequired);
  return required.length === 1 && required.every((parameter) => detectParameterKind(parameter) === "question");
}

export function listParameters(schema: ParameterSchema): ToolParameter[] {
  const properties = toSchema(schema["properties"]);
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.entries(properties).map(([name, value]) => {
    const property = pickVariant(toSchema(value));
    return { name, words: splitIdentifier(name).toLowerCase(), schema: property, isRequired: required.includes(name) };
  });
}

/** Returns the non-null variant of `string | null`. */
function pickVariant(schema: ParameterSchema): ParameterSchema {
  const variants = schema["anyOf"] ?? schema["oneOf"];
  if (!Array.isArray(variants)) return schema;
  const real = variants.map(toSchema).find(({ type }) => type !== "null");
  return { ...schema, ...real };
}

export type ParameterKind =
  | "choice"
  | "expression"
  | "zone"
  | "place"
  | "min"
  | "max"
  | "count"
  | "number"
  | "numbers"
  | "date"
  | "text"
  | "texts"
  | "find"
  | "replacement"
  | "question"
  | "language"
  | "email"
  | "url"
  | "flag"
  | "name"
  | "object";

const NAMED: readonly (readonly [ParameterKind, RegExp])[] = [
  ["find", /^(?:find|old|pattern)\b/],
  ["replacement", /^(?:replacement|replace|new|with)\b/],
  ["expression", /\b(?:expr(?:ession)?|formula|equation|calculation|arithmetic)\b/],
  ["zone", /time ?zone|\btz\b|\bzone\b/],
  ["place", /\b(?:city|cities|location|place|country|where|address)\b/],
  ["email", /e-?mail|recipient/],
  ["url", /\b(?:url|link|uri|website)\b/],
  ["language", /\blang(?:uage)?\b/],
  ["date", /\b(?:dates?|day|birthday|deadline)\b/],
  ["text", /\b(?:text|content|input|string|str|sentence|phrase|paragraph|body|words?|data|value|message)\b/],
  ["question", /\b(?:query|question|prompt|request|keywords?|q|search|topic|subject|task|instructions?|goal)\b/],
];

export function detectParameterKind({ words, schema }: ToolParameter): ParameterKind {
  if (Array.isArray(schema["enum"])) return "choice";
  const type = schema["type"];
  if (type === "boolean") return "flag";
  if (type === "object") return "object";
  if (type === "array") return /number|integer/.test(String(toSchema(schema["items"])["type"])) ? "numbers" : "texts";
  if (type === "number" || type === "integer") {
    if (/^(?:min|low|from|start|least)/.test(words)) return "min";
    if (/^(?:max|high|to\b|up|end|most|sides|faces)/.test(words)) return "max";
    return /\b(?:count|n|how many|quantity|amount|times|limit)\b/.test(words) ? "count" : "number";
  }
  const format = schema["format"];
  if (format === "date" || format === "date-time") return "date";
  const named = NAMED.find(([, pattern]) => pattern.test(words));
  if (named !== undefined) return named[0];
  const description = typeof schema["description"] === "string" ? schema["description"].toLowerCase() : "";
  return NAMED.slice(2, 9).find(([, pattern]) => pattern.test(description))?.[0] ?? "name";
}

function toSchema(value: unknown): ParameterSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as ParameterSchema) : {};
}
