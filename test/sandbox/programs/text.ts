import { createOrdinary, type OrdinaryProgram } from "./ordinary-program.ts";

export const TEXT: readonly OrdinaryProgram[] = [
  createOrdinary(
    "word frequency",
    { text: "The cat and the constructor. The end!" },
    { the: 3, cat: 1, and: 1, constructor: 1, end: 1 },
    `function run({ text }) {
  const counts = {};
  for (const word of text.toLowerCase().match(/\\b[a-z']+\\b/g) || []) counts[word] = (counts[word] || 0) + 1;
  return counts;
}`,
  ),
  createOrdinary(
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
  createOrdinary(
    "characters of Chinese",
    { text: "你好，世界！Hello" },
    { han: 4, latin: 5, all: 11 },
    `function run({ text }) {
  return { han: (text.match(/\\p{Script=Han}/gu) ?? []).length, latin: (text.match(/[A-Za-z]/g) ?? []).length, all: [...text].length };
}`,
  ),
  createOrdinary(
    "palindrome",
    { text: "A man, a plan, a canal: Panama" },
    true,
    `function isPalindrome(text) { const t = text.toLowerCase().replace(/[^a-z0-9]/g, ""); return t === t.split("").reverse().join(""); }`,
  ),
  createOrdinary(
    "reverse with emoji",
    { text: "añ😀b" },
    "b😀ña",
    `const run = ({ text }) => [...text].reverse().join("");`,
  ),
  createOrdinary(
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
  createOrdinary(
    "slug",
    { title: "  Crème Brûlée — the Best!  " },
    "creme-brulee-the-best",
    `function slug({ title }) {
  return title.normalize("NFD").replace(/[\\u0300-\\u036f]/g, "").toLowerCase().trim().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
}`,
  ),
  createOrdinary(
    "title case",
    { text: "the quick brown fox" },
    "The Quick Brown Fox",
    `const run = ({ text }) => text.replace(/\\b\\w/g, (c) => c.toUpperCase());`,
  ),
  createOrdinary(
    "camel to snake",
    { name: "parseHttpRequest" },
    "parse_http_request",
    `const run = ({ name }) => name.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();`,
  ),
  createOrdinary(
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
  createOrdinary(
    "thousands",
    { n: "1234567.5" },
    "1,234,567.5",
    `const run = ({ n }) => n.replace(/\\B(?<!\\.\\d*)(?=(\\d{3})+(?!\\d))/g, ",");`,
  ),
  createOrdinary(
    "addresses",
    { text: "Write to a.b@example.com, or c@d.org!" },
    ["a.b@example.com", "c@d.org"],
    `function run({ text }) { return text.match(/[\\w.+-]+@[\\w-]+\\.[\\w.-]*\\w/g); }`,
  ),
  createOrdinary(
    "address is valid",
    { mail: "someone@example.com" },
    true,
    `const isValid = (mail) => /^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$/.test(mail);`,
  ),
  createOrdinary(
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
  createOrdinary(
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
  createOrdinary(
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
  createOrdinary(
    "Base64",
    { text: "héllo" },
    "aMOpbGxv",
    `const run = ({ text }) => btoa(unescapeBytes(encodeURIComponent(text)));
const unescapeBytes = (s) => s.replace(/%([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));`,
  ),
  createOrdinary(
    "query string",
    { q: "a=1&b=x%20y&c" },
    { a: "1", b: "x y", c: "" },
    `function parseQuery({ q }) {
  return Object.fromEntries(q.split("&").map((p) => { const [k, v = ""] = p.split("="); return [decodeURIComponent(k), decodeURIComponent(v)]; }));
}`,
  ),
  createOrdinary(
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
  createOrdinary(
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
  createOrdinary(
    "template",
    { name: "Ada", n: 3 },
    "Dear Ada,\nyou have 3 messages.",
    'const run = ({ name, n }) => `Dear ${name},\nyou have ${n} message${n === 1 ? "" : "s"}.`;',
  ),
  createOrdinary(
    "anagrams",
    { words: ["eat", "tea", "tan", "ate", "nat", "bat"] },
    [["eat", "tea", "ate"], ["tan", "nat"], ["bat"]],
    `function run({ words }) {
  return Object.values(Object.groupBy(words, (w) => [...w].sort().join("")));
}`,
  ),
  createOrdinary(
    "Chinese numerals",
    { n: 2026 },
    "二千零二十六",
    `function run({ n }) {
  const digits = "零一二三四五六七八九", units = ["", "十", "百", "千"];
  return String(n).split("").map((d, i, a) => (d === "0" ? "零" : digits[d] + units[a.length - 1 - i])).join("").replace(/零+/g, "零").replace(/零$/, "");
}`,
  ),
];
