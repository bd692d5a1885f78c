// MCP calls that are repeated under their key.

import { describe, expect, test, vi } from "vitest";
import { callRoute, call, waitForThreads, sendAndWait } from "../support.ts";

type ToolResult = {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: { readonly thread_id: string };
};

async function callTool(name: string, args: object, key?: unknown): Promise<ToolResult> {
  const _meta = key === undefined ? {} : { _meta: { "orrery/idempotency-key": key } };
  const params = { name, arguments: args, ..._meta };
  const response = await call("POST", "/mcp", { body: { jsonrpc: "2.0", id: 1, method: "tools/call", params } });
  return ((await response.json()) as { result: ToolResult }).result;
}

describe("[T2] the same idempotency key", () => {
  test("runs a schedule once", async () => {
    const message = "Every 5 minutes tell me what 6 * 7 is. Yes, confirmed.";
    const { conversation_id } = await sendAndWait(message, {}, { timezone: "UTC" });
    const { tasks } = await callRoute<{ tasks: { task_id: string }[] }>(
      "GET",
      `/api/v1/conversations/${conversation_id}/tasks`,
    );
    const args = { action: "run", id: tasks[0]?.task_id };
    const first = await vi.waitFor(async () => {
      const result = await callTool("schedules", args, "run-1");
      expect(result.isError).toBeUndefined();
      return result;
    });
    expect(await callTool("schedules", args, "run-1")).toEqual(first);
    await waitForThreads(conversation_id, 2);
    expect((await callTool("schedules", args, "run-2")).structuredContent).not.toEqual(first.structuredContent);
    await waitForThreads(conversation_id, 3);
  });

  test.each<[unknown, string]>([
    ["", "empty"],
    ["x".repeat(129), "too long"],
    ["\ud800", "a lone surrogate"],
    [7, "a number"],
  ])("is rejected by name when it is invalid (%#)", async (key) => {
    const before = await callRoute("GET", "/api/v1/conversations?limit=100");
    for (const [name, args] of [
      ["ask", { message: "hello" }],
      ["schedules", { action: "run", id: "task-0" }],
    ] as const) {
      const { isError, content } = await callTool(name, args, key);
      expect(isError).toBe(true);
      expect(content[0]?.text).toContain("orrery/idempotency-key");
    }
    expect(await callRoute("GET", "/api/v1/conversations?limit=100")).toEqual(before);
  });
});
