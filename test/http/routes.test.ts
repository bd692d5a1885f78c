// Each route in its normal use, and common properties of all responses.

import { exports } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { routeDescriptions, routes } from "../../src/http/http-app.ts";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import type { Plan, Task } from "../../src/protocol/plans/task-plan.ts";
import {
  callRoute,
  call,
  expectSecurityHeaders,
  assertPresent,
  ORIGIN,
  callForProblem,
  waitForThreads,
  sendAndWait,
  type ApiRequest,
} from "./support.ts";

const CHAIN = "首先查询现在时间然后计算678乘以8776的结果";

describe("a conversation over HTTP", () => {
  test("[F76] can be created, read, renamed, deactivated, listed and deleted", async () => {
    const created = await callRoute<ConversationInfo>("POST", "/api/v1/conversations", { body: { title: "Stars" } });
    expect(created).toMatchObject({ title: "Stars", user_id: "local", status: "active" });
    const path = `/api/v1/conversations/${created.conversation_id}`;
    expect(await callRoute("GET", path)).toEqual(created);
    expect(await callRoute("PATCH", path, { body: { title: "Planets" } })).toMatchObject({ title: "Planets" });
    expect(await callRoute("PATCH", path, { body: { status: "inactive" } })).toMatchObject({ status: "inactive" });
    expect(await callRoute("DELETE", path)).toEqual({ conversation_id: created.conversation_id, deleted: true });
    expect(await callForProblem("GET", path)).toMatchObject({ code: "not_found" });
    const { conversations } = await callRoute<{ conversations: ConversationInfo[] }>("GET", "/api/v1/conversations");
    expect(conversations.map((listed) => listed.conversation_id)).not.toContain(created.conversation_id);
  });
});

describe("a thread over HTTP", () => {
  test("[F01] [F02] is created together with its conversation by a message", async () => {
    const accepted = await sendAndWait("hello");
    expect(accepted.seq).toBe(2);
    const again = await callRoute("POST", `/api/v1/conversations/${accepted.conversation_id}/messages`, {
      body: { message: "thanks" },
    });
    expect(again).toMatchObject({ conversation_id: accepted.conversation_id });
    const events = await waitForThreads(accepted.conversation_id, 2);
    expect(events.filter((frame) => frame.event === "conversation_started")).toHaveLength(1);
  });

  test("[F38] [F39] [F77] with two tasks can be read as plans, tasks, items and context", async () => {
    const { conversation_id: id, thread_id: thread } = await sendAndWait(CHAIN);
    const { plans } = await callRoute<{ plans: Plan[] }>("GET", `/api/v1/conversations/${id}/plans`);
    const { tasks } = await callRoute<{ tasks: Task[] }>("GET", `/api/v1/conversations/${id}/tasks`);
    expect(plans).toHaveLength(1);
    expect(plans[0]?.tasks).toEqual(tasks);
    expect(tasks.map(({ status, thread_id }) => [status, thread_id])).toEqual([
      ["completed", thread],
      ["completed", thread],
    ]);
    const query = `/api/v1/conversations/${id}/tasks?status=`;
    expect((await callRoute<{ tasks: Task[] }>("GET", `${query}completed`)).tasks).toEqual(tasks);
    expect((await callRoute<{ tasks: Task[] }>("GET", `${query}failed`)).tasks).toEqual([]);
    const { items } = await callRoute<{ items: unknown[] }>("GET", `/api/v1/conversations/${id}/items`);
    expect(JSON.stringify(items)).toContain("5950128");
    expect(await callRoute("GET", `/api/v1/conversations/${id}/context`)).toEqual({ pending: [] });
  });

  test("[F44] has tasks that can be read by id and not be cancelled after their end", async () => {
    const { conversation_id: id } = await sendAndWait(CHAIN);
    const { tasks } = await callRoute<{ tasks: Task[] }>("GET", `/api/v1/conversations/${id}/tasks`);
    const task = assertPresent(tasks[1]);
    expect(await callRoute("GET", `/api/v1/tasks/${task.task_id}`)).toEqual(task);
    expect(await callForProblem("POST", `/api/v1/tasks/${task.task_id}/cancel`)).toMatchObject({ code: "conflict" });
    expect(await callForProblem("GET", "/api/v1/tasks/task-0")).toMatchObject({ code: "not_found" });
  });
});

