import { expect, test } from "vitest";
import {
  parseReference,
  findReferences,
  findInlineReferences,
  resolveReferences,
} from "../../../src/agents/analyst/value-references.ts";

const roots = {
  context: { teacherId: "t-001", nested: { deep: [1, 2] } },
  input: { class: "class-hk-f1a" },
  data: {
    grades: { scores: [58, 85], rows: [{ "Math score": 9 }], 成绩: 7 },
    none: null,
    sales: { values: { "Avg. price (v1.2)": [3] }, a: { b: 1 }, "a.b": 2 },
  },
  compute: { stats: { mean: 74.2 } },
};

test.each([
  ["$context.teacherId", "t-001"],
  ["$input.class", "class-hk-f1a"],
  ["$data.grades.scores", [58, 85]],
  ["$data.grades.scores.1", 85],
  ["$data.grades.rows.0.Math score", 9],
  ["$data.grades.成绩", 7],
  ["$data.sales.values.Avg. price (v1.2)", [3]],
  ["$data.sales.values.Avg. price (v1.2).0", 3],
  ["$data.sales.a.b", 1],
  ["$compute.stats.mean", 74.2],
  [" $compute.stats.mean ", 74.2],
  ["$context.nested.deep.0", 1],
])("[F110] %s is what it refers to", (text, value) => {
  expect(resolveReferences(text, roots)).toEqual(value);
});

test.each([
  "$data.missing",
  "$data.missing.deeper",
  "$data.grades.scores.7",
  "$data.grades.scores.-1",
  "$data.grades.scores.length",
  "$data.grades.scores.1e0",
  "$data.none.x",
  "$data.grades.scores.0.toFixed",
  "$context.teacherId.length",
  "$data.__proto__",
  "$data.constructor.name",
  "$data.grades.__proto__.polluted",
  "$data.grades.toString",
  "$data..grades",
  "$data.grades.",
])("[F110] %s leads nowhere and is null", (text) => {
  expect(resolveReferences(text, roots)).toBeNull();
});

test.each(["$other.x", "plain", "$data", "$compute", "a $data.grades", "${data.grades}", "$DATA.grades", ""])(
  "%j is no reference and stays a text",
  (text) => {
    expect(resolveReferences(text, roots)).toBe(text);
    expect(parseReference(text)).toBeNull();
  },
);

test("a prototype that arrived as JSON is not read either", () => {
  const data = JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}') as unknown;
  expect(resolveReferences(["$data.__proto__.x", "$data.constructor"], { ...roots, data })).toEqual([null, null]);
});

test("[F110] references are resolved however deep they stand, and nothing else is touched", () => {
  const args = { a: ["$compute.stats.mean", { b: "$data.grades.scores.0" }], c: 1, d: null, e: "text" };
  expect(resolveReferences(args, roots)).toEqual({ a: [74.2, { b: 58 }], c: 1, d: null, e: "text" });
});

test("references are found with their places, and within words", () => {
  expect(findReferences({ a: ["$data.x.y"] }, "args")).toEqual([
    { reference: { root: "data", path: ["x", "y"] }, place: "args.a.0" },
  ]);
  expect(findInlineReferences("Compare $compute.a.mean with {{$compute.b}}, $compute.b. End")).toEqual([
    { root: "compute", path: ["a", "mean"] },
    { root: "compute", path: ["b"] },
  ]);
});
