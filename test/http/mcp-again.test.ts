// A call of MCP that comes again under its key.

import { describe, expect, test } from "vitest";
import { ask, call, newConversation, settled } from "./support.ts";

type Result = { readonly isError?: boolean; readonly structuredContent?: { readonly thread_id: string } };

async function tool(name: string, given: object, key?: string): Promise<Result> {
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

  test.each([
    ["", "empty"],
    ["x".repeat(129), "too long"],
  ])("that is none (%#) is refused, not left out", async (key) => {
    const before = await ask("GET", "/api/v1/conversations?limit=100");
    expect((await tool("ask", { message: "hello" }, key)).isError).toBe(true);
    expect(await ask("GET", "/api/v1/conversations?limit=100")).toEqual(before);
  });
});
