// Programs as people and models write them. All of them have to pass and to give the right value: the policy is
// there for others.

import type { Json } from "../../src/sandbox/sandbox.ts";

export type Ordinary = {
  readonly name: string;
  readonly args: Readonly<Record<string, Json>>;
  readonly code: string;
  readonly gives: Json;
};

function one(name: string, args: Readonly<Record<string, Json>>, gives: Json, code: string): Ordinary {
  return { name, args, code, gives };
}

const DATES: readonly Ordinary[] = [
  one(
    "weekday",
    { date: "2026-11-21" },
    "Saturday",
    `function run({ date }) {
  const names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
  return names[new Date(date + "T00:00:00Z").getUTCDay()];
}`,
  ),
  one(
    "days between",
    { from: "2026-02-27", to: "2026-03-02" },
    3,
    `export default function daysBetween({ from, to }) {
  const day = 24 * 60 * 60 * 1000;
  return Math.round((Date.parse(to) - Date.parse(from)) / day);
}`,
  ),
  one(
    "difference of dates as objects",
    { from: "2024-02-28", to: "2024-03-01" },
    2,
    `const run = ({ from, to }) => (new Date(to) - new Date(from)) / 86400000;`,
  ),
  one(
    "leap years",
    { from: 1996, to: 2012 },
    [1996, 2000, 2004, 2008, 2012],
    `function run({ from, to }) {
  const leap = (y) => (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0;
  const years = [];
  for (let y = from; y <= to; y++) if (leap(y)) years.push(y);
  return years;
}`,
  ),
  one(
    "days in month",
    { year: 2024, month: 2 },
    29,
    `function daysInMonth(year, month) { return new Date(Date.UTC(year, month, 0)).getUTCDate(); }`,
  ),
  one(
    "calendar of a month",
    { year: 2026, month: 2 },
    [
      [0, 0, 0, 0, 0, 0, 1],
      [2, 3, 4, 5, 6, 7, 8],
      [9, 10, 11, 12, 13, 14, 15],
      [16, 17, 18, 19, 20, 21, 22],
      [23, 24, 25, 26, 27, 28, 0],
    ],
    `function run({ year, month }) {
  const first = (new Date(Date.UTC(year, month - 1, 1)).getUTCDay() + 6) % 7;
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const weeks = [];
  for (let d = 1 - first; d <= days; d += 7) {
    weeks.push(Array.from({ length: 7 }, (_, i) => (d + i >= 1 && d + i <= days ? d + i : 0)));
  }
  return weeks;
}`,
  ),
  one(
    "ISO week",
    { date: "2026-01-01" },
    1,
    `function isoWeek({ date }) {
  const d = new Date(date);
  d.setUTCDate(d.getUTCDate() + 4 - (d.getUTCDay() || 7));
  const start = new Date(Date.UTC(d.getUTCFullYear(), 0, 1));
  return Math.ceil(((d - start) / 864e5 + 1) / 7);
}`,
  ),
  one(
    "age",
    { born: "1990-11-22", today: "2026-11-21" },
    35,
    `function age({ born, today }) {
  const [by, bm, bd] = born.split("-").map(Number);
  const [ty, tm, td] = today.split("-").map(Number);
  let years = ty - by;
  if (tm < bm || (tm === bm && td < bd)) years--;
  return years;
}`,
  ),
  one(
    "Chinese date",
    { iso: "2026-11-21T20:30:00Z" },
    "2026年11月22日星期日",
    `function run({ iso }) {
  return new Intl.DateTimeFormat("zh-CN", { dateStyle: "full", timeZone: "Asia/Shanghai" }).format(new Date(iso));
}`,
  ),
  one(
    "English date in a zone",
    { iso: "2026-07-04T03:00:00Z" },
    "Friday, July 3, 2026",
    `function run({ iso }) {
  return new Date(iso).toLocaleDateString("en-US", { weekday: "long", year: "numeric", month: "long", day: "numeric", timeZone: "America/New_York" });
}`,
  ),
  one(
    "clock in a zone",
    { iso: "2026-01-15T12:00:00Z" },
    "13:00",
    `function run({ iso }) {
  const parts = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "Europe/Berlin", hour12: false }).formatToParts(new Date(iso));
  const get = (type) => parts.find((p) => p.type === type).value;
  return \`\${get("hour")}:\${get("minute")}\`;
}`,
  ),
  one(
    "add months",
    { date: "2026-01-31", months: 1 },
    "2026-02-28",
    `function addMonths({ date, months }) {
  const [y, m, d] = date.split("-").map((s) => parseInt(s, 10));
  const last = new Date(Date.UTC(y, m + months, 0)).getUTCDate();
  const out = new Date(Date.UTC(y, m - 1 + months, Math.min(d, last)));
  return out.toISOString().slice(0, 10);
}`,
  ),
  one(
    "Easter",
    { year: 2026 },
    "2026-04-05",
    `function easter({ year }) {
  const a = year % 19, b = Math.floor(year / 100), c = year % 100;
  const d = b >> 2, e = b % 4, f = Math.floor((b + 8) / 25), g = Math.floor((b - f + 1) / 3);
  const h = (19 * a + b - d - g + 15) % 30, i = c >> 2, k = c % 4;
  const l = (32 + 2 * e + 2 * i - h - k) % 7, m = Math.floor((a + 11 * h + 22 * l) / 451);
  const month = Math.floor((h + l - 7 * m + 114) / 31), day = ((h + l - 7 * m + 114) % 31) + 1;
  return \`\${year}-\${String(month).padStart(2, "0")}-\${String(day).padStart(2, "0")}\`;
}`,
  ),
  one(
    "zodiac",
    { year: 2026 },
    "马",
    `const zodiac = (year) => ["鼠","牛","虎","兔","龙","蛇","马","羊","猴","鸡","狗","猪"][(year - 4) % 12];`,
  ),
  one(
    "business days",
    { from: "2026-11-16", to: "2026-11-30" },
    11,
    `function run({ from, to }) {
  let count = 0;
  for (const d = new Date(from); d <= new Date(to); d.setUTCDate(d.getUTCDate() + 1)) {
    const day = d.getUTCDay();
    if (day !== 0 && day !== 6) count += 1;
  }
  return count;
}`,
  ),
  one(
    "duration",
    { seconds: 93784 },
    "1d 2h 3m 4s",
    `function run({ seconds }) {
  const units = [["d", 86400], ["h", 3600], ["m", 60], ["s", 1]];
  const out = [];
  for (const [label, size] of units) {
    const n = Math.floor(seconds / size);
    seconds %= size;
    if (n > 0) out.push(n + label);
  }
  return out.join(" ");
}`,
  ),
  one("a date as the result", { ms: 0 }, "1970-01-01T00:00:00.000Z", `return new Date(ms);`),
];

