// Arithmetic: evaluates a parsed expression with a fixed list of operators and functions. Nothing else can run.

import { createMessage, type MessageKey, type MessageParameters } from "../../language/messages.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import type { Fault } from "../../protocol/wire/fault.ts";
import { evaluateExactly } from "./exact-integers.ts";
import { parseExpression, type Expression } from "./expression-parser.ts";

const MAX_CHARS = 500;
const MAX_NODES = 200;

const CONSTANTS: ReadonlyMap<string, number> = new Map([
  ["pi", Math.PI],
  ["π", Math.PI],
  ["tau", 2 * Math.PI],
  ["e", Math.E],
  ["phi", (1 + Math.sqrt(5)) / 2],
]);

type ArithmeticOperation = {
  readonly minArguments: number;
  readonly maxArguments: number;
  readonly compute: (...values: number[]) => number;
};

const defineUnary = (compute: (value: number) => number): ArithmeticOperation => ({
  minArguments: 1,
  maxArguments: 1,
  compute,
});
const defineBinary = (compute: (a: number, b: number) => number): ArithmeticOperation => ({
  minArguments: 2,
  maxArguments: 2,
  compute,
});
const defineVariadic = (compute: (...values: number[]) => number): ArithmeticOperation => ({
  minArguments: 1,
  maxArguments: MAX_NODES,
  compute,
});

/** Operations by the names of operators and the usual names of functions. */
const OPERATIONS: ReadonlyMap<string, ArithmeticOperation> = new Map([
  ["add", defineBinary((a, b) => a + b)],
  ["subtract", defineBinary((a, b) => a - b)],
  ["multiply", defineBinary((a, b) => a * b)],
  ["divide", defineBinary(divide)],
  ["mod", defineBinary(remainder)],
  ["pow", defineBinary((a, b) => a ** b)],
  ["percent", defineUnary((a) => a / 100)],
  ["unaryMinus", defineUnary((a) => -a)],
  ["unaryPlus", defineUnary((a) => a)],
  ["factorial", defineUnary(factorial)],
  ["sqrt", defineUnary(Math.sqrt)],
  ["cbrt", defineUnary(Math.cbrt)],
  ["abs", defineUnary(Math.abs)],
  ["sign", defineUnary(Math.sign)],
  ["ceil", defineUnary(Math.ceil)],
  ["floor", defineUnary(Math.floor)],
  ["round", { minArguments: 1, maxArguments: 2, compute: roundTo }],
  ["exp", defineUnary(Math.exp)],
  ["ln", defineUnary(Math.log)],
  [
    "log",
    {
      minArguments: 1,
      maxArguments: 2,
      compute: (value, base) => (base === undefined ? Math.log(value) : Math.log(value) / Math.log(base)),
    },
  ],
  ["log2", defineUnary(Math.log2)],
  ["log10", defineUnary(Math.log10)],
  ["sin", defineUnary(Math.sin)],
  ["cos", defineUnary(Math.cos)],
  ["tan", defineUnary(Math.tan)],
  ["asin", defineUnary(Math.asin)],
  ["acos", defineUnary(Math.acos)],
  ["atan", defineUnary(Math.atan)],
  ["gcd", defineBinary(gcd)],
  ["lcm", defineBinary((a, b) => (a === 0 || b === 0 ? 0 : Math.abs(a * b) / gcd(a, b)))],
  ["min", defineVariadic(Math.min)],
  ["max", defineVariadic(Math.max)],
  ["sum", defineVariadic(sum)],
  ["mean", defineVariadic((...values) => sum(...values) / values.length)],
  ["median", defineVariadic(median)],
]);

/** From this value on, 15 digits do not represent every whole number. */
const EXACT_INTEGER_LIMIT = 1e15;

/**
 * Evaluates an arithmetic expression of at most 500 characters to 15 significant digits. Values from 10^15 on are
 * written with all their digits (at most 50) if `evaluateExactly` gives them, else in exponential notation. Angles are
 * in radians. Throws a `Fault` (`unprocessable`) that explains the problem of the expression.
 */
