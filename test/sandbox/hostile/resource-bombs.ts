// Random programs that use unlimited time or memory.

import type { RandomSource } from "../plain/random.ts";

/** Creates a statement that may not terminate, and keeps all its results. */
export function createResourceBomb(random: RandomSource): string {
  const sizes = Array.from({ length: 3 }, () =>
    random.pick(["7", "999", "5e3", "1e5", "262144", "1e6", "1.2e6", "3e7", "2 ** 32 - 1"]),
  );
  const start = `const kept = []; let s = ${createTextExpression(random)}, a = Array.from({ length: ${random.pick(["3", "999", "1e5"])} }, (_, i) => i * ${random.pick(["1", "7919", "1048576"])}), n = ${random.pick(["3n", "2n ** 900n", "7n ** 9999n"])}, o = {}, m = new Map(), t = new Set(), i = 0; const N = ${sizes.join(", M = ").replace(/, M = ([^,]*)$/, ", K = $1")};`;
  const work = Array.from({ length: 1 + random.int(3) }, () => createBombStep(random)).join(" ");
  const wrapper = random.pick([
    (inside: string) => `for (;;) { i++; ${inside} }`,
    (inside: string) => `for (;;) { i++; ${inside} }`,
    (inside: string) => `for (;;) { i++; try { ${inside} } catch { } }`,
    (inside: string) => `const f = () => { i++; ${inside} f(); f(); }; f();`,
    (inside: string) => `a.sort(() => { i++; ${inside} return i % 3 - 1; });`,
    (inside: string) => `"x".repeat(99999).replace(/x/g, () => { i++; ${inside} return "yy"; });`,
    (inside: string) => `x: for (const v of a) { i++; ${inside} a.push(v); continue x; }`,
    (inside: string) => `JSON.parse("[" + "1,".repeat(60000) + "1]", (k, v) => { i++; ${inside} return [v]; });`,
    (inside: string) => `const v = { toString: () => { i++; ${inside} return v + ""; } }; s += v;`,
    (inside: string) => inside,
  ]);
  return `${start} ${wrapper(work)}`;
}

function createTextExpression(random: RandomSource): string {
  return random.pick([
    '"x".repeat(200000)',
    '"ab"',
    '"\\u0315\\u0300".repeat(9000)',
    '"ß中\\ud83d\\ude00".repeat(30000)',
    '"1".repeat(99999)',
    '" a,".repeat(60000)',
    '"[".repeat(90000)',
  ]);
}

