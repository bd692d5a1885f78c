// What comes to the API of OpenAI, from the clumsy to the hostile.

import { afterEach, describe, expect, test, vi } from "vitest";
import { as, badTokens, bearer, BY_SECRET } from "./tokens.ts";
import { call, endless, newConversation, type Ask } from "./support.ts";

const COMPLETIONS = "/v1/chat/completions";
const KB = 1_024;
const hello = { model: "orrery", messages: [{ role: "user", content: "hello" }] };

type Refused = { message: string; type: string; param: string | null; code: string | null };

/** A call that must be refused, in the shape that OpenAI's clients read. */
async function refused(status: number, path: string, options: Ask = {}, method = "POST"): Promise<Refused> {
  const response = await call(method, path, options);
  const text = await response.text();
  expect(response.status, text).toBe(status);
  expect(response.headers.get("content-type")).toBe("application/json");
  const { error, ...rest } = JSON.parse(text) as { error: Refused };
  expect(rest).toEqual({});
  expect(Object.keys(error).toSorted()).toEqual(["code", "message", "param", "type"]);
  expect(error.message).not.toBe("");
  return error;
}

describe("[F89] bodies", () => {
  test.each(["", "{", "undefined", "{'model':'orrery'}", '{"model":"a"}{"model":"b"}', "\u0000", "[".repeat(100_000)])(
    "that are not JSON: %.20s",
    async (body) => {
      expect(await refused(400, COMPLETIONS, { body })).toMatchObject({ message: "The body is not JSON." });
    },
  );

  test.each(["null", "[]", "7", '"hello"', '{"__proto__":{"model":"orrery","messages":[]}}'])(
    "of another shape: %s",
    async (body) => {
      expect(await refused(400, COMPLETIONS, { body })).toMatchObject({ code: "invalid_request" });
    },
  );

  test.each([
    [{ ...hello, model: 7 }, "model"],
    [{ ...hello, model: "" }, "model"],
    [{ ...hello, messages: [] }, "messages"],
    [{ ...hello, messages: "hello" }, "messages"],
    [{ ...hello, messages: Array.from({ length: 2_001 }, () => hello.messages[0]) }, "messages"],
    [{ ...hello, messages: [{ role: "user", content: 7 }] }, "messages.0.content"],
    [{ ...hello, messages: [{ role: "user", content: " \n" }] }, "messages.0.content"],
    [{ ...hello, messages: [{ role: "user" }] }, "messages.0.content"],
    [{ ...hello, messages: [{ role: "wizard", content: "hello" }] }, "messages.0.role"],
    [{ ...hello, messages: [{ role: "__proto__", content: "hello" }] }, "messages.0.role"],
    [{ ...hello, messages: [...hello.messages, { role: "assistant", content: "Hel" }] }, "messages"],
    [{ ...hello, messages: [{ role: "system", content: "hello" }] }, "messages"],
    [{ ...hello, stream: "yes" }, "stream"],
    [{ ...hello, stream_options: { include_usage: 1 } }, "stream_options.include_usage"],
  ])("the offending field is named: %j", async (body, param) => {
    expect(await refused(400, COMPLETIONS, { body })).toMatchObject({ param, type: "invalid_request_error" });
  });

  test("of other types, too large, and without end are refused, and left", async () => {
    const form = { headers: { "content-type": "text/plain" }, body: JSON.stringify(hello) };
    expect(await refused(415, COMPLETIONS, form)).toMatchObject({ code: "unsupported" });
    const large = { ...hello, messages: [{ role: "user", content: "x".repeat(64 * KB + 1) }] };
    const refusal = { code: "too_large", param: "messages", message: expect.stringMatching(/^messages:/) as string };
    expect(await refused(413, COMPLETIONS, { body: large })).toMatchObject(refusal);
    expect(await refused(413, COMPLETIONS, { body: endless().body })).toMatchObject(refusal);
  });

  test("are left when nobody looks at them", async () => {
    const strangers = endless();
    await refused(401, COMPLETIONS, { body: strangers.body, env: BY_SECRET });
    await vi.waitFor(() => expect(strangers.isLeft()).toBe(true));
    const lost = endless();
    await refused(404, "/v1/embeddings", { body: lost.body });
    await vi.waitFor(() => expect(lost.isLeft()).toBe(true));
  });

  test("with fields twice mean the last of them, with names of objects' own nothing", async () => {
    const body =
      '{"model":"nobody","model":"orrery","__proto__":{"n":2},"constructor":{"tools":[1]},"messages":[{"role":"user","content":"hello"}]}';
    expect((await call("POST", COMPLETIONS, { body })).status).toBe(200);
  });
});

