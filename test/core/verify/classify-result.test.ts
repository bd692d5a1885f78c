import { describe, expect, test } from "vitest";
import { classifyToolResult } from "../../../src/core/verify/classify-result.ts";

const json = (value: unknown): string => JSON.stringify(value);

describe("negative tool result", () => {
  test.each([
    [{ isError: true, content: [{ type: "text", text: "fine" }] }],
    [{ success: false }],
    [{ ok: false, employee: "WZ001" }],
    [{ found: false }],
    [{ exists: false, id: 1 }],
    [{ verified: false }],
    [{ success: true, found: false }],
    [{ success: "false" }],
    [{ error: "no connection" }],
    [{ error: { code: 5 } }],
    [{ success: true, error: "but not quite" }],
    [{ status: "not_found" }],
    [{ status: "NotFound", id: 7 }],
    [{ status: "Error" }],
    [{ status: 404 }],
    [{ message: "Profile not found" }],
    [[]],
    [{}],
    [null],
    [false],
    [""],
    ["not_found"],
    [{ result: { success: false } }],
    [{ result: null }],
    [{ success: true, data: [] }],
    [{ success: true, result: { data: { items: [] } } }],
    [{ count: 0, items: [] }],
    [{ total: 0, records: [] }],
    [{ results: [{ found: false }, { found: false }] }],
    [{ content: [{ type: "text", text: '{"found":false}' }] }],
    [{ content: [{ type: "text", text: "Error: no such employee" }] }],
    [[{ content: "未找到该员工" }]],
    [JSON.stringify({ success: false })],
  ])("is recognized in JSON value %#", (value) => expect(classifyToolResult(json(value))).toBe("no"));

  test.each([
    [""],
    ["   \n"],
    ["null"],
    ["Error: there is nobody of that name."],
    ["Error: the tool failed."],
    ["ERROR 500"],
    ["Failed to look it up"],
    ["No such employee."],
    ["No records"],
    ["No profile for WZ001 was found."],
    ["Employee WZ001 does not exist"],
    ["The user was not found."],
    ["错误：没有权限"],
    ["未找到员工 WZ001"],
    ["员工 WZ001 不存在"],
    ["没有记录"],
    ["No errors, but the profile was not found."],
    ["The guestbook is empty."],
    ["留言簿为空。"],
    ['{"success": false, "reason": "' + "x".repeat(5_000)],
    ['{"isError":true,"content":[{"text":"' + "x".repeat(5_000)],
  ])("is recognized in text %#", (text) => expect(classifyToolResult(text)).toBe("no"));
});

describe("positive tool result", () => {
  test.each([
    [{ success: true }],
    [{ success: true, data: { id: "WZ001" } }],
    [{ id: "WZ001", name: "张威", department: "工程部" }],
    [{ found: true, records: [] }],
    [{ exists: true, data: null }],
    [{ id: "WZ001", records: [] }],
    [{ id: "WZ001", data: null, items: [] }],
    [{ error: null, id: 1 }],
    [{ error: "", id: 1 }],
    [{ error: {}, id: 1 }],
    [{ isError: false, content: [{ type: "text", text: "WZ001" }] }],
    [{ status: "active" }],
    [{ status: 200, data: { id: 1 } }],
    [{ success: true, message: "No errors found" }],
    [{ result: { found: true } }],
    [{ results: [{ found: false }, { found: true }] }],
    [[{ id: 1 }]],
    [[{ success: true }, { success: false }]],
    [0],
    [42],
    [true],
    ["sent"],
    [{ email_verified: false, id: 1 }],
  ])("is recognized in JSON value %#", (value) => expect(classifyToolResult(json(value))).toBe("yes"));

  test.each([
    ["The guestbook says: Greetings from Oslo"],
    ["391"],
    ["张威 已入职"],
    ["WZ001 is there. No problems found."],
    ["No sync errors were found."],
    ['{"status":"ok","message":"no discrepancies found"}'],
    ["已核对，没有找到任何问题"],
    ["Northern records: 4"],
    ["[x] done"],
    [`${"All is well. ".repeat(40)} One page was not found.`],
    ['{"success": true, "rows": ["' + "x".repeat(5_000)],
    ['{"error":"","rows":["' + "x".repeat(5_000)],
  ])("is recognized in text %#", (text) => expect(classifyToolResult(text)).toBe("yes"));
});

test("classifyToolResult() handles deep nesting", () => {
  const deep = "[".repeat(3_000) + "]".repeat(3_000);
  expect(["yes", "no"]).toContain(classifyToolResult(deep));
  let quoted = "x";
  for (let i = 0; i < 10; i += 1) quoted = json(quoted);
  expect(classifyToolResult(quoted)).toBe("yes");
});
