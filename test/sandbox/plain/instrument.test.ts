// Language features that the rewriting could change, but must not.

import { expect, test } from "vitest";
import { runChecked } from "./run-in-vm.ts";

test.each([
  "const f = ([head, ...tail], n = head) => [n, tail]; return f([7, 2]);",
  "const f = ({ a, ...rest }, n = rest.b, { c } = rest) => [a, n, c]; return [f({ a: 1, b: 2, c: 3 }), f({ a: 1 }, 4, { c: 5 })];",
  "const f = ([head, ...tail] = [1, 2], [next, ...others] = tail) => [head, next, others]; return [f(), f([3, 4, 5]), f([6], [7])];",
  "function f([head, ...tail], n = head) { var head = head + 1; return [head, n, tail]; } return f([7, 2]);",
  "const n = 1; function f([head, ...tail], m = n) { const n = 5; return [m, n, head]; } return f([7, 2]);",
  "const f = ([head, ...tail], m) => 1; const h = ([head, ...tail], m = {}) => 1; return [f.length, h.length];",
  "const f = (a, b = { a }, c = [b, ...[a]]) => [a, b, c]; return [f(1), f(1, 2), f.length];",
  "let n = 0; outer: inner: for (let i = 0; i < 3; i++) { n++; if (i) continue outer; n += 10; continue inner; } return n;",
  "return ['a,b,'.split(',', -1), 'a,b,'.split(/,/, -1), 'a,b,'.split(',', 2), 'a,b'.split(',', 2 ** 32 + 1)];",
  "return [[1, 2, 3].fill(0, 1, undefined), [1, 2, 1].indexOf(1, undefined), [1, 2, 1].lastIndexOf(1, undefined)];",
  "return [JSON.stringify([1], null, -1), JSON.stringify([1], null, NaN), JSON.stringify([1], null, 2.5)];",
  "const o = Object.create(null); o.a = 1; o.toString = 2; return [o, 'valueOf' in o, Object.keys(o), { ...o }, JSON.stringify(o), o instanceof Object];",
  "const { groups } = 'ab'.match(/(?<x>a)(?<y>b)?/); groups.z = 1; return [groups, Object.groupBy([1, 2], (n) => n % 2 ? 'odd' : 'even')];",
  "return ['ab'.search(/b/y), 'ab'.search(/b/gy), 'ab'.search(/a/y), 'ab'.search(/b/)];",
  String.raw`return [/(k)\1/iu.test("k\u212a"), /(k)\1/i.test("k\u212a"), /(s)\1/i.test("sſ"), /(s)\1/iu.test("sſ"), /(ı)\1/iu.test("ıI"), /(é.)\1/i.test("éaÉA"), /(😀a)\1/iu.test("😀a😀A")];`,
  "let a, b; const l = [[1] >= ([a] = [2]), [3] - ({ b } = { b: 4 })]; return [a, b, l[0]];",
  "return [[1, , 2].flatMap((x) => [x, x]), [, [1, , 2]].flat()];",
  "return [Array(1, 2), new Array('3'), Array(3).length, Array.of(7)];",
])("the rewriting preserves the value of %s", (source) => {
  // oxlint-disable-next-line typescript/no-implied-eval -- the same program without any guard
  const native = new Function(`"use strict";${source}`) as () => unknown;
  expect(runChecked(source)).toEqual(JSON.parse(JSON.stringify(native())));
});

test("replaceAll costs steps in proportion to the replacements, not to their square", () => {
  expect(runChecked("return 'a b'.repeat(20000).replaceAll(' ', '').length;")).toBe(40_000);
});