const NUMBERS: readonly Ordinary[] = [
  one("multiply", { a: 678, b: 8776 }, 5950128, `function run({ a, b }) { return a * b; }`),
  one(
    "big multiplication",
    { a: "123456789012345678901234567890", b: "987654321098765432109876543210" },
    "121932631137021795226185032733622923332237463801111263526900",
    `function run({ a, b }) { return (BigInt(a) * BigInt(b)).toString(); }`,
  ),
  one(
    "Fibonacci with BigInt",
    { n: 100 },
    "354224848179261915075",
    `function fib({ n }) {
  let [a, b] = [0n, 1n];
  for (let i = 0; i < n; i++) [a, b] = [b, a + b];
  return a;
}`,
  ),
  one("Fibonacci by recursion", { n: 22 }, 17711, `function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }`),
  one(
    "factorial",
    { n: 30 },
    "265252859812191058636308480000000",
    `const run = ({ n }) => { let r = 1n; for (let i = 2n; i <= BigInt(n); i++) r *= i; return String(r); };`,
  ),
  one(
    "digits of a power",
    { base: 2, exponent: 1000 },
    1366,
    `function run({ base, exponent }) {
  return [...String(BigInt(base) ** BigInt(exponent))].reduce((sum, digit) => sum + Number(digit), 0);
}`,
  ),
  one(
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
  one(
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
  one(
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
  one(
    "gcd and lcm",
    { a: 84, b: 36 },
    { gcd: 12, lcm: 252 },
    `function run({ a, b }) {
  const gcd = (x, y) => (y === 0 ? x : gcd(y, x % y));
  return { gcd: gcd(a, b), lcm: (a * b) / gcd(a, b) };
}`,
  ),
  one(
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
  one(
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
  one(
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
  one(
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
  one(
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
  one(
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
  one(
    "from roman",
    { s: "MCMXCIV" },
    1994,
    `function run({ s }) {
  const v = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };
  return [...s].reduce((t, c, i, a) => t + (v[c] < (v[a[i + 1]] ?? 0) ? -v[c] : v[c]), 0);
}`,
  ),
  one(
    "bases",
    { n: 255 },
    ["11111111", "377", "ff", 255],
    `const run = ({ n }) => [n.toString(2), n.toString(8), n.toString(16), parseInt("ff", 16)];`,
  ),
  one(
    "compound interest",
    { p: 1000, r: 0.05, years: 10 },
    1628.89,
    `function run({ p, r, years }) { return Math.round(p * (1 + r) ** years * 100) / 100; }`,
  ),
  one(
    "currency",
    { amount: 1234567.891 },
    ["$1,234,567.89", "¥1,234,567.89"],
    `function run({ amount }) {
  return [new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" }).format(amount), amount.toLocaleString("zh-CN", { style: "currency", currency: "CNY" })];
}`,
  ),
  one(
    "percent and sign",
    { x: 0.256 },
    ["25.6%", "+0.3"],
    `const run = ({ x }) => [x.toLocaleString("en", { style: "percent", minimumFractionDigits: 1 }), new Intl.NumberFormat("en", { signDisplay: "always", maximumFractionDigits: 1 }).format(x)];`,
  ),
  one(
    "square root by Newton",
    { n: 2 },
    "1.4142135624",
    `function run({ n }) {
  let x = n;
  do { x = (x + n / x) / 2; } while (Math.abs(x * x - n) > 1e-14);
  return x.toFixed(10);
}`,
  ),
  one(
    "quadratic",
    { a: 1, b: -3, c: 2 },
    [1, 2],
    `function solve(a, b, c) {
  const d = b * b - 4 * a * c;
  if (d < 0) throw new RangeError("no real solution");
  return [(-b - Math.sqrt(d)) / (2 * a), (-b + Math.sqrt(d)) / (2 * a)];
}`,
  ),
  one(
    "collatz",
    { n: 27 },
    111,
    `let steps = 0;
let x = args.n;
while (x !== 1) { x = x % 2 === 0 ? x / 2 : 3 * x + 1; steps++; }
return steps;`,
  ),
  one(
    "combinations",
    { n: 52, k: 5 },
    2598960,
    `function run({ n, k }) { let r = 1; for (let i = 1; i <= k; i++) r = r * (n - k + i) / i; return r; }`,
  ),
  one(
    "permutations",
    { items: ["a", "b", "c"] },
    ["abc", "acb", "bac", "bca", "cab", "cba"],
    `function run({ items }) {
  const go = (left) => left.length < 2 ? [left] : left.flatMap((x, i) => go([...left.slice(0, i), ...left.slice(i + 1)]).map((rest) => [x, ...rest]));
  return go(items).map((p) => p.join(""));
}`,
  ),
  one(
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
  one(
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
  one(
    "bits",
    { n: 37 },
    [3, 18, 74, -38, 33],
    `const run = ({ n }) => { let c = 0; for (let x = n; x; x &= x - 1) c++; return [c, n >> 1, n << 1, ~n, n & 0x31]; };`,
  ),
];

const TEXT: readonly Ordinary[] = [
  one(
    "word frequency",
    { text: "The cat and the constructor. The end!" },
    { the: 3, cat: 1, and: 1, constructor: 1, end: 1 },
    `function run({ text }) {
  const counts = {};
  for (const word of text.toLowerCase().match(/\\b[a-z']+\\b/g) || []) counts[word] = (counts[word] || 0) + 1;
  return counts;
}`,
  ),
  one(
    "most frequent words",
    { text: "b a a c b a" },
    [
      ["a", 3],
      ["b", 2],
      ["c", 1],
    ],
    `function run({ text }) {
  const m = text.split(/\\s+/).reduce((acc, w) => acc.set(w, (acc.get(w) ?? 0) + 1), new Map());
  return Array.from(m).sort(([a, x], [b, y]) => y - x || a.localeCompare(b));
}`,
  ),
  one(
    "characters of Chinese",
    { text: "你好，世界！Hello" },
    { han: 4, latin: 5, all: 11 },
    `function run({ text }) {
  return { han: (text.match(/\\p{Script=Han}/gu) ?? []).length, latin: (text.match(/[A-Za-z]/g) ?? []).length, all: [...text].length };
}`,
  ),
  one(
    "palindrome",
    { text: "A man, a plan, a canal: Panama" },
    true,
    `function isPalindrome(text) { const t = text.toLowerCase().replace(/[^a-z0-9]/g, ""); return t === t.split("").reverse().join(""); }`,
  ),
  one("reverse with emoji", { text: "añ😀b" }, "b😀ña", `const run = ({ text }) => [...text].reverse().join("");`),
  one(
    "Caesar",
    { text: "Hello, World!", shift: 3 },
    "Khoor, Zruog!",
    `function caesar({ text, shift }) {
  return text.replace(/[a-z]/gi, (c) => {
    const base = c <= "Z" ? 65 : 97;
    return String.fromCharCode(((c.charCodeAt(0) - base + shift) % 26) + base);
  });
}`,
  ),
  one(
    "slug",
    { title: "  Crème Brûlée — the Best!  " },
    "creme-brulee-the-best",
    `function slug({ title }) {
  return title.normalize("NFD").replace(/[\\u0300-\\u036f]/g, "").toLowerCase().trim().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
}`,
  ),
  one(
    "title case",
    { text: "the quick brown fox" },
    "The Quick Brown Fox",
    `const run = ({ text }) => text.replace(/\\b\\w/g, (c) => c.toUpperCase());`,
  ),
  one(
    "camel to snake",
    { name: "parseHttpRequest" },
    "parse_http_request",
    `const run = ({ name }) => name.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();`,
  ),
  one(
    "dates in text",
    { text: "from 2026-01-05 to 2026-12-31." },
    [
      { y: "2026", m: "01", d: "05" },
      { y: "2026", m: "12", d: "31" },
    ],
    `function run({ text }) {
  return [...text.matchAll(/(?<y>\\d{4})-(?<m>\\d{2})-(?<d>\\d{2})/g)].map(({ groups }) => ({ ...groups }));
}`,
  ),
  one(
    "thousands",
    { n: "1234567.5" },
    "1,234,567.5",
    `const run = ({ n }) => n.replace(/\\B(?<!\\.\\d*)(?=(\\d{3})+(?!\\d))/g, ",");`,
  ),
  one(
    "addresses",
    { text: "Write to a.b@example.com, or c@d.org!" },
    ["a.b@example.com", "c@d.org"],
    `function run({ text }) { return text.match(/[\\w.+-]+@[\\w-]+\\.[\\w.-]*\\w/g); }`,
  ),
  one(
    "address is valid",
    { mail: "someone@example.com" },
    true,
    `const isValid = (mail) => /^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$/.test(mail);`,
  ),
  one(
    "CSV",
    { csv: 'name,age\nAda,36\n"Hopper, G",85' },
    [
      { name: "Ada", age: 36 },
      { name: "Hopper, G", age: 85 },
    ],
    `function parse({ csv }) {
  const rows = csv.trim().split("\\n").map((line) => {
    const cells = [];
    let cell = "", quoted = false;
    for (const c of line) {
      if (c === '"') quoted = !quoted;
      else if (c === "," && !quoted) { cells.push(cell); cell = ""; }
      else cell += c;
    }
    return [...cells, cell];
  });
  const [head, ...body] = rows;
  return body.map((row) => Object.fromEntries(row.map((v, i) => [head[i], isNaN(v) ? v : Number(v)])));
}`,
  ),
  one(
    "edit distance",
    { a: "kitten", b: "sitting" },
    3,
    `function levenshtein(a, b) {
  const dp = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array(b.length).fill(0)]);
  for (let j = 0; j <= b.length; j++) dp[0][j] = j;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++)
      dp[i][j] = Math.min(dp[i - 1][j] + 1, dp[i][j - 1] + 1, dp[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
  return dp[a.length][b.length];
}`,
  ),
  one(
    "longest common subsequence",
    { a: "ABCBDAB", b: "BDCABA" },
    4,
    `function run({ a, b }) {
  const memo = {};
  const go = (i, j) => {
    if (i === a.length || j === b.length) return 0;
    const key = i + "," + j;
    return (memo[key] ??= a[i] === b[j] ? 1 + go(i + 1, j + 1) : Math.max(go(i + 1, j), go(i, j + 1)));
  };
  return go(0, 0);
}`,
  ),
  one(
    "Base64",
    { text: "héllo" },
    "aMOpbGxv",
    `const run = ({ text }) => btoa(unescapeBytes(encodeURIComponent(text)));
const unescapeBytes = (s) => s.replace(/%([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));`,
  ),
  one(
    "query string",
    { q: "a=1&b=x%20y&c" },
    { a: "1", b: "x y", c: "" },
    `function parseQuery({ q }) {
  return Object.fromEntries(q.split("&").map((p) => { const [k, v = ""] = p.split("="); return [decodeURIComponent(k), decodeURIComponent(v)]; }));
}`,
  ),
  one(
    "wrap",
    { text: "the quick brown fox jumps", width: 10 },
    ["the quick", "brown fox", "jumps"],
    `function wrap({ text, width }) {
  const lines = [];
  let line = "";
  for (const word of text.split(" ")) {
    if ((line + " " + word).trim().length > width) { lines.push(line); line = word; }
    else line = (line + " " + word).trim();
  }
  if (line) lines.push(line);
  return lines;
}`,
  ),
  one(
    "brackets",
    { text: "{[()]}(" },
    false,
    `function balanced({ text }) {
  const pairs = { ")": "(", "]": "[", "}": "{" };
  const stack = [];
  for (const c of text) {
    switch (c) {
      case "(": case "[": case "{": stack.push(c); break;
      case ")": case "]": case "}": if (stack.pop() !== pairs[c]) return false; break;
      default: break;
    }
  }
  return stack.length === 0;
}`,
  ),
  one(
    "template",
    { name: "Ada", n: 3 },
    "Dear Ada,\nyou have 3 messages.",
    'const run = ({ name, n }) => `Dear ${name},\nyou have ${n} message${n === 1 ? "" : "s"}.`;',
  ),
  one(
    "anagrams",
    { words: ["eat", "tea", "tan", "ate", "nat", "bat"] },
    [["eat", "tea", "ate"], ["tan", "nat"], ["bat"]],
    `function run({ words }) {
  return Object.values(Object.groupBy(words, (w) => [...w].sort().join("")));
}`,
  ),
  one(
    "Chinese numerals",
    { n: 2026 },
    "二千零二十六",
    `function run({ n }) {
  const digits = "零一二三四五六七八九", units = ["", "十", "百", "千"];
  return String(n).split("").map((d, i, a) => (d === "0" ? "零" : digits[d] + units[a.length - 1 - i])).join("").replace(/零+/g, "零").replace(/零$/, "");
}`,
  ),
];

const DATA: readonly Ordinary[] = [
  one(
    "sorting by bubbles",
    { list: [5, 3, 8, 1] },
    [1, 3, 5, 8],
    `function bubbleSort({ list }) {
  const a = list.slice();
  outer: for (let i = 0; i < a.length; i++) {
    let swapped = false;
    for (let j = 0; j < a.length - 1 - i; j++) {
      if (a[j] > a[j + 1]) { [a[j], a[j + 1]] = [a[j + 1], a[j]]; swapped = true; }
    }
    if (!swapped) break outer;
  }
  return a;
}`,
  ),
  one(
    "quick sort",
    { list: [3, 6, 1, 8, 2, 9, 2] },
    [1, 2, 2, 3, 6, 8, 9],
    `const quick = ([p, ...rest]) => p === undefined ? [] : [...quick(rest.filter((x) => x < p)), p, ...quick(rest.filter((x) => x >= p))];
function run({ list }) { return quick(list); }`,
  ),
  one(
    "binary search",
    { list: [1, 3, 5, 7, 9], x: 7 },
    3,
    `function run({ list, x }) {
  let lo = 0, hi = list.length - 1;
  while (lo <= hi) { const mid = (lo + hi) >>> 1; if (list[mid] === x) return mid; if (list[mid] < x) lo = mid + 1; else hi = mid - 1; }
  return -1;
}`,
  ),
  one(
    "group and sum",
    {
      sales: [
        { city: "A", n: 1 },
        { city: "B", n: 2 },
        { city: "A", n: 3 },
      ],
    },
    [
      { city: "A", total: 4 },
      { city: "B", total: 2 },
    ],
    `function run({ sales }) {
  const totals = {};
  for (const { city, n } of sales) { totals[city] ??= 0; totals[city] += n; }
  return Object.entries(totals).map(([city, total]) => ({ city, total })).sort((x, y) => y.total - x.total);
}`,
  ),
  one(
    "flatten an object",
    { object: { a: { b: 1, c: { d: [1, 2] } }, e: null } },
    { "a.b": 1, "a.c.d.0": 1, "a.c.d.1": 2, e: null },
    `function flatten({ object }) {
  const out = {};
  const go = (value, path) => {
    if (value !== null && typeof value === "object") for (const [k, v] of Object.entries(value)) go(v, path ? path + "." + k : k);
    else out[path] = value;
  };
  go(object, "");
  return out;
}`,
  ),
  one(
    "copy through JSON",
    { data: { a: [1, "x", null, true], n: -0.5 } },
    { a: [1, "x", null, true], n: -0.5 },
    `const run = ({ data }) => JSON.parse(JSON.stringify(data, null, 2));`,
  ),
  one(
    "own properties",
    { data: { a: 1, toString: 2 } },
    ["a", "toString"],
    `function run({ data }) {
  const keys = [];
  for (const k in data) if (Object.prototype ? true : false || data.hasOwnProperty(k)) keys.push(k);
  return keys;
}`.replace("Object.prototype ? true : false || ", ""),
  ),
  one("unique", { list: [3, 1, 3, 2, 1] }, [3, 1, 2], `const run = ({ list }) => [...new Set(list)];`),
  one(
    "chunks",
    { list: [1, 2, 3, 4, 5], size: 2 },
    [[1, 2], [3, 4], [5]],
    `function chunk(list, size) { const out = []; for (let i = 0; i < list.length; i += size) out.push(list.slice(i, i + size)); return out; }`,
  ),
  one(
    "zip",
    { a: [1, 2], b: ["x", "y"] },
    { 1: "x", 2: "y" },
    `const run = ({ a, b }) => Object.fromEntries(a.map((k, i) => [k, b[i]]));`,
  ),
  one(
    "defaults and optional chaining",
    { user: { profile: null } },
    ["unknown", 0, "no"],
    `function run({ user = {}, limit = 0 }) { return [user?.profile?.name ?? "unknown", limit, user.tags?.[0]?.trim() || "no"]; }`,
  ),
  one(
    "shortest path",
    {
      edges: [
        ["a", "b", 1],
        ["b", "c", 2],
        ["a", "c", 5],
      ],
      from: "a",
      to: "c",
    },
    3,
    `function dijkstra({ edges, from, to }) {
  const graph = {};
  for (const [u, v, w] of edges) { (graph[u] ||= []).push([v, w]); (graph[v] ||= []).push([u, w]); }
  const dist = { [from]: 0 }, done = new Set();
  for (;;) {
    let best = null;
    for (const node of Object.keys(dist)) if (!done.has(node) && (best === null || dist[node] < dist[best])) best = node;
    if (best === null || best === to) return dist[to];
    done.add(best);
    for (const [next, w] of graph[best]) dist[next] = Math.min(dist[next] ?? Infinity, dist[best] + w);
  }
}`,
  ),
  one(
    "breadth first",
    { grid: ["S.#", "..#", "#.E"] },
    4,
    `function run({ grid }) {
  const queue = [[0, 0, 0]], seen = new Set(["0,0"]);
  while (queue.length) {
    const [r, c, d] = queue.shift();
    if (grid[r][c] === "E") return d;
    for (const [dr, dc] of [[0, 1], [1, 0], [0, -1], [-1, 0]]) {
      const y = r + dr, x = c + dc, key = \`\${y},\${x}\`;
      if (grid[y]?.[x] === undefined || grid[y][x] === "#" || seen.has(key)) continue;
      seen.add(key);
      queue.push([y, x, d + 1]);
    }
  }
  return -1;
}`,
  ),
  one(
    "a class",
    { ops: [["push", 1], ["push", 2], ["pop"]] },
    { items: [1], size: 1 },
    `class Stack {
  #items = [];
  push(x) { this.#items.push(x); return this; }
  pop() { return this.#items.pop(); }
  toResult() { return { items: this.#items, size: this.#items.length }; }
}
function run({ ops }) {
  const stack = new Stack();
  for (const [name, value] of ops) stack[name](value);
  return stack.toResult();
}`,
  ),
  one(
    "a constructor function",
    { x: 3, y: 4 },
    5,
    `function Point(x, y) { this.x = x; this.y = y; this.length = () => Math.hypot(this.x, this.y); }
function run({ x, y }) { return new Point(x, y).length(); }`,
  ),
  one(
    "memo",
    { n: 90 },
    2880067194370816000,
    `const cache = new Map();
const fib = (n) => { if (n < 2) return n; if (!cache.has(n)) cache.set(n, fib(n - 1) + fib(n - 2)); return cache.get(n); };
export const run = ({ n }) => fib(n);`,
  ),
  one(
    "errors caught",
    { text: "{bad" },
    "invalid: SyntaxError",
    `function run({ text }) {
  try { return JSON.parse(text); } catch (error) { return "invalid: " + error.name; } finally { console.log("done"); }
}`,
  ),
  one(
    "pivot",
    {
      rows: [
        { k: "a", v: 1 },
        { k: "b", v: 2 },
        { k: "a", v: 3 },
      ],
    },
    { a: [1, 3], b: [2] },
    `function run({ rows }) { return rows.reduce((acc, { k, v }) => ({ ...acc, [k]: [...(acc[k] ?? []), v] }), {}); }`,
  ),
  one(
    "running total",
    { list: [1, 2, 3] },
    [1, 3, 6],
    `function run({ list }) { let t = 0; return list.map((x) => (t += x)); }`,
  ),
  one(
    "merge intervals",
    {
      list: [
        [1, 3],
        [8, 10],
        [2, 6],
      ],
    },
    [
      [1, 6],
      [8, 10],
    ],
    `function merge({ list }) {
  const out = [];
  for (const [a, b] of list.toSorted((x, y) => x[0] - y[0])) {
    const last = out.at(-1);
    if (last && a <= last[1]) last[1] = Math.max(last[1], b);
    else out.push([a, b]);
  }
  return out;
}`,
  ),
  one(
    "plural and list",
    { n: 2, items: ["apples", "pears", "plums"] },
    ["other", "apples, pears, and plums"],
    `const run = ({ n, items }) => [new Intl.PluralRules("en").select(n), new Intl.ListFormat("en", { type: "conjunction" }).format(items)];`,
  ),
  one(
    "sorted by pinyin",
    { names: ["张三", "李四", "王五", "阿明"] },
    ["阿明", "李四", "王五", "张三"],
    `function run({ names }) { return names.sort((a, b) => a.localeCompare(b, "zh-CN")); }`,
  ),
];

export const ORDINARY: readonly Ordinary[] = [...DATES, ...NUMBERS, ...TEXT, ...DATA];
