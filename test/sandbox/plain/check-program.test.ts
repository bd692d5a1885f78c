import { expect, test } from "vitest";
import { checkProgram } from "../../../src/sandbox/check-program.ts";
import {
  ALLOWED_GLOBALS,
  formatPolicy,
  REFUSED_GLOBALS,
  REFUSED_PROPERTIES,
} from "../../../src/sandbox/sandbox-policy.ts";
import { getCpuMs } from "../../support/cpu-time.ts";
import { runChecked } from "./run-in-vm.ts";

function listIssues(source: string, parameters: readonly string[] = []): string[] {
  const verdict = checkProgram(source, parameters);
  return verdict.ok ? [] : verdict.issues.map(({ line, message }) => `${line}: ${message}`);
}

test("each issue is reported with its line and the offending name", () => {
  const source = `import fs from "fs";
function run({ a }) {
  eval("1");
  const x = fetch("http://example.com");
  return a.constructor + missing;
}`;
  expect(listIssues(source, ["a"])).toEqual([
    "1: import is not allowed: there are no modules; write what you need",
    "3: `eval` is not available: code cannot make code; write the functions out",
    "4: `fetch` is not available: there is no network; compute from the arguments alone",
    "5: `constructor` is not allowed: prototypes are closed; use plain functions and objects",
    "5: `missing` is not defined",
  ]);
});

test("line numbers are those of the original source including its fence", () => {
  expect(listIssues("```js\n\nfunction run() {\n  return fetch;\n}\n```")).toEqual([
    "4: `fetch` is not available: there is no network; compute from the arguments alone",
  ]);
  expect(listIssues("function run() {\n  return 1 +;\n}")).toEqual(["2: Syntax error: Unexpected token"]);
});

test("a name that the policy forbids may be a local name or a member", () => {
  expect(
    runChecked("function run({ process, name }) { const self = process + name; return self; }", {
      process: 1,
      name: 2,
    }),
  ).toBe(3);
  expect(runChecked("const location = { fetch: 1, eval: 2 }; return location.fetch + location.eval;")).toBe(3);
});

test("a declaration is used only inside its scope", () => {
  expect(listIssues("function run() { { const fetch = 1; } return fetch; }")).toHaveLength(1);
  expect(listIssues("function run() { var f = (fetch) => fetch; return fetch; }")).toHaveLength(1);
  expect(listIssues("function run() { if (true) { var fetch = 1; } return fetch; }")).toEqual([]);
});

test("escaped names are decoded", () => {
  expect(listIssues(String.raw`return \u0066etch("x");`)[0]).toContain("`fetch`");
  expect(listIssues(String.raw`return [].\u0063onstructor;`)[0]).toContain("`constructor`");
  expect(listIssues(String.raw`return [].map["\u0063onstructor"];`)[0]).toContain("`constructor`");
});

test.each([
  "for (a.length of [30000000]) {}",
  "for (a[1000] of [1]) {}",
  "for (a.b in { x: 1 }) {}",
  "for ([a.length] of [[1]]) {}",
])("the head of a loop may not assign to a member, which no guard would check: %s", (loop) =>
  expect(listIssues(`const a = [];\n${loop}\nreturn a.length;`)).toHaveLength(1),
);

test("methods of prototypes may be borrowed but not replaced", () => {
  expect(runChecked("return Object.prototype.hasOwnProperty.call({ a: 1 }, 'a');")).toBe(true);
  expect(listIssues("Array.prototype.map = 1; return 1;")).toHaveLength(1);
  expect(listIssues("const p = Array.prototype; return 1;")).toHaveLength(1);
});

test.each([
  ["too long", `return "${"x".repeat(17_000)}";`, /longer than 16384/],
  ["nested lists", `return ${"[".repeat(7_000)}${"]".repeat(7_000)};`, /nested too deeply/],
  ["nested parentheses", `return ${"(".repeat(7_000)}1${")".repeat(7_000)};`, /nested too deeply/],
  ["a long sum", `return ${"1+".repeat(5_000)}1;`, /nested too deeply/],
  ["nested functions", `return ${"()=>".repeat(3_000)}1;`, /nested too deeply/],
  ["nested blocks", `${"{".repeat(8_000)}${"}".repeat(8_000)}`, /nested too deeply|no function/],
  ["comments before a class", `${"/**/".repeat(4_000)}class {}`, /Syntax error/],
  ["space before a class", `${" ".repeat(16_000)}class {}`, /Syntax error/],
  [
    "functions that refer to each other",
    `${Array.from({ length: 650 }, (_, i) => `let f${i}=_=>1;`).join("")}let z=()=>[${Array.from({ length: 650 }, (_, i) => `f${i}`).join()},y];let y=()=>fetch(z);`,
    /`fetch`/,
  ],
  ["a hash bang", "#!/usr/bin/env node\nreturn 1;", /Syntax error/],
  ["TypeScript", "function run(a: number) { return a; }", /Syntax error/],
  ["no code", "  \n", /no function/],
])("%s is rejected with a message in less than 1 s", (_, source, pattern) => {
  const startedAt = getCpuMs();
  expect(listIssues(source).join("\n")).toMatch(pattern);
  expect(getCpuMs() - startedAt).toBeLessThan(1_000);
});

test("at most 20 issues are reported", () => {
  expect(listIssues("fetch();\n".repeat(1_500)).length).toBeLessThanOrEqual(20);
});

test("the policy lists every allowed name and no forbidden one", () => {
  const text = formatPolicy();
  for (const name of ALLOWED_GLOBALS) expect(text).toContain(name);
  for (const name of Object.keys(REFUSED_GLOBALS)) expect(ALLOWED_GLOBALS.has(name)).toBe(false);
  for (const name of Object.keys(REFUSED_PROPERTIES)) expect(text).toContain(name);
  expect(text.length).toBeLessThan(4_000);
});

test("every allowed name exists when the code runs", () => {
  const names = [...ALLOWED_GLOBALS].filter((name) => name !== "undefined");
  expect(runChecked(`return [${names.map((name) => `typeof ${name}`).join(", ")}];`)).not.toContain("undefined");
});
