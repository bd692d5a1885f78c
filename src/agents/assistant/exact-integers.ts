// Exact evaluation of whole numbers: sums, products, powers and factorials with all their digits.

import type { Expression } from "./expression-parser.ts";

const MAX_DIGITS = 50;

/**
 * Returns the exact value of an expression of whole numbers with signs, sums, products, powers and factorials. Null if
 * it contains anything else, also a division, or if a value in it exceeds 50 digits or a number is not a safe integer.
 */
export function evaluateExactly(expression: Expression): bigint | null {
  switch (expression.type) {
    case "number":
      return Number.isSafeInteger(expression.value) ? BigInt(expression.value) : null;
    case "constant":
    case "function":
      return null;
    case "group":
      return evaluateExactly(expression.inner);
    case "operator": {
      const [a = null, b = null] = expression.args.map(evaluateExactly);
      const value = a === null ? null : applyExactly(expression.name, a, b);
      return value === null || countDigits(value) > MAX_DIGITS ? null : value;
    }
  }
}

function applyExactly(name: string, a: bigint, b: bigint | null): bigint | null {
  if (name === "unaryMinus") return -a;
  if (name === "unaryPlus") return a;
  if (name === "factorial") return factorial(a);
  if (b === null) return null;
  if (name === "add") return a + b;
  if (name === "subtract") return a - b;
  if (name === "multiply") return a * b;
  return name === "pow" && b >= 0n && (countDigits(a) - 1) * Number(b) <= MAX_DIGITS && b <= 200n ? a ** b : null;
}

function factorial(n: bigint): bigint | null {
  if (n < 0n || n > MAX_DIGITS) return null;
  let product = 1n;
  for (let factor = 2n; factor <= n; factor += 1n) product *= factor;
  return product;
}

function countDigits(value: bigint): number {
  return String(value).replace("-", "").length;
}
