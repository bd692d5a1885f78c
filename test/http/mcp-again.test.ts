// A call of MCP that comes again under its key.

import { describe, expect, test, vi } from "vitest";
import { ask, call, newConversation, settled, talk } from "./support.ts";

type Result = {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: { readonly thread_id: string };
};

async function tool(name: string, given: object, key?: unknown): Promise<Result> {
  const _meta = key === undefined ? {} : { _meta: { "orrery/idempotency-key": key } };
  const params = { name, arguments: given, ..._meta };
  const response = await call("POST", "/mcp", { body: { jsonrpc: "2.0", id: 1, method: "tools/call", params } });
  return ((await response.json()) as { result: Result }).result;
}

describe("[T2] the same key", () => {
  test.each([
    ["ask", { message: "hello" }],
    ["run_agent", { agent: "assistant", message: "what is 12 * 34?" }],
  ])("is the same thread of %s, also at once; another key, or none, is another", async (name, given) => {
    const key = crypto.randomUUID();
    const [first, second] = await Promise.all([tool(name, given, key), tool(name, given, key)]);
    const third = await tool(name, given, key);
    expect(first.structuredContent).toBeDefined();
    expect([second.structuredContent, third.structuredContent]).toEqual([
      first.structuredContent,
      first.structuredContent,
    ]);
    for (const other of [await tool(name, given, `${key}-2`), await tool(name, given)]) {
      expect(other.structuredContent?.thread_id).not.toBe(first.structuredContent?.thread_id);
    }
  });

  test("is the same message of a conversation, which has it once", async () => {
    const { conversation_id } = await newConversation();
    const given = { message: "hello", conversation_id };
    const [first, second] = [await tool("ask", given, "k1"), await tool("ask", given, "k1")];
    expect(second).toEqual(first);
    const events = await settled(conversation_id);
    expect(events.filter(({ event }) => event === "thread_started")).toHaveLength(1);
  });

  test("runs a schedule once", async () => {
    const every = "Every 5 minutes tell me what 6 * 7 is. Yes, confirmed.";
    const { conversation_id } = await talk(every, {}, { timezone: "UTC" });
    const { tasks } = await ask<{ tasks: { task_id: string }[] }>(
      "GET",
      `/api/v1/conversations/${conversation_id}/tasks`,
    );
    const given = { action: "run", id: tasks[0]?.task_id };
    const first = await vi.waitFor(async () => {
      const result = await tool("schedules", given, "run-1");
      expect(result.isError).toBeUndefined();
      return result;
    });
    expect(await tool("schedules", given, "run-1")).toEqual(first);
    await settled(conversation_id, 2);
    expect((await tool("schedules", given, "run-2")).structuredContent).not.toEqual(first.structuredContent);
    await settled(conversation_id, 3);
  });

  test.each<[unknown, string]>([
    ["", "empty"],
    ["x".repeat(129), "too long"],
    ["\ud800", "no text"],
    [7, "no text either"],
  ])("that is none (%#) is refused, not left out, and named", async (key) => {
    const before = await ask("GET", "/api/v1/conversations?limit=100");
    for (const [name, given] of [
      ["ask", { message: "hello" }],
      ["schedules", { action: "run", id: "task-0" }],
    ] as const) {
      const { isError, content } = await tool(name, given, key);
      expect(isError).toBe(true);
      expect(content[0]?.text).toContain("orrery/idempotency-key");
    }
    expect(await ask("GET", "/api/v1/conversations?limit=100")).toEqual(before);
  });
});
