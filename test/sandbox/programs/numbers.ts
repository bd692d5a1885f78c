import { createOrdinary, type OrdinaryProgram } from "./ordinary-program.ts";

export const NUMBERS: readonly OrdinaryProgram[] = [
  createOrdinary("multiply", { a: 678, b: 8776 }, 5950128, `function run({ a, b }) { return a * b; }`),
  createOrdinary(
    "Fibonacci by recursion",
    { n: 22 },
    17711,
    `function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }`,
  ),
  createOrdinary(
    "primes by sieve",
    { limit: 50 },
    [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47],
    `function primes({ limit }) {
  const sieve = new Array(limit + 1).fill(true);
  sieve[0] = sieve[1] = false;
  for (let i = 2; i * i <= limit; i++) {
    if (!sieve[i]) continue;
    for (let j = i * i; j <= limit; j += i) sieve[j] = false;
  }
  return sieve.reduce((list, isPrime, n) => (isPrime ? [...list, n] : list), []);
}`,
  ),
  createOrdinary(
    "gcd and lcm",
    { a: 84, b: 36 },
    { gcd: 12, lcm: 252 },
    `function run({ a, b }) {
  const gcd = (x, y) => (y === 0 ? x : gcd(y, x % y));
  return { gcd: gcd(a, b), lcm: (a * b) / gcd(a, b) };
}`,
  ),
  createOrdinary(
    "matrix product",
    {
      a: [
        [1, 2],
        [3, 4],
      ],
      b: [
        [5, 6],
        [7, 8],
      ],
    },
    [
      [19, 22],
      [43, 50],
    ],
    `function multiply(a, b) {
  return a.map((row) => b[0].map((_, j) => row.reduce((sum, x, i) => sum + x * b[i][j], 0)));
}`,
  ),
  createOrdinary(
    "roman numerals",
    { n: 1994 },
    "MCMXCIV",
    `function toRoman({ n }) {
  const table = { M: 1000, CM: 900, D: 500, CD: 400, C: 100, XC: 90, L: 50, XL: 40, X: 10, IX: 9, V: 5, IV: 4, I: 1 };
  let out = "";
  for (const key in table) while (n >= table[key]) { out += key; n -= table[key]; }
  return out;
}`,
  ),
  createOrdinary(
    "compound interest",
    { p: 1000, r: 0.05, years: 10 },
    1628.89,
    `function run({ p, r, years }) { return Math.round(p * (1 + r) ** years * 100) / 100; }`,
  ),
  createOrdinary(
    "square root by Newton",
    { n: 2 },
    "1.4142135624",
    `function run({ n }) {
  let x = n;
  do { x = (x + n / x) / 2; } while (Math.abs(x * x - n) > 1e-14);
  return x.toFixed(10);
}`,
  ),
  createOrdinary(
    "combinations",
    { n: 52, k: 5 },
    2598960,
    `function run({ n, k }) { let r = 1; for (let i = 1; i <= k; i++) r = r * (n - k + i) / i; return r; }`,
  ),
  createOrdinary(
    "knapsack",
    { weights: [1, 3, 4, 5], values: [1, 4, 5, 7], capacity: 7 },
    9,
    `function run({ weights, values, capacity }) {
  const dp = new Array(capacity + 1).fill(0);
  for (let i = 0; i < weights.length; i++)
    for (let w = capacity; w >= weights[i]; w--)
      dp[w] = Math.max(dp[w], dp[w - weights[i]] + values[i]);
  return dp[capacity];
}`,
  ),
];
