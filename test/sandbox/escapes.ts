// Programs that try to get out, to stay behind or to bring the host down. Each answers "leaked …" if it got what it
// wanted. Some the check refuses; those run once more without it, and still have to get nothing.

export type Escape = {
  readonly name: string;
  readonly code: string;
  /** What the check says, if it is its business. */
  readonly refused?: RegExp;
  /** How it ends when it runs; `harmless` is any value or error of its own. */
  readonly ends: "exhausted" | "too_large" | "threw" | "harmless";
};

function refused(name: string, refused: RegExp, code: string, ends: Escape["ends"] = "harmless"): Escape {
  return { name, code: body(code), refused, ends };
}

function runs(name: string, ends: Escape["ends"], code: string): Escape {
  return { name, code: body(code), ends };
}

function body(code: string): string {
  return `function run() {\n${code}\n}`;
}

const NETWORK: readonly Escape[] = [
  refused(
    "fetch",
    /`fetch` is not available: there is no network/,
    `return "leaked " + typeof fetch("http://127.0.0.1:8787/health");`,
  ),
  refused("WebSocket", /`WebSocket`/, `return "leaked " + typeof new WebSocket("ws://127.0.0.1:8787");`),
  refused("XMLHttpRequest", /`XMLHttpRequest`/, `return "leaked " + typeof new XMLHttpRequest();`),
  refused("EventSource", /`EventSource`/, `return "leaked " + typeof new EventSource("http://127.0.0.1");`),
  refused("Request and Response", /`Request`/, `return "leaked " + new Request("http://127.0.0.1").url;`),
  refused("caches", /`caches`/, `return "leaked " + typeof caches.default;`),
  refused("navigator.sendBeacon", /`navigator`/, `return "leaked " + navigator.sendBeacon("http://127.0.0.1", "x");`),
  refused("fetch under another name", /`fetch`/, `const get = fetch;\nreturn "leaked " + typeof get;`),
  refused(
    "dynamic import of sockets",
    /import\(\) is not allowed/,
    `const module = import("cloudflare:sockets");\nmodule.then(({ connect }) => connect("127.0.0.1:8787"));\nreturn "got a promise";`,
  ),
  refused(
    "dynamic import of node",
    /import\(\)/,
    `import("node:fs").then((fs) => fs.readFileSync("/etc/passwd"));\nreturn "got a promise";`,
  ),
  refused("import.meta", /import.meta/, `return "seen " + typeof import.meta.url;`),
  refused("require", /`require`/, `return "leaked " + require("fs");`),
  refused("process.env", /`process`/, `return "leaked " + JSON.stringify(process.env);`),
  refused("crypto", /`crypto`/, `return "leaked " + crypto.randomUUID();`),
  refused("env", /`env`/, `return "leaked " + Object.keys(env);`),
];