export function calculate(expression: string): string {
  if (expression.length > MAX_CHARS) throw createCalculationFault("calculator.tooLong", { max: MAX_CHARS });
  const parsed = parseExpression(normalizeExpression(expression));
  const value = evaluate(parsed, { left: MAX_NODES });
  if (Number.isNaN(value)) throw createCalculationFault("calculator.noRealValue");
  if (!Number.isFinite(value)) throw createCalculationFault("calculator.resultTooLarge");
  const rounded = Number(value.toPrecision(15));
  if (Math.abs(rounded) < EXACT_INTEGER_LIMIT) return String(rounded);
  return evaluateExactly(parsed)?.toString() ?? rounded.toExponential();
}

/** Normalizes the signs that people type. Without a function call, a comma groups thousands. */
function normalizeExpression(typed: string): string {
  const expression = typed.normalize("NFKC");
  const ungrouped = /\p{L}/u.test(expression) ? expression : expression.replace(/(?<=\d),(?=\d{3}(?!\d))/g, "");
  return ungrouped
    .replace(/\bMath\./g, "")
    .replace(/\*\*/g, "^")
    .replace(/[×·✕]/g, "*")
    .replace(/÷/g, "/")
    .replace(/[−–—]/g, "-")
    .replace(/[=?\s]+$/, "");
}

function evaluate(expression: Expression, budget: { left: number }): number {
  budget.left -= 1;
  if (budget.left < 0) throw createCalculationFault("calculator.tooComplex");
  switch (expression.type) {
    case "number":
      return expression.value;
    case "constant":
      return getConstant(expression.name);
    case "group":
      return evaluate(expression.inner, budget);
    case "operator":
    case "function":
      return applyOperation(expression.name, expression.args, budget);
  }
}

function applyOperation(name: string, args: readonly Expression[], budget: { left: number }): number {
  const operation = OPERATIONS.get(name);
  if (operation === undefined) throw createCalculationFault("calculator.unknownFunction", { name: name.slice(0, 40) });
  if (args.length < operation.minArguments || args.length > operation.maxArguments)
    throw createCalculationFault("calculator.wrongArgumentCount", { name });
  return operation.compute(...args.map((arg) => evaluate(arg, budget)));
}

function getConstant(name: string): number {
  const value = CONSTANTS.get(name);
  if (value === undefined) throw createCalculationFault("calculator.unknownConstant", { name: name.slice(0, 40) });
  return value;
}

function divide(a: number, b: number): number {
  if (b === 0) throw createCalculationFault("calculator.divisionByZero");
  return a / b;
}

/** The remainder has the sign of the divisor, as in mathematics. */
function remainder(a: number, b: number): number {
  if (b === 0) throw createCalculationFault("calculator.divisionByZero");
  return a - b * Math.floor(a / b);
}

function factorial(n: number): number {
  if (!Number.isInteger(n) || n < 0 || n > 170) throw createCalculationFault("calculator.factorialRange");
  let product = 1;
  for (let factor = 2; factor <= n; factor += 1) product *= factor;
  return product;
}

function gcd(a: number, b: number): number {
  if (!Number.isSafeInteger(a) || !Number.isSafeInteger(b))
    throw createCalculationFault("calculator.divisorNotInteger");
  return b === 0 ? Math.abs(a) : gcd(b, a % b);
}

/** Rounds half up in decimal notation, which avoids binary rounding errors. */
function roundTo(value: number, digits = 0): number {
  if (!Number.isInteger(digits) || digits < 0 || digits > 15) throw createCalculationFault("calculator.roundingDigits");
  const scaled = Number(`${value}e${digits}`);
  return Number.isFinite(scaled) ? Number(`${Math.round(scaled)}e-${digits}`) : value;
}

function sum(...values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function median(...values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return (
    sorted.slice(sorted.length % 2 === 0 ? middle - 1 : middle, middle + 1).reduce((a, b) => a + b, 0) /
    (sorted.length % 2 === 0 ? 2 : 1)
  );
}

function createCalculationFault(key: MessageKey, params?: MessageParameters): Fault {
  return createFault("unprocessable", createMessage(key, params));
}
