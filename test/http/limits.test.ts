// How often somebody may ask: the platform's loose count of requests, and the exact one of messages.

import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { objectName } from "../../src/durable/api.ts";
import type { Conversation } from "../../src/durable/conversation.ts";
import type { Library } from "../../src/durable/library.ts";
import { Pace, paceName, Turnstile, type Granted } from "../../src/durable/pace.ts";
import type { Env } from "../../src/env.ts";
import { isUserId } from "../../src/http/identity.ts";
import { toFault } from "../../src/protocol/fault.ts";
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

  test("the binding of wrangler.toml counts", async () => {
    expect(await (env as unknown as Env).REQUESTS?.limit({ key: "somebody" })).toEqual({ success: true });
  });
});

describe("messages, exactly", () => {
  const kept = () => {
    const values = new Map<string, unknown>();
    const storage = {
      get: async <T>(key: string) => values.get(key) as T | undefined,
      put: async (key: string, value: unknown) => void values.set(key, value),
    };
    return { storage, values };
  };

  test("as many begin within a minute as may, and then again", async () => {
    const pace = new Pace(kept().storage);
    let now = 1_000_000;
    const begin = (wanted: number) => pace.begin(wanted, 5, () => now);
    expect(await begin(3)).toEqual({ granted: 3, retry_after: 60 });
    now += 20_500;
    expect(await begin(3)).toEqual({ granted: 2, retry_after: 40 });
    now += 39_499;
    expect(await begin(1)).toEqual({ granted: 0, retry_after: 1 });
    now += 1;
    expect(await begin(9)).toEqual({ granted: 5, retry_after: 60 });
  });

  test("those who ask at the same time share what there is, also while the count is being read", async () => {
    const pace = new Pace(kept().storage);
    const answers = await Promise.all(Array.from({ length: 50 }, () => pace.begin(1, 20, () => 5)));
    expect(answers.filter(({ granted }) => granted === 1)).toHaveLength(20);
  });

  test("the count survives sleep, and a clock that goes back locks nobody out", async () => {
    vi.useFakeTimers();
    const { storage, values } = kept();
    const at = Date.now();
    await new Pace(storage).begin(4, 5, () => at);
    expect(values.size, "a write per message would be slow").toBe(0);
    await vi.advanceTimersByTimeAsync(1_000);
    vi.useRealTimers();
    expect(await new Pace(storage).begin(4, 5, () => at + 1_000)).toEqual({ granted: 1, retry_after: 59 });
    expect(await new Pace(storage).begin(4, 5, () => at - 500_000)).toEqual({ granted: 4, retry_after: 60 });
  });

  test("T1: messages of one conversation pass in their order, and those that wait are asked for together", async () => {
    const asked: number[] = [];
    const answers: ((granted: Granted) => void)[] = [];
    const begin = (wanted: number) => {
      asked.push(wanted);
      return new Promise<Granted>((resolve) => answers.push(resolve));
    };
    const turnstile = new Turnstile(() => ({ begin }), 9);
    const order: string[] = [];
    const passing = ["a", "b", "c", "d"].map((name) =>
      turnstile.pass(name).then(
        () => order.push(name),
        (thrown: unknown) => order.push(`${name}: ${toFault(thrown).message}`),
      ),
    );
    expect(asked).toEqual([1]);
    answers[0]?.({ granted: 1, retry_after: 60 });
    await passing[0];
    expect(asked).toEqual([1, 3]);
    answers[1]?.({ granted: 2, retry_after: 7 });
    await Promise.all(passing);
    expect(order).toEqual(["a", "b", "c", "d: Too many messages in a short time. Try again in 7 seconds."]);
  });

  test("T2: a message that comes again while it is asked for is one message, and afterwards another", async () => {
    const asked: number[] = [];
    const begin = async (wanted: number) => {
      asked.push(wanted);
      return { granted: asked.length === 1 ? 1 : 0, retry_after: 7 };
    };
    const turnstile = new Turnstile(() => ({ begin }), 1);
    await Promise.all(["a", "a", "a"].map((id) => turnstile.pass(id)));
    expect(asked).toEqual([1]);
    const refused = await Promise.allSettled(["b", "b"].map((id) => turnstile.pass(id)));
    expect(refused.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await expect(turnstile.pass("a")).rejects.toThrow("7 seconds");
    expect(asked).toEqual([1, 1, 1]);
  });

  test("T2: the same message several times at once is counted once", async () => {
    const { CONVERSATION, LIBRARY } = env as unknown as {
      CONVERSATION: DurableObjectNamespace<Conversation>;
      LIBRARY: DurableObjectNamespace<Library>;
    };
    const said = CONVERSATION.getByName(objectName("hasty", "conv-hasty"));
    const once = () => said.send("once", { message: "hello" }, { create: true });
    const answers = await Promise.all(Array.from({ length: 8 }, once));
    expect(answers.map(({ ok }) => ok)).toEqual(Array(8).fill(true));
    expect((await LIBRARY.getByName(paceName("hasty")).begin(9, 9)).granted).toBe(8);
  });

  test("a count that cannot be had keeps nobody from talking", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const broken = new Turnstile(() => ({ begin: () => Promise.reject(new Error("gone")) }), 1);
    await broken.pass("a");
    await new Turnstile(() => {
      throw new Error("no such binding");
    }, 1).pass("a");
    await new Turnstile(() => {
      throw new Error("is not asked");
    }, 0).pass("a");
  });

  test("U1: no user's name is that of somebody's count", () => {
    expect(isUserId(paceName("ada"))).toBe(false);
  });
});

test("a bad request is refused as such: the limits do not hide it", async () => {
  expect(await refused("POST", "/api/v1/messages", { body: {} })).toMatchObject({ code: "invalid_request" });
});
