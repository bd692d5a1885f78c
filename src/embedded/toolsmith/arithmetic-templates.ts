// Arithmetic tools; the expression decides which one fits.

import { createDivisionCheck, EXACT_CODE } from "./exact-code.ts";
import { EXPRESSION_CODE } from "./expression-code.ts";
import {
  EXACT_RESULT,
  exactNumberSchema,
  integerSchema,
  NUMBERS_SCHEMA,
  stringSchema,
  createParameters,
  type TemplateArgs,
  type ToolTemplate,
} from "./tool-template.ts";
import { readNumberList } from "./statistics-templates.ts";
import { toNumeral, type SubtaskWords } from "./subtask-words.ts";

const NUMBER = String.raw`\(?(-?\d+(?:\.\d+)?)\)?`;
const buildListPattern = (sign: string) => new RegExp(String.raw`^${NUMBER}(?: ${sign} ${NUMBER})+$`);
const PERCENT = String.raw`\((-?\d+(?:\.\d+)?) \/ 100\)`;

const FUNCTION = "(?:sin|cos|tan|exp|ln|log10|log2|log|floor|ceil|abs|max|min|sqrt|cbrt|round)";
const TYPED = new RegExp(String.raw`(?:${FUNCTION}(?=\s*\()|pi(?![a-z])|e(?![a-z])|[-+*/^%!\d.,()\s])+`, "gi");
const CALLED = new RegExp(String.raw`(?<![a-z])${FUNCTION}\s*\(|\d(?:\.\d+)?e[-+]?\d`, "i");

const SPOKEN: readonly (readonly [RegExp, string])[] = [
  [/\bplus\b|加上?/gi, "+"],
  [/\bminus\b|减去?/gi, "-"],
  [/\b(?:times|multiplied by)\b|乘以?/gi, "*"],
  [/\bdivided by\b|除以/gi, "/"],
];

/** Algebra: 2x + 3 · x^2. */
const UNKNOWN = /\d[xyz]\b|(?:^|[^a-z\d\s.)])\s*[xyz]\s*[-+*/^²=]|\b[xyz]\s*[\^²=]/;

/** Returns the only sum of the words as an expression. */
function findOnlySum({ sums, said, text, goesOn }: SubtaskWords): string | null {
  if (CALLED.test(text)) {
    // Functions and powers of ten are typed: sin(1) + 1e3.
    const written = SPOKEN.reduce((so, [words, sign]) => so.replace(words, sign), text);
    const [typed = "", ...more] = (written.match(TYPED) ?? []).filter((part) => CALLED.test(part));
    // A further number belongs to something else.
    const isAll = more.length === 0 && !/\d/.test(written.replace(typed, ""));
    return isAll ? typed.toLowerCase().replace(/^[\s,.]+|[\s,.!=]+$/g, "") : null;
  }
  const [only, ...others] = sums;
  // In "random between 1-6" the dash is not a minus.
  const isOther = UNKNOWN.test(said) || (!goesOn && /random|随机|dice|\bdie\b|骰子/.test(said));
  return only === undefined || others.length > 0 || isOther ? null : only;
}

function parseOperands(words: SubtaskWords, sign: string): TemplateArgs | null {
  const sum = findOnlySum(words);
  if (sum === null || !buildListPattern(sign).test(sum)) return null;
  return { numbers: sum.replace(/[()]/g, "").split(/ \S /).map(toNumeral) };
}

function matchSum(words: SubtaskWords, pattern: string, names: readonly [string, string]): TemplateArgs | null {
  const match = new RegExp(`^${pattern}$`).exec(findOnlySum(words) ?? "");
  if (match === null) return null;
  return Object.fromEntries(names.map((name, i) => [name, toNumeral(match[i + 1] ?? "")]));
}

const createExactTemplate = (
  template: Omit<ToolTemplate, "category" | "returns"> & Partial<ToolTemplate>,
): ToolTemplate => ({
  category: "math",
  returns: EXACT_RESULT,
  ...template,
});