const DYNAMIC: readonly Escape[] = [
  refused("eval", /`eval` is not available/, `return "leaked " + eval("1 + 1");`),
  refused("indirect eval", /`eval`/, `return "leaked " + (0, eval)("1 + 1");`),
  refused("Function", /`Function`/, `return "leaked " + Function("return this")();`),
  refused("new Function", /`Function`/, `return "leaked " + new Function("return 1")();`),
  refused(
    "constructor of a function",
    /`constructor` is not allowed/,
    `return "leaked " + (() => 1).constructor("return 1")();`,
  ),
  refused("constructor chain", /`constructor`/, `return "leaked " + [].constructor.constructor("return this")();`),
  refused("constructor as a text", /`constructor`/, `return "leaked " + (() => 1)["constructor"]("return 1")();`),
  refused("constructor in a template", /`constructor`/, 'return "leaked " + (() => 1)[`constructor`]("return 1")();'),
  refused(
    "constructor taken apart",
    /`constructor`/,
    `const { constructor: F } = () => 1;\nreturn "leaked " + F("return 1")();`,
  ),
  runs(
    "constructor put together",
    "threw",
    `const f = () => 1;\nreturn "leaked " + f["con" + "structor"]("return 1")();`,
  ),
  runs(
    "constructor chain put together",
    "threw",
    `const c = "con".concat("structor");\nreturn "leaked " + ""[c][c]("return this")();`,
  ),
  runs(
    "constructor from codes",
    "threw",
    `const c = String.fromCharCode(99, 111, 110, 115, 116, 114, 117, 99, 116, 111, 114);\nreturn "leaked " + (() => 1)[c]("return 1")();`,
  ),
  runs(
    "constructor through an object as a key",
    "threw",
    `const key = { toString: () => "constructor" };\nreturn "leaked " + (() => 1)[key]("return 1")();`,
  ),
  runs(
    "constructor through a key that changes",
    "threw",
    `let n = 0;\nconst key = { toString: () => (n++ ? "constructor" : "name") };\nconst f = () => 1;\nreturn "leaked " + (f[key], f[key])("return 1")();`,
  ),
  runs("constructor through a list as a key", "threw", `return "leaked " + (() => 1)[["constructor"]]("return 1")();`),
  runs(
    "constructor through taking apart",
    "threw",
    `const name = "constr" + "uctor";\nconst { [name]: F } = () => 1;\nreturn "leaked " + F("return 1")();`,
  ),
  runs(
    "constructor of a reviver's holder",
    "harmless",
    `let seen = "nothing";\nJSON.parse("[1]", function (k, v) { seen = typeof this["construc" + "tor"]; return v; });\nreturn seen === "function" ? "leaked" : seen;`,
  ),
  runs(
    "constructor of an error that the engine made",
    "threw",
    `try { null.x; } catch (error) { const c = "const" + "ructor"; return "leaked " + error[c][c]("return 1")(); }`,
  ),
  runs(
    "constructor of a match",
    "threw",
    `const c = "const" + "ructor";\nreturn "leaked " + "a".match(/a/)[c][c]("return 1")();`,
  ),
  runs(
    "constructor of an iterator",
    "threw",
    `const c = "const" + "ructor";\nreturn "leaked " + [1].values()[c][c]("return 1")();`,
  ),
  runs(
    "constructor of Math, JSON and Intl",
    "threw",
    `const c = "const" + "ructor";\nreturn "leaked " + [Math, JSON, Intl].map((o) => o[c][c]("return 1")());`,
  ),
  runs(
    "constructor of an Intl object",
    "threw",
    `const c = "const" + "ructor";\nreturn "leaked " + new Intl.NumberFormat("en")[c][c]("return 1")();`,
  ),
  refused(
    "generator's constructor",
    /a generator is not allowed/,
    `function* g() {}\nreturn "leaked " + g["const" + "ructor"]("yield 1")().next().value;`,
    "threw",
  ),
  refused(
    "async function's constructor",
    /async is not allowed/,
    `const f = async () => 1;\nreturn "leaked " + f["const" + "ructor"]("return 1");`,
    "threw",
  ),
  refused("WebAssembly", /`WebAssembly`/, `return "leaked " + typeof WebAssembly.Module;`),
  refused("setTimeout with code", /`setTimeout`/, `setTimeout("1", 0);\nreturn "leaked";`),
];

const GLOBALS: readonly Escape[] = [
  refused("globalThis", /`globalThis`/, `return "leaked " + Object.keys(globalThis);`),
  refused("self", /`self`/, `return "leaked " + typeof self.fetch;`),
  runs("this in an arrow function", "harmless", `return (() => this)() === undefined ? "nothing" : "leaked";`),
  runs(
    "this of a function that is called alone",
    "harmless",
    `function f() { return this; }\nreturn f() === undefined ? "nothing" : "leaked";`,
  ),
  runs(
    "this of a callback",
    "harmless",
    `return [1].map(function () { return this; })[0] === undefined ? "nothing" : "leaked";`,
  ),
  runs(
    "this through call",
    "harmless",
    `return (function () { return this; }).call(null) === null ? "nothing" : "leaked";`,
  ),
  refused("arguments", /`arguments`/, `return arguments.length > 5 ? "leaked" : "seen";`),
  refused("caller", /`caller` is not allowed/, `return run.caller ? "leaked" : "seen";`),
  refused("callee", /`callee`/, `return "leaked " + (function () { return arguments.callee; })();`),
  refused("a declaration elsewhere hides nothing", /`fetch`/, `{ const fetch = 1; }\nreturn "leaked " + fetch;`),
  refused("the guards", /a name that begins with \$g_/, `$g_budget.left = 1e15;\nfor (;;);`),
  refused("Reflect", /`Reflect`/, `return "leaked " + Reflect.ownKeys({});`),
  refused("Proxy", /`Proxy`/, `return "leaked " + new Proxy({}, {}).x;`),
  refused("Symbol", /`Symbol`/, `return "leaked " + ({ [Symbol.toPrimitive]: () => 1 } + 1);`),
  refused("Promise", /`Promise`/, `Promise.resolve().then(() => 1);\nreturn "leaked";`),
  refused("queueMicrotask", /`queueMicrotask`/, `queueMicrotask(() => 1);\nreturn "leaked";`),
  refused("stack of an error", /`stack` is not allowed/, `return "seen " + typeof new Error("x").stack;`),
  refused(
    "prepareStackTrace",
    /`prepareStackTrace`/,
    `Error.prepareStackTrace = (_, sites) => sites;\nreturn "leaked " + new Error("x").stack[0].getThis();`,
  ),
  runs(
    "prepareStackTrace put together",
    "threw",
    `Error["prepareStack" + "Trace"] = (_, sites) => sites;\nreturn "leaked";`,
  ),
  refused(
    "SharedArrayBuffer and Atomics",
    /`SharedArrayBuffer`/,
    `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);\nreturn "leaked";`,
  ),
  refused("performance", /`performance`/, `return "leaked " + performance.now();`),
  runs(
    "the clock stands still",
    "harmless",
    `const start = Date.now();\nlet n = 0;\nfor (let i = 0; i < 3000000; i++) n += i;\nreturn Date.now() === start && new Date().getTime() === start ? "still" : "leaked";`,
  ),
];

