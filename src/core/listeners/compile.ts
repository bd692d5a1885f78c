// A template made ready to run: its conditions parsed, its listeners by what they listen to.

import type { Listener, PlanConfig, PlanContext, PlanTask } from "../../protocol/plan-template.ts";
import { parseCondition, type Condition } from "../../protocol/conditions/condition.ts";
import { isOfResult } from "./render.ts";

export type Compiled = {
  readonly mainTaskId: string;
  readonly maxRetries: number;
  readonly tasks: ReadonlyMap<string, PlanTask>;
  /** In the order of the template. */
  readonly listeners: ReadonlyMap<string, CompiledListener>;
  readonly byTrigger: ReadonlyMap<string, readonly CompiledListener[]>;
  /** What outputs write where a result has no such field: no value for those who come after. By task and name. */
  readonly unfilled: ReadonlySet<string>;
};

export type CompiledListener = {
  readonly listener: Listener;
  readonly triggers: readonly string[];
  /** Both have to hold. */
  readonly conditions: readonly Condition[];
};

/** A condition that does not parse never holds: a template that has one is not accepted. */
export function compile(config: PlanConfig): Compiled {
  const listeners = config.listeners.map((listener): CompiledListener => {
    const texts = [conditionOf(listener.trigger_condition, "Any"), conditionOf(listener.action_condition, "true")];
    const conditions = texts.map((text): Condition => {
      const parsed = parseCondition(text);
      return parsed.kind === "parsed" ? parsed.condition : { kind: "constant", holds: false };
    });
    return { listener, triggers: triggersOf(listener), conditions };
  });
  const byTrigger = new Map<string, CompiledListener[]>();
  for (const compiled of listeners) {
    for (const id of compiled.triggers) byTrigger.set(id, [...(byTrigger.get(id) ?? []), compiled]);
  }
  return {
    mainTaskId: mainTaskOf(config),
    maxRetries: config.max_retries,
    tasks: new Map(config.tasks.map((task) => [task.task_id, task])),
    listeners: new Map(listeners.map((compiled) => [compiled.listener.listener_id, compiled])),
    byTrigger,
    unfilled: new Set(config.listeners.flatMap(unfilledOf)),
  };
}

function unfilledOf({ success_output: success, failure_output: failure }: Listener): string[] {
  return [success, ...(failure === undefined || failure === null ? [] : [failure])].flatMap(({ task_id, context }) =>
    Object.entries(context).flatMap(([name, text]) => (isOfResult(text) ? [unfilledKey(task_id, name, text)] : [])),
  );
}

function unfilledKey(taskId: string, name: string, text: string): string {
  return JSON.stringify([taskId, name, text]);
}

/** What is known of a task, without what nobody has given yet. */
export function filled({ unfilled }: Compiled, taskId: string, context: PlanContext | undefined): PlanContext {
  const isValue = ([name, value]: [string, unknown]): boolean =>
    typeof value !== "string" || !unfilled.has(unfilledKey(taskId, name, value));
  return Object.fromEntries(Object.entries(context ?? {}).filter(isValue));
}

/** A condition that is left empty is none. */
export function conditionOf(text: string, fallback: string): string {
  return text.trim() === "" ? fallback : text;
}

export function triggersOf({ trigger_task_id: text }: Pick<Listener, "trigger_task_id">): string[] {
  return [...new Set(text.split(/[\s,;，；、]+/).filter((id) => id !== ""))];
}

/** The task that is named as the main one, or marked as it, or the first. */
export function mainTaskOf({ main_task_id: named, tasks }: Pick<PlanConfig, "main_task_id" | "tasks">): string {
  const marked = tasks.find(({ is_main_task: isMain }) => isMain === true) ?? tasks[0];
  return named ?? marked?.task_id ?? "";
}
