import { describe, expect, test } from "vitest";
import { findSchemaViolation, type JsonObject } from "../../src/agents/kit/tools/json-schema.ts";
import { parseParameters, parseSchema } from "../../src/agents/toolsmith/tool-schema.ts";
import type { SandboxValue } from "../../src/sandbox/sandbox.ts";
import { getCpuMs } from "../support/cpu-time.ts";

describe("a schema that cannot validate values is rejected", () => {
  test.each(["__proto__", "constructor", "toString"])("with a property called %s", (name) => {
    const properties = JSON.parse(`{"${name}":{"type":"number"}}`) as Record<string, unknown>;
    expect(parseParameters({ properties })).toMatchObject({
      ok: false,
      problem: expect.stringContaining(name) as string,
    });
    expect(parseSchema({ type: "array", items: { properties } }, "returns").ok).toBe(false);
  });

  test.each<[string, JsonObject]>([
    ["with objects in an enum", { enum: [{ a: 1 }] }],
    ["with an object as a constant", { const: { a: 1 } }],
    ["with a required member that has no name", { type: "object", required: [1] }],
  ])("%s", (_, schema) => {
    expect(parseSchema(schema, "returns").ok).toBe(false);
  });
});

describe("a value", () => {
  test.each<[JsonObject, SandboxValue, RegExp]>([
    [{ properties: { a: { type: "number" } }, required: ["a"] }, "x", /expected object/],
    [{ items: { type: "number" } }, ["x"], /expected number/],
    [{ minimum: 5 }, 4, /Too small/],
    [{ maxLength: 1 }, "ab", /Too big/],
  ])("is validated against %j although it names no type", (schema, value, problem) => {
    expect(findSchemaViolation(schema, value)).toMatch(problem);
  });

  test("with thousands of problems is reported in a few lines", () => {
    const problem =
      findSchemaViolation({ type: "array", items: { type: "number" } }, Array<SandboxValue>(15_000).fill("a")) ?? "";
    expect(problem.split("✖")).toHaveLength(6);
    expect(problem).toContain("… 14995 more");
  });

  test("is rejected early when it needs too many checks of alternatives", () => {
    const items = { anyOf: Array<SandboxValue>(400).fill({ type: "string" }) };
    const started = getCpuMs();
    expect(findSchemaViolation({ type: "array", items }, Array<SandboxValue>(30_000).fill(5))).toContain(
      "too much of it",
    );
    expect(getCpuMs() - started).toBeLessThan(500);
    expect(
      findSchemaViolation({ type: "array", items: { anyOf: [{ type: "number" }, { type: "null" }] } }, [1, null]),
    ).toBe(null);
  });
});