const PROTOTYPES: readonly Escape[] = [
  refused(
    "__proto__",
    /`__proto__` is not allowed/,
    `({}).__proto__.polluted = 1;\nreturn ({}).polluted ? "leaked" : "nothing";`,
  ),
  refused(
    "__proto__ in a literal",
    /`__proto__`/,
    `const o = { __proto__: { x: 1 } };\nreturn o.x ? "seen" : "nothing";`,
  ),
  refused("Array.prototype", /`prototype` is not allowed/, `Array.prototype.map = () => "leaked";\nreturn [].map();`),
  refused(
    "Object.defineProperty",
    /`defineProperty` is not allowed/,
    `Object.defineProperty(Math, "x", { value: 1 });\nreturn "leaked";`,
  ),
  refused("Object.setPrototypeOf", /`setPrototypeOf`/, `Object.setPrototypeOf([], null);\nreturn "leaked";`),
  refused(
    "Object.getPrototypeOf",
    /`getPrototypeOf`/,
    `Object.getPrototypeOf([]).x = 1;\nreturn [].x ? "leaked" : "nothing";`,
  ),
  refused("__defineGetter__", /`__defineGetter__`/, `({}).__defineGetter__("x", () => 1);\nreturn "leaked";`),
  runs(
    "__proto__ put together",
    "harmless",
    `const o = {};\no["__pro" + "to__"] = { polluted: 1 };\nreturn ({}).polluted || o.polluted ? "leaked" : "nothing";`,
  ),
  runs(
    "prototype put together",
    "threw",
    `const p = "proto" + "type";\nArray[p].map = () => "leaked";\nreturn [].map();`,
  ),
  runs(
    "pollution by JSON.parse and assign",
    "harmless",
    `const bad = JSON.parse('{"__proto__": {"polluted": 1}}');\nconst o = Object.assign({}, bad);\nreturn ({}).polluted || o.polluted ? "leaked" : "nothing";`,
  ),
  runs(
    "pollution by a deep merge",
    "harmless",
    `const merge = (to, from) => { for (const k in from) { if (typeof from[k] === "object") { to[k] ??= {}; merge(to[k], from[k]); } else to[k] = from[k]; } return to; };\nmerge({}, JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}'));\nreturn ({}).polluted || [].polluted ? "leaked" : "nothing";`,
  ),
  runs(
    "pollution by fromEntries",
    "harmless",
    `Object.fromEntries([["__proto__", { polluted: 1 }]]);\nreturn ({}).polluted ? "leaked" : "nothing";`,
  ),
  runs("assigning to Math", "threw", `Math.floor = () => "leaked";\nreturn Math.floor(1.5);`),
  runs("assigning to JSON", "threw", `JSON.stringify = () => "leaked";\nreturn JSON.stringify(1);`),
  runs("assigning to Object", "threw", `Object.keys = () => "leaked";\nreturn Object.keys({});`),
  runs("replacing a global", "threw", `Math = { floor: () => "leaked" };\nreturn Math.floor(1);`),
  runs("a member of a method", "threw", `[].map.hidden = "leaked";\nreturn [].map.hidden;`),
  runs("a global by forgetting to declare it", "threw", `(function () { Object.freeze = 1; })();\nreturn "leaked";`),
  refused("a name that is not declared", /`counter` is not defined/, `counter = 1;\nreturn "leaked";`),
  refused("a getter", /a getter or setter is not allowed/, `return { get x() { return "seen"; } }.x;`),
  refused(
    "extends",
    /extends is not allowed/,
    `class List extends Array { push() { return "seen"; } }\nreturn new List().push(1);`,
  ),
  refused("with", /Syntax error|with/, `with ({}) { return 1; }`),
  runs("delete of a built-in", "threw", `delete Math.floor;\nreturn "leaked";`),
];

