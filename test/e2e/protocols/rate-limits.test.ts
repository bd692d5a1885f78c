// The number of messages per user and minute: one exact, persistent count for all interfaces.

import { SignJWT } from "jose";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ensurePresent } from "../../../src/lib/assert.ts";
import type { Schedule } from "../../../src/protocol/schedules/schedule.ts";
import { stringLike } from "../../agents/fixtures/local-agent.ts";
import { createApiUser, type ApiUser } from "../../support/api-user.ts";
import { openTestSocket } from "../../support/test-socket.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";

const SECRET = "a-secret-of-at-least-32-characters!";
const MAX_MESSAGES = 6;
const LIMIT_MESSAGE = /^Too many messages\. Try again in \d+ seconds?\.$/;

let runtime: Runtime;
let userCount = 0;

beforeAll(async () => {
  runtime = await startRuntime({
    vars: { AUTH_SECRET: SECRET, MAX_MESSAGES_PER_MINUTE: String(MAX_MESSAGES) },
    siblings: { caller: { config: "test/e2e/caller/wrangler.toml", entry: "test/e2e/caller/caller.ts" } },
  });
});
afterAll(() => runtime.stop());

type TestUser = { readonly user: string; readonly token: string; readonly apiUser: ApiUser };

/** Creates a user with a fresh limit. */
async function createUser(): Promise<TestUser> {
  const user = `user-${(userCount += 1)}`;
  const signed = new SignJWT({}).setProtectedHeader({ alg: "HS256" }).setSubject(user).setExpirationTime("5m");
  const token = await signed.sign(new TextEncoder().encode(SECRET));
  return { user, token, apiUser: createApiUser(runtime.url, token) };
}

type ParsedResponse = {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: Record<string, unknown>;
};

