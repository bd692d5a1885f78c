// How often somebody may ask: the platform's loose count of requests, and the exact one of messages.

import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { formatObjectName } from "../../src/durable/conversation-api.ts";
import type { Conversation } from "../../src/durable/conversation.ts";
import type { Library } from "../../src/durable/library.ts";
import { formatRateLimiterName } from "../../src/durable/rate-limiter.ts";
import type { Env } from "../../src/env.ts";
import { isUserId } from "../../src/http/authenticate.ts";
import { ask, call, refused } from "./support.ts";
import { as, BY_SECRET } from "./tokens.ts";

describe("requests, by the platform's count", () => {
  const keys: string[] = [];
  const full = { REQUESTS: { limit: async ({ key }: { key: string }) => ({ success: !keys.push(key) }) } };
  const free = { REQUESTS: { limit: async ({ key }: { key: string }) => ({ success: keys.push(key) > 0 }) } };

  test("too many are refused with Retry-After, before anything is done", async () => {
    const response = await call("POST", "/api/v1/messages", { env: full, body: { message: "hello" } });
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("60");
    expect(await response.json()).toMatchObject({ code: "too_many_requests", status: 429, retry_after: 60 });
    expect(keys.at(-1)).toBe("user:local");
  });

  test.each(["/a2a", "/a2a/assistant", "/agui", "/agui/assistant", "/v1/chat/completions", "/v1/models", "/mcp"])(
    "%s refuses in its own shape",
    async (path) => {
      const method = path === "/v1/models" ? "GET" : "POST";
      const response = await call(method, path, { env: full, ...(method === "GET" ? {} : { body: {} }) });
      expect(response.status).toBe(429);
      expect(response.headers.get("retry-after")).toBe("60");
      expect(await response.text()).toContain("Too many messages in a short time. Try again in 60 seconds.");
    },
  );

  test("a person is counted by who they are, whatever the door", async () => {
    const guarded = { ...BY_SECRET, ...free };
    const { headers } = await as("ada");
    await call("GET", "/api/v1/agents", { env: guarded, ...(headers === undefined ? {} : { headers }) });
    expect(keys.at(-1)).toBe("user:ada");
  });

  test("who has no token is counted by where they come from, and told the same as ever below the limit", async () => {
    const guarded = { ...BY_SECRET, ...free };
    const headers = { "cf-connecting-ip": "192.0.2.7" };
    expect((await call("GET", "/api/v1/agents", { env: guarded, headers })).status).toBe(401);
    expect(keys.at(-1)).toBe("from:192.0.2.7");
    expect((await call("GET", "/api/v1/agents", { env: { ...BY_SECRET, ...full }, headers })).status).toBe(429);
  });

  test("what is open to everybody is not counted", async () => {
    const before = keys.length;
    expect((await call("GET", "/health", { env: full })).status).toBe(200);
    expect(keys).toHaveLength(before);
  });

  test("without the binding nothing is", async () => {
    await ask("GET", "/api/v1/agents", { env: { REQUESTS: undefined } });
  });

  test("a binding that fails refuses nobody", async () => {
    const report = vi.spyOn(console, "error").mockImplementation(() => {});
    const failing = { limit: () => Promise.reject(new Error("database or disk is full")) };
    await ask("GET", "/api/v1/agents", { env: { REQUESTS: failing } });
    expect(report).toHaveBeenCalledOnce();
    report.mockRestore();
  });

  test("the binding of wrangler.toml counts", async () => {
    expect(await (env as unknown as Env).REQUESTS?.limit({ key: "somebody" })).toEqual({ success: true });
  });
});

describe("messages, exactly", () => {
  test("T2: the same message several times at once is counted once", async () => {
    const { CONVERSATION, LIBRARY } = env as unknown as {
      CONVERSATION: DurableObjectNamespace<Conversation>;
      LIBRARY: DurableObjectNamespace<Library>;
    };
    const said = CONVERSATION.getByName(formatObjectName("hasty", "conv-hasty"));
    const once = () => said.send("once", { message: "hello" }, { create: true });
    const answers = await Promise.all(Array.from({ length: 8 }, once));
    expect(answers.map(({ ok }) => ok)).toEqual(Array(8).fill(true));
    expect((await LIBRARY.getByName(formatRateLimiterName("hasty")).begin(9, 9)).granted).toBe(8);
  });

  test("U1: no user's name is that of somebody's count", () => {
    expect(isUserId(formatRateLimiterName("ada"))).toBe(false);
  });
});

test("a bad request is refused as such: the limits do not hide it", async () => {
  expect(await refused("POST", "/api/v1/messages", { body: {} })).toMatchObject({ code: "invalid_request" });
});