const LOOPS: readonly Escape[] = [
  runs("for", "exhausted", `for (;;);`),
  runs("while", "exhausted", `while (true) {}`),
  runs("do", "exhausted", `do {} while (1);`),
  runs("continue to a label", "exhausted", `outer: for (;;) { for (;;) continue outer; }`),
  runs("for of over a list that grows", "exhausted", `const a = [1];\nfor (const x of a) a.push(x);`),
  runs(
    "for of over a Set that grows",
    "exhausted",
    `const s = new Set([0]);\nfor (const x of s) { s.delete(x); s.add(x + 1); }`,
  ),
  runs("Map.forEach that grows", "exhausted", `const m = new Map([[0, 0]]);\nm.forEach((v, k) => m.set(k + 1, v));`),
  runs("recursion", "exhausted", `const f = (n) => f(n + 1) + 1;\nreturn f(0);`),
  runs(
    "mutual recursion that catches",
    "exhausted",
    `const a = () => { try { b(); } catch { b(); } }, b = () => { try { a(); } catch { a(); } };\na();`,
  ),
  runs("recursion by toString", "exhausted", `const o = { toString: () => "" + o };\nreturn String(o);`),
  runs("recursion by valueOf", "exhausted", `const o = { valueOf: () => o + 1 };\nreturn o * 2;`),
  runs("recursion by toJSON", "exhausted", `const o = { toJSON: () => JSON.stringify(o) };\nreturn JSON.stringify(o);`),
  runs("recursion by replace", "exhausted", `const f = () => "a".replace("a", f);\nreturn f();`),
  runs("recursion by sort", "exhausted", `const f = () => [1, 2].sort(f);\nreturn f();`),
  runs(
    "exponential recursion",
    "exhausted",
    `const f = (n) => (n < 2 ? 1 : f(n - 1) + f(n - 2) + f(n - 3));\nreturn f(60);`,
  ),
  runs("catching the end of the budget", "exhausted", `for (;;) { try { for (;;); } catch { } }`),
  runs("finally against the end of the budget", "exhausted", `for (;;) { try { for (;;); } finally { continue; } }`),
  runs("returning from finally", "exhausted", `try { for (;;); } finally { return "leaked"; }`),
  runs("throwing and catching", "exhausted", `for (;;) { try { null.x; } catch { } }`),
  runs(
    "a comparison that never agrees",
    "harmless",
    `return Array.from({ length: 1000 }, (_, i) => i).sort(() => Math.random() - 0.5).length;`,
  ),
  runs(
    "sorting a million",
    "exhausted",
    `const a = Array.from({ length: 1000000 }, () => Math.random());\nfor (;;) a.sort();`,
  ),
  runs(
    "nested loops",
    "exhausted",
    `let n = 0;\nfor (let i = 0; i < 1e6; i++) for (let j = 0; j < 1e6; j++) n ^= j;\nreturn n;`,
  ),
  runs("a length that is a lie", "exhausted", `return Array.from({ length: 1e9 }, () => 0).length;`),
  runs("apply with a length that is a lie", "exhausted", `return Math.max.apply(null, { length: 134217728 });`),
  runs("a sparse list", "exhausted", `const a = [];\na[4294967294] = 1;\nreturn a.indexOf(2);`),
  runs("a set length", "exhausted", `const a = [];\na.length = 4294967295;\nreturn a.map((x) => x);`),
  runs("a length set with brackets", "exhausted", `const a = [];\na["len" + "gth"] = 4294967295;\na.forEach(() => 1);`),
  runs("a length by assign", "exhausted", `const a = Object.assign([], { length: 4e9 });\nreturn a.join("x").length;`),
  runs(
    "comparing long texts",
    "exhausted",
    `const a = "a".repeat(200000), b = "a".repeat(199999) + "a";\nlet n = 0;\nfor (;;) if (a === b) n++;`,
  ),
  runs("long texts as numbers", "exhausted", `const s = "1".repeat(200000);\nlet n = 0;\nfor (;;) n += s - 1;`),
  runs("long texts as names", "exhausted", `const o = {};\nfor (let i = 0; ; i++) o["x".repeat(100000) + i];`),
  runs(
    "looking for long texts",
    "exhausted",
    `const s = "a".repeat(200000), t = "b" + "a".repeat(99999);\nfor (;;) s.indexOf(t);`,
  ),
  runs("integers that collide", "exhausted", `const m = new Map();\nfor (let i = 0; ; i++) m.set(i * 1048576, i);`),
  runs(
    "switch over long texts",
    "exhausted",
    `const a = "a".repeat(200000), b = "a".repeat(199999) + "a";\nfor (;;) switch (a) { case b + "": break; }`,
  ),
];

