// Request limits: the approximate count of the platform, and the exact count of messages.

import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { formatObjectName } from "../../src/durable/conversation-api.ts";
import type { Conversation } from "../../src/durable/conversation/conversation.ts";
import type { RateLimiter } from "../../src/durable/rate-limit/rate-limiter.ts";
import type { Env } from "../../src/env.ts";
import { callRoute, call, callForProblem } from "./support.ts";
import { authenticateAs, WITH_SECRET } from "./tokens.ts";

describe("the request limit of the platform", () => {
  const keys: string[] = [];
  const exhausted = { REQUESTS: { limit: async ({ key }: { key: string }) => ({ success: !keys.push(key) }) } };
  const available = { REQUESTS: { limit: async ({ key }: { key: string }) => ({ success: keys.push(key) > 0 }) } };

  test("returns 429 with Retry-After before any work", async () => {
    const response = await call("POST", "/api/v1/messages", { env: exhausted, body: { message: "hello" } });
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("60");
    expect(await response.json()).toMatchObject({ code: "too_many_requests", status: 429, retry_after: 60 });
    expect(keys.at(-1)).toBe("user:local");
  });

  test.each([
    "/a2a",
    "/a2a/assistant",
    "/a2a/message:send",
    "/agui",
    "/agui/assistant",
    "/v1/chat/completions",
    "/v1/models",
    "/mcp",
  ])("returns 429 in the format of %s", async (path) => {
    const method = path === "/v1/models" ? "GET" : "POST";
    const response = await call(method, path, { env: exhausted, ...(method === "GET" ? {} : { body: {} }) });
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("60");
    expect(await response.text()).toContain("Too many requests. Try again in 60 seconds.");
  });

  test("counts an authenticated user by id on every interface", async () => {
    const authenticated = { ...WITH_SECRET, ...available };
    const { headers } = await authenticateAs("ada");
    await call("GET", "/api/v1/agents", { env: authenticated, ...(headers === undefined ? {} : { headers }) });
    expect(keys.at(-1)).toBe("user:ada");
  });

  test("counts a request without a token by its address, and returns 401 below the limit", async () => {
    const authenticated = { ...WITH_SECRET, ...available };
    const headers = { "cf-connecting-ip": "192.0.2.7" };
    expect((await call("GET", "/api/v1/agents", { env: authenticated, headers })).status).toBe(401);
    expect(keys.at(-1)).toBe("from:192.0.2.7");
    expect((await call("GET", "/api/v1/agents", { env: { ...WITH_SECRET, ...exhausted }, headers })).status).toBe(429);
  });

  test("does not count public routes", async () => {
    const before = keys.length;
    expect((await call("GET", "/health", { env: exhausted })).status).toBe(200);
    expect(keys).toHaveLength(before);
  });

  test("does not apply without the binding", async () => {
    await callRoute("GET", "/api/v1/agents", { env: { REQUESTS: undefined } });
  });

  test("rejects no request when the binding fails", async () => {
    const report = vi.spyOn(console, "error").mockImplementation(() => {});
    const failing = { limit: () => Promise.reject(new Error("database or disk is full")) };
    await callRoute("GET", "/api/v1/agents", { env: { REQUESTS: failing } });
    expect(report).toHaveBeenCalledOnce();
    report.mockRestore();
  });

  test("uses the binding of wrangler.toml", async () => {
    expect(await (env as unknown as Env).REQUESTS?.limit({ key: "somebody" })).toEqual({ success: true });
  });
});

describe("the message limit", () => {
  test("[T2] counts a message once that is sent several times at once", async () => {
    const { CONVERSATION, RATE_LIMITER } = env as unknown as {
      CONVERSATION: DurableObjectNamespace<Conversation>;
      RATE_LIMITER: DurableObjectNamespace<RateLimiter>;
    };
    const stub = CONVERSATION.getByName(formatObjectName("hasty", "conv-hasty"));
    const sendOnce = () => stub.send("once", { message: "hello" }, { create: true });
    const answers = await Promise.all(Array.from({ length: 8 }, sendOnce));
    expect(answers.map(({ ok }) => ok)).toEqual(Array(8).fill(true));
    expect((await RATE_LIMITER.getByName("hasty").begin(9, 9)).granted).toBe(8);
  });
});

test("an invalid request is reported as such despite the limits", async () => {
  expect(await callForProblem("POST", "/api/v1/messages", { body: {} })).toMatchObject({ code: "invalid_request" });
});
