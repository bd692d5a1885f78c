// Cancellation of MCP calls, with the official client of the versions with a handshake, which cancels by a notification.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Frame } from "../../../src/protocol/wire/events.ts";
import { signToken } from "../../http/tokens.ts";
import { startOpenAISetup, type OpenAISetup } from "./openai-setup.ts";

let setup: OpenAISetup;
const open: Client[] = [];

beforeAll(async () => {
  setup = await startOpenAISetup();
});
afterAll(async () => {
  for (const client of open) await client.close();
});

const url = () => new URL(`${setup.runtime.url}/mcp`);

describe("[T5] notifications/cancelled", () => {
  /** Sends a message that the model answers slowly, and cancels it with `cancel` once the model was called. */
  async function cancelRunningCall(cancel: (leave: AbortController, session: string) => Promise<void>) {
    const client = new Client({ name: "test", version: "1.0.0" });
    const requestInit = { headers: { authorization: `Bearer ${setup.token}` } };
    const transport = new StreamableHTTPClientTransport(url(), { requestInit });
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    open.push(client);
    const { conversationId } = await setup.ada.sendAndWait(`Hello ${setup.scriptAnswer("Hello.")}`);
    const mark = setup.model.addScript({ triage: { text: "one two three four five six seven eight", paceMs: 250 } });
    const leave = new AbortController();
    const called = client.callTool(
      { name: "ask", arguments: { message: `Count ${mark}`, conversation_id: conversationId } },
      CallToolResultSchema,
      { signal: leave.signal },
    );
    const ended = called.then(
      ({ structuredContent }) => String((structuredContent as { status: string }).status),
      () => "left",
    );
    await expect.poll(() => setup.model.getCalls(mark).length).toBe(1);
    await cancel(leave, transport.sessionId ?? "");
    const end = await ended;
    const path = `/api/v1/conversations/${conversationId}`;
    const readEnds = async () =>
      (await setup.ada.get<{ events: Frame[] }>(`${path}/events`)).events.filter(({ event }) => event === "done");
    await expect.poll(async () => (await readEnds()).length, { timeout: 10_000 }).toBe(2);
    return { end, isCancelled: (await readEnds())[1]?.data.metadata?.["cancelled"] === true };
  }

  const postCancellation = async (token: string, session: string, requestId: unknown) => {
    const body = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } };
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", "mcp-session-id": session };
    const response = await fetch(url(), { method: "POST", headers, body: JSON.stringify(body) });
    expect([response.status, await response.text()]).toEqual([202, ""]);
  };

  test("cancels the thread of a call that its client has aborted", async () => {
    const result = await cancelRunningCall(async (leave) => {
      leave.abort();
      return Promise.resolve();
    });
    expect(result).toEqual({ end: "left", isCancelled: true });
  });

  test("[U1] cancels nothing of another user, session or request", async () => {
    const stranger = await signToken({ sub: `bob-${crypto.randomUUID()}` });
    const result = await cancelRunningCall(async (_leave, session) => {
      expect(session).not.toBe("");
      await Promise.all([
        postCancellation(stranger, session, 1),
        postCancellation(setup.token, "another", 1),
        postCancellation(setup.token, session, "1"),
        postCancellation(setup.token, session, 9),
        postCancellation(setup.token, session, {}),
      ]);
    });
    expect(result).toEqual({ end: "completed", isCancelled: false });
  });

  test("cancels the call with this id, which returns what was answered so far", async () => {
    const result = await cancelRunningCall((_leave, session) => postCancellation(setup.token, session, 1));
    expect(result).toEqual({ end: "cancelled", isCancelled: true });
  });
});