const PATTERNS: readonly Escape[] = [
  runs("(a+)+", "exhausted", `return /^(a+)+$/.test("a".repeat(50) + "b");`),
  runs("(a|a)*", "exhausted", `return /^(a|a)*$/.test("a".repeat(50) + "b");`),
  runs("(a|aa)+", "exhausted", `return /^(a|aa)+$/.test("a".repeat(100) + "b");`),
  runs("(.*)*", "exhausted", `return /^(.*)*x$/s.test("a".repeat(40));`),
  runs(
    "many optional ones",
    "exhausted",
    `return new RegExp("^" + "a?".repeat(40) + "a".repeat(40) + "$").test("a".repeat(39));`,
  ),
  runs("polynomial", "exhausted", `return /^\\s*\\s*\\s*\\s*x/.test(" ".repeat(20000));`),
  runs("backreference", "exhausted", `return /^(.*)(.*)(.*)\\1\\2\\3x$/.test("a".repeat(2000));`),
  runs("look-ahead", "exhausted", `return /^(?=(a+)+b)a/.test("a".repeat(40));`),
  runs("a pattern given as a text", "exhausted", `return "a".repeat(50).match("^(a+)+b$");`),
  runs("split by a bad one", "exhausted", `return ("a".repeat(50) + "b").split(/(a+)+c/).length;`),
  runs("a counted one", "exhausted", `return /^(a{1,100}){1,100}$/.test("a".repeat(9000) + "b");`),
  runs("a large one", "exhausted", `return new RegExp("(a{1000}){1000}").test("a");`),
  runs(
    "many different ones",
    "exhausted",
    `for (let i = 0; ; i++) new RegExp("a" + i + "[b-z]".repeat(300), "i").test("x");`,
  ),
  runs("deep parentheses", "threw", `return new RegExp("(".repeat(990) + "a" + ")".repeat(989)).test("a");`),
];

