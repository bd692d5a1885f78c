// Parser and evaluator of the conditions of listeners. A condition is never run as code.
//
// A `ConditionParser` owns a list of tokens, the position of the next one, and the collected task references. It parses
// one text, once: `parse` throws a `ConditionSyntaxError` at the first problem, and `parseCondition` returns it as a
// value. The nesting is limited to MAX_DEPTH, so that a long text cannot overflow the stack. Evaluation has no state.
//
//   condition  = conjunction { ("||" | "or") conjunction }
//   conjunction = negation { ("&&" | "and") negation }
//   negation   = ("!" | "not") negation | "(" condition ")" | comparison | status | "Any" | "true" | "false"
//   comparison = operand [("==" | "=" | "!=" | "<>" | "<" | "<=" | ">" | ">=") operand]
//   operand    = task ".status" | task ".context." name | status | number | text | "text" | 'text'
//
// A bare status refers to all trigger tasks. `status` without a task refers to all of them if it is compared with a
// status, otherwise to the first one.

import { planStatusOf, type PlanContext, type PlanStatus } from "../plan-template.ts";
import { tokensOf, type Token } from "./tokens.ts";
import { valueIn } from "./values.ts";

type Value = string | number | boolean | null;
export type Operand =
  | { readonly kind: "status"; readonly task: string | null }
  | { readonly kind: "context"; readonly task: string; readonly name: string }
  | { readonly kind: "value"; readonly value: Value };

export type Operator = "==" | "!=" | "<" | "<=" | ">" | ">=";

export type Condition =
  | { readonly kind: "constant"; readonly holds: boolean }
  | { readonly kind: "and" | "or"; readonly parts: readonly Condition[] }
  | { readonly kind: "not"; readonly of: Condition }
  /** `task` null: all trigger tasks. */
  | { readonly kind: "status"; readonly task: string | null; readonly is: boolean; readonly status: PlanStatus }
  | { readonly kind: "compared"; readonly left: Operand; readonly operator: Operator; readonly right: Operand }
  | { readonly kind: "present"; readonly of: Operand };

/** A reference to a task in a condition. Columns count from 1. */
export type Mention = { readonly task_id: string; readonly column: number };

export type Parsed =
  | { readonly kind: "parsed"; readonly condition: Condition; readonly mentions: readonly Mention[] }
  | { readonly kind: "wrong"; readonly column: number; readonly message: string };

/**
 * Parses a condition. Returns it with its task references, or `wrong` with the column and a message that continues a
 * sentence about the condition. Does not throw for invalid text.
 */
export function parseCondition(text: string): Parsed {
  try {
    const parser = new Parser(tokensOf(text));
    return { kind: "parsed", condition: parser.parse(), mentions: parser.mentions };
  } catch (thrown) {
    if (!(thrown instanceof Wrong)) throw thrown;
    return { kind: "wrong", column: thrown.column, message: thrown.message };
  }
}

class Wrong extends Error {
  readonly column: number;

  constructor({ column }: Pick<Token, "column">, message: string) {
    super(message);
    this.column = column;
  }
}

const MAX_DEPTH = 50;
const ANY = new Set(["any", "always", "true"]);
const NEVER = new Set(["never", "false"]);
const OPERATORS: Readonly<Record<string, Operator>> = {
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
const MIRRORED = { "==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<=" } as const;

class Parser {
  readonly mentions: Mention[] = [];
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Condition {
    if (this.#tokens.length === 1) throw new Wrong(this.#token, "is empty");
    const condition = this.#either();
    const { kind, text } = this.#token;
    if (kind !== "end") throw new Wrong(this.#token, `“${text}” is not expected here`);
    return condition;
  }

  get #token(): Token {
    return this.#tokens[this.#next] ?? { kind: "end", text: "", column: 1 };
  }

  #takes(...signs: readonly string[]): boolean {
    const { kind, text } = this.#token;
    const isTaken = kind !== "text" && signs.includes(text.toLowerCase());
    if (isTaken) this.#next += 1;
    return isTaken;
  }

  #either(): Condition {
    const first = this.#both();
    const parts = [first];
    while (this.#takes("||", "or")) parts.push(this.#both());
    return parts.length === 1 ? first : { kind: "or", parts };
  }

  #both(): Condition {
    const first = this.#negation();
    const parts = [first];
    while (this.#takes("&&", "and")) parts.push(this.#negation());
    return parts.length === 1 ? first : { kind: "and", parts };
  }

  #negation(): Condition {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new Wrong(this.#token, `nests deeper than ${MAX_DEPTH} levels`);
    const condition = this.#takes("!", "not") ? ({ kind: "not", of: this.#negation() } as const) : this.#primary();
    this.#depth -= 1;
    return condition;
  }

  #primary(): Condition {
    const opening = this.#token;
    if (!this.#takes("(")) return this.#comparison();
    const inner = this.#either();
    if (!this.#takes(")")) throw new Wrong(this.#token, `the parenthesis of column ${opening.column} is not closed`);
    return inner;
  }

  #comparison(): Condition {
    const first = this.#operandToken();
    const sign = this.#token;
    const operator = sign.kind === "sign" ? OPERATORS[sign.text] : undefined;
    if (operator === undefined) return this.#bare(first);
    this.#next += 1;
    const second = this.#operandToken();
    return this.#compared(first, operator, second, sign);
  }

  #operandToken(): Token {
    const token = this.#token;
    if (token.kind === "end") throw new Wrong(token, "ends too early");
    if (token.kind === "sign") throw new Wrong(token, `“${token.text}” is not expected here`);
    this.#next += 1;
    return token;
  }

  /** Creates the condition of an operand without an operator. */
  #bare(token: Token): Condition {
    const word = token.text.toLowerCase();
    if (ANY.has(word)) return { kind: "constant", holds: true };
    if (NEVER.has(word)) return { kind: "constant", holds: false };
    const operand = this.#operand(token);
    if (operand.kind === "context") return { kind: "present", of: operand };
    if (operand.kind === "status") throw new Wrong(token, `“${token.text}” has to be compared with a status`);
    return { kind: "status", task: null, is: true, status: this.#status(token) };
  }

  #compared(first: Token, operator: Operator, second: Token, sign: Token): Condition {
    const [left, right] = [this.#operand(first), this.#operand(second)];
    if (right.kind === "status" && left.kind !== "status") {
      return this.#compared(second, MIRRORED[operator], first, sign);
    }
    const isStatus = planStatusOf(second.text) !== null;
    const isTask = left.kind === "value" && first.kind === "word" && isStatus && /^[\w-]+$/.test(first.text);
    if (left.kind === "value" && right.kind === "value" && !isTask) throw new Wrong(first, asksNothing(first, second));
    if (left.kind !== "status" && !isTask) return { kind: "compared", left, operator, right };
    if (operator !== "==" && operator !== "!=") throw new Wrong(sign, "a status is compared with == or != alone");
    if (right.kind === "status") return { kind: "compared", left, operator, right };
    if (isTask) this.mentions.push({ task_id: first.text, column: first.column });
    const task = left.kind === "status" ? left.task : first.text;
    return { kind: "status", task, is: operator === "==", status: this.#status(second) };
  }

  #status(token: Token): PlanStatus {
    const status = planStatusOf(token.text);
    if (status === null) throw new Wrong(token, `“${token.text}” is no status; there are ${STATUS_WORDS}`);
    return status;
  }

  #operand({ kind, text, column }: Token): Operand {
    if (kind === "text") return { kind: "value", value: text };
    if (text.toLowerCase() === "status") return { kind: "status", task: null };
    const path = /^([\w-]+)\.(status|context)(?:\.(.+))?$/i.exec(text);
    const [, task = "", member = "", name] = path ?? [];
    const isContext = member.toLowerCase() === "context";
    if (path !== null && isContext === (name !== undefined)) {
      if (!this.mentions.some((other) => other.column === column)) this.mentions.push({ task_id: task, column });
      return name === undefined ? { kind: "status", task } : { kind: "context", task, name };
    }
    return { kind: "value", value: CONSTANTS[text.toLowerCase()] ?? (isNumeric(text) ? Number(text) : text) };
  }
}

