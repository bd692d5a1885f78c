// Formats the condition of a listener as a sentence.

import { assertNever } from "../../../../lib/assert.ts";
import {
  parseCondition,
  type Condition,
  type ConditionOperand,
  type ComparisonOperator,
} from "../../../../protocol/workflows/condition.ts";
import type { UiMessageKey, Translate } from "../../../session/language.ts";

/** `triggers`: the ids of the tasks that a status without a task refers to. */
type ConditionFormatContext = {
  readonly triggers: readonly string[];
  readonly getTaskName: (taskId: string) => string;
  readonly t: Translate<"workflows">;
};

/** A longer condition, in UTF-16 units, is shown as code. */
const MAX_CONDITION_CHARS = 500;
const OPERATOR_KEYS = {
  "==": "is",
  "!=": "isNot",
  "<": "isLess",
  "<=": "isAtMost",
  ">": "isMore",
  ">=": "isAtLeast",
  contains: "contains",
} as const satisfies Record<ComparisonOperator, UiMessageKey<"workflows">>;

/**
 * Returns text such as `“Order” is Done and “Invoice” is Done`. Null if the condition must be shown as code: it is
 * longer than `MAX_CONDITION_CHARS`, invalid, or contains a constant, or there are no triggers.
 */
export function formatCondition(text: string, context: ConditionFormatContext): string | null {
  if (text.length > MAX_CONDITION_CHARS || context.triggers.length === 0) return null;
  const parsed = parseCondition(text);
  return parsed.kind === "wrong" ? null : formatParsedCondition(parsed.condition, context);
}

/** Returns true if the condition is empty or always true, so that any change of a trigger matches. */
export function matchesAnyChange(text: string): boolean {
  if (text.trim() === "") return true;
  const parsed = parseCondition(text);
  return parsed.kind === "parsed" && parsed.condition.kind === "constant" && parsed.condition.holds;
}

function formatParsedCondition(condition: Condition, context: ConditionFormatContext): string | null {
  const { t } = context;
  switch (condition.kind) {
    case "constant":
      return null;
    case "and":
    case "or": {
      const [first = null, ...others] = condition.parts.map((part) => formatConditionPart(part, context));
      return others.reduce(
        (left, right) => (left === null || right === null ? null : t(condition.kind, { left, right })),
        first,
      );
    }
    case "not": {
      const words = formatParsedCondition(condition.of, context);
      return words === null ? null : t("not", { words });
    }
    case "status": {
      const { task, is, status } = condition;
      return t(is ? "is" : "isNot", { left: formatTaskNames(task, context), right: t(status) });
    }
    case "compared": {
      const { left, operator, right } = condition;
      return t(OPERATOR_KEYS[operator], { left: formatOperand(left, context), right: formatOperand(right, context) });
    }
    case "present":
      return t("isSet", { value: formatOperand(condition.of, context) });
    default:
      return assertNever(condition);
  }
}

/** Formats a part of a conjunction or disjunction. A nested one gets parentheses. */
function formatConditionPart(part: Condition, context: ConditionFormatContext): string | null {
  const words = formatParsedCondition(part, context);
  return words !== null && (part.kind === "and" || part.kind === "or") ? context.t("group", { words }) : words;
}

function formatTaskNames(task: string | null, { triggers, getTaskName, t }: ConditionFormatContext): string {
  const tasks = (task === null ? triggers : [task]).map((id) => t("quoted", { name: getTaskName(id) }));
  return tasks.reduce((left, right) => t("both", { left, right }));
}

function formatOperand(operand: ConditionOperand, context: ConditionFormatContext): string {
  const { t } = context;
  switch (operand.kind) {
    case "status":
      return t("statusOf", { task: formatTaskNames(operand.task, context) });
    case "context":
      return t("valueOf", { value: operand.name, task: formatTaskNames(operand.task, context) });
    case "value":
      return typeof operand.value === "string" ? t("quoted", { name: operand.value }) : String(operand.value);
  }
}
