// Builds expressions as text.

import type { ListOperation, ArithmeticOperator, UnaryOperation } from "./arithmetic-tokenizer.ts";

/** Formats `678 * 8776` as `678 × 8776`. */
export function formatExpression(expression: string): string {
  return expression.replaceAll(" * ", " × ").replaceAll(" / ", " ÷ ");
}

/** Formats `2 × 3 = 6`, and `10 ÷ 3 ≈ 3.33333333333333` if the value is rounded. */
export function formatEquation(expression: string, value: string): string {
  const digits = /^-?0?\.?0*([\d.]+)(?:e|$)/.exec(value)?.[1]?.replace(".", "").length ?? 0;
  // Shorter values are exact unless a function produced them. A rounded value may have lost a trailing zero.
  const isExact = !/[a-z]|\^ \(?-?\d*\./.test(expression);
  const isAll = isExact
    ? digits !== ROUNDED_DIGITS && !(digits > ROUNDED_DIGITS - 3 && digits < ROUNDED_DIGITS && expression.includes("/"))
    : digits < ROUNDED_DIGITS - 2;
  const isRounded = value.includes("e+") || (value.includes(".") && !isAll);
  return `${formatExpression(expression)} ${isRounded ? "≈" : "="} ${value}`;
}

/** The precision of a number in digits. */
const ROUNDED_DIGITS = 15;

/** Removes redundant parentheses, and the exclamation mark of 「123加456！」; the `!` of 5! / 3! stays. */
export function stripParentheses(template: string, isExclaimed = false): string {
  const calm =
    isExclaimed && / [-+*/%^] /.test(template) && /^[^!]*\d!$/.test(template) ? template.slice(0, -1) : template;
  return calm.startsWith("(") && isOneGroup(calm) ? calm.slice(1, -1) : calm;
}

export function applyUnary(shape: UnaryOperation, operand: string): string {
  switch (shape) {
    case "square":
      return `${parenthesize(operand)} ^ 2`;
    case "cube":
      return `${parenthesize(operand)} ^ 3`;
    case "half":
      return `${parenthesize(operand)} / 2`;
    case "double":
      return `${parenthesize(operand)} * 2`;
    case "triple":
      return `${parenthesize(operand)} * 3`;
    case "factorial":
      return `${parenthesize(operand)}!`;
    default:
      return `${shape}(${operand.startsWith("(") && operand.endsWith(")") && isOneGroup(operand) ? operand.slice(1, -1) : operand})`;
  }
}

const PERCENT = /^\((\S+) \/ 100\)$/;

/** An added or subtracted percentage is relative to the left operand: 250 - 20% is 200. */
export function applyOperator(left: string, operator: ArithmeticOperator, right: string): string {
  const percent = operator === "+" || operator === "-" ? PERCENT.exec(right)?.[1] : undefined;
  if (percent === undefined || PERCENT.test(left)) return `${left} ${operator} ${right}`;
  return `${parenthesize(left)} * (1 ${operator} ${percent} / 100)`;
}

/** 3加4的和 becomes one operand; 除以…的余数 becomes a remainder. */
export function closeOperand(left: string, join: ListOperation): string | null {
  const all = /^\$all$/.test(left);
  if (all) return `$all(${join})`;
  if (join === "%") return / \/ /.test(left) ? left.replace(" / ", " % ") : null;
  return / [-+*/^] /.test(left) ? parenthesize(left) : null;
}

export function joinOperands(join: ListOperation, operands: readonly string[]): string {
  const values = operands.map(parenthesize);
  if (join === "mean") return `(${values.join(" + ")}) / ${values.length}`;
  return values.join(` ${join} `);
}

/** Adds parentheses unless the expression is a single operand. */
export function parenthesize(expression: string): string {
  if (/^\$?[\w.]+$/.test(expression) || isOneGroup(expression)) return expression;
  return `(${expression})`;
}

/** True for `f(…)` or `(…)` whose first parenthesis closes at the very end. */
function isOneGroup(expression: string): boolean {
  const open = /^\$?\w*\(/.exec(expression);
  if (open === null || !expression.endsWith(")")) return false;
  let depth = 0;
  for (let i = open[0].length - 1; i < expression.length; i++) {
    if (expression[i] === "(") depth += 1;
    if (expression[i] === ")") depth -= 1;
    if (depth === 0) return i === expression.length - 1;
  }
  return false;
}
