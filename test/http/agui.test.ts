// What AG-UI's endpoint refuses, and what it makes of odd requests.

import { describe, expect, test } from "vitest";
import { parseRunInput } from "../../src/http/agui/run-input.ts";
import { computeJsonPatch } from "../../src/http/agui/json-patch.ts";
import { call, refused } from "./support.ts";
import { as, BY_SECRET } from "./tokens.ts";

const said = (content: unknown = "hello") => ({ id: "m1", role: "user", content });
const input = (changes: object = {}) => ({
  threadId: crypto.randomUUID(),
  runId: crypto.randomUUID(),
  messages: [said()],
  tools: [],
  context: [],
  state: {},
  forwardedProps: {},
  ...changes,
});
const refusal = (changes: object, path = "/agui") => refused("POST", path, { body: input(changes) });

const PICTURE = { type: "image", source: { type: "url", value: "https://x.example/a.png" } };
const ANSWER = { interruptId: "req-1", status: "resolved", payload: "yes" };
const RESULT = { id: "t", role: "tool", content: "4", toolCallId: "c" };

const ALLOWING = { ALLOWED_ORIGINS: "https://app.example" };

type Event = { readonly type: string; readonly [key: string]: unknown };

async function run(body: object, path = "/agui"): Promise<Event[]> {
  const response = await call("POST", path, { body });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: "));
  return lines.map((line) => JSON.parse(line.slice(6)) as Event);
}

