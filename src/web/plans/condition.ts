// Formats the condition of a listener as a sentence.

import { unreachable } from "../../protocol/assert.ts";
import { parseCondition, type Condition, type Operand, type Operator } from "../../protocol/conditions/condition.ts";
import type { Say } from "../language.ts";
import type { WORDS } from "./words.ts";

type Name = keyof (typeof WORDS)["en"];

/** `triggers`: the tasks that a status without a task refers to. `nameOf`: the name of a task by its id. */
type Reader = {
  readonly triggers: readonly string[];
  readonly nameOf: (taskId: string) => string;
  readonly say: Say<Name>;
};

/** A longer condition, in UTF-16 units, is shown as code. */
const MOST_CHARS = 500;
const OPERATORS = {
  "==": "is",
  "!=": "isNot",
  "<": "isLess",
  "<=": "isAtMost",
  ">": "isMore",
  ">=": "isAtLeast",
} as const satisfies Record<Operator, Name>;

/** Returns text such as `“Order” is Done and “Invoice” is Done`; null if the condition must be shown as code. */
export function conditionWords(text: string, reader: Reader): string | null {
  if (text.length > MOST_CHARS || reader.triggers.length === 0) return null;
  const parsed = parseCondition(text);
  return parsed.kind === "wrong" ? null : wordsOf(parsed.condition, reader);
}

/** Returns true if the condition is empty or always true, so that any change of a trigger matches. */
export function isAnyChange(text: string): boolean {
  if (text.trim() === "") return true;
  const parsed = parseCondition(text);
  return parsed.kind === "parsed" && parsed.condition.kind === "constant" && parsed.condition.holds;
}

function wordsOf(condition: Condition, reader: Reader): string | null {
  const { say } = reader;
  switch (condition.kind) {
    case "constant":
      return null;
    case "and":
    case "or": {
      const [first = null, ...others] = condition.parts.map((part) => partOf(part, reader));
      return others.reduce(
        (left, right) => (left === null || right === null ? null : say(condition.kind, { left, right })),
        first,
      );
    }
    case "not": {
      const words = wordsOf(condition.of, reader);
      return words === null ? null : say("not", { words: `(${words})` });
    }
    case "status": {
      const { task, is, status } = condition;
      return say(is ? "is" : "isNot", { left: whose(task, reader), right: say(status) });
    }
    case "compared": {
      const { left, operator, right } = condition;
      return say(OPERATORS[operator], { left: operandOf(left, reader), right: operandOf(right, reader) });
    }
    case "present":
      return say("isKnown", { value: operandOf(condition.of, reader) });
    default:
      return unreachable(condition);
  }
}

/** Formats a part of a conjunction or disjunction. A nested one gets parentheses. */
function partOf(part: Condition, reader: Reader): string | null {
  const words = wordsOf(part, reader);
  return words !== null && (part.kind === "and" || part.kind === "or") ? `(${words})` : words;
}

function whose(task: string | null, { triggers, nameOf, say }: Reader): string {
  const tasks = (task === null ? triggers : [task]).map((id) => say("quoted", { name: nameOf(id) }));
  return tasks.reduce((left, right) => say("both", { left, right }));
}

function operandOf(operand: Operand, reader: Reader): string {
  const { say } = reader;
  switch (operand.kind) {
    case "status":
      return say("statusOf", { task: whose(operand.task, reader) });
    case "context":
      return say("valueOf", { value: operand.name, task: whose(operand.task, reader) });
    case "value":
      return typeof operand.value === "string" ? say("quoted", { name: operand.value }) : String(operand.value);
  }
}
