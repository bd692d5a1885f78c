import { expect, test } from "vitest";
import { checkProgram } from "../../../src/sandbox/check-program.ts";
import {
  ALLOWED_GLOBALS,
  formatPolicy,
  REFUSED_GLOBALS,
  REFUSED_PROPERTIES,
} from "../../../src/sandbox/sandbox-policy.ts";
import { cpuMs } from "../../support/cpu-time.ts";
import { play } from "./vm.ts";

function issues(source: string, parameters: readonly string[] = []): string[] {
  const verdict = checkProgram(source, parameters);
  return verdict.ok ? [] : verdict.issues.map(({ line, message }) => `${line}: ${message}`);
}

test("every issue is told, with its line and the name of the offender", () => {
  const source = `import fs from "fs";
function run({ a }) {
  eval("1");
  const x = fetch("http://example.com");
  return a.constructor + missing;
}`;
  expect(issues(source, ["a"])).toEqual([
    "1: import is not allowed: there are no modules; write what you need",
    "3: `eval` is not available: code cannot make code; write the functions out",
    "4: `fetch` is not available: there is no network; compute from the arguments alone",
    "5: `constructor` is not allowed: prototypes are closed; use plain functions and objects",
    "5: `missing` is not defined",
  ]);
});

test("the line is that of the source as it was written, fence and all", () => {
  expect(issues("```js\n\nfunction run() {\n  return fetch;\n}\n```")).toEqual([
    "4: `fetch` is not available: there is no network; compute from the arguments alone",
  ]);
  expect(issues("function run() {\n  return 1 +;\n}")).toEqual(["2: Syntax error: Unexpected token"]);
});

test("a name of the policy's may be used for something else", () => {
  expect(
    play("function run({ process, name }) { const self = process + name; return self; }", { process: 1, name: 2 }),
  ).toBe(3);
  expect(play("const location = { fetch: 1, eval: 2 }; return location.fetch + location.eval;")).toBe(3);
});

test("a declaration helps only where it can be seen", () => {
  expect(issues("function run() { { const fetch = 1; } return fetch; }")).toHaveLength(1);
  expect(issues("function run() { var f = (fetch) => fetch; return fetch; }")).toHaveLength(1);
  expect(issues("function run() { if (true) { var fetch = 1; } return fetch; }")).toEqual([]);
});

test("names that are escaped are read as what they mean", () => {
  expect(issues(String.raw`return \u0066etch("x");`)[0]).toContain("`fetch`");
  expect(issues(String.raw`return [].\u0063onstructor;`)[0]).toContain("`constructor`");
  expect(issues(String.raw`return [].map["\u0063onstructor"];`)[0]).toContain("`constructor`");
});

test.each([
  "for (a.length of [30000000]) {}",
  "for (a[1000] of [1]) {}",
  "for (a.b in { x: 1 }) {}",
  "for ([a.length] of [[1]]) {}",
])("a loop may not write to a member in its head, where no guard sees it: %s", (loop) =>
  expect(issues(`const a = [];\n${loop}\nreturn a.length;`)).toHaveLength(1),
);

test("methods of prototypes may be borrowed and not replaced", () => {
  expect(play("return Object.prototype.hasOwnProperty.call({ a: 1 }, 'a');")).toBe(true);
  expect(issues("Array.prototype.map = 1; return 1;")).toHaveLength(1);
  expect(issues("const p = Array.prototype; return 1;")).toHaveLength(1);
});

test.each([
  ["too long", `return "${"x".repeat(17_000)}";`, /longer than 16384/],
  ["nested lists", `return ${"[".repeat(7_000)}${"]".repeat(7_000)};`, /nested too deeply/],
  ["nested parentheses", `return ${"(".repeat(7_000)}1${")".repeat(7_000)};`, /nested too deeply/],
  ["a long sum", `return ${"1+".repeat(5_000)}1;`, /nested too deeply/],
  ["nested functions", `return ${"()=>".repeat(3_000)}1;`, /nested too deeply/],
  ["nested blocks", `${"{".repeat(8_000)}${"}".repeat(8_000)}`, /nested too deeply|no function/],
  ["comments before what is no function", `${"/**/".repeat(4_000)}class {}`, /Syntax error/],
  ["space before what is no function", `${" ".repeat(16_000)}class {}`, /Syntax error/],
  [
    "functions that another mentions",
    `${Array.from({ length: 650 }, (_, i) => `let f${i}=_=>1;`).join("")}let z=()=>[${Array.from({ length: 650 }, (_, i) => `f${i}`).join()},y];let y=()=>fetch(z);`,
    /`fetch`/,
  ],
  ["a hash bang", "#!/usr/bin/env node\nreturn 1;", /Syntax error/],
  ["TypeScript", "function run(a: number) { return a; }", /Syntax error/],
  ["nothing", "  \n", /no function/],
])("%s is refused in words and soon", (_, source, said) => {
  const began = cpuMs();
  expect(issues(source).join("\n")).toMatch(said);
  expect(cpuMs() - began).toBeLessThan(1_000);
});

test("a thousand faults are not all told", () => {
  expect(issues("fetch();\n".repeat(1_500)).length).toBeLessThanOrEqual(20);
});

test("the policy tells of every name that there is, and of none that is refused", () => {
  const text = formatPolicy();
  for (const name of ALLOWED_GLOBALS) expect(text).toContain(name);
  for (const name of Object.keys(REFUSED_GLOBALS)) expect(ALLOWED_GLOBALS.has(name)).toBe(false);
  for (const name of Object.keys(REFUSED_PROPERTIES)) expect(text).toContain(name);
  expect(text.length).toBeLessThan(4_000);
});

test("every name of the policy is there when the code runs", () => {
  const names = [...ALLOWED_GLOBALS].filter((name) => name !== "undefined");
  expect(play(`return [${names.map((name) => `typeof ${name}`).join(", ")}];`)).not.toContain("undefined");
});
