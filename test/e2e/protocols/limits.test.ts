// How many messages somebody may begin within a minute: one count behind all doors, exact under fire, and kept.

import { SignJWT } from "jose";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ensurePresent } from "../../../src/protocol/assert.ts";
import type { Schedule } from "../../../src/protocol/schedules/schedule.ts";
import { like } from "../../agents/fixtures/local.ts";
import { personAt, type Person } from "../../support/person.ts";
import { plainSocket } from "../../support/plain-socket.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";

const SECRET = "a-secret-of-at-least-32-characters!";
const MOST = 6;
const WORDS = /^Too many messages in a short time\. Try again in (?:a second|\d+ seconds)\.$/;

let runtime: Runtime;
let people = 0;

beforeAll(async () => {
  runtime = await startRuntime({
    vars: { AUTH_SECRET: SECRET, MAX_MESSAGES_PER_MINUTE: String(MOST) },
    beside: { caller: { config: "test/e2e/caller/wrangler.toml", entry: "test/e2e/caller/caller.ts" } },
  });
});
afterAll(() => runtime.stop());

type Somebody = { readonly user: string; readonly token: string; readonly person: Person };

/** Each has a minute of their own. */
async function somebody(): Promise<Somebody> {
  const user = `user-${(people += 1)}`;
  const signed = new SignJWT({}).setProtectedHeader({ alg: "HS256" }).setSubject(user).setExpirationTime("5m");
  const token = await signed.sign(new TextEncoder().encode(SECRET));
  return { user, token, person: personAt(runtime.url, token) };
}

type Said = { readonly status: number; readonly retryAfter: string | null; readonly body: Record<string, unknown> };

async function post({ token }: Somebody, path: string, body: object): Promise<Said> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const response = await fetch(`${runtime.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const said = (await response.json()) as Record<string, unknown>;
  return { status: response.status, retryAfter: response.headers.get("retry-after"), body: said };
}

const send = (who: Somebody, more: object = {}) => post(who, "/api/v1/messages", { message: "hello", ...more });

/** Uses up the minute, but for `left` messages. */
async function use(who: Somebody, left = 0): Promise<void> {
  for (let i = 0; i < MOST - left; i += 1) expect((await send(who)).status).toBe(202);
}

function overBinding({ user }: Somebody, method: string, ...args: unknown[]): Promise<Record<string, unknown>> {
  const init = { method: "POST", body: JSON.stringify([user, ...args]) };
  return fetch(`${runtime.urlOf("caller")}/${method}`, init).then((answer) => answer.json()) as never;
}

describe("who has begun as many messages as may be", () => {
  test("is told so with Retry-After over HTTP, and that there is no such conversation of theirs", async () => {
    const who = await somebody();
    await use(who);
    const { status, retryAfter, body } = await send(who, { conversation_id: "conv-new" });
    expect(status).toBe(429);
    expect(Number(retryAfter)).toBeGreaterThan(30);
    expect(Number(retryAfter)).toBeLessThanOrEqual(60);
    expect(body).toMatchObject({ code: "too_many_requests", retry_after: Number(retryAfter) });
    expect(body["detail"]).toMatch(WORDS);
    const first = await post(who, "/api/v1/conversations", { message: "hello" });
    expect(first.status).toBe(429);
    const listed = await who.person.get<{ conversations: { conversation_id: string }[] }>(
      "/api/v1/conversations?limit=100",
    );
    expect(listed.conversations.map((one) => one.conversation_id)).not.toContain("conv-new");
  });

  test("is told so on sockets, which stay open", async () => {
    const who = await somebody();
    await use(who, 1);
    const { conversation_id } = (await post(who, "/api/v1/conversations", {})).body as { conversation_id: string };
    const { ticket } = (await post(who, "/api/v1/tickets", { conversation_id })).body as { ticket: string };
    const socket = await plainSocket(runtime.url, conversation_id, `0&ticket=${ticket}`);
    for (const id of ["last", "over"]) socket.socket.send(JSON.stringify({ type: "send", id, message: "hello" }));
    expect(await socket.until((frame) => "type" in frame && frame.type === "ack")).toMatchObject({ id: "last" });
    const refusal = await socket.until((frame) => "type" in frame && frame.type === "error");
    expect(refusal).toMatchObject({ id: "over", code: "too_many_requests", message: like(WORDS) });
    await socket.pong();
    socket.close();
  });

  test("is told so over a service binding", async () => {
    const who = await somebody();
    await use(who, 1);
    expect(await overBinding(who, "send", null, { message: "hello" })).toMatchObject({ ok: true });
    expect(await overBinding(who, "send", null, { message: "hello" })).toMatchObject({
      ok: false,
      failure: { code: "too_many_requests", message: like(WORDS) },
    });
  });

  test("keeps nobody else from talking", async () => {
    await use(await somebody());
    expect((await send(await somebody())).status).toBe(202);
  });

  test("T2: may repeat a message that was accepted, as often as they like", async () => {
    const who = await somebody();
    const once = { id: "once", conversation_id: "conv-once" };
    const first = await send(who, once);
    for (let i = 0; i < 3; i += 1) expect(await send(who, once)).toEqual(first);
    await use(who, 1);
    expect(await send(who, once)).toEqual(first);
    expect((await send(who)).status).toBe(429);
  });

  test("T2: may say the last message several times before the first is acknowledged", async () => {
    const who = await somebody();
    await use(who, 1);
    const { conversation_id } = (await post(who, "/api/v1/conversations", {})).body as { conversation_id: string };
    const { ticket } = (await post(who, "/api/v1/tickets", { conversation_id })).body as { ticket: string };
    const socket = await plainSocket(runtime.url, conversation_id, `0&ticket=${ticket}`);
    for (let i = 0; i < 5; i += 1) socket.socket.send(JSON.stringify({ type: "send", id: "once", message: "hello" }));
    const answers = () => socket.frames.filter((frame) => "type" in frame && "id" in frame && frame.id === "once");
    await vi.waitFor(() => expect(answers()).toHaveLength(5), 10_000);
    expect(socket.errors()).toEqual([]);
    expect(new Set(answers().map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect((await send(who)).status).toBe(429);
    socket.close();
  });

  test("a message that is refused for another reason does not count", async () => {
    const who = await somebody();
    for (let i = 0; i < MOST; i += 1) {
      expect((await post(who, "/api/v1/conversations/none/messages", { message: "hello" })).status).toBe(404);
      expect((await send(who, { message: "x".repeat(70_000) })).status).toBe(413);
    }
    await use(who);
  });
});

/** How each open protocol asks the same, and where it says why not. */
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
    error: { jsonrpc: "2.0", id: 1, error: { message: like(WORDS) } },
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
    error: { code: "too_many_requests", detail: like(WORDS) },
  },
  OpenAI: {
    path: "/v1/chat/completions",
    body: () => ({ model: "orrery", messages: [{ role: "user", content: "hello" }] }),
    error: { error: { code: "rate_limit_exceeded", message: like(WORDS) } },
  },
  MCP: {
    path: "/mcp",
    body: () => ({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "ask", arguments: { message: "hello" } },
    }),
    error: { result: { isError: true, content: [{ text: like(WORDS) }] } },
  },
};

test.each(Object.entries(PROTOCOLS))("%s counts with the others, and says so in its own shape", async (name, door) => {
  const who = await somebody();
  const ask = async () => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${who.token}` };
    return fetch(`${runtime.url}${door.path}`, { method: "POST", headers, body: JSON.stringify(door.body()) });
  };
  await use(who, 1);
  const last = await ask();
  expect(last.status).toBe(200);
  expect(await last.text()).not.toMatch(/Too many/);
  const over = await ask();
  expect(await over.json()).toMatchObject(door.error as object);
  // What goes wrong in a tool of MCP is a result.
  if (name === "MCP") return;
  expect(over.status).toBe(429);
  expect(Number(over.headers.get("retry-after"))).toBeGreaterThan(20);
});

