// The form for context values, before a workflow instance starts or resumes. Values are entered as text or as JSON.

import type { PlanContext, PlanTemplate } from "../../protocol/plan-template.ts";
import { isExactJson } from "../exact.ts";

const NAMED = /\{\s*([\w-]+)\.context\.([^{}]+?)\s*\}/g;
const headOf = (name: string): string => name.split(".", 1)[0] ?? name;

/** Returns the names of the values that the prompts use and that no listener produces. */
export function inputsOf({
  main_task_id: main,
  listeners,
}: Pick<PlanTemplate, "main_task_id" | "listeners">): string[] {
  const made = new Set(
    listeners
      .flatMap(({ success_output: success, failure_output: failure }) => [success, ...(failure ? [failure] : [])])
      .flatMap(({ task_id, context }) => Object.keys(context).map((name) => `${task_id}.${headOf(name)}`)),
  );
  const used = listeners
    .filter(({ listener_type }) => listener_type === "agent")
    .flatMap(({ action_prompt }) => [...action_prompt.matchAll(NAMED)])
    .map(([, task = "", name = ""]) => ({ task, name: headOf(name) }));
  const isGiven = ({ task, name }: { task: string; name: string }): boolean =>
    !made.has(`${task}.${name}`) && !made.has(`${main}.${name}`);
  return [...new Set(used.filter(isGiven).map(({ name }) => name))];
}

export type Value = PlanContext[string];

/** Parses a number, a boolean, an object or an array; any other text is returned unchanged. */
export function valueIn(text: string): Value {
  const written = text.trim();
  // Only canonical numbers are numbers: 007, 1.10 and +49 30 1234 are text.
  if (/^-?\d/.test(written) && String(Number(written)) === written) return Number(written);
  if (written === "true" || written === "false") return written === "true";
  if (!/^[[{]/.test(written) || !isExactJson(written)) return text;
  try {
    return JSON.parse(written) as Value;
  } catch {
    return text;
  }
}

/** Parses the fields by name. Empty fields are omitted. */
export function contextIn(fields: Readonly<Record<string, string>>): PlanContext {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, text]) => text.trim() !== "")
      .map(([name, text]) => [name, valueIn(text)]),
  );
}

export type ExtraRead =
  | { readonly kind: "context"; readonly context: PlanContext }
  /** `message` is the error message of the JSON parser, or "" if the JSON is not an object. */
  | { readonly kind: "wrong"; readonly message: string }
  /** The text contains a number that a JavaScript number cannot represent exactly. */
  | { readonly kind: "inexact" };

/** Parses further values, a JSON object. An empty text is an empty object. */
export function extraIn(text: string): ExtraRead {
  if (text.trim() === "") return { kind: "context", context: {} };
  try {
    const json: unknown = JSON.parse(text);
    if (!isExactJson(text)) return { kind: "inexact" };
    if (typeof json === "object" && json !== null && !Array.isArray(json))
      return { kind: "context", context: json as PlanContext };
    return { kind: "wrong", message: "" };
  } catch (thrown) {
    return { kind: "wrong", message: thrown instanceof Error ? thrown.message : "" };
  }
}

export type MissingValue = { readonly task_id: string; readonly name: string };

/** Returns the entered values by task id and name. Empty fields are omitted. */
export function resumptionOf(
  missing: readonly MissingValue[],
  valueOf: (one: MissingValue) => string,
): Record<string, PlanContext> {
  const byTask: Record<string, PlanContext> = {};
  for (const one of missing) {
    const text = valueOf(one);
    if (text.trim() !== "") byTask[one.task_id] = { ...byTask[one.task_id], [one.name]: valueIn(text) };
  }
  return byTask;
}

/** Formats a value as the text of a field. `parseContextValue` returns the same value for it. */
export function textOf(value: Value | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
