// Parser and evaluator of the conditions of listeners. A condition is never run as code.
//
// A `ConditionParser` owns a list of tokens, the position of the next one, and the collected task references. It parses
// one text, once: `parse` throws a `ConditionSyntaxError` at the first problem, and `parseCondition` returns it as a
// value. The nesting is limited to MAX_NESTING, so that a long text cannot overflow the stack. Evaluation has no state.
//
//   condition  = conjunction { ("||" | "or") conjunction }
//   conjunction = negation { ("&&" | "and") negation }
//   negation   = ("!" | "not") negation | "(" condition ")" | comparison | status | "Any" | "true" | "false"
//   comparison = operand [("==" | "=" | "!=" | "<>" | "<" | "<=" | ">" | ">=") operand]
//   operand    = task ".status" | task ".context." name | status | number | text | "text" | 'text'
//
// A bare status refers to all trigger tasks. `status` without a task refers to all of them if it is compared with a
// status, otherwise to the first one.

import { parseWorkflowTaskStatus, type WorkflowTaskContext, type WorkflowTaskStatus } from "./workflow-template.ts";
import { tokenizeCondition, type ConditionToken } from "./condition-tokens.ts";
import { getValueAtPath } from "./value-path.ts";

type ConditionValue = string | number | boolean | null;
export type ConditionOperand =
  | { readonly kind: "status"; readonly task: string | null }
  | { readonly kind: "context"; readonly task: string; readonly name: string }
  | { readonly kind: "value"; readonly value: ConditionValue };

export type ComparisonOperator = "==" | "!=" | "<" | "<=" | ">" | ">=";

export type Condition =
  | { readonly kind: "constant"; readonly holds: boolean }
  | { readonly kind: "and" | "or"; readonly parts: readonly Condition[] }
  | { readonly kind: "not"; readonly of: Condition }
  /** `task` null: all trigger tasks. */
  | { readonly kind: "status"; readonly task: string | null; readonly is: boolean; readonly status: WorkflowTaskStatus }
  | {
      readonly kind: "compared";
      readonly left: ConditionOperand;
      readonly operator: ComparisonOperator;
      readonly right: ConditionOperand;
    }
  | { readonly kind: "present"; readonly of: ConditionOperand };

/** A reference to a task in a condition. Columns count from 1. */
export type TaskReference = { readonly task_id: string; readonly column: number };

export type ParsedCondition =
  | { readonly kind: "parsed"; readonly condition: Condition; readonly references: readonly TaskReference[] }
  | { readonly kind: "wrong"; readonly column: number; readonly message: string };

/**
 * Parses a condition. Returns it with its task references, or `wrong` with the column and a message that continues a
 * sentence about the condition. Does not throw for invalid text.
 */
export function parseCondition(text: string): ParsedCondition {
  try {
    const parser = new ConditionParser(tokenizeCondition(text));
    return { kind: "parsed", condition: parser.parse(), references: parser.references };
  } catch (thrown) {
    if (!(thrown instanceof ConditionSyntaxError)) throw thrown;
    return { kind: "wrong", column: thrown.column, message: thrown.message };
  }
}

class ConditionSyntaxError extends Error {
  readonly column: number;

  constructor({ column }: Pick<ConditionToken, "column">, message: string) {
    super(message);
    this.column = column;
  }
}

const MAX_NESTING = 50;
const TRUE_WORDS = new Set(["any", "always", "true"]);
const FALSE_WORDS = new Set(["never", "false"]);
const OPERATOR_BY_SIGN: Readonly<Record<string, ComparisonOperator>> = {
  "=": "==",
  "==": "==",
  "===": "==",
  "!=": "!=",
  "!==": "!=",
  "<>": "!=",
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
};
const MIRRORED_OPERATOR = { "==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<=" } as const;