/** Formats the error for a comparison of two constants. */
function asksNothing(...sides: readonly Token[]): string {
  const meant = sides.find(({ kind, text }) => kind === "word" && text.includes(".")) ?? sides[0];
  return `“${meant?.text ?? ""}” is not what a task has: write 002.status or 002.context.name`;
}

const CONSTANTS: Readonly<Record<string, boolean>> = { true: true, false: false };
const STATUS_WORDS = "NotStarted, Running, Retrying, Pending, Done, Error and Any";

/** Access to the state of tasks. Both functions return undefined for an unknown task. */
export type Standings = {
  readonly status: (taskId: string) => PlanStatus | undefined;
  readonly context: (taskId: string) => PlanContext | undefined;
};

/** True if the condition is met. `triggers` are the ids of the trigger tasks, to which a bare status refers. */
export function holds(condition: Condition, triggers: readonly string[], tasks: Standings): boolean {
  switch (condition.kind) {
    case "constant":
      return condition.holds;
    case "and":
      return condition.parts.every((part) => holds(part, triggers, tasks));
    case "or":
      return condition.parts.some((part) => holds(part, triggers, tasks));
    case "not":
      return !holds(condition.of, triggers, tasks);
    case "status": {
      const { task, is, status } = condition;
      return (task === null ? triggers : [task]).every((id) => (tasks.status(id) === status) === is);
    }
    case "compared": {
      const valueOf = (operand: Operand): unknown => valueOfOperand(operand, triggers, tasks);
      return isTrue(valueOf(condition.left), condition.operator, valueOf(condition.right));
    }
    case "present": {
      const value = valueOfOperand(condition.of, triggers, tasks);
      return value !== undefined && value !== null && value !== false && value !== "" && value !== 0;
    }
  }
}

function valueOfOperand(operand: Operand, triggers: readonly string[], tasks: Standings): unknown {
  switch (operand.kind) {
    case "value":
      return operand.value;
    case "status":
      return tasks.status(operand.task ?? triggers[0] ?? "");
    case "context":
      return valueIn(tasks.context(operand.task), operand.name);
  }
}

function isTrue(left: unknown, operator: Operator, right: unknown): boolean {
  if (operator === "==" || operator === "!=") return isSame(left, right) === (operator === "==");
  const order = orderOf(left, right);
  if (order === null) return false;
  return { "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0 }[operator];
}

function isSame(left: unknown, right: unknown): boolean {
  const isAbsent = left === undefined || left === null;
  if (isAbsent || right === undefined || right === null) return isAbsent && (right === undefined || right === null);
  if (isNumeric(left) && isNumeric(right)) return Number(left) === Number(right);
  return wordOf(left) === wordOf(right);
}

/** Compares two numbers by value or two texts by code units. Returns null if the values are not comparable. */
function orderOf(left: unknown, right: unknown): number | null {
  if (isNumeric(left) && isNumeric(right)) return Number(left) - Number(right);
  if (typeof left !== "string" || typeof right !== "string") return null;
  return left < right ? -1 : left > right ? 1 : 0;
}

function isNumeric(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && /^[+-]?\d+(\.\d+)?$/.test(value.trim()));
}

function wordOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