async function post({ token }: TestUser, path: string, body: object): Promise<ParsedResponse> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const response = await fetch(`${runtime.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const parsed = (await response.json()) as Record<string, unknown>;
  return { status: response.status, retryAfter: response.headers.get("retry-after"), body: parsed };
}

const send = (user: TestUser, more: object = {}) => post(user, "/api/v1/messages", { message: "hello", ...more });

/** Sends messages until `left` messages remain in this minute. */
async function useMessages(user: TestUser, left = 0): Promise<void> {
  for (let i = 0; i < MAX_MESSAGES - left; i += 1) expect((await send(user)).status).toBe(202);
}

function callBinding({ user }: TestUser, method: string, ...args: unknown[]): Promise<Record<string, unknown>> {
  const init = { method: "POST", body: JSON.stringify([user, ...args]) };
  return fetch(`${runtime.getUrl("caller")}/${method}`, init).then((answer) => answer.json()) as never;
}

describe("user at the message limit", () => {
  test("gets 429 with Retry-After over HTTP, and no conversation is created", async () => {
    const user = await createUser();
    await useMessages(user);
    const { status, retryAfter, body } = await send(user, { conversation_id: "conv-new" });
    expect(status).toBe(429);
    expect(Number(retryAfter)).toBeGreaterThan(30);
    expect(Number(retryAfter)).toBeLessThanOrEqual(60);
    expect(body).toMatchObject({ code: "too_many_requests", retry_after: Number(retryAfter) });
    expect(body["detail"]).toMatch(LIMIT_MESSAGE);
    const first = await post(user, "/api/v1/conversations", { message: "hello" });
    expect(first.status).toBe(429);
    const listed = await user.apiUser.get<{ conversations: { conversation_id: string }[] }>(
      "/api/v1/conversations?limit=100",
    );
    expect(listed.conversations.map((one) => one.conversation_id)).not.toContain("conv-new");
  });

  test("gets an error on a socket, which stays open", async () => {
    const user = await createUser();
    await useMessages(user, 1);
    const { conversation_id } = (await post(user, "/api/v1/conversations", {})).body as { conversation_id: string };
    const { ticket } = (await post(user, "/api/v1/tickets", { conversation_id })).body as { ticket: string };
    const socket = await openTestSocket(runtime.url, conversation_id, `0&ticket=${ticket}`);
    for (const id of ["last", "over"]) socket.socket.send(JSON.stringify({ type: "send", id, message: "hello" }));
    expect(await socket.waitFor((frame) => "type" in frame && frame.type === "ack")).toMatchObject({ id: "last" });
    const refusal = await socket.waitFor((frame) => "type" in frame && frame.type === "error");
    expect(refusal).toMatchObject({ id: "over", code: "too_many_requests", message: stringLike(LIMIT_MESSAGE) });
    await socket.waitForPong();
    socket.close();
  });

  test("gets an error value over a service binding", async () => {
    const user = await createUser();
    await useMessages(user, 1);
    expect(await callBinding(user, "send", null, { message: "hello" })).toMatchObject({ ok: true });
    expect(await callBinding(user, "send", null, { message: "hello" })).toMatchObject({
      ok: false,
      failure: { code: "too_many_requests", message: stringLike(LIMIT_MESSAGE) },
    });
  });

  test("does not limit other users", async () => {
    await useMessages(await createUser());
    expect((await send(await createUser())).status).toBe(202);
  });

  test("[T2] can repeat an accepted message any number of times", async () => {
    const user = await createUser();
    const once = { id: "once", conversation_id: "conv-once" };
    const first = await send(user, once);
    for (let i = 0; i < 3; i += 1) expect(await send(user, once)).toEqual(first);
    await useMessages(user, 1);
    expect(await send(user, once)).toEqual(first);
    expect((await send(user)).status).toBe(429);
  });

  test("[T2] can send the last message several times before its acknowledgement", async () => {
    const user = await createUser();
    await useMessages(user, 1);
    const { conversation_id } = (await post(user, "/api/v1/conversations", {})).body as { conversation_id: string };
    const { ticket } = (await post(user, "/api/v1/tickets", { conversation_id })).body as { ticket: string };
    const socket = await openTestSocket(runtime.url, conversation_id, `0&ticket=${ticket}`);
    for (let i = 0; i < 5; i += 1) socket.socket.send(JSON.stringify({ type: "send", id: "once", message: "hello" }));
    const answers = () => socket.frames.filter((frame) => "type" in frame && "id" in frame && frame.id === "once");
    await vi.waitFor(() => expect(answers()).toHaveLength(5), 10_000);
    expect(socket.errors()).toEqual([]);
    expect(new Set(answers().map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect((await send(user)).status).toBe(429);
    socket.close();
  });

  test("is not charged for messages that are rejected for another reason", async () => {
    const user = await createUser();
    for (let i = 0; i < MAX_MESSAGES; i += 1) {
      expect((await post(user, "/api/v1/conversations/none/messages", { message: "hello" })).status).toBe(404);
      expect((await send(user, { message: "x".repeat(70_000) })).status).toBe(413);
    }
    await useMessages(user);
  });
});

/** The same request in each open protocol, and the expected error. */
const PROTOCOLS: Readonly<
  Record<string, { readonly path: string; readonly body: () => object; readonly error: unknown }>
> = {
  A2A: {
    path: "/a2a",
    body: () => ({
      jsonrpc: "2.0",
      id: 1,
      method: "SendMessage",
      params: { message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text: "hello" }] } },
    }),
    error: { jsonrpc: "2.0", id: 1, error: { message: stringLike(LIMIT_MESSAGE) } },
  },
  "A2A over HTTP+JSON": {
    path: "/a2a/message:send",
    body: () => ({ message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text: "hello" }] } }),
    error: { error: { code: 429, status: "RESOURCE_EXHAUSTED", message: stringLike(LIMIT_MESSAGE) } },
  },
  "AG-UI": {
    path: "/agui",
    body: () => ({
      threadId: crypto.randomUUID(),
      runId: crypto.randomUUID(),
      state: {},
      messages: [{ id: "m", role: "user", content: "hello" }],
      tools: [],
      context: [],
      forwardedProps: {},
    }),
    error: { code: "too_many_requests", detail: stringLike(LIMIT_MESSAGE) },
  },
  OpenAI: {
    path: "/v1/chat/completions",
    body: () => ({ model: "orrery", messages: [{ role: "user", content: "hello" }] }),
    error: { error: { code: "rate_limit_exceeded", message: stringLike(LIMIT_MESSAGE) } },
  },
  "OpenAI responses": {
    path: "/v1/responses",
    body: () => ({ model: "orrery", input: "hello" }),
    error: { error: { code: "rate_limit_exceeded", message: stringLike(LIMIT_MESSAGE) } },
  },
  MCP: {
    path: "/mcp",
    body: () => ({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "ask", arguments: { message: "hello" } },
    }),
    error: { result: { isError: true, content: [{ text: stringLike(LIMIT_MESSAGE) }] } },
  },
};

test.each(Object.entries(PROTOCOLS))(
  "%s requests count for the limit and get an error in the format of the protocol",
  async (name, protocol) => {
    const user = await createUser();
    const ask = async () => {
      const headers = { "content-type": "application/json", authorization: `Bearer ${user.token}` };
      return fetch(`${runtime.url}${protocol.path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(protocol.body()),
      });
    };
    await useMessages(user, 1);
    const last = await ask();
    expect(last.status).toBe(200);
    expect(await last.text()).not.toMatch(/Too many/);
    const over = await ask();
    expect(await over.json()).toMatchObject(protocol.error as object);
    // MCP returns tool errors as results.
    if (name === "MCP") return;
    expect(over.status).toBe(429);
    expect(Number(over.headers.get("retry-after"))).toBeGreaterThan(20);
  },
);