export const MEMORY: readonly Escape[] = [
  runs("doubling a text", "exhausted", `let s = "x";\nfor (;;) s += s;`),
  runs("repeat", "exhausted", `return "x".repeat(2 ** 29);`),
  runs("padStart", "exhausted", `return "x".padStart(1e9, "ab");`),
  runs("padEnd of many", "exhausted", `const a = [];\nfor (let i = 0; ; i++) a.push("".padEnd(200000, String(i)));`),
  runs("join", "exhausted", `return new Array(1e6).fill("xxxxxxxxxx").join("yyyyyyyyyyyyyyyy");`),
  runs(
    "join of lists in lists",
    "exhausted",
    `let a = "xxxxxxxxxx";\nfor (let i = 0; i < 40; i++) a = [a, a];\nreturn a.join();`,
  ),
  runs("replace with what was found", "exhausted", `return "a".repeat(100000).replaceAll("a", "$&$&$&$&$&$&$&$&");`),
  runs("replace with what is around", "exhausted", "return 'a'.repeat(100000).replace(/a/g, \"$`$'\");"),
  runs("concat of texts", "exhausted", `let s = "ab";\nfor (;;) s = s.concat(s, s);`),
  runs("a template", "exhausted", "let s = 'ab';\nfor (;;) s = `${s}${s}${s}`;"),
  runs("Array", "exhausted", `return new Array(2 ** 32 - 1).fill(0);`),
  runs("lists of lists", "exhausted", `let a = [];\nfor (;;) a = [a, a, new Array(1000).fill(a)];`),
  runs("push", "exhausted", `const a = [];\nfor (;;) a.push(a.length);`),
  runs("push of spread", "exhausted", `const a = [1];\nfor (;;) a.push(...a);`),
  runs("concat", "exhausted", `let a = [1];\nfor (;;) a = a.concat(a);`),
  runs("spread", "exhausted", `let a = [1];\nfor (;;) a = [...a, ...a];`),
  runs(
    "rest",
    "exhausted",
    `const big = new Array(1000000).fill(0);\nconst kept = [];\nfor (;;) { const [...copy] = big; kept.push(copy); }`,
  ),
  runs(
    "rest of arguments",
    "exhausted",
    `const big = new Array(100000).fill(0);\nconst kept = [];\nconst f = (...all) => kept.push(all);\nfor (;;) f(...big);`,
  ),
  runs("flat", "exhausted", `let a = [1];\nfor (let i = 0; i < 40; i++) a = [a, a];\nreturn a.flat(Infinity).length;`),
  runs("flat of itself", "exhausted", `const a = [1];\na.push(a);\nreturn a.flat(Infinity).length;`),
  runs("flatMap", "exhausted", `let a = [1];\nfor (;;) a = a.flatMap((x) => [x, x]);`),
  runs("splice", "exhausted", `const a = [1, 2];\nfor (;;) a.splice(0, 0, ...a);`),
  runs("slices", "exhausted", `const a = new Array(100000).fill(1), kept = [];\nfor (;;) kept.push(a.slice());`),
  runs("split", "exhausted", `const s = "ab".repeat(100000), kept = [];\nfor (;;) kept.push(s.split(""));`),
  runs("sparse lists", "exhausted", `const kept = [];\nfor (;;) { const a = []; a[1000] = 1; kept.push(a); }`),
  runs("positions of objects", "exhausted", `const kept = [];\nfor (;;) { const o = {}; o[4999] = 1; kept.push(o); }`),
  runs(
    "positions in literals",
    "exhausted",
    `const kept = [], n = 4999;\nfor (;;) kept.push({ [n]: 1 }, { 4998: 1 });`,
  ),
  runs("objects", "exhausted", `let o = null;\nfor (;;) o = { o, p: [o] };`),
  runs("names", "exhausted", `const o = {};\nfor (let i = 0; ; i++) o["k" + i] = i;`),
  runs(
    "copies of an object",
    "exhausted",
    `let o = {};\nfor (let i = 0; i < 1000; i++) o["k" + i] = i;\nconst kept = [];\nfor (;;) kept.push({ ...o });`,
  ),
  runs("closures", "exhausted", `const kept = [];\nfor (let i = 0; ; i++) kept.push(() => i);`),
  runs("Map", "exhausted", `const m = new Map();\nfor (let i = 0; ; i++) m.set("k" + i, i);`),
  runs("Set", "exhausted", `const s = new Set();\nfor (let i = 0; ; i++) s.add({});`),
  runs("dates", "exhausted", `const kept = [];\nfor (;;) kept.push(new Date());`),
  runs("errors", "exhausted", `const kept = [];\nfor (;;) kept.push(new Error("x".repeat(100)));`),
  runs(
    "formats",
    "exhausted",
    `const kept = [];\nfor (let i = 0; ; i++) kept.push(new Intl.NumberFormat("en", { minimumFractionDigits: i % 90 }), new Intl.DateTimeFormat("de", { timeZone: i % 2 ? "UTC" : "Asia/Tokyo", weekday: i % 3 ? "long" : "short" }));`,
  ),
  runs(
    "formats of the moon",
    "exhausted",
    `for (let i = 0; ; i++) new Date(i * 1e11).toLocaleDateString("zh-u-ca-chinese", { dateStyle: "full" });`,
  ),
  runs("BigInt powers", "exhausted", `return String(9n ** 999999n).length;`),
  runs("BigInt shifts", "exhausted", `return String(1n << 1073741823n).length;`),
  runs("BigInt shifts backwards", "exhausted", `return String(1n >> -1073741823n).length;`),
  runs("BigInt squares", "exhausted", `let n = 3n;\nfor (;;) n *= n;`),
  runs("BigInt widths", "exhausted", `return String(BigInt.asUintN(1000000000, -1n)).length;`),
  runs("BigInt from a text", "exhausted", `return String(BigInt("9".repeat(250000))).length;`),
  runs("BigInt growing by minus", "exhausted", `let n = 1n;\nfor (;;) n = n - -n;`),
  runs(
    "JSON of a net",
    "exhausted",
    `let a = [1];\nfor (let i = 0; i < 40; i++) a = [a, a];\nreturn JSON.stringify(a).length;`,
  ),
  runs(
    "JSON.parse",
    "exhausted",
    `const kept = [], s = "[" + "[],".repeat(80000) + "[]]";\nfor (;;) kept.push(JSON.parse(s));`,
  ),
  runs("normalize", "exhausted", `const s = "\\uFDFA".repeat(200000);\nfor (;;) s.normalize("NFKD");`),
  runs("upper case", "exhausted", `let s = "ß".repeat(200000);\nfor (;;) s = s.toUpperCase();`),
  runs("encodeURIComponent", "exhausted", `return encodeURIComponent("é".repeat(250000)).length;`),
  runs(
    "groupBy",
    "exhausted",
    `const a = new Array(1000000).fill(0), kept = [];\nfor (;;) kept.push(Object.groupBy(a, (_, i) => i));`,
  ),
];