class ConditionParser {
  readonly references: TaskReference[] = [];
  readonly #tokens: readonly ConditionToken[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly ConditionToken[]) {
    this.#tokens = tokens;
  }

  parse(): Condition {
    if (this.#tokens.length === 1) throw new ConditionSyntaxError(this.#token, "is empty");
    const condition = this.#parseOr();
    const { kind, text } = this.#token;
    if (kind !== "end") throw new ConditionSyntaxError(this.#token, `“${text}” is not expected here`);
    return condition;
  }

  get #token(): ConditionToken {
    return this.#tokens[this.#next] ?? { kind: "end", text: "", column: 1 };
  }

  #acceptSign(...signs: readonly string[]): boolean {
    const { kind, text } = this.#token;
    const isTaken = kind !== "text" && signs.includes(text.toLowerCase());
    if (isTaken) this.#next += 1;
    return isTaken;
  }

  #parseOr(): Condition {
    const first = this.#parseAnd();
    const parts = [first];
    while (this.#acceptSign("||", "or")) parts.push(this.#parseAnd());
    return parts.length === 1 ? first : { kind: "or", parts };
  }

  #parseAnd(): Condition {
    const first = this.#parseNot();
    const parts = [first];
    while (this.#acceptSign("&&", "and")) parts.push(this.#parseNot());
    return parts.length === 1 ? first : { kind: "and", parts };
  }

  #parseNot(): Condition {
    this.#depth += 1;
    if (this.#depth > MAX_NESTING)
      throw new ConditionSyntaxError(this.#token, `nests deeper than ${MAX_NESTING} levels`);
    const condition = this.#acceptSign("!", "not")
      ? ({ kind: "not", of: this.#parseNot() } as const)
      : this.#parsePrimary();
    this.#depth -= 1;
    return condition;
  }

  #parsePrimary(): Condition {
    const opening = this.#token;
    if (!this.#acceptSign("(")) return this.#parseComparison();
    const inner = this.#parseOr();
    if (!this.#acceptSign(")"))
      throw new ConditionSyntaxError(this.#token, `the parenthesis of column ${opening.column} is not closed`);
    return inner;
  }

  #parseComparison(): Condition {
    const first = this.#readOperandToken();
    const sign = this.#token;
    const operator = sign.kind === "sign" ? OPERATOR_BY_SIGN[sign.text] : undefined;
    if (operator === undefined) return this.#parseBareOperand(first);
    this.#next += 1;
    const second = this.#readOperandToken();
    return this.#buildComparison(first, operator, second, sign);
  }

  #readOperandToken(): ConditionToken {
    const token = this.#token;
    if (token.kind === "end") throw new ConditionSyntaxError(token, "ends too early");
    if (token.kind === "sign") throw new ConditionSyntaxError(token, `“${token.text}” is not expected here`);
    this.#next += 1;
    return token;
  }

  /** Creates the condition of an operand without an operator. */
  #parseBareOperand(token: ConditionToken): Condition {
    const word = token.text.toLowerCase();
    if (TRUE_WORDS.has(word)) return { kind: "constant", holds: true };
    if (FALSE_WORDS.has(word)) return { kind: "constant", holds: false };
    const operand = this.#parseOperand(token);
    if (operand.kind === "context") return { kind: "present", of: operand };
    if (operand.kind === "status")
      throw new ConditionSyntaxError(token, `“${token.text}” has to be compared with a status`);
    return { kind: "status", task: null, is: true, status: this.#parseStatus(token) };
  }

  #buildComparison(
    first: ConditionToken,
    operator: ComparisonOperator,
    second: ConditionToken,
    sign: ConditionToken,
  ): Condition {
    const [left, right] = [this.#parseOperand(first), this.#parseOperand(second)];
    if (right.kind === "status" && left.kind !== "status") {
      return this.#buildComparison(second, MIRRORED_OPERATOR[operator], first, sign);
    }
    const isStatus = parseWorkflowTaskStatus(second.text) !== null;
    const isTask = left.kind === "value" && first.kind === "word" && isStatus && /^[\w-]+$/.test(first.text);
    if (left.kind === "value" && right.kind === "value" && !isTask)
      throw new ConditionSyntaxError(first, formatConstantComparison(first, second));
    if (left.kind !== "status" && !isTask) return { kind: "compared", left, operator, right };
    if (operator !== "==" && operator !== "!=")
      throw new ConditionSyntaxError(sign, "a status is compared with == or != alone");
    if (right.kind === "status") return { kind: "compared", left, operator, right };
    if (isTask) this.references.push({ task_id: first.text, column: first.column });
    const task = left.kind === "status" ? left.task : first.text;
    return { kind: "status", task, is: operator === "==", status: this.#parseStatus(second) };
  }

  #parseStatus(token: ConditionToken): WorkflowTaskStatus {
    const status = parseWorkflowTaskStatus(token.text);
    if (status === null)
      throw new ConditionSyntaxError(token, `“${token.text}” is no status; there are ${STATUS_WORDS}`);
    return status;
  }

  #parseOperand({ kind, text, column }: ConditionToken): ConditionOperand {
    if (kind === "text") return { kind: "value", value: text };
    if (text.toLowerCase() === "status") return { kind: "status", task: null };
    const path = /^([\w-]+)\.(status|context)(?:\.(.+))?$/i.exec(text);
    const [, task = "", member = "", name] = path ?? [];
    const isContext = member.toLowerCase() === "context";
    if (path !== null && isContext === (name !== undefined)) {
      if (!this.references.some((other) => other.column === column)) this.references.push({ task_id: task, column });
      return name === undefined ? { kind: "status", task } : { kind: "context", task, name };
    }
    return { kind: "value", value: CONSTANTS[text.toLowerCase()] ?? (isNumeric(text) ? Number(text) : text) };
  }
}

/** Formats the error for a comparison of two constants. */
function formatConstantComparison(...sides: readonly ConditionToken[]): string {
  const side = sides.find(({ kind, text }) => kind === "word" && text.includes(".")) ?? sides[0];
  return `“${side?.text ?? ""}” is not what a task has: write 002.status or 002.context.name`;
}

const CONSTANTS: Readonly<Record<string, boolean>> = { true: true, false: false };
const STATUS_WORDS = "NotStarted, Running, Retrying, Pending, Done, Error and Any";

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
  const order = compareOrder(left, right);
  if (order === null) return false;
  return { "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0 }[operator];
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

function isNumeric(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && /^[+-]?\d+(\.\d+)?$/.test(value.trim()));
}

function toComparableText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
