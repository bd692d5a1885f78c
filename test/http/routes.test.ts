// Every route once, as it is meant to be used, and what all answers have in common.

import { exports } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { routeDescriptions, routes } from "../../src/http/http-app.ts";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import type { Plan, Task } from "../../src/protocol/plans/task-plan.ts";
import {
  ask,
  call,
  expectSafe,
  must,
  newConversation,
  ORIGIN,
  readStream,
  refused,
  settled,
  talk,
  type Ask,
} from "./support.ts";

const CHAIN = "首先查询现在时间然后计算678乘以8776的结果";

describe("conversations", () => {
  test("[F76] created, read, renamed, put aside, listed and deleted", async () => {
    const made = await ask<ConversationInfo>("POST", "/api/v1/conversations", { body: { title: "Stars" } });
    expect(made).toMatchObject({ title: "Stars", user_id: "local", status: "active" });
    const path = `/api/v1/conversations/${made.conversation_id}`;
    expect(await ask("GET", path)).toEqual(made);
    expect(await ask("PATCH", path, { body: { title: "Planets" } })).toMatchObject({ title: "Planets" });
    expect(await ask("PATCH", path, { body: { status: "inactive" } })).toMatchObject({ status: "inactive" });
    expect(await ask("DELETE", path)).toEqual({ conversation_id: made.conversation_id, deleted: true });
    expect(await refused("GET", path)).toMatchObject({ code: "not_found" });
    const { conversations } = await ask<{ conversations: ConversationInfo[] }>("GET", "/api/v1/conversations");
    expect(conversations.map((listed) => listed.conversation_id)).not.toContain(made.conversation_id);
  });

  test("[F82] created with a first message", async () => {
    const { conversation_id: id } = await ask<ConversationInfo>("POST", "/api/v1/conversations", {
      body: { message: "hello" },
    });
    expect((await settled(id)).map((frame) => frame.event)).toContain("message_chunk");
  });
});

