// Renders the texts of a template with values. Inserted values are never parsed as templates again.

import { tryParseJson } from "../../lib/parse-json.ts";
import type { WorkflowTaskContext, ListenerOutput } from "../../protocol/workflows/workflow-template.ts";
import { isObject, getValueAtPath } from "../../protocol/workflows/value-path.ts";
import { truncateWithEllipsis } from "../../lib/truncate.ts";

/** A reference to a value in a text, for example `{002.context.level}`. */
export type Placeholder = { readonly task_id: string; readonly name: string };

// A name must not end with a space; otherwise a long run of spaces causes quadratic backtracking.
const PLACEHOLDER = /\{(?<double>\{)?\s*(?<task>[\w-]+)\.context\.(?<name>[^{}]+(?<!\s))\s*\}(?<end>\})?/g;
/** Matches `{{result}}` and `{{result.field}}`. */
const RESULT_REFERENCE = /\{\{\s*(?<result>result)(?:\.(?<field>[^{}]+(?<!\s)))?\s*\}\}/g;
const SINGLE_RESULT_REFERENCE = new RegExp(`^\\s*${RESULT_REFERENCE.source}\\s*$`);
/** The maximum length of a value in a prompt. */
const MAX_VALUE_CHARS = 2_000;
/** Values that a prompt may contain unquoted. All other values are quoted as JSON. */
const PLAIN_VALUE = /^[\p{L}\p{M}\p{N} .@\-_/+:,，。]{0,64}$/u;

/** Returns all placeholders of a text, in order, with duplicates. */
export function findPlaceholders(text: string): Placeholder[] {
  return [...text.matchAll(PLACEHOLDER)].map(({ groups }) => ({
    task_id: groups?.["task"] ?? "",
    name: groups?.["name"] ?? "",
  }));
}

/** Returns the context of a task; undefined if it has none. */
export type ContextLookup = (taskId: string) => WorkflowTaskContext | undefined;

/**
 * Returns the value of a placeholder: of its task, else of the main task. Undefined if neither has a non-null value.
 */
export function resolvePlaceholder(
  { task_id, name }: Placeholder,
  contexts: ContextLookup,
  mainTaskId: string,
): unknown {
  const own = getValueAtPath(contexts(task_id), name);
  return (own === null ? undefined : own) ?? getValueAtPath(contexts(mainTaskId), name) ?? undefined;
}

/** A rendered prompt, or the placeholders without a value. */
export type RenderedPrompt =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "lacks"; readonly missing: readonly Placeholder[] };

/** Renders a prompt. Returns `lacks` with the missing placeholders if any value is missing. */
export function renderPrompt(prompt: string, contexts: ContextLookup, mainTaskId: string): RenderedPrompt {
  const missing = new Map<string, Placeholder>();
  for (const placeholder of findPlaceholders(prompt)) {
    const { task_id, name } = placeholder;
    if (resolvePlaceholder(placeholder, contexts, mainTaskId) === undefined)
      missing.set(`${task_id}.${name}`, placeholder);
  }
  if (missing.size > 0) return { kind: "lacks", missing: [...missing.values()] };
  const text = replacePlaceholders(prompt, (placeholder) =>
    formatPromptValue(resolvePlaceholder(placeholder, contexts, mainTaskId)),
  );
  return { kind: "text", text };
}

/** Replaces all placeholders of a text. Double braces are part of a placeholder only if both sides have them. */
export function replacePlaceholders(text: string, valueAt: (placeholder: Placeholder) => string): string {
  return text.replaceAll(PLACEHOLDER, (whole: string, double: string | undefined, task_id: string, name: string) => {
    const value = valueAt({ task_id, name });
    const isDouble = double !== undefined && whole.endsWith("}}");
    return isDouble ? value : `${double ?? ""}${value}${whole.endsWith("}}") ? "}" : ""}`;
  });
}

