// Tools about integers: divisors, primes, Fibonacci.

import type { ParameterSchema } from "../tool-parameters.ts";
import { parseNumberRange } from "../random-ranges.ts";
import { EXACT_CODE } from "./exact-code.ts";
import {
  FLAG_RESULT,
  LIST_RESULT,
  EXACT_RESULT,
  integerSchema,
  createMathTemplate,
  NUMBERS_SCHEMA,
  createParameters,
  type TemplateArgs,
  type ToolTemplate,
} from "./tool-template.ts";
import { replaceNumerals, isInteger, type SubtaskWords } from "./subtask-words.ts";

/** Does not match questions for the 15th prime. */
const IS_PRIME = /^(?!.*(?:\d(?:st|nd|rd|th)\b|第)).*(?:是|吗|\bis\b|check|whether|if|判断|检查|test)/s;

/** Returns the only number in the words if it is an integer. */
function readOnlyInteger({ numbers: [n, other] }: SubtaskWords): TemplateArgs | null {
  return isInteger(n) && other === undefined ? { n } : null;
}

const N: ParameterSchema = createParameters({ n: { type: "integer", minimum: 1, maximum: 1e12 } });

const GCD_CODE = String.raw`function gcd(a, b) {
  while (b !== 0n) [a, b] = [b, a % b];
  return a < 0n ? -a : a;
}

`;

const readSeveralNumbers = ({ numbers }: SubtaskWords) => (numbers.length > 1 ? { numbers } : null);

const RANGE_SUM =
  /\b(?:sum|total|add(?: up)?)(?: of)?(?: all)?(?: the)? (?:(?:whole|natural|positive|consecutive|odd|even) )*(?:(?:numbers|integers) )?(?:(?:from )?(\d+) (?:to|through) (\d+)|between (\d+) and (\d+))\s*[?.]?$|从?\s*(\d+)\s*(?:一直)?累?加到\s*(\d+)|(\d+)\s*(?:到|至|~|-)\s*(\d+)(?:之间|以内)?的?(?:所有)?的?(?:整数|自然数|奇数|偶数|数字?)?(?:的?总?和|之和|求和)/;

/** `sum of the odd numbers from 1 to 99`, `1到100的和`. */
function readRangeSum(words: SubtaskWords): TemplateArgs | null {
  const said = replaceNumerals(words);
  const [from, to] = (RANGE_SUM.exec(said)?.slice(1) ?? []).filter((digits) => digits !== undefined).map(Number);
  if (!isInteger(from) || !isInteger(to)) return null;
  const parity = /\bodd\b|奇数/.test(said) ? 1 : /\beven\b|偶数/.test(said) ? 0 : null;
  return parity === null ? { from, to } : { from: from % 2 === parity ? from : from + 1, to, step: 2 };
}