describe("[U1] tokens", () => {
  test("a bad one is refused, and nobody learns why", async () => {
    const seen = new Set<string>();
    for (const token of Object.values(await badTokens())) {
      const { message } = await refused(401, "/v1/models", { env: BY_SECRET, ...bearer(token) }, "GET");
      seen.add(message);
    }
    expect(seen.size).toBe(1);
  });

  test("everybody has conversations of their own", async () => {
    const [ada, bob] = [await as("ada"), await as("bob")];
    const { conversation_id: id } = await newConversation(ada);
    const headers = { ...bob.headers, "x-orrery-conversation": id };
    const foreign = await refused(404, COMPLETIONS, { env: bob.env, headers, body: hello });
    const never = { ...bob.headers, "x-orrery-conversation": "conv-never" };
    expect(await refused(404, COMPLETIONS, { env: bob.env, headers: never, body: hello })).toEqual(foreign);
  });
});

describe("[T2] work that has begun", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test("is not begun again by a client that comes back by itself, also where it cannot be read", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const accepted = { conversation_id: "conv-1", thread_id: "th-1", seq: 2, is_first: true };
    const lost = () => Promise.reject(new Error("The host is gone"));
    const conversation = { send: () => Promise.resolve({ ok: true, value: accepted }), follow: lost, context: lost };
    const env = { CONVERSATION: { getByName: () => conversation } };
    for (const stream of [false, true]) {
      const answering = call("POST", COMPLETIONS, { env, body: { ...hello, stream } });
      await vi.advanceTimersByTimeAsync(60_000);
      const { status, headers } = await answering;
      expect([status, headers.get("x-should-retry")]).toEqual([503, "false"]);
      expect(headers.get("x-orrery-conversation")).toBe("conv-1");
    }
  });
});

describe("doors", () => {
  test("other methods and paths are refused in the same shape", async () => {
    expect(await refused(405, COMPLETIONS, {}, "GET")).toMatchObject({ code: "method_not_allowed" });
    expect(await refused(405, "/v1/models", {}, "DELETE")).toMatchObject({ code: "method_not_allowed" });
    for (const path of ["/v1/responses", "/v1/completions", "/v1/", "/v1"]) await refused(404, path, { body: {} });
    await refused(404, "/v1/models/%E0%A4%A", {}, "GET");
  });

  test("a page of an allowed origin may ask, and reads the conversation", async () => {
    const env = { ALLOWED_ORIGINS: "https://chat.example" };
    const headers = {
      origin: "https://chat.example",
      "access-control-request-headers": "authorization,x-stainless-os",
    };
    const preflight = await call("OPTIONS", COMPLETIONS, { env, headers });
    expect(preflight.headers.get("access-control-allow-origin")).toBe("https://chat.example");
    expect(preflight.headers.get("access-control-allow-headers")).toContain("x-stainless-os");
    const answer = await call("POST", COMPLETIONS, { env, headers, body: hello });
    expect(answer.headers.get("access-control-expose-headers")).toMatch(/^x-orrery-conversation,x-should-retry,/);
    const other = await call("OPTIONS", COMPLETIONS, { env, headers: { ...headers, origin: "https://evil.example" } });
    expect(other.headers.get("access-control-allow-origin")).toBeNull();
  });
});
