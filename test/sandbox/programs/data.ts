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
    "quick sort",
    { list: [3, 6, 1, 8, 2, 9, 2] },
    [1, 2, 2, 3, 6, 8, 9],
    `const quick = ([p, ...rest]) => p === undefined ? [] : [...quick(rest.filter((x) => x < p)), p, ...quick(rest.filter((x) => x >= p))];
function run({ list }) { return quick(list); }`,
  ),
  createOrdinary(
    "binary search",
    { list: [1, 3, 5, 7, 9], x: 7 },
    3,
    `function run({ list, x }) {
  let lo = 0, hi = list.length - 1;
  while (lo <= hi) { const mid = (lo + hi) >>> 1; if (list[mid] === x) return mid; if (list[mid] < x) lo = mid + 1; else hi = mid - 1; }
  return -1;
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
  createOrdinary(
    "copy through JSON",
    { data: { a: [1, "x", null, true], n: -0.5 } },
    { a: [1, "x", null, true], n: -0.5 },
    `const run = ({ data }) => JSON.parse(JSON.stringify(data, null, 2));`,
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
  createOrdinary("unique", { list: [3, 1, 3, 2, 1] }, [3, 1, 2], `const run = ({ list }) => [...new Set(list)];`),
  createOrdinary(
    "chunks",
    { list: [1, 2, 3, 4, 5], size: 2 },
    [[1, 2], [3, 4], [5]],
    `function chunk(list, size) { const out = []; for (let i = 0; i < list.length; i += size) out.push(list.slice(i, i + size)); return out; }`,
  ),
  createOrdinary(
    "zip",
    { a: [1, 2], b: ["x", "y"] },
    { 1: "x", 2: "y" },
    `const run = ({ a, b }) => Object.fromEntries(a.map((k, i) => [k, b[i]]));`,
  ),
  createOrdinary(
    "defaults and optional chaining",
    { user: { profile: null } },
    ["unknown", 0, "no"],
    `function run({ user = {}, limit = 0 }) { return [user?.profile?.name ?? "unknown", limit, user.tags?.[0]?.trim() || "no"]; }`,
  ),
  createOrdinary(
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
  createOrdinary(
    "a constructor function",
    { x: 3, y: 4 },
    5,
    `function Point(x, y) { this.x = x; this.y = y; this.length = () => Math.hypot(this.x, this.y); }
function run({ x, y }) { return new Point(x, y).length(); }`,
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
    "errors caught",
    { text: "{bad" },
    "invalid: SyntaxError",
    `function run({ text }) {
  try { return JSON.parse(text); } catch (error) { return "invalid: " + error.name; } finally { console.log("done"); }
}`,
  ),
  createOrdinary(
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
  createOrdinary(
    "running total",
    { list: [1, 2, 3] },
    [1, 3, 6],
    `function run({ list }) { let t = 0; return list.map((x) => (t += x)); }`,
  ),
  createOrdinary(
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
  createOrdinary(
    "plural and list",
    { n: 2, items: ["apples", "pears", "plums"] },
    ["other", "apples, pears, and plums"],
    `const run = ({ n, items }) => [new Intl.PluralRules("en").select(n), new Intl.ListFormat("en", { type: "conjunction" }).format(items)];`,
  ),
  createOrdinary(
    "sorted by pinyin",
    { names: ["张三", "李四", "王五", "阿明"] },
    ["阿明", "李四", "王五", "张三"],
    `function run({ names }) { return names.sort((a, b) => a.localeCompare(b, "zh-CN")); }`,
  ),
  createOrdinary(
    "without semicolons",
    { n: 2 },
    [3, 3, 8],
    `function run({ n }) {
  let a = n
  let b = 4
  let c = { d: 7 }
  a++
  b--
  c.d++
  return [a, b, c.d]
}`,
  ),
];
