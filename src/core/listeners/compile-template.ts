// A template prepared for execution: parsed conditions and an index of listeners by trigger task.

import type {
  Listener,
  WorkflowConfig,
  WorkflowTaskContext,
  WorkflowTask,
} from "../../protocol/workflows/workflow-template.ts";
import { parseCondition, type Condition } from "../../protocol/workflows/condition.ts";
import { isResultReference } from "./render-template.ts";

/** A compiled template. */
export type CompiledTemplate = {
  readonly mainTaskId: string;
  readonly maxRetries: number;
  readonly tasks: ReadonlyMap<string, WorkflowTask>;
  /** In the order of the template. */
  readonly listeners: ReadonlyMap<string, CompiledListener>;
  readonly byTrigger: ReadonlyMap<string, readonly CompiledListener[]>;
  /**
   * Keys of outputs that consist of a single result reference. If the result lacks the field, their text is no value.
   */
  readonly resultOnlyOutputs: ReadonlySet<string>;
};

/** A listener with its trigger task ids and parsed conditions. */
export type CompiledListener = {
  readonly listener: Listener;
  readonly triggers: readonly string[];
  /** The trigger condition and the action condition. Both must hold. */
  readonly conditions: readonly Condition[];
};

/**
 * Compiles a template. Never throws: a condition that does not parse never holds; validation rejects such templates.
 */
export function compileTemplate(config: WorkflowConfig): CompiledTemplate {
  const listeners = config.listeners.map((listener): CompiledListener => {
    const texts = [
      getConditionText(listener.trigger_condition, "Any"),
      getConditionText(listener.action_condition, "true"),
    ];
    const conditions = texts.map((text): Condition => {
      const parsed = parseCondition(text);
      return parsed.kind === "parsed" ? parsed.condition : { kind: "constant", holds: false };
    });
    return { listener, triggers: parseTriggerIds(listener), conditions };
  });
  const byTrigger = new Map<string, CompiledListener[]>();
  for (const compiled of listeners) {
    for (const id of compiled.triggers) byTrigger.set(id, [...(byTrigger.get(id) ?? []), compiled]);
  }
  return {
    mainTaskId: getMainTaskId(config),
    maxRetries: config.max_retries,
    tasks: new Map(config.tasks.map((task) => [task.task_id, task])),
    listeners: new Map(listeners.map((compiled) => [compiled.listener.listener_id, compiled])),
    byTrigger,
    resultOnlyOutputs: new Set(config.listeners.flatMap(listResultOnlyOutputs)),
  };
}

/** Returns the keys of all outputs of a listener that consist of a single result reference. */
function listResultOnlyOutputs({ success_output: success, failure_output: failure }: Listener): string[] {
  return [success, ...(failure === undefined || failure === null ? [] : [failure])].flatMap(({ task_id, context }) =>
    Object.entries(context).flatMap(([name, text]) =>
      isResultReference(text) ? [buildOutputKey(task_id, name, text)] : [],
    ),
  );
}

/** Builds the key of an output text by task and name. */
function buildOutputKey(taskId: string, name: string, text: string): string {
  return JSON.stringify([taskId, name, text]);
}

/** Returns a task's context without members that are unresolved result references; {} for undefined. */
export function removeUnresolved(
  { resultOnlyOutputs }: CompiledTemplate,
  taskId: string,
  context: WorkflowTaskContext | undefined,
): WorkflowTaskContext {
  const isValue = ([name, value]: [string, unknown]): boolean =>
    typeof value !== "string" || !resultOnlyOutputs.has(buildOutputKey(taskId, name, value));
  return Object.fromEntries(Object.entries(context ?? {}).filter(isValue));
}

/** Returns the text of a condition; `fallback` if it is blank. */
export function getConditionText(text: string, fallback: string): string {
  return text.trim() === "" ? fallback : text;
}

/** Parses the trigger task ids of a listener, separated by spaces, commas or semicolons, without duplicates. */
export function parseTriggerIds({ trigger_task_id: text }: Pick<Listener, "trigger_task_id">): string[] {
  return [...new Set(text.split(/[\s,;，；、]+/).filter((id) => id !== ""))];
}

/** Returns the id of the main task: the named one, else the marked one, else the first; "" if there are no tasks. */
export function getMainTaskId({ main_task_id: named, tasks }: Pick<WorkflowConfig, "main_task_id" | "tasks">): string {
  const marked = tasks.find(({ is_main_task: isMain }) => isMain === true) ?? tasks[0];
  return named ?? marked?.task_id ?? "";
}
