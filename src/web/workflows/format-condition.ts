// Formats the condition of a listener as a sentence.

import { assertNever } from "../../protocol/assert.ts";
import {
  parseCondition,
  type Condition,
  type ConditionOperand,
  type ComparisonOperator,
} from "../../protocol/workflows/condition.ts";
import type { Say } from "../language.ts";
import type { WORDS } from "./words.ts";

type WorkflowMessageKey = keyof (typeof WORDS)["en"];

/** `triggers`: the tasks that a status without a task refers to. `nameOf`: the name of a task by its id. */
type ConditionFormatContext = {
  readonly triggers: readonly string[];
  readonly nameOf: (taskId: string) => string;
  readonly say: Say<WorkflowMessageKey>;
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
} as const satisfies Record<ComparisonOperator, WorkflowMessageKey>;

/** Returns text such as `“Order” is Done and “Invoice” is Done`; null if the condition must be shown as code. */
export function formatCondition(text: string, reader: ConditionFormatContext): string | null {
  if (text.length > MAX_CONDITION_CHARS || reader.triggers.length === 0) return null;
  const parsed = parseCondition(text);
  return parsed.kind === "wrong" ? null : formatParsedCondition(parsed.condition, reader);
}

/** Returns true if the condition is empty or always true, so that any change of a trigger matches. */
export function matchesAnyChange(text: string): boolean {
  if (text.trim() === "") return true;
  const parsed = parseCondition(text);
  return parsed.kind === "parsed" && parsed.condition.kind === "constant" && parsed.condition.holds;
}

function formatParsedCondition(condition: Condition, reader: ConditionFormatContext): string | null {
  const { say } = reader;
  switch (condition.kind) {
    case "constant":
      return null;
    case "and":
    case "or": {
      const [first = null, ...others] = condition.parts.map((part) => formatConditionPart(part, reader));
      return others.reduce(
        (left, right) => (left === null || right === null ? null : say(condition.kind, { left, right })),
        first,
      );
    }
    case "not": {
      const words = formatParsedCondition(condition.of, reader);
      return words === null ? null : say("not", { words: `(${words})` });
    }
    case "status": {
      const { task, is, status } = condition;
      return say(is ? "is" : "isNot", { left: formatTaskNames(task, reader), right: say(status) });
    }
    case "compared": {
      const { left, operator, right } = condition;
      return say(OPERATOR_KEYS[operator], { left: formatOperand(left, reader), right: formatOperand(right, reader) });
    }
    case "present":
      return say("isKnown", { value: formatOperand(condition.of, reader) });
    default:
      return assertNever(condition);
  }
}

/** Formats a part of a conjunction or disjunction. A nested one gets parentheses. */
function formatConditionPart(part: Condition, reader: ConditionFormatContext): string | null {
  const words = formatParsedCondition(part, reader);
  return words !== null && (part.kind === "and" || part.kind === "or") ? `(${words})` : words;
}

function formatTaskNames(task: string | null, { triggers, nameOf, say }: ConditionFormatContext): string {
  const tasks = (task === null ? triggers : [task]).map((id) => say("quoted", { name: nameOf(id) }));
  return tasks.reduce((left, right) => say("both", { left, right }));
}

function formatOperand(operand: ConditionOperand, reader: ConditionFormatContext): string {
  const { say } = reader;
  switch (operand.kind) {
    case "status":
      return say("statusOf", { task: formatTaskNames(operand.task, reader) });
    case "context":
      return say("valueOf", { value: operand.name, task: formatTaskNames(operand.task, reader) });
    case "value":
      return typeof operand.value === "string" ? say("quoted", { name: operand.value }) : String(operand.value);
  }
}
