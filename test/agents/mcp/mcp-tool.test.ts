// The descriptions that a server gives of its tools, and how far they are trusted.

import { describe, expect, test } from "vitest";
import { createMcpTool } from "../../../src/agents/kit/mcp/mcp-tool.ts";
import type { ListedMcpTool } from "../../../src/agents/kit/mcp/mcp-tool-list.ts";
import { makeNamesUnique } from "../../../src/agents/kit/tools/toolbox.ts";

const throwUnexpected = () => Promise.reject(new Error("never called"));
const createListedTool = (inputSchema: object, overrides: Partial<ListedMcpTool> = {}): ListedMcpTool => ({
  name: "t",
  inputSchema: { type: "object", ...inputSchema },
  ...overrides,
});

test("a tool that is annotated as both read-only and destructive needs approval and is not read-only", () => {
  const tool = createMcpTool(
    createListedTool({}, { annotations: { readOnlyHint: true, destructiveHint: true } }),
    throwUnexpected,
  );
  expect(tool.read_only).toBe(false);
  expect(tool.check({}).question).not.toBeNull();
});

test.each([
  ["an unknown format", { properties: { at: { type: "string", format: "fortnight" } } }, { at: "x" }],
  ["an unknown keyword", { properties: { at: { type: "string", "x-hint": 1 } } }, { at: "x" }],
  ["a reference", { properties: { at: { $ref: "#/$defs/at" } }, $defs: { at: { type: "number" } } }, { at: "x" }],
  ["alternatives by reference", { oneOf: [{ $ref: "#/a" }, { $ref: "#/b" }] }, { at: "x" }],
  ["names by pattern", { patternProperties: { "^a": {} }, additionalProperties: false }, { at: "x" }],
  ["an invalid schema", { properties: 5, anyOf: "many", required: { at: true } }, { at: "x" }],
])("%s in a schema does not reject arguments", (_what, schema, args) => {
  expect(createMcpTool(createListedTool(schema), throwUnexpected).check(args).arguments).toEqual(args);
});

test("tool names become callable and unique", () => {
  const names = ["a.b", "a/b", "a_b", "名字", `${"x".repeat(70)}1`, `${"x".repeat(70)}2`];
  const tools = makeNamesUnique(names.map((name) => createMcpTool(createListedTool({}, { name }), throwUnexpected)));
  expect(tools.map(({ name }) => name)).toEqual([
    "a_b",
    "a_b_2",
    "a_b_3",
    "tool",
    "x".repeat(64),
    `${"x".repeat(60)}_2`,
  ]);
});

test("a long description is truncated between characters", () => {
  const { description } = createMcpTool(
    createListedTool({}, { description: `x${"🌍".repeat(5_000)}` }),
    throwUnexpected,
  );
  expect(description.isWellFormed()).toBe(true);
  expect(description.length).toBeLessThanOrEqual(2_048);
});

describe("success: false in a tool result", () => {
  const request = { message_id: "m", task_id: "t", conversation_id: "c", query: "", metadata: {} };
  const context = { request, env: {}, signal: AbortSignal.timeout(5_000), call_id: "t/1" };
  const createSuccessTool = (isReadOnly: boolean, ...results: object[]) => {
    const keys: string[] = [];
    const tool = createMcpTool(createListedTool({}, { annotations: { readOnlyHint: isReadOnly } }), ({ key }) => {
      keys.push(key);
      return Promise.resolve({ content: [], structuredContent: { ...results[keys.length - 1] } });
    });
    return { keys, call: () => tool.call({}, context) };
  };

  test("repeats a writing call under its key and fails after three attempts", async () => {
    const no = { success: false, error: "out of order" };
    const recovering = createSuccessTool(false, no, no, { success: true });
    expect(await recovering.call()).toBe('{"success":true}');
    expect(recovering.keys).toEqual(["m/1", "m/1", "m/1"]);
    const failing = createSuccessTool(false, no, no, no);
    await expect(failing.call()).rejects.toThrow("out of order");
    expect(failing.keys).toHaveLength(3);
  });

  test("is an ordinary result of a read-only tool, and also when it is nested", async () => {
    const readOnly = createSuccessTool(true, { success: false });
    expect(await readOnly.call()).toBe('{"success":false}');
    const nested = createSuccessTool(false, { parts: [{ success: false }] });
    expect(await nested.call()).toBe('{"parts":[{"success":false}]}');
  });
});