describe("talking and reading", () => {
  test("[F01] [F02] a message to nobody in particular makes a conversation and one thread", async () => {
    const accepted = await talk("hello");
    expect(accepted.seq).toBe(2);
    const again = await ask("POST", `/api/v1/conversations/${accepted.conversation_id}/messages`, {
      body: { message: "thanks" },
    });
    expect(again).toMatchObject({ conversation_id: accepted.conversation_id });
    const events = await settled(accepted.conversation_id, 2);
    expect(events.filter((frame) => frame.event === "conversation_started")).toHaveLength(1);
  });

  test("[F38] [F39] [F77] a plan of two tasks can be read from all sides", async () => {
    const { conversation_id: id, thread_id: thread } = await talk(CHAIN);
    const { plans } = await ask<{ plans: Plan[] }>("GET", `/api/v1/conversations/${id}/plans`);
    const { tasks } = await ask<{ tasks: Task[] }>("GET", `/api/v1/conversations/${id}/tasks`);
    expect(plans).toHaveLength(1);
    expect(plans[0]?.tasks).toEqual(tasks);
    expect(tasks.map(({ status, thread_id }) => [status, thread_id])).toEqual([
      ["completed", thread],
      ["completed", thread],
    ]);
    const query = `/api/v1/conversations/${id}/tasks?status=`;
    expect((await ask<{ tasks: Task[] }>("GET", `${query}completed`)).tasks).toEqual(tasks);
    expect((await ask<{ tasks: Task[] }>("GET", `${query}failed`)).tasks).toEqual([]);
    const { items } = await ask<{ items: unknown[] }>("GET", `/api/v1/conversations/${id}/items`);
    expect(JSON.stringify(items)).toContain("5950128");
    expect(await ask("GET", `/api/v1/conversations/${id}/context`)).toEqual({ pending: [] });
  });

  test("[F44] one task by its id; a finished one cannot be cancelled", async () => {
    const { conversation_id: id } = await talk(CHAIN);
    const { tasks } = await ask<{ tasks: Task[] }>("GET", `/api/v1/conversations/${id}/tasks`);
    const task = must(tasks[1]);
    expect(await ask("GET", `/api/v1/tasks/${task.task_id}`)).toEqual(task);
    expect(await refused("POST", `/api/v1/tasks/${task.task_id}/cancel`)).toMatchObject({ code: "conflict" });
    expect(await refused("GET", "/api/v1/tasks/task-0")).toMatchObject({ code: "not_found" });
  });

  test("a thread streams with the answer, up to its done", async () => {
    const response = await call("POST", "/api/v1/messages", {
      headers: { accept: "text/event-stream" },
      body: { message: CHAIN },
    });
    const { events, hasEnded } = await readStream(response);
    expect(hasEnded).toBe(true);
    expect(events[0]?.frame.event).toBe("conversation_started");
    expect(events.at(-1)?.frame.event).toBe("done");
    expect(events.map(({ id }) => id)).toEqual(events.map(({ frame }) => frame.seq));
  });

  test("what is not waiting cannot be answered, what is not running not be cancelled", async () => {
    const { conversation_id: id } = await newConversation();
    expect(await refused("POST", `/api/v1/conversations/${id}/resume`, { body: { message: "yes" } })).toMatchObject({
      code: "conflict",
    });
    expect(await refused("POST", `/api/v1/conversations/${id}/cancel`, { body: {} })).toMatchObject({
      code: "not_found",
    });
  });

  test("[T5] a message that still waits is cancelled before it began", async () => {
    const { conversation_id: id } = await newConversation();
    const path = `/api/v1/conversations/${id}/messages`;
    const asked = await Promise.all(
      Array.from({ length: 20 }, () =>
        ask<{ thread_id: string; seq: number }>("POST", path, { body: { message: CHAIN } }),
      ),
    );
    const { thread_id: last } = must(asked.toSorted((a, b) => a.seq - b.seq).at(-1));
    const body = { thread_id: last };
    expect(await ask("POST", `/api/v1/conversations/${id}/cancel`, { body })).toEqual({ cancelled: [last] });
    const { events } = await ask<{ events: Frame[] }>("GET", `/api/v1/conversations/${id}/events`);
    const ofThread = events.filter((frame) => "thread_id" in frame.data && frame.data.thread_id === last);
    expect(ofThread.map((frame) => frame.event)).toEqual(["thread_started", "done"]);
    expect(ofThread[1]?.data.metadata).toMatchObject({ cancelled: true });
  });
});

describe("about the server", () => {
  test("health names the model", async () => {
    expect(await ask("GET", "/health")).toMatchObject({ status: "ok", model: { kind: "embedded" }, auth: "local" });
    const env = { OPENAI_API_KEY: "sk-canary", OPENAI_MODEL: "gpt-5-mini" };
    const response = await call("GET", "/health", { env });
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ model: { kind: "openai", name: "gpt-5-mini" } });
    expect(text).not.toContain("sk-canary");
  });

  test("the description lists every route", async () => {
    const { paths } = await ask<{ paths: Record<string, Record<string, unknown>> }>("GET", "/openapi.json");
    const listed = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(listed.toSorted()).toEqual(routeDescriptions.map(({ method, path }) => `${method} ${path}`).toSorted());
  });

  test("a wrong setting is our trouble, and is not told outside", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const problem = await refused("GET", "/api/v1/agents", { env: { MAX_TASKS: "canary" } });
    expect(log).toHaveBeenCalledWith(
      expect.any(String),
      expect.objectContaining({ message: expect.stringContaining("MAX_TASKS") as string }),
    );
    log.mockRestore();
    expect(problem).toMatchObject({ status: 500, code: "internal" });
    expect(JSON.stringify(problem)).not.toMatch(/MAX_TASKS|canary/);
  });
});

describe("a parameter that is not there", () => {
  const own = routes.filter(({ path }) => path.startsWith("/api/v1/") && !path.endsWith("/ws"));

  test.each(own)("is refused by $method $path", async ({ method, path }) => {
    const address = `${path.replaceAll(/\{\w+\}/g, "x")}?surprise=1`;
    const response = await call(method.toUpperCase(), address, method === "get" ? {} : { body: {} });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "invalid_request", field: "surprise" });
  });

  test.each(["/health", "/openapi.json"])("does no harm at %s", async (path) => {
    expect((await call("GET", `${path}?surprise=1`)).status).toBe(200);
  });
});

