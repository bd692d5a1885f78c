// Texts of a template with values in them. A value is put in once and never read as a template itself.

import { jsonIn } from "../../protocol/json-text.ts";
import type { PlanContext, PlanOutput } from "../../protocol/plan-template.ts";
import { isObject, valueIn } from "../../protocol/conditions/values.ts";
import { shortened } from "../../protocol/shortened.ts";

/** A value that a text names: `{002.context.level}`. */
export type Placeholder = { readonly task_id: string; readonly name: string };

// A name ends with no space: were that left to what follows, a long run of spaces would be looked at from each of them.
const PLACEHOLDER = /\{(?<double>\{)?\s*(?<task>[\w-]+)\.context\.(?<name>[^{}]+(?<!\s))\s*\}(?<end>\})?/g;
const RESULT = /\{\{\s*(?<result>result)(?:\.(?<field>[^{}]+(?<!\s)))?\s*\}\}/g;
const ONLY_RESULT = new RegExp(`^\\s*${RESULT.source}\\s*$`);
const MAX_VALUE_CHARS = 2_000;
/** What may stand in a prompt as it is: data that is longer, or holds anything else, is quoted. */
const PLAIN = /^[\p{L}\p{M}\p{N} .@\-_/+:,，。]{0,64}$/u;

export function placeholdersIn(text: string): Placeholder[] {
  return [...text.matchAll(PLACEHOLDER)].map(({ groups }) => ({
    task_id: groups?.["task"] ?? "",
    name: groups?.["name"] ?? "",
  }));
}

/** What is known of tasks. */
export type Contexts = (taskId: string) => PlanContext | undefined;

/** A value by its name: of the task itself, or else of the main task. Undefined when neither has one. */
export function valueOf({ task_id, name }: Placeholder, contexts: Contexts, mainTaskId: string): unknown {
  const own = valueIn(contexts(task_id), name);
  return (own === null ? undefined : own) ?? valueIn(contexts(mainTaskId), name) ?? undefined;
}

export type Rendered =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "lacks"; readonly missing: readonly Placeholder[] };

/** A prompt with its values, or those that nobody has given yet. */
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

function replaced(text: string, valueAt: (placeholder: Placeholder) => string): string {
  return text.replaceAll(PLACEHOLDER, (whole: string, double: string | undefined, task_id: string, name: string) => {
    const value = valueAt({ task_id, name });
    const isDouble = double !== undefined && whole.endsWith("}}");
    return isDouble ? value : `${double ?? ""}${value}${whole.endsWith("}}") ? "}" : ""}`;
  });
}

/** A value as it may stand between instructions without posing as one of them. */
function contained(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const clean = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
  const shown = shortened(clean, MAX_VALUE_CHARS);
  if (typeof value !== "string" && shown === clean) return shown;
  return PLAIN.test(shown) ? shown : JSON.stringify(shown);
}

/** Whether a text of an output is nothing but a part of the result, and so no value while it stands as it is written. */
export function isOfResult(text: unknown): text is string {
  return typeof text === "string" && ONLY_RESULT.test(text);
}

/**
 * What a listener makes of its target: its texts with the fields of the result, and with what is known of tasks (X24).
 * `whole` is what `{{result}}` stands for.
 */
export function renderOutput(output: PlanOutput, result: unknown, contexts: Contexts, whole?: unknown): PlanContext {
  const look: LookUp = ({ result: isResult, field, task = "", name = "" }) => {
    if (isResult === undefined) return valueIn(contexts(task), name);
    return field === undefined ? whole : valueIn(result, field);
  };
  const rendered = Object.entries(output.context).map(([name, value]) => [name, deeply(value, look)]);
  return Object.fromEntries(rendered) as PlanContext;
}

type Json = PlanContext[string];
type LookUp = (groups: Readonly<Record<string, string | undefined>>) => unknown;

function deeply(value: Json, look: LookUp): Json {
  if (typeof value === "string") return outputValue(value, look);
  if (Array.isArray(value)) return value.map((part) => deeply(part, look));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, deeply(part, look)]));
}

const EITHER = new RegExp(`${RESULT.source}|${PLACEHOLDER.source}`, "g");

/** A text that is one placeholder becomes the value itself; what has no value stays as it is written. */
function outputValue(text: string, look: LookUp): Json {
  const [only] = text.matchAll(EITHER);
  if (only !== undefined && only[0] === text.trim()) return (look(only.groups ?? {}) ?? text) as Json;
  return text.replaceAll(EITHER, (whole: string, ...rest: unknown[]) => {
    const value = look(rest.at(-1) as Record<string, string | undefined>);
    if (value === undefined) return whole;
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}

/** The structured result of an agent: the last of its tools' results that is an object, or else its answer if that is one. */
export function resultOf(answer: string, toolResults: readonly string[]): unknown {
  for (const text of [...toolResults].reverse()) {
    const found = objectIn(text);
    if (found !== null) return found;
  }
  const [, fenced = answer] = /^```(?:json)?\n(.*)\n```$/s.exec(answer.trim()) ?? [];
  return objectIn(fenced) ?? {};
}

/** All that came of an agent or of code: its structured result, else its words, as JSON where they are any. */
export function wholeOf(answer: string, toolResults: readonly string[]): unknown {
  const found = resultOf(answer, toolResults);
  if (isObject(found) && Object.keys(found).length > 0) return found;
  const whole = jsonIn(answer);
  if (whole !== undefined) return whole;
  return answer.trim() === "" ? undefined : answer.trim();
}

/** The object that a text is; also as a list of `{content}` around it, as tools give their results. */
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
