// Arithmetic: evaluates a parsed expression with a fixed list of operators and functions. Nothing else can run.

import { Fault } from "../../protocol/fault.ts";
import { exactly } from "./exact.ts";
import { readExpression, type Expression } from "./expression.ts";

const MAX_CHARS = 500;
/** Maximum evaluated parts of an expression. */
const MAX_NODES = 200;

const CONSTANTS: ReadonlyMap<string, number> = new Map([
  ["pi", Math.PI],
  ["π", Math.PI],
  ["tau", 2 * Math.PI],
  ["e", Math.E],
  ["phi", (1 + Math.sqrt(5)) / 2],
]);

/** The number of arguments that an operation takes, and its function. */
type Operation = { readonly least: number; readonly most: number; readonly of: (...values: number[]) => number };

const one = (of: (value: number) => number): Operation => ({ least: 1, most: 1, of });
const two = (of: (a: number, b: number) => number): Operation => ({ least: 2, most: 2, of });
const many = (of: (...values: number[]) => number): Operation => ({ least: 1, most: MAX_NODES, of });

/** Operations by the names of operators and the usual names of functions. */
const OPERATIONS: ReadonlyMap<string, Operation> = new Map([
  ["add", two((a, b) => a + b)],
  ["subtract", two((a, b) => a - b)],
  ["multiply", two((a, b) => a * b)],
  ["divide", two(divide)],
  ["mod", two(remainder)],
  ["pow", two((a, b) => a ** b)],
  ["percent", one((a) => a / 100)],
  ["unaryMinus", one((a) => -a)],
  ["unaryPlus", one((a) => a)],
  ["factorial", one(factorial)],
  ["sqrt", one(Math.sqrt)],
  ["cbrt", one(Math.cbrt)],
  ["abs", one(Math.abs)],
  ["sign", one(Math.sign)],
  ["ceil", one(Math.ceil)],
  ["floor", one(Math.floor)],
  ["round", { least: 1, most: 2, of: roundTo }],
  ["exp", one(Math.exp)],
  ["ln", one(Math.log)],
  [
    "log",
    {
      least: 1,
      most: 2,
      of: (value, base) => (base === undefined ? Math.log(value) : Math.log(value) / Math.log(base)),
    },
  ],
  ["log2", one(Math.log2)],
  ["log10", one(Math.log10)],
  ["sin", one(Math.sin)],
  ["cos", one(Math.cos)],
  ["tan", one(Math.tan)],
  ["asin", one(Math.asin)],
  ["acos", one(Math.acos)],
  ["atan", one(Math.atan)],
  ["gcd", two(gcd)],
  ["lcm", two((a, b) => (a === 0 || b === 0 ? 0 : Math.abs(a * b) / gcd(a, b)))],
  ["min", many(Math.min)],
  ["max", many(Math.max)],
  ["sum", many(sum)],
  ["mean", many((...values) => sum(...values) / values.length)],
  ["median", many(median)],
]);

/** From this value on, 15 digits do not represent every whole number. */
const LARGE = 1e15;

/**
 * Evaluates an arithmetic expression to 15 significant digits, or to all digits (at most 50) if only whole numbers
 * are involved. Large rounded values are returned in exponential notation. Angles are in radians. Throws a `Fault`
 * (`unprocessable`) that explains what is wrong with the expression.
 */
export function calculate(expression: string): string {
  if (expression.length > MAX_CHARS) throw wrong(`The expression is longer than ${MAX_CHARS} characters.`);
  const read = readExpression(plain(expression));
  const value = evaluate(read, { left: MAX_NODES });
  if (Number.isNaN(value)) throw wrong("The expression has no real value.");
  if (!Number.isFinite(value)) throw wrong("The result is too large.");
  const rounded = Number(value.toPrecision(15));
  if (Math.abs(rounded) < LARGE) return String(rounded);
  return exactly(read)?.toString() ?? rounded.toExponential();
}

/** Normalizes the signs that people type. Without a function call, a comma groups thousands. */
function plain(typed: string): string {
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
  if (budget.left < 0) throw wrong("The expression has too many parts.");
  switch (expression.type) {
    case "number":
      return expression.value;
    case "constant":
      return constant(expression.name);
    case "group":
      return evaluate(expression.inner, budget);
    case "operator":
    case "function":
      return apply(expression.name, expression.args, budget);
  }
}

function apply(name: string, args: readonly Expression[], budget: { left: number }): number {
  const operation = OPERATIONS.get(name);
  if (operation === undefined) throw wrong(`There is no function ${name.slice(0, 40)}.`);
  if (args.length < operation.least || args.length > operation.most)
    throw wrong(`${name} takes another number of values.`);
  return operation.of(...args.map((arg) => evaluate(arg, budget)));
}

function constant(name: string): number {
  const value = CONSTANTS.get(name);
  if (value === undefined) throw wrong(`There is no constant ${name.slice(0, 40)}.`);
  return value;
}

function divide(a: number, b: number): number {
  if (b === 0) throw wrong("Nothing can be divided by zero.");
  return a / b;
}

/** The remainder has the sign of the divisor, as in mathematics. */
function remainder(a: number, b: number): number {
  if (b === 0) throw wrong("Nothing can be divided by zero.");
  return a - b * Math.floor(a / b);
}

function factorial(n: number): number {
  if (!Number.isInteger(n) || n < 0 || n > 170) throw wrong("Factorials are known of whole numbers from 0 to 170.");
  let product = 1;
  for (let factor = 2; factor <= n; factor += 1) product *= factor;
  return product;
}

function gcd(a: number, b: number): number {
  if (!Number.isSafeInteger(a) || !Number.isSafeInteger(b)) throw wrong("Common divisors are known of whole numbers.");
  return b === 0 ? Math.abs(a) : gcd(b, a % b);
}

/** Rounds half up in decimal notation, which avoids binary rounding errors. */
function roundTo(value: number, digits = 0): number {
  if (!Number.isInteger(digits) || digits < 0 || digits > 15) throw wrong("Rounding takes 0 to 15 digits.");
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

function wrong(message: string): Fault {
  return new Fault("unprocessable", message);
}
