// The form for context values, before a workflow instance starts or resumes. Values are entered as text or as JSON.

import type { WorkflowTaskContext, WorkflowTemplate } from "../../protocol/workflows/workflow-template.ts";
import { hasLosslessNumbers } from "../lossless-numbers.ts";

const CONTEXT_REFERENCES = /\{\s*([\w-]+)\.context\.([^{}]+?)\s*\}/g;
const getRootName = (name: string): string => name.split(".", 1)[0] ?? name;

/** Returns the names of the values that the prompts use and that no listener produces. */
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

export type ContextFieldValue = WorkflowTaskContext[string];

/** Parses a number, a boolean, an object or an array; any other text is returned unchanged. */
export function parseContextValue(text: string): ContextFieldValue {
  const written = text.trim();
  // Only canonical numbers are numbers: 007, 1.10 and +49 30 1234 are text.
  if (/^-?\d/.test(written) && String(Number(written)) === written) return Number(written);
  if (written === "true" || written === "false") return written === "true";
  if (!/^[[{]/.test(written) || !hasLosslessNumbers(written)) return text;
  try {
    return JSON.parse(written) as ContextFieldValue;
  } catch {
    return text;
  }
}

/** Parses the fields by name. Empty fields are omitted. */
export function parseContextFields(fields: Readonly<Record<string, string>>): WorkflowTaskContext {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, text]) => text.trim() !== "")
      .map(([name, text]) => [name, parseContextValue(text)]),
  );
}

export type ExtraContextResult =
  | { readonly kind: "context"; readonly context: WorkflowTaskContext }
  /** `message` is the error message of the JSON parser, or "" if the JSON is not an object. */
  | { readonly kind: "wrong"; readonly message: string }
  /** The text contains a number that a JavaScript number cannot represent exactly. */
  | { readonly kind: "inexact" };

/** Parses further values, a JSON object. An empty text is an empty object. */
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

export type MissingValue = { readonly task_id: string; readonly name: string };

/** Returns the entered values by task id and name. Empty fields are omitted. */
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

/** Formats a value as the text of a field. `parseContextValue` returns the same value for it. */
export function formatContextValue(value: ContextFieldValue | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