test("forty concurrent messages over two interfaces: exactly as many as allowed are accepted", async () => {
  const user = await createUser();
  const answers = await Promise.all(
    Array.from({ length: 40 }, async (_, i) => {
      if (i % 2 === 0) return (await send(user)).status === 202;
      return (await callBinding(user, "send", null, { message: "hello" }))["ok"] === true;
    }),
  );
  expect(answers.filter(Boolean)).toHaveLength(MAX_MESSAGES);
});

test("unused grants of a conversation are reclaimed before a message is rejected", async () => {
  const user = await createUser();
  // The second message of a conversation reserves a grant that it does not use.
  for (let i = 0; i < 2; i += 1) expect((await send(user, { conversation_id: "conv-talks" })).status).toBe(202);
  await useMessages(user, 2);
  expect((await send(user)).status).toBe(429);
  expect((await send(user, { conversation_id: "conv-talks" })).status).toBe(429);
});

test("a restart does not reset the count", async () => {
  const user = await createUser();
  const once = { id: "once", conversation_id: "conv-before" };
  const startedAt = Date.now();
  const first = await send(user, once);
  await useMessages(user, 1);
  await sleep(1_500);
  await runtime.kill();
  await runtime.restart();
  const { status, retryAfter } = await send(user);
  expect(status).toBe(429);
  const left = Math.ceil((startedAt + 60_000 - Date.now()) / 1_000);
  expect(Math.abs(Number(retryAfter) - left)).toBeLessThanOrEqual(2);
  // T2: a message that was accepted before is not counted again.
  expect(await send(user, once)).toEqual(first);
});

test("answers and schedule runs do not count", async () => {
  const user = await createUser();
  const { conversationId } = await user.apiUser.sendAndWait("每天早上9点告诉我现在时间", { timezone: "Asia/Shanghai" });
  await useMessages(user, 1);
  const at = `/api/v1/conversations/${conversationId}`;
  expect((await user.apiUser.request("POST", `${at}/resume`, { message: "确认" })).status).toBe(202);
  // The directory is updated with a delay.
  const id = await vi.waitFor(async () => {
    const { schedules } = await user.apiUser.get<{ schedules: Schedule[] }>("/api/v1/schedules");
    return ensurePresent(schedules[0], "the schedule").schedule_id;
  }, 10_000);
  expect((await post(user, `/api/v1/schedules/${id}/run`, {})).status).toBe(202);
});