/** One operation over a list, from left to right. */
function createOperation(
  name: string,
  sign: string,
  description: string,
  step: string,
  equivalentPattern: RegExp,
): ToolTemplate {
  return createExactTemplate({
    name,
    description,
    parameters: createParameters({ numbers: NUMBERS_SCHEMA }),
    code: `${EXACT_CODE}function run({ numbers }) {
  return shown(numbers.map(exact).reduce(([a, b], [c, d]) => ${step}));
}`,
    equivalentPattern,
    parseArgs: (words) => parseOperands(words, sign),
  });
}

const SUM = /\b(?:sum|total|add (?:up|together|these|the))\b|总和|求和|之和|的和|合计|加起来|总共/;
/** Sums whose operands are not listed: the sum of the primes between 1 and 10. */
const OF_OTHERS = /\b(?:primes?|multiples|divisors|factors|squares|cubes|between)\b|[质素因]数|倍数|平方和|立方和/;

export const ARITHMETIC: readonly ToolTemplate[] = [
  {
    ...createOperation(
      "add",
      String.raw`\+`,
      "Adds numbers: sum, plus, total. 加法：相加、求和，几加几等于多少。",
      "[a * d + c * b, b * d]",
      /\b(?:add\w*|sum\w*|plus|total)\b|加法|相加|求和|之和|的和/,
    ),
    parseArgs(words) {
      const added = parseOperands(words, String.raw`\+`);
      const isList = SUM.test(words.said) && !OF_OTHERS.test(words.said) && (added !== null || words.sums.length === 0);
      return (isList ? readNumberList(words) : null) ?? added;
    },
    title: { zh: "总和", en: "sum" },
  },
  createOperation(
    "subtract",
    "-",
    "Subtracts from the first number all others: minus, difference. 减法：相减，几减去几等于多少。",
    "[a * d - c * b, b * d]",
    /\b(?:subtract\w*|minus|difference of (?:two )?numbers)\b|减法|相减|减去|之差|的差/,
  ),
  createOperation(
    "multiply",
    String.raw`\*`,
    "Multiplies numbers: product, times. 乘法：相乘，几乘以几等于多少。",
    "[a * c, b * d]",
    /\b(?:multipl\w*|product|times)\b|乘法|相乘|乘以|乘积|之积/,
  ),
  createExactTemplate({
    name: "divide",
    description: "Divides the first number by all others: quotient. 除法：相除，几除以几等于多少。",
    parameters: createParameters({ numbers: NUMBERS_SCHEMA }),
    code: `${EXACT_CODE}function run({ numbers }) {
  const [top, bottom] = numbers.map(exact).reduce(([a, b], [c, d]) => [a * d, b * c]);
${createDivisionCheck("bottom")}
  return shown([top, bottom]);
}`,
    equivalentPattern: /\b(?:divi\w*|quotient)\b|除法|相除|除以|的商/,
    parseArgs: (words) => parseOperands(words, String.raw`\/`),
  }),
  createExactTemplate({
    name: "power",
    description: "Raises a number to a power: exponent, squared, cubed. 乘方：平方、立方、几次方、幂。",
    parameters: createParameters({
      base: exactNumberSchema("底数"),
      exponent: { type: "number", description: "指数" },
    }),
    code: `${EXACT_CODE}function run({ base, exponent }) {
  if (!Number.isInteger(exponent) || exponent < 0) return Number(Math.pow(Number(base), exponent).toPrecision(15));
  if (exponent > 5000) throw new Error("The result is too large. 结果太大。");
  const [a, b] = exact(base);
  return shown([a ** BigInt(exponent), b ** BigInt(exponent)]);
}`,
    equivalentPattern: /\b(?:power|exponent\w*|pow|squared?|cubed?)\b(?! root)|乘方|次方|平方(?!根)|立方(?!根)/,
    // The minus of -3^2 applies to the power.
    parseArgs: (words) => matchSum(words, String.raw`(?!-)${NUMBER} \^ ${NUMBER}`, ["base", "exponent"]),
  }),
  createExactTemplate({
    name: "root",
    description: "The square root of a number, or another root: cube root. 开方：平方根、立方根、根号。",
    parameters: createParameters({
      value: { type: "number" },
      degree: integerSchema("2: square root 平方根, 3: cube root 立方根"),
    }),
    returns: { type: "number" },
    code: String.raw`function run({ value, degree }) {
  if (value < 0 && degree % 2 === 0) throw new Error("It has no real root. 没有实数根。");
  const size = Math.pow(Math.abs(value), 1 / degree);
  const whole = Math.round(size);
  const exact = Math.pow(whole, degree) === Math.abs(value) ? whole : Number(size.toPrecision(15));
  return value < 0 ? -exact : exact;
}`,
    equivalentPattern: /\b(?:root|sqrt|cbrt)\b|平方根|立方根|开方|根号/,
    parseArgs(words) {
      const [, name, value = ""] = /^(sqrt|cbrt)\((-?\d+(?:\.\d+)?)\)$/.exec(findOnlySum(words) ?? "") ?? [];
      return name === undefined ? null : { value: Number(value), degree: name === "sqrt" ? 2 : 3 };
    },
  }),
  createExactTemplate({
    name: "factorial",
    description: "The factorial of a whole number, with all its digits: n!. 阶乘。",
    parameters: createParameters({ n: { type: "integer", minimum: 0, maximum: 1000 } }),
    code: String.raw`function run({ n }) {
  let product = 1n;
  for (let factor = 2; factor <= n; factor += 1) product *= BigInt(factor);
  return product > 9007199254740991n ? String(product) : Number(product);
}`,
    equivalentPattern: /factorial|阶乘/,
    parseArgs(words) {
      const [, n] = /^(\d+)!$/.exec(findOnlySum(words) ?? "") ?? [];
      return n === undefined ? null : { n: Number(n) };
    },
  }),
  createExactTemplate({
    name: "percentage_of",
    description: "So many percent of a number: percentage, discount, tip. 某数的百分之几是多少：百分比、折扣。",
    parameters: createParameters({ percent: exactNumberSchema("百分之几"), value: exactNumberSchema("The number 数") }),
    code: `${EXACT_CODE}function run({ percent, value }) {
  const [a, b] = exact(percent);
  const [c, d] = exact(value);
  return shown([a * c, b * d * 100n]);
}`,
    equivalentPattern: /percent\w*(?! change)|百分/,
    parseArgs: (words) =>
      matchSum(words, String.raw`${PERCENT} \* ${NUMBER}`, ["percent", "value"]) ??
      matchSum(words, String.raw`${NUMBER} \* ${PERCENT}`, ["value", "percent"]),
  }),
  createExactTemplate({
    name: "round_number",
    description: "Rounds a number to so many decimal places. 四舍五入：保留两位小数、几位小数。",
    parameters: createParameters({
      value: exactNumberSchema("The number 数"),
      digits: integerSchema("Decimal places 小数位数"),
    }),
    code: `${EXACT_CODE}function run({ value, digits }) {
  const [top, bottom] = exact(value);
  const size = top < 0n ? -top : top;
  const rounded = (size * 10n ** BigInt(digits) * 2n + bottom) / (bottom * 2n);
  return shown([top < 0n ? -rounded : rounded, 10n ** BigInt(digits)]);
}`,
    equivalentPattern: /\bround\w*|四舍五入|保留.*小数/,
    parseArgs(words) {
      const [, value, digits = "0"] = /^round\((-?\d+(?:\.\d+)?)(?:, (\d+))?\)$/.exec(findOnlySum(words) ?? "") ?? [];
      return value === undefined ? null : { value: toNumeral(value), digits: Number(digits) };
    },
  }),
  createExactTemplate({
    name: "evaluate_expression",
    description:
      "Works out an arithmetic expression with + - * / % ^ !, parentheses and functions: calculate, compute, remainder. 计算算式是多少：四则运算、括号、余数、平方、函数。",
    parameters: createParameters({ expression: stringSchema("e.g. (1 + 2) * 3 / sqrt(2)") }),
    code: EXPRESSION_CODE,
    equivalentPattern: /expression|calculator|表达式|算式/,
    parseArgs(words) {
      const sum = findOnlySum(words);
      return sum === null ? null : { expression: sum };
    },
  }),
];