describe("what is not there", () => {
  const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
  const cases = [...new Set(routeDescriptions.map(({ path }) => path))].flatMap((path) =>
    METHODS.filter(
      (method) => !routeDescriptions.some((known) => known.path === path && known.method.toUpperCase() === method),
    ).map((method) => ({ method, path })),
  );

  test.each(cases)("$method $path is 405 and says what is allowed", async ({ method, path }) => {
    const response = await call(method, path.replaceAll(/\{\w+\}/g, "x"));
    expect(response.status).toBe(405);
    const allowed = must(response.headers.get("allow")).split(", ");
    const known = routeDescriptions.filter((route) => route.path === path).map((route) => route.method.toUpperCase());
    expect(allowed.toSorted()).toEqual(known.toSorted());
  });

  test.each(["/nothing", "/api/v1/nothing", "/api/v1/conversations/x/nothing", "/api/v1/conversations/", "/api/v2"])(
    "%s is 404",
    async (path) => {
      for (const method of METHODS) expect(await refused(method, path)).toMatchObject({ code: "not_found" });
    },
  );
});

test("through the Worker's own door, with its headers", async () => {
  const worker = (exports as unknown as { default: Fetcher }).default;
  const response = await worker.fetch(`${ORIGIN}/api/v1/agents`);
  expect(response.status).toBe(200);
  expectSafe(response);
});

describe("pages of other origins", () => {
  const env = { ALLOWED_ORIGINS: "https://chat.example, https://other.example" };

  test("an allowed one may ask, send and see refusals", async () => {
    const origin = "https://chat.example";
    const preflight = await call("OPTIONS", "/api/v1/messages", {
      env,
      headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "authorization" },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe(origin);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("authorization");
    for (const path of ["/api/v1/agents", "/api/v1/conversations/none", "/api/v1/nothing"]) {
      const response = await call("GET", path, { env, headers: { origin } });
      expect(response.headers.get("access-control-allow-origin"), path).toBe(origin);
      expect(response.headers.get("vary"), path).toContain("Origin");
    }
  });

  test.each<[string, Pick<Ask, "body" | "headers">]>([
    ["/api/v1/datasets/sample", {}],
    ["/api/v1/tasks/none/cancel", {}],
    ["/api/v1/datasets", { body: "--x\r\n\r\n--x--", headers: { "content-type": "multipart/form-data; boundary=x" } }],
  ])("[U1] another does nothing by what browsers send without asking: POST %s", async (path, sent) => {
    const statusFor = async (origin: string) =>
      (await call("POST", path, { ...sent, env, headers: { ...sent.headers, origin } })).status;
    expect(await statusFor("https://evil.example")).toBe(403);
    expect(await statusFor("null")).toBe(403);
    for (const origin of [ORIGIN, "https://chat.example"]) expect(await statusFor(origin)).not.toBe(403);
  });

  test.each(["/api/v1/agents", "/v1/models", "/a2a", "/agui", "/mcp", "/health"])(
    "at %s it reads what clients heed of an answer",
    async (path) => {
      const { headers } = await call("GET", path, { env, headers: { origin: "https://chat.example" } });
      expect(headers.get("access-control-allow-origin")).toBe("https://chat.example");
      expect(headers.get("vary")).toBe("Origin");
      const exposed = ["x-orrery-conversation", "x-should-retry", "retry-after", "A2A-Extensions", "etag"];
      expect(headers.get("access-control-expose-headers")?.split(",")).toEqual(exposed);
    },
  );

  test.each([undefined, env])("another one may not", async (changes) => {
    for (const origin of ["https://evil.example", "null", "https://chat.example.evil.example"]) {
      const options = { headers: { origin }, ...(changes === undefined ? {} : { env: changes }) };
      const response = await call("GET", "/api/v1/agents", options);
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
      expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    }
  });
});