function createBombStep(random: RandomSource): string {
  const big = (): string => random.pick(["N", "M", "K"]);
  switch (random.int(9)) {
    case 0:
      return random.pick([
        "s += s;",
        `s = s.padEnd(${big()}, s);`,
        `kept.push(s.repeat(${random.pick(["2", "9", "1e4"])}));`,
        "s = s.replaceAll('x', '$&$&');",
        "kept.push(s.split(''));",
        "kept.push(s + i);",
        "s = `${s}${i}`; s[0]; s.charCodeAt(9);",
        "kept.push([...s]);",
        "s = s.concat(s, i);",
        "kept.push(encodeURIComponent(s), btoa(i));",
      ]);
    case 1:
      return random.pick([
        "s.normalize('NFKD');",
        "s.toUpperCase();",
        `s.localeCompare(s + i);`,
        "s.lastIndexOf('x'.repeat(9999) + 'y');",
        "s.indexOf('x'.repeat(99999) + 'y');",
        "o[s] = i;",
        "o['k' + i] = s;",
        "m.set(s + i, s);",
        "Number(s); +s; s - 1; s < s + i; s == s + '';",
        "parseFloat(s); parseInt(s, 36);",
        "BigInt(s);",
        "switch (s) { case s + '': case s + 'x': }",
      ]);
    case 2:
      return random.pick([
        `a.length = ${big()};`,
        `a[${big()}] = a;`,
        "a = [...a, ...a];",
        "a = a.concat(a, a);",
        "a = a.flatMap((x) => [x, x]);",
        `kept.push(Array.from({ length: ${big()} }));`,
        `kept.push(new Array(${big()}).fill(a));`,
        "kept.push(a.slice(), a.toSorted(), a.toReversed());",
        "a.push(...a);",
        "a.unshift(...a.slice(0, 99)); a.splice(5, 2, ...a);",
        "kept.push(a.with(0, a), a.toSpliced(0, 1, a));",
        "const [x, ...rest] = a; kept.push(rest);",
        "kept.push(((...all) => all)(...a));",
        "a = [a, a]; if (i > 30) a.flat(Infinity);",
        "a = [a, a]; if (i > 30) a.join();",
        "a = [a, a]; if (i > 30) JSON.stringify(a);",
        "a.shift(); a.reverse(); a.indexOf(-1); a.includes('x');",
        "a.sort((x, y) => y - x); a.sort();",
        "a.copyWithin?.(0, 1); a.entries().next(); [...a.keys()];",
        `[].concat(...Array(${random.pick(["99", "99999"])}).fill(a));`,
        `kept.push(Math.max(...a), Math.max.apply(null, { length: ${big()} }));`,
      ]);
    case 3:
      return random.pick([
        "n *= n;",
        "n <<= n;",
        "n **= 9n;",
        "n = n * n % (n - 1n);",
        "String(n);",
        "n = -n - n; n / 3n; n & (n >> 1n); ~n;",
        "BigInt.asUintN(65535, n);",
        "n.toString(2).length; n.toLocaleString();",
        "Number(n); n == s; n < i; n + BigInt(i);",
        "2n ** BigInt(i);",
      ]);
    case 4:
      return random.pick([
        "o = { ...o, [i]: o };",
        "o = { o, a, s, p: [o] };",
        "kept.push({ ...o, i }, Object.entries(o), Object.assign({}, o));",
        `o[i * ${random.pick(["1", "37", "4999"])}] = i;`,
        `const q = {}; q[${random.pick(["4999", "i * 61", "N"])}] = 1; kept.push(q);`,
        "kept.push(() => i, class { x = [i]; y = s; }, function () { return kept; });",
        "kept.push(Object.groupBy(a, (x) => x % 999), Object.fromEntries(a.map((x) => ['k' + x, x])));",
        "kept.push(new Error('x' + i, { cause: kept.at(-1) }));",
        "class A { a = [1, 2, 3]; b = { i }; c = new Map(); } for (const x of a) kept.push(new A());",
        "kept.push(JSON.parse(JSON.stringify([o, a])));",
      ]);
    case 5:
      return random.pick([
        "m.set(i * 1048576, m); m.set({}, a);",
        "t.add(i * 4096); t = t.union(new Set(a));",
        "kept.push(new Map(m), new Set(a), [...m], [...t]);",
        "for (const [k] of m) m.set(k + 1, m);",
        "t.forEach((x) => { t.delete(x); t.add(x + 1); });",
        "kept.push(Map.groupBy(a, (x) => x));",
        "t.isSubsetOf(new Set(a)); t.symmetricDifference(new Set(a));",
      ]);
    case 6:
      return `${random.pick(["s.match", "s.replace", "s.split", "s.search", "s.matchAll"])}(${createPatternExpression(random)}${random.pick(["", ", '$&$`$1'"])}); ${createPatternExpression(random)}.test(s);`;
    case 7:
      return random.pick([
        "new Intl.NumberFormat('en', { minimumFractionDigits: i % 90 }).format(i);",
        "new Date(i * 1e11).toLocaleDateString('zh-u-ca-chinese', { dateStyle: 'full' });",
        "new Intl.DateTimeFormat('en', { timeZone: i % 2 ? 'UTC' : 'Asia/Tokyo' }).formatRange(0, i * 1e9);",
        "new Intl.ListFormat('en').format(a.map(String));",
        "kept.push(new Date(i), new Date(8.64e15).toISOString()); Date.parse(s);",
        "new Intl.Collator('de').compare(s, s + i); a.map(String).sort(new Intl.Collator('sv').compare);",
        "(i / 7).toFixed(99); (2 ** i).toString(2); i.toLocaleString('ar'); (1 / 3).toPrecision(100);",
        "new Intl.PluralRules('ar').select(i); new Intl.DisplayNames('en', { type: 'region' }).of('US');",
      ]);
    default:
      return random.pick([
        "try { null.x; } catch (e) { kept.push(e); }",
        "try { throw new Error(s); } catch ({ message, ...rest }) { kept.push(rest); }",
        "x: { y: for (const v of a) { for (;;) { if (v) break x; continue y; } } }",
        "do { i++; } while (i % 9999);",
        "for (const k in s) o[k] = i; for (const k in a) i ^= k;",
        "JSON.stringify({ toJSON: () => a, s });",
        "const g = (x = g, y = x) => g(); try { g(); } catch { }",
        "switch (i) { case s.length: case n: default: a.at(i); }",
        "i = a.reduce((x, y) => x + y, '').length;",
        "String(a) + String(o); `${a}`;",
      ]);
  }
}

/** Creates a pattern that may match without end: literal, or built at runtime. */
function createPatternExpression(random: RandomSource): string {
  const source = createPatternBody(random, 3);
  const flags = random.pick(["", "g", "i", "gi", "gs", "m", "gy", "y"]) + (random.int(3) === 0 ? "u" : "");
  return `new RegExp(${JSON.stringify(source)}, "${flags}")`;
}

function createPatternBody(random: RandomSource, depth: number): string {
  const inner = (): string => createPatternBody(random, depth - 1);
  if (depth <= 0)
    return random.pick([
      "x",
      "a",
      ".",
      "\\s",
      "\\w",
      "\\W",
      "[^x]",
      "[a-z]",
      "\\b",
      "^",
      "$",
      "",
      "中",
      "\\d",
      "[\\s\\S]",
      "\\1",
      "(?:)",
    ]);
  return random.pick([
    () => `(${inner()})${pickQuantifier(random)}`,
    () => `(?:${inner()})${pickQuantifier(random)}`,
    () => `(${inner()}|${inner()})${pickQuantifier(random)}`,
    () => `${inner()}${inner()}`,
    () => `(?=${inner()})${inner()}`,
    () => `(?!${inner()})${inner()}`,
    () => `(?<=${inner()})${inner()}`,
    () => `(?<!${inner()})${inner()}`,
    () => `(${inner()})${pickQuantifier(random)}\\1`,
    () => `(?<n${random.int(1_000_000)}>${inner()})`,
  ])();
}

function pickQuantifier(random: RandomSource): string {
  return random.pick(["*", "+", "?", "*?", "+?", "{2}", "{0,9}", "{3,}", "{99}", "{500,1000}", "{20000}", "{0}", ""]);
}
