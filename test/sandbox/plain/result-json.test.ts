// The conversion of results and errors on their way out of the sandbox.

import { expect, test } from "vitest";
import { runChecked } from "./run-in-vm.ts";

test.each([
  ["null", null],
  ["-0", 0],
  ["[1, undefined, , 3]", [1, null, null, 3]],
  ["({ a: undefined, b: 1 })", { b: 1 }],
  ["new Date(0)", "1970-01-01T00:00:00.000Z"],
  ["[new Date(86400000)]", ["1970-01-02T00:00:00.000Z"]],
  ["2n ** 70n", "1180591620717411303424"],
  ["'\\ud800'", "\ud800"],
  ["'é中😀\\u2028\"'", 'é中😀\u2028"'],
  ["JSON.parse('{\"__proto__\": 1}')", JSON.parse('{"__proto__": 1}') as unknown],
  ["Object.freeze([Object.create(null)])", [{}]],
  ["(() => { const x = [1]; return [x, x]; })()", [[1], [1]]],
  ["(() => { class P { x = 1; #y = 2; } return new P(); })()", { x: 1 }],
  ["'a'.match(/(a)/)", ["a", "a"]],
])("the value %s is returned as %j", (value, expected) => {
  expect(runChecked(`return ${value};`)).toEqual(expected);
});

test.each([
  ["undefined", "It returned nothing. The function has to end with return and a value"],
  ["[1, { mean: NaN }]", "The result[1].mean is NaN, which is no value in JSON"],
  ["1 / 0", "The result is Infinity, which is no value in JSON"],
  ["{ f() {} }.f".replace("{ f() {} }.f", "[() => 1]"), "The result[0] is a function. Return what it computes"],
  ["new Map([[1, 2]])", "The result is a Map or Set. Return Object.fromEntries(map), [...map] or [...set]"],
  ["new Date(NaN)", "The result is an invalid date"],
  ["new Error('x')", "The result is an error. Throw it, or return its message"],
  ["(() => { const o = {}; o.o = o; return o; })()", "The result.o contains itself"],
])("the value %s is an error with a message", (value, message) => {
  expect(runChecked(`return ${value};`)).toEqual({ threw: message });
});

test.each([
  ["throw new Error('no such day');", "Error: no such day (line 2)"],
  ["null.x;", "TypeError: Cannot read properties of null (reading 'x') (line 2)"],
  ["[1].map((x) => x.a.b);", "TypeError: Cannot read properties of undefined (reading 'b') (line 2)"],
  ["Math.max(...null);", "TypeError: null is not iterable (line 2)"],
  ["[1].reduce(5);", "TypeError: number is not a function (line 2)"],
  ["JSON.parse('{');", /^SyntaxError: .*\(line 2\)$/],
  ["throw 'text';", "It threw a value that is no error: text"],
  ["throw { message: 'text' };", "It threw a value that is no error: text"],
  ["throw null;", "It threw a value that is no error: null"],
])("the statement %s is reported with its line", (statement, message) => {
  const outcome = runChecked(`function run() {\n  ${statement}\n}`) as { threw: string };
  if (typeof message === "string") expect(outcome).toEqual({ threw: message });
  else expect(outcome.threw).toMatch(message);
});

test("line numbers stay correct after rewritten code", () => {
  const source = `function run() {
  const list = [3, 1, 2]
  let sum = 0
  for (const x of list)
    sum +=
      x
  const [first, ...rest] = list
  const text = \`\${first}
\${rest}\`
  switch (text) { case "" + sum: break }
  list[0]++
  return text.missing.member
}`;
  expect(runChecked(source)).toMatchObject({ threw: expect.stringMatching(/\(line 12\)$/) as string });
});
