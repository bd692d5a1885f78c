// Parser of the conditions of listeners and criteria. A condition is never run as code.
//
// A `ConditionParser` owns a list of tokens, the position of the next one, and the collected task references. It parses
// one text, once: `parse` throws a `ConditionSyntaxError` at the first problem, and `parseCondition` returns it as a
// value. The nesting is limited to MAX_NESTING, so that a long text cannot overflow the stack.
//
//   condition  = conjunction { ("||" | "or") conjunction }
//   conjunction = negation { ("&&" | "and") negation }
//   negation   = ("!" | "not") negation | "(" condition ")" | comparison | status | "Any" | "true" | "false"
//   comparison = operand [("==" | "=" | "!=" | "<>" | "<" | "<=" | ">" | ">=" | "contains") operand]
//   operand    = task ".status" | task ".context." name | status | number | text | "text" | 'text'
//
// A condition over a result (`parseResultCondition`) has the operands `result` and `result.` path instead of tasks.
//
// A bare status refers to all trigger tasks. `status` without a task refers to all of them if it is compared with a
// status, otherwise to the first one.

import { parseWorkflowTaskStatus, type WorkflowTaskStatus } from "./workflow-template.ts";
import { tokenizeCondition, type ConditionToken } from "./condition-tokens.ts";

type ConditionValue = string | number | boolean | null;
export type ConditionOperand =
  | { readonly kind: "status"; readonly task: string | null }
  | { readonly kind: "context"; readonly task: string; readonly name: string }
  | { readonly kind: "value"; readonly value: ConditionValue };

/** `contains`: a text has a part, or a list an entry. */
export type ComparisonOperator = "==" | "!=" | "<" | "<=" | ">" | ">=" | "contains";

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
  return runParser(new ConditionParser(tokenizeCondition(text), "tasks"));
}

/** Parses a condition over the result of a tool, like `parseCondition`. `evaluateResultCondition` evaluates it. */
export function parseResultCondition(text: string): ParsedCondition {
  return runParser(new ConditionParser(tokenizeCondition(text), "result"));
}

function runParser(parser: ConditionParser): ParsedCondition {
  try {
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
  contains: "contains",
};
/** The operators of a comparison with its sides exchanged. A status on the right has no `contains`. */
const MIRRORED_OPERATOR = {
  "==": "==",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
  contains: "contains",
} as const;

class ConditionParser {
  readonly references: TaskReference[] = [];
  readonly #tokens: readonly ConditionToken[];
  readonly #about: "tasks" | "result";
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly ConditionToken[], about: "tasks" | "result") {
    this.#tokens = tokens;
    this.#about = about;
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
    const isOperator = sign.kind === "sign" || sign.text.toLowerCase() === "contains";
    const operator = isOperator && sign.kind !== "text" ? OPERATOR_BY_SIGN[sign.text.toLowerCase()] : undefined;
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
    const isWord = left.kind === "value" && first.kind === "word" && /^[\w-]+$/.test(first.text);
    const isTask = this.#about === "tasks" && isWord && isStatus;
    if (left.kind === "value" && right.kind === "value" && !isTask)
      throw new ConditionSyntaxError(first, this.#formatConstantComparison(first, second));
    if (left.kind !== "status" && !isTask) return { kind: "compared", left, operator, right };
    if (operator !== "==" && operator !== "!=")
      throw new ConditionSyntaxError(sign, "a status is compared with == or != alone");
    if (right.kind === "status") return { kind: "compared", left, operator, right };
    if (isTask) this.references.push({ task_id: first.text, column: first.column });
    const task = left.kind === "status" ? left.task : first.text;
    return { kind: "status", task, is: operator === "==", status: this.#parseStatus(second) };
  }

  /** Formats the error for a comparison of two constants. */
  #formatConstantComparison(...sides: readonly ConditionToken[]): string {
    const side = sides.find(({ kind, text }) => kind === "word" && text.includes(".")) ?? sides[0];
    const hint = this.#about === "result" ? "write result or result.name" : "write 002.status or 002.context.name";
    const owner = this.#about === "result" ? "the result" : "a task";
    return `“${side?.text ?? ""}” is not what ${owner} has: ${hint}`;
  }

  #parseStatus(token: ConditionToken): WorkflowTaskStatus {
    const status = parseWorkflowTaskStatus(token.text);
    if (status === null)
      throw new ConditionSyntaxError(token, `“${token.text}” is no status; there are ${STATUS_WORDS}`);
    return status;
  }

  #parseOperand({ kind, text, column }: ConditionToken): ConditionOperand {
    if (kind === "text") return { kind: "value", value: text };
    const constant = {
      kind: "value",
      value: CONSTANTS[text.toLowerCase()] ?? (isNumeric(text) ? Number(text) : text),
    } as const;
    if (this.#about === "result")
      return /^result(?:\.|$)/.test(text) ? { kind: "context", task: "", name: text } : constant;
    if (text.toLowerCase() === "status") return { kind: "status", task: null };
    const path = /^([\w-]+)\.(status|context)(?:\.(.+))?$/i.exec(text);
    const [, task = "", member = "", name] = path ?? [];
    const isContext = member.toLowerCase() === "context";
    if (path !== null && isContext === (name !== undefined)) {
      if (!this.references.some((other) => other.column === column)) this.references.push({ task_id: task, column });
      return name === undefined ? { kind: "status", task } : { kind: "context", task, name };
    }
    return constant;
  }
}

const CONSTANTS: Readonly<Record<string, boolean>> = { true: true, false: false };
const STATUS_WORDS = "NotStarted, Running, Retrying, Pending, Done, Error and Any";

/** True for numbers and for texts that are a decimal number. */
export function isNumeric(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && /^[+-]?\d+(\.\d+)?$/.test(value.trim()));
}
