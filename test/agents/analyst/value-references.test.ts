import { expect, test } from "vitest";
import {
  parseReference,
  findReferences,
  findInlineReferences,
  resolveReferences,
} from "../../../src/agents/analyst/blueprint/value-references.ts";

const ROOTS = {
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
])("[F110] %s resolves to its value", (text, value) => {
  expect(resolveReferences(text, ROOTS)).toEqual(value);
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
])("[F110] %s resolves to null", (text) => {
  expect(resolveReferences(text, ROOTS)).toBeNull();
});

test.each(["$other.x", "plain", "$data", "$compute", "a $data.grades", "${data.grades}", "$DATA.grades", ""])(
  "%j is not a reference and stays unchanged",
  (text) => {
    expect(resolveReferences(text, ROOTS)).toBe(text);
    expect(parseReference(text)).toBeNull();
  },
);

test("resolveReferences does not read prototype keys of parsed JSON", () => {
  const data = JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}') as unknown;
  expect(resolveReferences(["$data.__proto__.x", "$data.constructor"], { ...ROOTS, data })).toEqual([null, null]);
});

test("[F110] resolveReferences resolves nested references and leaves everything else unchanged", () => {
  const args = { a: ["$compute.stats.mean", { b: "$data.grades.scores.0" }], c: 1, d: null, e: "text" };
  expect(resolveReferences(args, ROOTS)).toEqual({ a: [74.2, { b: 58 }], c: 1, d: null, e: "text" });
});

test("references are found with their places, also inside text", () => {
  expect(findReferences({ a: ["$data.x.y"] }, "args")).toEqual([
    { reference: { root: "data", path: ["x", "y"] }, place: "args.a.0" },
  ]);
  expect(findInlineReferences("Compare $compute.a.mean with {{$compute.b}}, $compute.b. End")).toEqual([
    { root: "compute", path: ["a", "mean"] },
    { root: "compute", path: ["b"] },
  ]);
});