test("forty at once, over all doors: exactly as many begin as may", async () => {
  const who = await somebody();
  const answers = await Promise.all(
    Array.from({ length: 40 }, async (_, i) => {
      if (i % 2 === 0) return (await send(who)).status === 202;
      return (await overBinding(who, "send", null, { message: "hello" }))["ok"] === true;
    }),
  );
  expect(answers.filter(Boolean)).toHaveLength(MOST);
});

test("what a conversation was given ahead is taken back before anybody is refused", async () => {
  const who = await somebody();
  // The second message of a conversation brings one ahead, which it does not use.
  for (let i = 0; i < 2; i += 1) expect((await send(who, { conversation_id: "conv-talks" })).status).toBe(202);
  await use(who, 2);
  expect((await send(who)).status).toBe(429);
  expect((await send(who, { conversation_id: "conv-talks" })).status).toBe(429);
});

test("a restart does not give the minute back", async () => {
  const who = await somebody();
  const once = { id: "once", conversation_id: "conv-before" };
  const began = Date.now();
  const first = await send(who, once);
  await use(who, 1);
  await sleep(1_500);
  await runtime.kill();
  await runtime.restart();
  const { status, retryAfter } = await send(who);
  expect(status).toBe(429);
  const left = Math.ceil((began + 60_000 - Date.now()) / 1_000);
  expect(Math.abs(Number(retryAfter) - left)).toBeLessThanOrEqual(2);
  // T2: what was accepted before is not counted again.
  expect(await send(who, once)).toEqual(first);
});

test("answers and runs of a schedule do not count", async () => {
  const who = await somebody();
  const { conversationId } = await who.person.say("每天早上9点告诉我现在时间", { timezone: "Asia/Shanghai" });
  await use(who, 1);
  const at = `/api/v1/conversations/${conversationId}`;
  expect((await who.person.request("POST", `${at}/resume`, { message: "确认" })).status).toBe(202);
  // The directory hears of it a moment later.
  const id = await vi.waitFor(async () => {
    const { schedules } = await who.person.get<{ schedules: Schedule[] }>("/api/v1/schedules");
    return ensurePresent(schedules[0], "the schedule").schedule_id;
  }, 10_000);
  expect((await post(who, `/api/v1/schedules/${id}/run`, {})).status).toBe(202);
});