/** Formats a value so that it cannot act as an instruction in a prompt: no control characters, truncated, quoted. */
function formatPromptValue(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const clean = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
  const shown = truncateWithEllipsis(clean, MAX_VALUE_CHARS);
  if (typeof value !== "string" && shown === clean) return shown;
  return PLAIN_VALUE.test(shown) ? shown : JSON.stringify(shown);
}

/** True if a text consists of a single result reference. Such a text is not a value until it is replaced. */
export function isResultReference(text: unknown): text is string {
  return typeof text === "string" && SINGLE_RESULT_REFERENCE.test(text);
}

/**
 * Renders the context of an output with fields of the result and values of tasks (X24). `whole` replaces `{{result}}`.
 * A text that is a single placeholder becomes the value itself; placeholders without a value stay as written.
 */
export function renderOutput(
  output: ListenerOutput,
  result: unknown,
  contexts: ContextLookup,
  whole?: unknown,
): WorkflowTaskContext {
  const resolve: ReferenceLookup = ({ result: isResult, field, task = "", name = "" }) => {
    if (isResult === undefined) return getValueAtPath(contexts(task), name);
    return field === undefined ? whole : getValueAtPath(result, field);
  };
  const rendered = Object.entries(output.context).map(([name, value]) => [name, renderValue(value, resolve)]);
  return Object.fromEntries(rendered) as WorkflowTaskContext;
}

/** A JSON value of a task's context. */
type ContextValue = WorkflowTaskContext[string];
/** Returns the value for the named groups of a match of `RESULT_OR_PLACEHOLDER`; undefined if there is none. */
type ReferenceLookup = (groups: Readonly<Record<string, string | undefined>>) => unknown;

/** Renders all strings of a value, recursively. */
function renderValue(value: ContextValue, resolve: ReferenceLookup): ContextValue {
  if (typeof value === "string") return renderString(value, resolve);
  if (Array.isArray(value)) return value.map((part) => renderValue(part, resolve));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, renderValue(part, resolve)]));
}

const RESULT_OR_PLACEHOLDER = new RegExp(`${RESULT_REFERENCE.source}|${PLACEHOLDER.source}`, "g");

/** Renders one string. */
function renderString(text: string, resolve: ReferenceLookup): ContextValue {
  const [only] = text.matchAll(RESULT_OR_PLACEHOLDER);
  if (only !== undefined && only[0] === text.trim()) return (resolve(only.groups ?? {}) ?? text) as ContextValue;
  return text.replaceAll(RESULT_OR_PLACEHOLDER, (whole: string, ...rest: unknown[]) => {
    const value = resolve(rest.at(-1) as Record<string, string | undefined>);
    if (value === undefined) return whole;
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}

/**
 * Returns the structured result of an agent: the last tool result that is a JSON object, else the answer if it is one
 * (also in a code fence), else {}.
 */
export function parseAgentResult(answer: string, toolResults: readonly string[]): unknown {
  for (const text of [...toolResults].reverse()) {
    const found = parseJsonObject(text);
    if (found !== null) return found;
  }
  const [, fenced = answer] = /^```(?:json)?\n(.*)\n```$/s.exec(answer.trim()) ?? [];
  return parseJsonObject(fenced) ?? {};
}

/**
 * Returns the structured result if it has fields, else the answer as JSON, else as trimmed text; undefined if blank.
 */
export function parseWholeResult(answer: string, toolResults: readonly string[]): unknown {
  const found = parseAgentResult(answer, toolResults);
  if (isObject(found) && Object.keys(found).length > 0) return found;
  const whole = tryParseJson(answer);
  if (whole !== undefined) return whole;
  return answer.trim() === "" ? undefined : answer.trim();
}

/** Parses a JSON object, also inside a one-element list of `{content}` as in tool results. Null for any other text. */
function parseJsonObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const json: unknown = JSON.parse(text);
    if (isObject(json)) return json;
    if (!Array.isArray(json) || json.length !== 1 || !isObject(json[0])) return null;
    const { content, ...rest } = json[0];
    if (typeof content === "string" && Object.keys(rest).length === 0) return parseJsonObject(content);
    return null;
  } catch {
    return null;
  }
}
