// Models do not follow a fixed form: the intended function is found in all of these.

import { expect, test } from "vitest";
import { runChecked } from "./run-in-vm.ts";

const ARGS = { a: 6, b: 7 };

test.each([
  "function run({ a, b }) { return a * b; }",
  "export default function run({ a, b }) { return a * b; }",
  "export default function ({ a, b }) { return a * b; }",
  "export default ({ a, b }) => a * b;",
  "export default (function run({ a, b }) { return a * b; });",
  "export default (({ a, b }) => a * b)",
  "export default ({ run({ a, b }) { return a * b; } });",
  "export const multiply = ({ a, b }) => a * b;",
  "export function multiply({ a, b }) { return a * b; }",
  "function multiply({ a, b }) { return a * b; }\nexport default multiply;",
  "function multiply({ a, b }) { return a * b; }\nexport { multiply };",
  "const multiply = ({ a, b }) => a * b;",
  "const multiply = function ({ a, b }) { return a * b; };",
  "function ({ a, b }) { return a * b; }",
  "({ a, b }) => a * b",
  "({ a, b }) => { return a * b; };",
  "(function ({ a, b }) { return a * b; })",
  "// multiplies\nfunction ({ a, b }) { return a * b; }",
  "module.exports = ({ a, b }) => a * b;",
  "module.exports = { run: ({ a, b }) => a * b };",
  "exports.run = function ({ a, b }) { return a * b; };",
  "export default { run({ a, b }) { return a * b; } };",
  "```javascript\nfunction run({ a, b }) {\n  return a * b;\n}\n```",
  "function multiply(a, b) { return a * b; }",
  "function multiply(b, a) { return b * a; }",
  "const multiply = (a, b) => a * b;",
  "function multiply(a, b, places = 0) { return a * b + places; }",
  "function run(args) { return args.a * args.b; }",
  "function run(x) { return x.a * x.b; }",
  "function run(o) { const { a, b } = o; return a * b; }",
  "function run() { return a * b; }",
  "return a * b;",
  "const { a, b } = args;\nreturn a * b;",
  "return input.a * params.b;",
  "a * b",
  "function compute({ a, b }) { return helper(a, b); }\nfunction helper(x, y) { return x * y; }",
  "function helper(x, y) { return x * y; }\nfunction run({ a, b }) { return helper(a, b); }",
  "function run({ a, b }) { return helper(a, b); }\nfunction helper(x, y) { return x * y; }",
  "function main({ a, b }) { return a * b; }\nconsole.log(main({ a: 1, b: 2 }));",
  "const times = (x, y) => x * y;\nconst multiply = ({ a, b }) => times(a, b);",
])("the entry function is found in %s", (source) => {
  expect(runChecked(source, ARGS)).toBe(42);
});

test("a single parameter receives the value itself unless it is used as an object", () => {
  expect(runChecked("function f(text) { return text.length; }", { text: "four" })).toBe(4);
  expect(runChecked("(t) => t.length", { text: "four" })).toBe(4);
  expect(runChecked("(t) => t.text.length", { text: "four" })).toBe(4);
});

test("parameters that the tool does not have are an issue", () => {
  expect(runChecked("function divide(x, y) { return x / y; }", ARGS)).toEqual({
    issues: ["1: divide(x, y) does not fit the parameters a, b: take one object, function run({ a, b })"],
  });
});

test("a parameter may have any name", () => {
  expect(runChecked("return args['first name'] + args.class;", { "first name": "x", class: "y" })).toBe("xy");
  expect(runChecked("({ Math: m, args: a }) => m + a", { Math: 1, args: 2 })).toBe(3);
});
