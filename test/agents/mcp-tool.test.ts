// What a server says of its tools, and how much of it is believed.

import { describe, expect, test } from "vitest";
import { makeNamesUnique, createMcpTool, type Listed } from "../../src/agents/kit/mcp-tool.ts";

const never = () => Promise.reject(new Error("never called"));
const listed = (inputSchema: object, more: Partial<Listed> = {}): Listed => ({
  name: "t",
  inputSchema: { type: "object", ...inputSchema },
  ...more,
});

test("a tool that is said to look only and to destroy is not believed: it waits for leave, and never only looks", () => {
  const tool = createMcpTool(listed({}, { annotations: { readOnlyHint: true, destructiveHint: true } }), never);
  expect(tool.read_only).toBe(false);
  expect(tool.check({}).question).not.toBeNull();
});

test.each([
  ["an unknown format", { properties: { at: { type: "string", format: "fortnight" } } }, { at: "x" }],
  ["an unknown keyword", { properties: { at: { type: "string", "x-hint": 1 } } }, { at: "x" }],
  ["a reference", { properties: { at: { $ref: "#/$defs/at" } }, $defs: { at: { type: "number" } } }, { at: "x" }],
  ["alternatives by reference", { oneOf: [{ $ref: "#/a" }, { $ref: "#/b" }] }, { at: "x" }],
  ["names by pattern", { patternProperties: { "^a": {} }, additionalProperties: false }, { at: "x" }],
  ["nonsense", { properties: 5, anyOf: "many", required: { at: true } }, { at: "x" }],
])("arguments are not refused for %s", (_what, schema, args) => {
  expect(createMcpTool(listed(schema), never).check(args).arguments).toEqual(args);
});

test("names are what a model can call, and differ", () => {
  const names = ["a.b", "a/b", "a_b", "名字", `${"x".repeat(70)}1`, `${"x".repeat(70)}2`];
  const tools = makeNamesUnique(names.map((name) => createMcpTool(listed({}, { name }), never)));
  expect(tools.map(({ name }) => name)).toEqual(["a_b", "a_b_2", "a_b_3", "__", "x".repeat(64), `${"x".repeat(60)}_2`]);
});

test("a long description is cut between characters", () => {
  const { description } = createMcpTool(listed({}, { description: `x${"🌍".repeat(5_000)}` }), never);
  expect(description.isWellFormed()).toBe(true);
  expect(description.length).toBeLessThanOrEqual(4_096);
});

describe("what a tool says of its own success", () => {
  const request = { message_id: "m", task_id: "t", conversation_id: "c", query: "", metadata: {} };
  const context = { request, env: {}, signal: AbortSignal.timeout(5_000), call_id: "t/1" };
  const answering = (isLooking: boolean, ...results: object[]) => {
    const keys: string[] = [];
    const tool = createMcpTool(listed({}, { annotations: { readOnlyHint: isLooking } }), ({ key }) => {
      keys.push(key);
      return Promise.resolve({ content: [], structuredContent: { ...results[keys.length - 1] } });
    });
    return { keys, call: () => tool.call({}, context) };
  };

  test("work that its result calls undone is tried again under its key, and fails after three tries", async () => {
    const no = { success: false, error: "out of order" };
    const later = answering(false, no, no, { success: true });
    expect(await later.call()).toBe('{"success":true}');
    expect(later.keys).toEqual(["m/1", "m/1", "m/1"]);
    const never = answering(false, no, no, no);
    await expect(never.call()).rejects.toThrow("out of order");
    expect(never.keys).toHaveLength(3);
  });

  test("of a tool that looks it is an answer, and elsewhere in a result it means something else", async () => {
    const looked = answering(true, { success: false });
    expect(await looked.call()).toBe('{"success":false}');
    const nested = answering(false, { parts: [{ success: false }] });
    expect(await nested.call()).toBe('{"parts":[{"success":false}]}');
  });
});
