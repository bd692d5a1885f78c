// The evaluator of the conditions of listeners and criteria. It has no state.

import type { WorkflowTaskContext, WorkflowTaskStatus } from "./workflow-template.ts";
import { isNumeric, type ComparisonOperator, type Condition, type ConditionOperand } from "./condition.ts";
import { getValueAtPath } from "./value-path.ts";

/** Access to the state of tasks. Both functions return undefined for an unknown task. */
export type TaskStates = {
  readonly status: (taskId: string) => WorkflowTaskStatus | undefined;
  readonly context: (taskId: string) => WorkflowTaskContext | undefined;
};

/**
 * True if the condition is met. `triggers` are the ids of the trigger tasks, to which a bare status refers: it must
 * hold for all of them. Unknown tasks and absent values equal only each other, so `!=` holds for them and an order
 * never does.
 */
export function evaluateCondition(condition: Condition, triggers: readonly string[], tasks: TaskStates): boolean {
  switch (condition.kind) {
    case "constant":
      return condition.holds;
    case "and":
      return condition.parts.every((part) => evaluateCondition(part, triggers, tasks));
    case "or":
      return condition.parts.some((part) => evaluateCondition(part, triggers, tasks));
    case "not":
      return !evaluateCondition(condition.of, triggers, tasks);
    case "status": {
      const { task, is, status } = condition;
      return (task === null ? triggers : [task]).every((id) => (tasks.status(id) === status) === is);
    }
    case "compared": {
      const resolve = (operand: ConditionOperand): unknown => resolveOperand(operand, triggers, tasks);
      return compareValues(resolve(condition.left), condition.operator, resolve(condition.right));
    }
    case "present": {
      const value = resolveOperand(condition.of, triggers, tasks);
      return value !== undefined && value !== null && value !== false && value !== "" && value !== 0;
    }
  }
}

/** True if a condition over a result holds. `result` is the parsed result of the tool, or its text. */
export function evaluateResultCondition(condition: Condition, result: WorkflowTaskContext[string]): boolean {
  return evaluateCondition(condition, [], { status: () => undefined, context: () => ({ result }) });
}

function resolveOperand(operand: ConditionOperand, triggers: readonly string[], tasks: TaskStates): unknown {
  switch (operand.kind) {
    case "value":
      return operand.value;
    case "status":
      return tasks.status(operand.task ?? triggers[0] ?? "");
    case "context":
      return getValueAtPath(tasks.context(operand.task), operand.name);
  }
}

function compareValues(left: unknown, operator: ComparisonOperator, right: unknown): boolean {
  if (operator === "==" || operator === "!=") return areEqual(left, right) === (operator === "==");
  if (operator === "contains") return containsValue(left, right);
  const order = compareOrder(left, right);
  if (order === null) return false;
  return { "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0 }[operator];
}

/** True if a list has an equal entry, or a text has the other as a part, whatever their case. */
function containsValue(left: unknown, right: unknown): boolean {
  if (right === undefined || right === null) return false;
  if (Array.isArray(left)) return left.some((entry) => areEqual(entry, right));
  return typeof left === "string" && left.toLowerCase().includes(toComparableText(right).toLowerCase());
}

function areEqual(left: unknown, right: unknown): boolean {
  const isAbsent = left === undefined || left === null;
  if (isAbsent || right === undefined || right === null) return isAbsent && (right === undefined || right === null);
  if (isNumeric(left) && isNumeric(right)) return Number(left) === Number(right);
  return toComparableText(left) === toComparableText(right);
}

/** Compares two numbers by value or two texts by code units. Returns null if the values are not comparable. */
function compareOrder(left: unknown, right: unknown): number | null {
  if (isNumeric(left) && isNumeric(right)) return Number(left) - Number(right);
  if (typeof left !== "string" || typeof right !== "string") return null;
  return left < right ? -1 : left > right ? 1 : 0;
}

function toComparableText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
