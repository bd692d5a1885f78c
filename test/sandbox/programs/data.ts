import { createOrdinary, type OrdinaryProgram } from "./ordinary-program.ts";

export const DATA: readonly OrdinaryProgram[] = [
  createOrdinary(
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
  createOrdinary(
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
  createOrdinary(
    "own properties",
    { data: { a: 1, toString: 2 } },
    ["a", "toString"],
    `function run({ data }) {
  const keys = [];
  for (const k in data) if (Object.prototype ? true : false || data.hasOwnProperty(k)) keys.push(k);
  return keys;
}`.replace("Object.prototype ? true : false || ", ""),
  ),
  createOrdinary(
    "zip",
    { a: [1, 2], b: ["x", "y"] },
    { 1: "x", 2: "y" },
    `const run = ({ a, b }) => Object.fromEntries(a.map((k, i) => [k, b[i]]));`,
  ),
  createOrdinary(
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
  createOrdinary(
    "memo",
    { n: 90 },
    2880067194370816000,
    `const cache = new Map();
const fib = (n) => { if (n < 2) return n; if (!cache.has(n)) cache.set(n, fib(n - 1) + fib(n - 2)); return cache.get(n); };
export const run = ({ n }) => fib(n);`,
  ),
  createOrdinary(
    "running total",
    { list: [1, 2, 3] },
    [1, 3, 6],
    `function run({ list }) { let t = 0; return list.map((x) => (t += x)); }`,
  ),
  createOrdinary(
    "sorted by pinyin",
    { names: ["张三", "李四", "王五", "阿明"] },
    ["阿明", "李四", "王五", "张三"],
    `function run({ names }) { return names.sort((a, b) => a.localeCompare(b, "zh-CN")); }`,
  ),
];
