import { createOrdinary, type OrdinaryProgram } from "./ordinary-program.ts";

export const NUMBERS: readonly OrdinaryProgram[] = [
  createOrdinary("multiply", { a: 678, b: 8776 }, 5950128, `function run({ a, b }) { return a * b; }`),
  createOrdinary(
    "big multiplication",
    { a: "123456789012345678901234567890", b: "987654321098765432109876543210" },
    "121932631137021795226185032733622923332237463801111263526900",
    `function run({ a, b }) { return (BigInt(a) * BigInt(b)).toString(); }`,
  ),
  createOrdinary(
    "Fibonacci with BigInt",
    { n: 100 },
    "354224848179261915075",
    `function fib({ n }) {
  let [a, b] = [0n, 1n];
  for (let i = 0; i < n; i++) [a, b] = [b, a + b];
  return a;
}`,
  ),
  createOrdinary(
    "Fibonacci by recursion",
    { n: 22 },
    17711,
    `function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }`,
  ),
  createOrdinary(
    "factorial",
    { n: 30 },
    "265252859812191058636308480000000",
    `const run = ({ n }) => { let r = 1n; for (let i = 2n; i <= BigInt(n); i++) r *= i; return String(r); };`,
  ),
  createOrdinary(
    "digits of a power",
    { base: 2, exponent: 1000 },
    1366,
    `function run({ base, exponent }) {
  return [...String(BigInt(base) ** BigInt(exponent))].reduce((sum, digit) => sum + Number(digit), 0);
}`,
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
    "count of primes",
    { limit: 200000 },
    17984,
    `function run({ limit }) {
  const composite = Array(limit + 1).fill(0);
  let count = 0;
  for (let i = 2; i <= limit; ++i) {
    if (composite[i]) continue;
    count++;
    for (let j = 2 * i; j <= limit; j += i) composite[j] = 1;
  }
  return count;
}`,
  ),
  createOrdinary(
    "factors",
    { n: 360 },
    { 2: 3, 3: 2, 5: 1 },
    `function factor({ n }) {
  const out = {};
  let p = 2;
  while (n > 1) {
    while (n % p === 0) { out[p] = (out[p] ?? 0) + 1; n /= p; }
    p += 1;
  }
  return out;
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
    "statistics",
    { data: [4, 8, 15, 16, 23, 42] },
    { mean: 18, median: 15.5, min: 4, max: 42, sd: 13.49 },
    `function stats({ data }) {
  const sorted = [...data].sort((x, y) => x - y);
  const n = sorted.length;
  const mean = data.reduce((s, x) => s + x, 0) / n;
  const mid = n >> 1;
  const median = n % 2 ? sorted[mid] : (sorted[mid - 1] + sorted[mid]) / 2;
  const sd = Math.sqrt(data.map((x) => (x - mean) ** 2).reduce((s, x) => s + x) / (n - 1));
  return { mean, median, min: Math.min(...data), max: Math.max(...data), sd: +sd.toFixed(2) };
}`,
  ),
  createOrdinary(
    "mode",
    { data: [1, 2, 2, 3, 3] },
    [2, 3],
    `function run({ data }) {
  const counts = new Map();
  data.forEach((x) => counts.set(x, (counts.get(x) || 0) + 1));
  const top = Math.max(...counts.values());
  return [...counts].filter(([, c]) => c === top).map(([x]) => x);
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
    "transpose",
    {
      m: [
        [1, 2, 3],
        [4, 5, 6],
      ],
    },
    [
      [1, 4],
      [2, 5],
      [3, 6],
    ],
    `({ m }) => m[0].map((_, i) => m.map((row) => row[i]))`,
  ),
  createOrdinary(
    "determinant",
    {
      m: [
        [2, 0, 1],
        [1, 3, 2],
        [1, 1, 4],
      ],
    },
    18,
    `function det({ m }) {
  const go = (a) => a.length === 1 ? a[0][0] : a[0].reduce((s, v, j) => s + (j % 2 ? -1 : 1) * v * go(a.slice(1).map((r) => r.filter((_, k) => k !== j))), 0);
  return go(m);
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
    "from roman",
    { s: "MCMXCIV" },
    1994,
    `function run({ s }) {
  const v = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };
  return [...s].reduce((t, c, i, a) => t + (v[c] < (v[a[i + 1]] ?? 0) ? -v[c] : v[c]), 0);
}`,
  ),
  createOrdinary(
    "bases",
    { n: 255 },
    ["11111111", "377", "ff", 255],
    `const run = ({ n }) => [n.toString(2), n.toString(8), n.toString(16), parseInt("ff", 16)];`,
  ),
  createOrdinary(
    "compound interest",
    { p: 1000, r: 0.05, years: 10 },
    1628.89,
    `function run({ p, r, years }) { return Math.round(p * (1 + r) ** years * 100) / 100; }`,
  ),
  createOrdinary(
    "currency",
    { amount: 1234567.891 },
    ["$1,234,567.89", "¥1,234,567.89"],
    `function run({ amount }) {
  return [new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" }).format(amount), amount.toLocaleString("zh-CN", { style: "currency", currency: "CNY" })];
}`,
  ),
  createOrdinary(
    "percent and sign",
    { x: 0.256 },
    ["25.6%", "+0.3"],
    `const run = ({ x }) => [x.toLocaleString("en", { style: "percent", minimumFractionDigits: 1 }), new Intl.NumberFormat("en", { signDisplay: "always", maximumFractionDigits: 1 }).format(x)];`,
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
    "quadratic",
    { a: 1, b: -3, c: 2 },
    [1, 2],
    `function solve(a, b, c) {
  const d = b * b - 4 * a * c;
  if (d < 0) throw new RangeError("no real solution");
  return [(-b - Math.sqrt(d)) / (2 * a), (-b + Math.sqrt(d)) / (2 * a)];
}`,
  ),
  createOrdinary(
    "collatz",
    { n: 27 },
    111,
    `let steps = 0;
let x = args.n;
while (x !== 1) { x = x % 2 === 0 ? x / 2 : 3 * x + 1; steps++; }
return steps;`,
  ),
  createOrdinary(
    "combinations",
    { n: 52, k: 5 },
    2598960,
    `function run({ n, k }) { let r = 1; for (let i = 1; i <= k; i++) r = r * (n - k + i) / i; return r; }`,
  ),
  createOrdinary(
    "permutations",
    { items: ["a", "b", "c"] },
    ["abc", "acb", "bac", "bca", "cab", "cba"],
    `function run({ items }) {
  const go = (left) => left.length < 2 ? [left] : left.flatMap((x, i) => go([...left.slice(0, i), ...left.slice(i + 1)]).map((rest) => [x, ...rest]));
  return go(items).map((p) => p.join(""));
}`,
  ),
  createOrdinary(
    "queens",
    { n: 6 },
    4,
    `function queens({ n }) {
  let count = 0;
  const cols = new Set(), d1 = new Set(), d2 = new Set();
  (function place(row) {
    if (row === n) { count++; return; }
    for (let c = 0; c < n; c++) {
      if (cols.has(c) || d1.has(row - c) || d2.has(row + c)) continue;
      cols.add(c); d1.add(row - c); d2.add(row + c);
      place(row + 1);
      cols.delete(c); d1.delete(row - c); d2.delete(row + c);
    }
  })(0);
  return count;
}`,
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
  createOrdinary(
    "bits",
    { n: 37 },
    [3, 18, 74, -38, 33],
    `const run = ({ n }) => { let c = 0; for (let x = n; x; x &= x - 1) c++; return [c, n >> 1, n << 1, ~n, n & 0x31]; };`,
  ),
];