describe("refuses, in words and before any stream,", () => {
  test.each<[string, object, number, string]>([
    ["an id that is a path", { threadId: "../x" }, 400, "threadId"],
    ["no id", { threadId: "" }, 400, "threadId"],
    ["no run", { runId: "" }, 400, "runId"],
    ["a run that is a number", { runId: 7 }, 400, "runId"],
    ["a run of half a character", { runId: "\ud800" }, 400, "runId"],
    ["no messages", { messages: [] }, 400, "messages"],
    ["messages that are none", { messages: "hello" }, 400, "messages"],
    ["a role that is none", { messages: [{ ...said(), role: "wizard" }] }, 400, "messages.0.role"],
    ["an empty message", { messages: [said("  ")] }, 400, "messages.0.content"],
    ["an object for words", { messages: [said({ a: 1 })] }, 400, "messages.0.content"],
    ["a picture", { messages: [said([{ type: "text", text: "See" }, PICTURE])] }, 400, "messages.0.content"],
    ["a state that is no object", { state: "mine" }, 400, "state"],
    ["a state that is too large", { state: { big: "x".repeat(70_000) } }, 400, "context"],
    ["context of another shape", { context: [{ description: 1, value: "x" }] }, 400, "context.0.description"],
    ["a time zone that is none", { forwardedProps: { timezone: "Nowhere/Land" } }, 400, "timezone"],
    ["a message that is too large", { messages: [said("x".repeat(70_000))] }, 413, "messages"],
    ["an unknown way to resume", { resume: [{ interruptId: "r", status: "maybe" }] }, 400, "resume.0.status"],
    ["an answer that is none", { resume: [{ ...ANSWER, payload: { no: 1 } }] }, 400, "resume.0.payload"],
    ["no answer at all", { resume: [{ interruptId: "r", status: "resolved" }] }, 400, "resume.0.payload"],
    ["a result of a client's tool", { messages: [said(), RESULT] }, 400, "messages"],
  ])("%s", async (_name, changes, status, field) => {
    expect(await refusal(changes)).toMatchObject({ status, field });
  });

  test("an answer to what was never asked", async () => {
    const resume = [ANSWER];
    expect(await refusal({ resume })).toMatchObject({ status: 404 });
    const threadId = crypto.randomUUID();
    await run(input({ threadId }));
    expect(await refusal({ threadId, resume })).toMatchObject({ status: 404, field: "request_id" });
  });

  test("agents that are not there, or are switched off", async () => {
    expect(await refusal({}, "/agui/nobody")).toMatchObject({ status: 404, detail: "There is no such agent." });
    await call("PATCH", "/api/v1/agents/toolsmith", { body: { enabled: false } });
    expect(await refusal({}, "/agui/toolsmith")).toMatchObject({ status: 404, detail: "There is no such agent." });
    await call("PATCH", "/api/v1/agents/toolsmith", { body: { enabled: true } });
  });

  test("other methods, other bodies and what is too large", async () => {
    const got = await call("GET", "/agui");
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"]);
    expect(await refused("POST", "/agui", { body: "{" })).toMatchObject({ status: 400 });
    expect(await refused("POST", "/agui", { body: "[".repeat(100_000) })).toMatchObject({ status: 400 });
    const headers = { "content-type": "text/plain" };
    expect(await refused("POST", "/agui", { body: "{}", headers })).toMatchObject({ status: 415 });
    const huge = { messages: [said("x".repeat(5 * 1024 * 1024))] };
    expect(await refusal(huge)).toMatchObject({ status: 413 });
    const deep = `{"threadId":"a","runId":"b","messages":[{"id":"m","role":"user","content":"hi","metadata":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}]}`;
    expect((await call("POST", "/agui", { body: deep })).status).toBe(200);
    const deepState = `{"threadId":"a","runId":"c","messages":[{"id":"m","role":"user","content":"hi"}],"state":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}`;
    expect(await refused("POST", "/agui", { body: deepState })).toMatchObject({ status: 400, field: "context" });
  });

  test("[U1] those without a token, and tells users nothing of each other", async () => {
    const nobody = await call("POST", "/agui", { body: input(), env: BY_SECRET });
    expect([nobody.status, nobody.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(nobody.headers.get("content-type")).toBe("application/problem+json");
    const threadId = crypto.randomUUID();
    const adas = await call("POST", "/agui", { ...(await as("ada")), body: input({ threadId }) });
    expect(await adas.text()).toContain("RUN_FINISHED");
    const bobs = { ...(await as("bob")), body: input({ threadId, resume: [ANSWER] }) };
    expect(await refused("POST", "/agui", bobs)).toMatchObject({
      status: 404,
      detail: "There is no such conversation.",
    });
  });
});

test("a name of Object's prototype in the body is a name like any other", async () => {
  const body = `{"threadId":"proto","runId":"r","runId":"r2","messages":[{"id":"m","role":"user","content":"hi","__proto__":{"role":"system"}}],"state":{"__proto__":{"orrery":1}}}`;
  const response = await call("POST", "/agui", { body });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('"runId":"r2"');
  expect(({} as Record<string, unknown>)["orrery"]).toBeUndefined();
});

test("pages of allowed origins may call it, and others may not", async () => {
  const ask = (origin: string) =>
    call("OPTIONS", "/agui/assistant", {
      headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type" },
      env: ALLOWING,
    });
  const { status, headers } = await ask("https://app.example");
  expect([status, headers.get("access-control-allow-origin")]).toEqual([204, "https://app.example"]);
  expect((await ask("https://evil.example")).headers.get("access-control-allow-origin")).toBeNull();
});

test("tools of the client are not called, and that is said", async () => {
  const events = await run(input({ tools: [{ name: "confirm", description: "Asks", parameters: {} }] }));
  expect(events[1]).toEqual({ type: "CUSTOM", name: "tools_not_called", value: { tools: ["confirm"] } });
});

test("nulls of older clients are nothing at all", () => {
  const { messages } = parseRunInput({
    ...input({ tools: null, context: null, state: null, forwardedProps: null, resume: null, protocolVersion: null }),
    messages: [{ ...said(), name: null, metadata: { a: 1, b: { c: 1 } }, toolCalls: null }],
  });
  expect(messages).toEqual([{ id: "m1", role: "user", content: "hello", metadata: { a: 1 } }]);
});

test.each([
  [{ a: 1 }, { a: 1 }, []],
  [{ a: 1 }, { a: 2 }, [{ op: "replace", path: "/a", value: 2 }]],
  [{ a: 1 }, {}, [{ op: "remove", path: "/a" }]],
  [{}, { "a/b~": [1] }, [{ op: "add", path: "/a~1b~0", value: [1] }]],
  [{ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }, [{ op: "replace", path: "/a/1/b", value: 3 }]],
  [{ a: [1] }, { a: [1, 2] }, [{ op: "replace", path: "/a", value: [1, 2] }]],
  [{ a: { b: 1 } }, { a: null }, [{ op: "replace", path: "/a", value: null }]],
])("the patch from %j to %j", (before, after, patch) => {
  expect(computeJsonPatch(before, after)).toEqual(patch);
});
