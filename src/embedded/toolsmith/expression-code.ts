// The tool for any expression: a small parser over exact fractions.

import { EXACT_CODE } from "./exact-code.ts";

export const EXPRESSION_CODE = `${EXACT_CODE}const FUNCTIONS = new Map([
  ["sqrt", Math.sqrt],
  ["cbrt", Math.cbrt],
  ["abs", Math.abs],
  ["floor", Math.floor],
  ["ceil", Math.ceil],
  ["sin", Math.sin],
  ["cos", Math.cos],
  ["tan", Math.tan],
  ["exp", Math.exp],
  ["ln", Math.log],
  ["log", Math.log10],
  ["log10", Math.log10],
  ["log2", Math.log2],
  ["min", Math.min],
  ["max", Math.max],
  ["round", (value, digits = 0) => Math.round(value * 10 ** digits + Number.EPSILON) / 10 ** digits],
]);

function near([top, bottom]) {
  return Number(top) / Number(bottom);
}

function real(number) {
  if (!Number.isFinite(number)) throw new Error("The expression has no real value. 算式没有实数值。");
  return exact(Number(number.toPrecision(15)));
}

function divide([a, b], [c, d]) {
  if (c === 0n) throw new Error("Nothing can be divided by zero. 除数不能为零。");
  return c < 0n ? [-a * d, b * -c] : [a * d, b * c];
}

function power(base, exponent) {
  const [top, bottom] = exponent;
  const times = top / bottom;
  if (times * bottom !== top || times < -5000n || times > 5000n) return real(Math.pow(near(base), near(exponent)));
  const size = times < 0n ? -times : times;
  const raised = [base[0] ** size, base[1] ** size];
  return times < 0n ? divide([1n, 1n], raised) : raised;
}

function factorial([top, bottom]) {
  const n = top / bottom;
  if (n * bottom !== top || n < 0n || n > 1000n) throw new Error("Factorials are known of 0 to 1000. 阶乘只能算 0 到 1000 的整数。");
  let product = 1n;
  for (let factor = 2n; factor <= n; factor += 1n) product *= factor;
  return [product, 1n];
}

function run({ expression }) {
  const text = expression.toLowerCase().replaceAll("×", "*").replaceAll("÷", "/").replaceAll("**", "^");
  const tokens = text.match(/\\d+\\.?\\d*(?:e[-+]?\\d+)?|[a-z]+\\d*|\\S/g) ?? [];
  let at = 0;

  function take(token) {
    if (tokens[at] !== token) return false;
    at += 1;
    return true;
  }

  function expect(token) {
    if (!take(token)) throw new Error("The expression cannot be read. 算式读不懂：" + expression);
  }

  function sum() {
    let value = product();
    while (tokens[at] === "+" || tokens[at] === "-") {
      const isPlus = take("+") || !take("-");
      const [a, b] = value;
      const [c, d] = product();
      value = [isPlus ? a * d + c * b : a * d - c * b, b * d];
    }
    return value;
  }

  function product() {
    let value = signed();
    while (tokens[at] === "*" || tokens[at] === "/" || tokens[at] === "%") {
      const sign = tokens[at];
      at += 1;
      const [a, b] = value;
      const [c, d] = signed();
      if (sign === "*") value = [a * c, b * d];
      if (sign === "/") value = divide([a, b], [c, d]);
      if (sign === "%") {
        divide([a, b], [c, d]);
        value = [(a * d) % (b * c), b * d];
      }
    }
    return value;
  }

  function signed() {
    if (take("+")) return signed();
    if (!take("-")) return raised();
    const [top, bottom] = signed();
    return [-top, bottom];
  }

  function raised() {
    let value = atom();
    while (tokens[at] === "!") {
      at += 1;
      value = factorial(value);
    }
    return take("^") ? power(value, signed()) : value;
  }

  function atom() {
    const token = tokens[at] ?? "";
    at += 1;
    if (token >= "0" && token < ":") return exact(token);
    if (token === "pi") return exact(Math.PI);
    if (token === "e") return exact(Math.E);
    if (token === "(") {
      const value = sum();
      expect(")");
      return value;
    }
    const apply = FUNCTIONS.get(token);
    if (apply === undefined) throw new Error("The expression cannot be read. 算式读不懂：" + expression);
    expect("(");
    const values = [sum()];
    while (take(",")) values.push(sum());
    expect(")");
    return real(apply(...values.map(near)));
  }

  const value = sum();
  expect(undefined);
  return shown(value);
}`;
