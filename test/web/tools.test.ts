import { describe, expect, test } from "vitest";
import { listParameters, listReturnFields, formatSchemaType } from "../../src/web/features/tools/parameter-table.tsx";

describe("tool parameters", () => {
  test("are listed with type and description, including nested properties", () => {
    const rows = listParameters({
      type: "object",
      required: ["points", "unit"],
      properties: {
        points: {
          type: "array",
          items: { type: "object", required: ["x"], properties: { x: { type: "number", description: "Metres" } } },
        },
        unit: { enum: ["m", "km"], default: "m" },
        range: { type: "object", properties: { from: { type: ["integer", "null"], minimum: 1, maximum: 9 } } },
      },
    });
    expect(rows).toEqual([
      { name: "points", type: "object[]", isRequired: true, description: "" },
      { name: "points[].x", type: "number", isRequired: true, description: "Metres" },
      { name: "unit", type: '"m" | "km"', isRequired: false, description: "", defaultValue: '"m"' },
      { name: "range", type: "object", isRequired: false, description: "" },
      { name: "range.from", type: "integer | null", isRequired: false, description: "≥ 1 · ≤ 9" },
    ]);
  });

  test("are empty for a tool without parameters or an invalid schema", () => {
    expect(listParameters({})).toEqual([]);
    expect(listParameters({ properties: null, required: "x" })).toEqual([]);
    expect(listParameters({ properties: { a: 3 } })).toEqual([
      { name: "a", type: "any", isRequired: false, description: "" },
    ]);
  });

  test("are limited for a recursive schema", () => {
    const loop: Record<string, unknown> = { type: "array" };
    loop["items"] = loop;
    loop["properties"] = { again: loop };
    expect(formatSchemaType(loop)).toMatch(/^…(\[\])+$/);
    expect(listParameters(loop).length).toBeLessThan(200);
  });
});

test("return fields are one row for a value or one row per property of an object", () => {
  expect(listReturnFields({ type: "number", description: "The product" })).toEqual([
    { name: "", type: "number", isRequired: false, description: "The product" },
  ]);
  expect(
    listReturnFields({ type: "object", properties: { days: { type: "integer" } } }).map(({ name }) => name),
  ).toEqual(["days"]);
  expect(listReturnFields({})).toEqual([]);
});

test.each([
  [{ type: "string" }, "string"],
  [{ type: "array", items: { type: "string" } }, "string[]"],
  [{ type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } }, "(string | number)[]"],
  [{ const: 3 }, "3"],
  [{}, "any"],
])("the type of %j is %s", (schema, type) => {
  expect(formatSchemaType(schema)).toBe(type);
});