const RESULTS: readonly Escape[] = [
  runs("a giant text", "too_large", `return "x".repeat(70000);`),
  runs("a giant list", "too_large", `return new Array(50000).fill(0);`),
  runs(
    "a giant list of the same",
    "too_large",
    `const row = new Array(1000).fill("xxxxxxxxxx");\nreturn new Array(1000).fill(row);`,
  ),
  runs("a net", "too_large", `let a = ["x"];\nfor (let i = 0; i < 40; i++) a = [a, a];\nreturn a;`),
  runs("a giant in Chinese", "too_large", `return "中".repeat(30000);`),
  runs("itself", "threw", `const a = [];\na.push(a);\nreturn a;`),
  runs("very deep", "threw", `let a = [];\nfor (let i = 0; i < 10000; i++) a = [a];\nreturn a;`),
  runs("nothing", "threw", `const x = 1;`),
  runs("a function", "threw", `return () => 1;`),
  runs("a function inside", "threw", `return { a: [() => 1] };`),
  runs("NaN", "threw", `return { mean: 0 / 0 };`),
  runs("a Map", "threw", `return new Map();`),
  runs("a built-in", "harmless", `return Math;`),
  runs("an error", "threw", `return new Error("x");`),
  runs("throwing nothing", "threw", `throw undefined;`),
  runs("throwing an object that fights back", "exhausted", `throw { get: 1, message: { toString() { for (;;); } } };`),
  runs(
    "throwing an error with a changed name",
    "threw",
    `const e = new Error("x");\ne.name = { toString() { throw 1; } };\nthrow e;`,
  ),
  runs("throwing a giant", "threw", `throw new Error("x".repeat(200000));`),
  runs(
    "a result that pretends to be an outcome",
    "harmless",
    `return { kind: "failed", reason: "threw", message: "x" };`,
  ),
  runs("toJSON that runs for ever", "threw", `return { toJSON() { for (;;); } };`),
];

const ASYNC: readonly Escape[] = [
  refused("an async function", /async/, `(async () => { for (;;) await null; })();\nreturn "begun";`),
  refused(
    "await for ever afterwards",
    /async/,
    `const f = async () => { await null; for (;;); };\nf();\nreturn "begun";`,
  ),
  refused(
    "a generator without end",
    /a generator/,
    `const g = function* () { for (;;) yield 1; };\nreturn [...g()].length;`,
    "exhausted",
  ),
  refused(
    "then without end",
    /async/,
    `const f = async () => {};\nconst again = () => f().then(again);\nagain();\nreturn "begun";`,
  ),
  refused("a thenable", /async/, `const t = { then(r) { r(t); } };\n(async () => { await t; })();\nreturn "begun";`),
  refused("for await", /await|async/, `(async () => { for await (const x of [1]) x; })();\nreturn "begun";`),
];

export const ESCAPES: readonly Escape[] = [
  ...NETWORK,
  ...DYNAMIC,
  ...GLOBALS,
  ...PROTOTYPES,
  ...LOOPS,
  ...PATTERNS,
  ...MEMORY,
  ...RESULTS,
  ...ASYNC,
];