describe("the server", () => {
  test("reports its model in /health", async () => {
    expect(await callRoute("GET", "/health")).toMatchObject({
      status: "ok",
      model: { kind: "embedded" },
      auth: "local",
    });
    const env = { OPENAI_API_KEY: "sk-canary", OPENAI_MODEL: "gpt-5-mini" };
    const response = await call("GET", "/health", { env });
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ model: { kind: "openai", name: "gpt-5-mini" } });
    expect(text).not.toContain("sk-canary");
  });

  test("describes each route in /openapi.json", async () => {
    const { paths } = await callRoute<{ paths: Record<string, Record<string, unknown>> }>("GET", "/openapi.json");
    const listed = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(listed.toSorted()).toEqual(routeDescriptions.map(({ method, path }) => `${method} ${path}`).toSorted());
  });

  test("reports an invalid setting as an internal error without details", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const problem = await callForProblem("GET", "/api/v1/agents", { env: { MAX_TASKS: "canary" } });
    expect(log).toHaveBeenCalledWith(
      expect.any(String),
      expect.objectContaining({ message: expect.stringContaining("MAX_TASKS") as string }),
    );
    log.mockRestore();
    expect(problem).toMatchObject({ status: 500, code: "internal" });
    expect(JSON.stringify(problem)).not.toMatch(/MAX_TASKS|canary/);
  });
});

describe("an unknown query parameter", () => {
  const ownRoutes = routes.filter(({ path }) => path.startsWith("/api/v1/") && !path.endsWith("/ws"));

  test.each(ownRoutes)("is rejected by $method $path", async ({ method, path }) => {
    const address = `${path.replaceAll(/\{\w+\}/g, "x")}?surprise=1`;
    const response = await call(method.toUpperCase(), address, method === "get" ? {} : { body: {} });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "invalid_request", field: "surprise" });
  });

  test.each(["/health", "/openapi.json"])("is ignored by %s", async (path) => {
    expect((await call("GET", `${path}?surprise=1`)).status).toBe(200);
  });
});

describe("an unknown route", () => {
  const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

  test.each([...Map.groupBy(routeDescriptions, ({ path }) => path)])(
    "%s returns 405 with its methods to all others",
    async (path, described) => {
      const known = described.map(({ method }) => method.toUpperCase()).toSorted();
      for (const method of METHODS.filter((other) => !known.includes(other))) {
        const response = await call(method, path.replaceAll(/\{\w+\}/g, "x"));
        expect([response.status, response.headers.get("allow")?.split(", ").toSorted()]).toEqual([405, known]);
      }
    },
  );

  test.each(["/nothing", "/api/v1/nothing", "/api/v1/conversations/x/nothing", "/api/v1/conversations/", "/api/v2"])(
    "%s returns 404",
    async (path) => {
      for (const method of METHODS) expect(await callForProblem(method, path)).toMatchObject({ code: "not_found" });
    },
  );
});

test("the fetch handler of the Worker adds the security headers", async () => {
  const worker = (exports as unknown as { default: Fetcher }).default;
  const response = await worker.fetch(`${ORIGIN}/api/v1/agents`);
  expect(response.status).toBe(200);
  expectSecurityHeaders(response);
});

describe("CORS", () => {
  const env = { ALLOWED_ORIGINS: "https://chat.example, https://other.example" };

  test("allows a configured origin to send requests and to read errors", async () => {
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

  test.each<[string, Pick<ApiRequest, "body" | "headers">]>([
    ["/api/v1/datasets/sample", {}],
    ["/api/v1/tasks/none/cancel", {}],
    ["/api/v1/datasets", { body: "--x\r\n\r\n--x--", headers: { "content-type": "multipart/form-data; boundary=x" } }],
  ])("[U1] prevents another origin from sending simple requests to POST %s", async (path, sent) => {
    const getStatus = async (origin: string) =>
      (await call("POST", path, { ...sent, env, headers: { ...sent.headers, origin } })).status;
    expect(await getStatus("https://evil.example")).toBe(403);
    expect(await getStatus("null")).toBe(403);
    for (const origin of [ORIGIN, "https://chat.example"]) expect(await getStatus(origin)).not.toBe(403);
  });

  test.each(["/api/v1/agents", "/v1/models", "/a2a", "/agui", "/mcp", "/health"])(
    "exposes the relevant headers at %s",
    async (path) => {
      const { headers } = await call("GET", path, { env, headers: { origin: "https://chat.example" } });
      expect(headers.get("access-control-allow-origin")).toBe("https://chat.example");
      expect(headers.get("vary")?.split(", ")).toContain("Origin");
      const exposed = "x-orrery-conversation,x-should-retry,retry-after,www-authenticate,A2A-Extensions,etag";
      expect(headers.get("access-control-expose-headers")).toBe(exposed);
    },
  );

  test.each([undefined, env])("denies any other origin", async (changes) => {
    for (const origin of ["https://evil.example", "null", "https://chat.example.evil.example"]) {
      const options = { headers: { origin }, ...(changes === undefined ? {} : { env: changes }) };
      const response = await call("GET", "/api/v1/agents", options);
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
      expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    }
  });
});
