// Renders the texts of a template with values. Inserted values are never parsed as templates again.

import { jsonIn } from "../../protocol/json-text.ts";
import type { PlanContext, PlanOutput } from "../../protocol/plan-template.ts";
import { isObject, valueIn } from "../../protocol/conditions/values.ts";
import { shortened } from "../../protocol/shortened.ts";

/** A reference to a value in a text, for example `{002.context.level}`. */
export type Placeholder = { readonly task_id: string; readonly name: string };

// A name must not end with a space; otherwise a long run of spaces causes quadratic backtracking.
const PLACEHOLDER = /\{(?<double>\{)?\s*(?<task>[\w-]+)\.context\.(?<name>[^{}]+(?<!\s))\s*\}(?<end>\})?/g;
/** Matches `{{result}}` and `{{result.field}}`. */
const RESULT = /\{\{\s*(?<result>result)(?:\.(?<field>[^{}]+(?<!\s)))?\s*\}\}/g;
const ONLY_RESULT = new RegExp(`^\\s*${RESULT.source}\\s*$`);
/** The maximum length of a value in a prompt. */
const MAX_VALUE_CHARS = 2_000;
/** Values that a prompt may contain unquoted. All other values are quoted as JSON. */
const PLAIN = /^[\p{L}\p{M}\p{N} .@\-_/+:,，。]{0,64}$/u;

/** Returns all placeholders of a text, in order, with duplicates. */
export function placeholdersIn(text: string): Placeholder[] {
  return [...text.matchAll(PLACEHOLDER)].map(({ groups }) => ({
    task_id: groups?.["task"] ?? "",
    name: groups?.["name"] ?? "",
  }));
}

/** Returns the context of a task; undefined if it has none. */
export type Contexts = (taskId: string) => PlanContext | undefined;

/**
 * Returns the value of a placeholder: of its task, else of the main task. Undefined if neither has a non-null value.
 */
export function valueOf({ task_id, name }: Placeholder, contexts: Contexts, mainTaskId: string): unknown {
  const own = valueIn(contexts(task_id), name);
  return (own === null ? undefined : own) ?? valueIn(contexts(mainTaskId), name) ?? undefined;
}

/** A rendered prompt, or the placeholders without a value. */
export type Rendered =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "lacks"; readonly missing: readonly Placeholder[] };

/** Renders a prompt. Returns `lacks` with the missing placeholders if any value is missing. */
export function renderPrompt(prompt: string, contexts: Contexts, mainTaskId: string): Rendered {
  const missing = new Map<string, Placeholder>();
  for (const placeholder of placeholdersIn(prompt)) {
    const { task_id, name } = placeholder;
    if (valueOf(placeholder, contexts, mainTaskId) === undefined) missing.set(`${task_id}.${name}`, placeholder);
  }
  if (missing.size > 0) return { kind: "lacks", missing: [...missing.values()] };
  const text = replaced(prompt, (placeholder) => contained(valueOf(placeholder, contexts, mainTaskId)));
  return { kind: "text", text };
}

/** Replaces all placeholders of a text. Double braces are part of a placeholder only if both sides have them. */
function replaced(text: string, valueAt: (placeholder: Placeholder) => string): string {
  return text.replaceAll(PLACEHOLDER, (whole: string, double: string | undefined, task_id: string, name: string) => {
    const value = valueAt({ task_id, name });
    const isDouble = double !== undefined && whole.endsWith("}}");
    return isDouble ? value : `${double ?? ""}${value}${whole.endsWith("}}") ? "}" : ""}`;
  });
}

/** Formats a value so that it cannot act as an instruction in a prompt: no control characters, truncated, quoted. */
function contained(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const clean = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
  const shown = shortened(clean, MAX_VALUE_CHARS);
  if (typeof value !== "string" && shown === clean) return shown;
  return PLAIN.test(shown) ? shown : JSON.stringify(shown);
}

/** True if a text consists of a single result reference. Such a text is not a value until it is replaced. */
export function isOfResult(text: unknown): text is string {
  return typeof text === "string" && ONLY_RESULT.test(text);
}

/**
 * Renders the context of an output with fields of the result and values of tasks (X24). `whole` replaces `{{result}}`.
 * A text that is a single placeholder becomes the value itself; placeholders without a value stay as written.
 */
export function renderOutput(output: PlanOutput, result: unknown, contexts: Contexts, whole?: unknown): PlanContext {
  const look: LookUp = ({ result: isResult, field, task = "", name = "" }) => {
    if (isResult === undefined) return valueIn(contexts(task), name);
    return field === undefined ? whole : valueIn(result, field);
  };
  const rendered = Object.entries(output.context).map(([name, value]) => [name, deeply(value, look)]);
  return Object.fromEntries(rendered) as PlanContext;
}

/** A JSON value of a task's context. */
type Json = PlanContext[string];
/** Returns the value for the named groups of a match of `RESULT_OR_PLACEHOLDER`; undefined if there is none. */
type LookUp = (groups: Readonly<Record<string, string | undefined>>) => unknown;

/** Renders all strings of a value, recursively. */
function deeply(value: Json, look: LookUp): Json {
  if (typeof value === "string") return outputValue(value, look);
  if (Array.isArray(value)) return value.map((part) => deeply(part, look));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, deeply(part, look)]));
}

const EITHER = new RegExp(`${RESULT.source}|${PLACEHOLDER.source}`, "g");

/** Renders one string. */
function outputValue(text: string, look: LookUp): Json {
  const [only] = text.matchAll(EITHER);
  if (only !== undefined && only[0] === text.trim()) return (look(only.groups ?? {}) ?? text) as Json;
  return text.replaceAll(EITHER, (whole: string, ...rest: unknown[]) => {
    const value = look(rest.at(-1) as Record<string, string | undefined>);
    if (value === undefined) return whole;
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}

/**
 * Returns the structured result of an agent: the last tool result that is a JSON object, else the answer if it is one
 * (also in a code fence), else {}.
 */
export function resultOf(answer: string, toolResults: readonly string[]): unknown {
  for (const text of [...toolResults].reverse()) {
    const found = objectIn(text);
    if (found !== null) return found;
  }
  const [, fenced = answer] = /^```(?:json)?\n(.*)\n```$/s.exec(answer.trim()) ?? [];
  return objectIn(fenced) ?? {};
}

/**
 * Returns the structured result if it has fields, else the answer as JSON, else as trimmed text; undefined if blank.
 */
export function wholeOf(answer: string, toolResults: readonly string[]): unknown {
  const found = resultOf(answer, toolResults);
  if (isObject(found) && Object.keys(found).length > 0) return found;
  const whole = jsonIn(answer);
  if (whole !== undefined) return whole;
  return answer.trim() === "" ? undefined : answer.trim();
}

/** Parses a JSON object, also inside a one-element list of `{content}` as in tool results. Null for any other text. */
function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const json: unknown = JSON.parse(text);
    if (isObject(json)) return json;
    if (!Array.isArray(json) || json.length !== 1 || !isObject(json[0])) return null;
    const { content, ...rest } = json[0];
    if (typeof content === "string" && Object.keys(rest).length === 0) return objectIn(content);
    return null;
  } catch {
    return null;
  }
}
