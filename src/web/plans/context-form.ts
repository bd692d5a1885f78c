// What a person is asked for before a plan begins or goes on: values by name, each written as text or as JSON.

import type { PlanContext, PlanTemplate } from "../../protocol/plan-template.ts";
import { isExactJson } from "../exact.ts";

const NAMED = /\{\s*([\w-]+)\.context\.([^{}]+?)\s*\}/g;
const headOf = (name: string): string => name.split(".", 1)[0] ?? name;

/** The names of the values that the prompts of a plan use and that none of its listeners makes. */
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

/** What somebody has written as the value that it is: a number, true, false, an object or a list; else the text. */
export function valueIn(text: string): Value {
  const written = text.trim();
  // A number that would be written otherwise is a name: 007, 1.10, +49 30 1234.
  if (/^-?\d/.test(written) && String(Number(written)) === written) return Number(written);
  if (written === "true" || written === "false") return written === "true";
  if (!/^[[{]/.test(written) || !isExactJson(written)) return text;
  try {
    return JSON.parse(written) as Value;
  } catch {
    return text;
  }
}

/** The values that were given; an empty field gives none. */
export function contextIn(fields: Readonly<Record<string, string>>): PlanContext {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, text]) => text.trim() !== "")
      .map(([name, text]) => [name, valueIn(text)]),
  );
}

export type ExtraRead =
  | { readonly kind: "context"; readonly context: PlanContext }
  /** `message` says where, in the browser's words. */
  | { readonly kind: "wrong"; readonly message: string }
  /** A number of it cannot be kept as it is written. */
  | { readonly kind: "inexact" };

/** Further values as one JSON object; nothing written is none. */
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

/** What was missing and is given now, by task and name. */
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

/** A value as it stands in a field: what `valueIn` makes the same value of again. */
export function textOf(value: Value | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