export const INTEGER_TEMPLATES: readonly ToolTemplate[] = [
  createMathTemplate({
    name: "greatest_common_divisor",
    description: "The greatest common divisor of whole numbers: gcd, common factor. 最大公约数、最大公因数。",
    parameters: createParameters({ numbers: NUMBERS_SCHEMA }),
    returns: EXACT_RESULT,
    code: `${EXACT_CODE}${GCD_CODE}function run({ numbers }) {
  return shown([numbers.map(BigInt).reduce(gcd), 1n]);
}`,
    requestPattern:
      /^(?!.*(?:公倍数|common multiple|\blcm\b)).*(?:公[约因]数|(?:greatest|highest|largest) common|\b(?:gcd|gcf|hcf)\b)/s,
    parseArgs: readSeveralNumbers,
  }),
  createMathTemplate({
    name: "least_common_multiple",
    description: "The least common multiple of whole numbers: lcm. 最小公倍数。",
    parameters: createParameters({ numbers: NUMBERS_SCHEMA }),
    returns: EXACT_RESULT,
    code: `${EXACT_CODE}${GCD_CODE}function run({ numbers }) {
  return shown([numbers.map(BigInt).reduce((a, b) => (a * b) / gcd(a, b)), 1n]);
}`,
    requestPattern:
      /^(?!.*(?:公[约因]数|common (?:divisor|factor)|\b(?:gcd|gcf|hcf)\b)).*(?:公倍数|common multiple|\blcm\b)/s,
    parseArgs: readSeveralNumbers,
  }),
  createMathTemplate({
    name: "list_primes",
    description: "The prime numbers of a range, up to 100000. 列出范围内的质数、素数。",
    parameters: createParameters({
      from: integerSchema("从"),
      to: { type: "integer", maximum: 100_000, description: "到" },
    }),
    returns: LIST_RESULT,
    code: String.raw`function run({ from, to }) {
  const isComposite = Array(to + 1).fill(false);
  const primes = [];
  for (let n = 2; n <= to; n += 1) {
    if (isComposite[n]) continue;
    if (n >= from) primes.push(n);
    for (let multiple = n * n; multiple <= to; multiple += n) isComposite[multiple] = true;
  }
  return primes;
}`,
    requestPattern: /[质素]数|\bprimes?\b/,
    equivalentPattern: /\bprimes\b|(?:list|all).*prime|列出.*[质素]数/,
    parseArgs({ said }) {
      const range = parseNumberRange(said);
      const isOther = /是不是|是否|吗|how many|多少|几个|sum|和|product/.test(said);
      return !isOther && range !== null ? { from: range.min, to: range.max } : null;
    },
  }),
  createMathTemplate({
    name: "sum_of_range",
    description:
      "The sum of the whole numbers from one to another, or of the odd or even ones. 从几加到几：连续整数求和。",
    parameters: createParameters(
      {
        from: integerSchema("从"),
        to: integerSchema("到"),
        step: { type: "integer", minimum: 1, description: "步长" },
      },
      ["step"],
    ),
    returns: EXACT_RESULT,
    code: String.raw`function run({ from, to, step = 1 }) {
  if (from > to) throw new Error("from is larger than to. 起点大于终点。");
  const count = BigInt(Math.floor((to - from) / step)) + 1n;
  const sum = (count * (2n * BigInt(from) + (count - 1n) * BigInt(step))) / 2n;
  return sum > 9007199254740991n ? String(sum) : Number(sum);
}`,
    equivalentPattern: /sum.*(?:range|numbers from|integers from)|连续.*求和|加到/,
    parseArgs: readRangeSum,
  }),
  createMathTemplate({
    name: "prime_factors",
    description: "Splits a whole number into its prime factors: factorize. 分解质因数。",
    parameters: N,
    returns: LIST_RESULT,
    code: String.raw`function run({ n }) {
  const factors = [];
  let rest = n;
  for (let factor = 2; factor * factor <= rest; factor += 1) {
    while (rest % factor === 0) {
      factors.push(factor);
      rest /= factor;
    }
  }
  return rest > 1 ? [...factors, rest] : factors;
}`,
    requestPattern: /质因数|分解因数|prime factor|factori[sz]e|prime decomposition/,
    parseArgs: readOnlyInteger,
  }),
  createMathTemplate({
    name: "is_prime",
    description: "Whether a whole number is prime. 判断一个数是不是质数、素数。",
    parameters: N,
    returns: FLAG_RESULT,
    code: String.raw`function run({ n }) {
  if (n < 2) return false;
  for (let factor = 2; factor * factor <= n; factor += 1) if (n % factor === 0) return false;
  return true;
}`,
    requestPattern: /[质素]数|\bprime\b/,
    parseArgs: (words) => (IS_PRIME.test(words.said) ? readOnlyInteger(words) : null),
  }),
  createMathTemplate({
    name: "fibonacci_sequence",
    description: "The first Fibonacci numbers. 斐波那契数列的前若干项。",
    parameters: createParameters({ count: { type: "integer", minimum: 1, maximum: 1000 } }),
    returns: LIST_RESULT,
    code: String.raw`function run({ count }) {
  const list = [];
  let [a, b] = [0n, 1n];
  for (let i = 0; i < count; i += 1) {
    [a, b] = [b, a + b];
    list.push(a > 9007199254740991n ? String(a) : Number(a));
  }
  return list;
}`,
    requestPattern: /斐波那契|fibonacci/,
    equivalentPattern: /fibonacci (?:sequence|numbers|series|list)|斐波那契数列/,
    parseArgs({ said, numbers: [count, other] }) {
      const isAsked = /前|first|sequence of|numbers|个/.test(said) && !/第/.test(said);
      return isAsked && isInteger(count) && other === undefined ? { count } : null;
    },
  }),
  createMathTemplate({
    name: "fibonacci",
    description: "The n-th Fibonacci number, with all its digits. 第 n 个斐波那契数。",
    parameters: createParameters({ n: { type: "integer", minimum: 0, maximum: 5000 } }),
    returns: EXACT_RESULT,
    code: String.raw`function run({ n }) {
  let [a, b] = [0n, 1n];
  for (let i = 0; i < n; i += 1) [a, b] = [b, a + b];
  return a > 9007199254740991n ? String(a) : Number(a);
}`,
    requestPattern: /斐波那契|fibonacci/,
    parseArgs({ numbers, text }) {
      const [n = Number(/(\d+)(?:st|nd|rd|th)/i.exec(text)?.[1])] = numbers;
      return isInteger(n) && numbers.length < 2 ? { n } : null;
    },
  }),
];
