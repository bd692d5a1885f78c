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
    "palindrome",
    { text: "A man, a plan, a canal: Panama" },
    true,
    `function isPalindrome(text) { const t = text.toLowerCase().replace(/[^a-z0-9]/g, ""); return t === t.split("").reverse().join(""); }`,
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
    "address is valid",
    { mail: "someone@example.com" },
    true,
    `const isValid = (mail) => /^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$/.test(mail);`,
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
    "anagrams",
    { words: ["eat", "tea", "tan", "ate", "nat", "bat"] },
    [["eat", "tea", "ate"], ["tan", "nat"], ["bat"]],
    `function run({ words }) {
  return Object.values(Object.groupBy(words, (w) => [...w].sort().join("")));
}`,
  ),
];
