// Builds a form for the arguments of a tool from a JSON Schema. Values without a suitable field are edited as JSON.

import { formatEscapedJson } from "../../../../lib/escape-invisible.ts";
import { isLosslessNumber, hasLosslessNumbers } from "../../../ui/format/lossless-numbers.ts";

export type ArgumentValues = Readonly<Record<string, unknown>>;
/** `json`: the value is edited as JSON, because no other field can show it unchanged. */
type FieldKind = "text" | "number" | "integer" | "boolean" | "choice" | "json";

export type FieldSpec = {
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  /** True if the text needs a multi-line field. */
  readonly isLong: boolean;
  /** The values of a choice, as JSON. */
  readonly choices: readonly string[];
};

/** The texts of the fields by name; "" is an empty field. Values of `boolean`, `choice` and `json` are JSON. */
export type FieldTexts = ReadonlyMap<string, string>;
/**
 * `inexact`: a number that would lose digits. `object`: the JSON is not an object. The others: the text is not that.
 */
export type FieldProblem = "required" | "number" | "integer" | "inexact" | "json" | "object";
export type ParsedArguments =
  | { readonly ok: true; readonly arguments: Record<string, unknown> }
  | { readonly ok: false; readonly problems: ReadonlyMap<string, FieldProblem> };

const MAX_SHORT_CHARS = 80;

/**
 * Returns a field for each property of the JSON Schema `parameters`, then for each other argument. A value that does
 * not match its schema gets a JSON field. Never throws: unexpected parts of the schema are ignored.
 */
export function buildFields(parameters: unknown, args: ArgumentValues): FieldSpec[] {
  const schema = toObject(parameters);
  const properties = toObject(getOwnValue(schema, "properties"));
  const required = toList(getOwnValue(schema, "required"));
  const names = new Set([...Object.keys(properties), ...Object.keys(args)]);
  return [...names].map((name) => {
    const property = toObject(getOwnValue(properties, name));
    const { title, description, maxLength } = property;
    const choices = toList(property["enum"]);
    const value = getOwnValue(args, name);
    const kind = selectFieldKind(property["type"], choices, value);
    return {
      name,
      label: typeof title === "string" ? title : name,
      ...(typeof description === "string" ? { description } : {}),
      kind,
      isRequired: required.includes(name),
      isLong: kind === "text" && ((typeof maxLength === "number" && maxLength > 200) || isLongText(value)),
      choices:
        kind === "choice" ? (choices.length > 0 ? choices : [true, false]).map((each) => JSON.stringify(each)) : [],
    };
  });
}

/** Returns {} for other values. Schemas come from agents, so unexpected shapes are ignored. */
function toObject(value: unknown): ArgumentValues {
  return isObject(value) ? value : {};
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function getOwnValue(of: ArgumentValues, name: string): unknown {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}

function isLongText(value: unknown): boolean {
  return typeof value === "string" && (value.length > MAX_SHORT_CHARS || value.includes("\n"));
}

/** Returns "json" if the value does not match the schema, because only JSON can show it unchanged. */
function selectFieldKind(type: unknown, choices: readonly unknown[], value: unknown): FieldKind {
  const isAbsent = value === undefined;
  if (choices.length > 0) {
    return isAbsent || choices.some((choice) => JSON.stringify(choice) === JSON.stringify(value)) ? "choice" : "json";
  }
  switch (type) {
    case "string":
      return isAbsent || typeof value === "string" ? "text" : "json";
    case "number":
      return isAbsent || typeof value === "number" ? "number" : "json";
    case "integer":
      return isAbsent || Number.isInteger(value) ? "integer" : "json";
    case "boolean":
      // A checkbox has no state for an absent value.
      return isAbsent ? "choice" : typeof value === "boolean" ? "boolean" : "json";
    default:
      return "json";
  }
}

/** Returns the texts of the fields for these arguments; `parseFieldTexts` returns the same arguments for them. */
export function formatFields(fields: readonly FieldSpec[], args: ArgumentValues): FieldTexts {
  return new Map(fields.map(({ name, kind }) => [name, formatFieldValue(kind, getOwnValue(args, name))]));
}

function formatFieldValue(kind: FieldKind, value: unknown): string {
  if (value === undefined) return "";
  switch (kind) {
    case "text":
      return String(value);
    case "choice":
      return JSON.stringify(value);
    case "number":
    case "integer":
    case "boolean":
      return String(value);
    case "json":
      return formatEscapedJson(value);
  }
}

/**
 * Parses all fields; the result is either the arguments or the problems of all invalid fields by name. Empty fields are
 * omitted (a problem if required), except texts that contain spaces or were a string in `before`, the arguments from
 * which the form was filled.
 */
export function parseFieldTexts(
  fields: readonly FieldSpec[],
  draft: FieldTexts,
  before: ArgumentValues,
): ParsedArguments {
  const problems = new Map<string, FieldProblem>();
  const entries: [string, unknown][] = [];
  for (const field of fields) {
    const text = draft.get(field.name) ?? "";
    const wasText = typeof getOwnValue(before, field.name) === "string";
    if (text.trim() === "" && !(field.kind === "text" && (wasText || text !== ""))) {
      if (field.isRequired) problems.set(field.name, "required");
      continue;
    }
    const read = parseFieldValue(field.kind, text);
    if ("problem" in read) problems.set(field.name, read.problem);
    else entries.push([field.name, read.value]);
  }
  return problems.size > 0 ? { ok: false, problems } : { ok: true, arguments: Object.fromEntries(entries) };
}

function parseFieldValue(
  kind: FieldKind,
  text: string,
): { readonly value: unknown } | { readonly problem: FieldProblem } {
  switch (kind) {
    case "text":
      return { value: text };
    case "number":
    case "integer": {
      const value = Number(text);
      if (!Number.isFinite(value)) return { problem: kind };
      if (kind === "integer" && !Number.isInteger(value)) return { problem: kind };
      return isLosslessNumber(text.trim()) ? { value } : { problem: "inexact" };
    }
    case "boolean":
    case "choice":
    case "json":
      return parseJsonValue(text);
  }
}

function parseJsonValue(text: string): { readonly value: unknown } | { readonly problem: FieldProblem } {
  try {
    const value: unknown = JSON.parse(text);
    return hasLosslessNumbers(text) ? { value } : { problem: "inexact" };
  } catch {
    return { problem: "json" };
  }
}

/** Parses all arguments from one JSON text, without the schema. A problem is reported under the name "". */
export function parseRawArguments(text: string): ParsedArguments {
  const read = parseJsonValue(text);
  if ("problem" in read) return { ok: false, problems: new Map([["", read.problem]]) };
  if (!isObject(read.value)) return { ok: false, problems: new Map([["", "object"]]) };
  return { ok: true, arguments: read.value };
}

/** Returns the name of the field that a path of the server refers to: `arguments.to.0` → `to`; null if none matches. */
export function findProblemField(path: string | undefined, fields: readonly FieldSpec[]): string | null {
  if (path === undefined || !path.startsWith("arguments.")) return null;
  const rest = path.slice("arguments.".length);
  return fields.find(({ name }) => rest === name || rest.startsWith(`${name}.`))?.name ?? null;
}
