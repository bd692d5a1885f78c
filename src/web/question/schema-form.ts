// Builds a form for the arguments of a tool from a JSON Schema. Values without a suitable field are edited as JSON.

import { visibleJson } from "../../protocol/visible.ts";
import { isExact, isExactJson } from "../exact.ts";

export type Arguments = Readonly<Record<string, unknown>>;
export type Kind = "text" | "number" | "integer" | "boolean" | "choice" | "json";

export type FieldSpec = {
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  readonly kind: Kind;
  readonly isRequired: boolean;
  /** True if the text needs a multi-line field. */
  readonly isLong: boolean;
  /** The values of a choice, as JSON. */
  readonly choices: readonly string[];
};

/** The texts of the fields by name; "" is an empty field. */
export type Draft = ReadonlyMap<string, string>;
export type Problem = "required" | "number" | "integer" | "inexact" | "json" | "object";
export type ReadDraft =
  | { readonly ok: true; readonly arguments: Record<string, unknown> }
  | { readonly ok: false; readonly problems: ReadonlyMap<string, Problem> };

const LONG = 80;

/** Returns a field for each property of the schema and for each other argument. */
export function fieldsOf(parameters: unknown, args: Arguments): FieldSpec[] {
  const schema = objectOr(parameters);
  const properties = objectOr(own(schema, "properties"));
  const required = listOr(own(schema, "required"));
  const names = new Set([...Object.keys(properties), ...Object.keys(args)]);
  return [...names].map((name) => {
    const property = objectOr(own(properties, name));
    const { title, description, maxLength } = property;
    const choices = listOr(property["enum"]);
    const value = own(args, name);
    const kind = kindOf(property["type"], choices, value);
    return {
      name,
      label: typeof title === "string" ? title : name,
      ...(typeof description === "string" ? { description } : {}),
      kind,
      isRequired: required.includes(name),
      isLong: kind === "text" && ((typeof maxLength === "number" && maxLength > 200) || isLong(value)),
      choices:
        kind === "choice" ? (choices.length > 0 ? choices : [true, false]).map((each) => JSON.stringify(each)) : [],
    };
  });
}

/** Returns {} for other values. Schemas come from agents, so unexpected shapes are ignored. */
function objectOr(value: unknown): Arguments {
  return isObject(value) ? value : {};
}

function listOr(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function own(of: Arguments, name: string): unknown {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}

function isLong(value: unknown): boolean {
  return typeof value === "string" && (value.length > LONG || value.includes("\n"));
}

/** Returns "json" if the value does not match the schema, because only JSON can show it unchanged. */
function kindOf(type: unknown, choices: readonly unknown[], value: unknown): Kind {
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

export function draftOf(fields: readonly FieldSpec[], args: Arguments): Draft {
  return new Map(fields.map(({ name, kind }) => [name, written(kind, own(args, name))]));
}

function written(kind: Kind, value: unknown): string {
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
      return visibleJson(value);
  }
}

/**
 * Parses the fields. Empty fields are omitted, except texts that contain spaces or were a string in `before`, the
 * arguments from which the form was filled.
 */
export function readDraft(fields: readonly FieldSpec[], draft: Draft, before: Arguments): ReadDraft {
  const problems = new Map<string, Problem>();
  const entries: [string, unknown][] = [];
  for (const field of fields) {
    const text = draft.get(field.name) ?? "";
    const wasText = typeof own(before, field.name) === "string";
    if (text.trim() === "" && !(field.kind === "text" && (wasText || text !== ""))) {
      if (field.isRequired) problems.set(field.name, "required");
      continue;
    }
    const read = valueIn(field.kind, text);
    if ("problem" in read) problems.set(field.name, read.problem);
    else entries.push([field.name, read.value]);
  }
  return problems.size > 0 ? { ok: false, problems } : { ok: true, arguments: Object.fromEntries(entries) };
}

function valueIn(kind: Kind, text: string): { readonly value: unknown } | { readonly problem: Problem } {
  switch (kind) {
    case "text":
      return { value: text };
    case "number":
    case "integer": {
      const value = Number(text);
      if (!Number.isFinite(value)) return { problem: kind };
      if (kind === "integer" && !Number.isInteger(value)) return { problem: kind };
      return isExact(text.trim()) ? { value } : { problem: "inexact" };
    }
    case "boolean":
    case "choice":
    case "json":
      return jsonIn(text);
  }
}

function jsonIn(text: string): { readonly value: unknown } | { readonly problem: Problem } {
  try {
    const value: unknown = JSON.parse(text);
    return isExactJson(text) ? { value } : { problem: "inexact" };
  } catch {
    return { problem: "json" };
  }
}

/** Parses all arguments as one JSON text. A problem is reported under the name "". */
export function readRaw(text: string): ReadDraft {
  const read = jsonIn(text);
  if ("problem" in read) return { ok: false, problems: new Map([["", read.problem]]) };
  if (!isObject(read.value)) return { ok: false, problems: new Map([["", "object"]]) };
  return { ok: true, arguments: read.value };
}

/** Returns the name of the field that a path of the server refers to: `arguments.to.0` → `to`; null if none matches. */
export function fieldMeant(path: string | undefined, fields: readonly FieldSpec[]): string | null {
  if (path === undefined || !path.startsWith("arguments.")) return null;
  const rest = path.slice("arguments.".length);
  return fields.find(({ name }) => rest === name || rest.startsWith(`${name}.`))?.name ?? null;
}
