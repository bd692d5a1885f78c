// The form for context values, before a workflow instance starts or resumes. Values are entered as text or as JSON.

import type { WorkflowTaskContext, WorkflowTemplate } from "../../../protocol/workflows/workflow-template.ts";
import { hasLosslessNumbers } from "../../ui/format/lossless-numbers.ts";

const CONTEXT_REFERENCES = /\{\s*([\w-]+)\.context\.([^{}]+?)\s*\}/g;
const getRootName = (name: string): string => name.split(".", 1)[0] ?? name;

/**
 * Returns the distinct names of the context values that the prompts use and that no listener produces, each cut at its
 * first dot. A value of the main task counts as produced for every task.
 */
export function listInputNames({
  main_task_id: main,
  listeners,
}: Pick<WorkflowTemplate, "main_task_id" | "listeners">): string[] {
  const produced = new Set(
    listeners
      .flatMap(({ success_output: success, failure_output: failure }) => [success, ...(failure ? [failure] : [])])
      .flatMap(({ task_id, context }) => Object.keys(context).map((name) => `${task_id}.${getRootName(name)}`)),
  );
  const used = listeners
    .filter(({ listener_type }) => listener_type === "agent")
    .flatMap(({ action_prompt }) => [...action_prompt.matchAll(CONTEXT_REFERENCES)])
    .map(([, task = "", name = ""]) => ({ task, name: getRootName(name) }));
  const isInput = ({ task, name }: { task: string; name: string }): boolean =>
    !produced.has(`${task}.${name}`) && !produced.has(`${main}.${name}`);
  return [...new Set(used.filter(isInput).map(({ name }) => name))];
}

type ContextFieldValue = WorkflowTaskContext[string];

/**
 * Parses a canonical number, a boolean, or a JSON object or array whose numbers keep all digits. Any other text is
 * returned unchanged.
 */
export function parseContextValue(text: string): ContextFieldValue {
  const trimmed = text.trim();
  // Only canonical numbers are numbers: 007, 1.10 and +49 30 1234 are text.
  if (/^-?\d/.test(trimmed) && String(Number(trimmed)) === trimmed) return Number(trimmed);
  if (trimmed === "true" || trimmed === "false") return trimmed === "true";
  if (!/^[[{]/.test(trimmed) || !hasLosslessNumbers(trimmed)) return text;
  try {
    return JSON.parse(trimmed) as ContextFieldValue;
  } catch {
    return text;
  }
}

/** Parses the texts of fields by name; see `parseContextValue`. Blank fields are omitted. */
export function parseContextFields(fields: Readonly<Record<string, string>>): WorkflowTaskContext {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, text]) => text.trim() !== "")
      .map(([name, text]) => [name, parseContextValue(text)]),
  );
}

type ExtraContextResult =
  | { readonly kind: "context"; readonly context: WorkflowTaskContext }
  /** `message` is the error message of the JSON parser, or "" if the JSON is not an object. */
  | { readonly kind: "wrong"; readonly message: string }
  /** The text contains a number that a JavaScript number cannot represent exactly. */
  | { readonly kind: "inexact" };

/** Parses further values, a JSON object. A blank text is an empty object. */
export function parseExtraContext(text: string): ExtraContextResult {
  if (text.trim() === "") return { kind: "context", context: {} };
  try {
    const json: unknown = JSON.parse(text);
    if (!hasLosslessNumbers(text)) return { kind: "inexact" };
    if (typeof json === "object" && json !== null && !Array.isArray(json))
      return { kind: "context", context: json as WorkflowTaskContext };
    return { kind: "wrong", message: "" };
  } catch (thrown) {
    return { kind: "wrong", message: thrown instanceof Error ? thrown.message : "" };
  }
}

/** A value, by task and name, that an instance needs before it can resume. */
export type MissingValue = { readonly task_id: string; readonly name: string };

/** Returns the entered values, parsed, by task id and name. Blank fields, and tasks without values, are omitted. */
export function buildResumeContext(
  missing: readonly MissingValue[],
  getText: (missingValue: MissingValue) => string,
): Record<string, WorkflowTaskContext> {
  const byTask: Record<string, WorkflowTaskContext> = {};
  for (const missingValue of missing) {
    const text = getText(missingValue);
    if (text.trim() !== "")
      byTask[missingValue.task_id] = { ...byTask[missingValue.task_id], [missingValue.name]: parseContextValue(text) };
  }
  return byTask;
}

/**
 * Formats a value as the text of a field; "" for null and undefined. `parseContextValue` restores the value, except
 * null and strings that read as another value.
 */
export function formatContextValue(value: ContextFieldValue | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
