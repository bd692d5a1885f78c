// Requests that the AG-UI endpoint rejects, and its handling of unusual ones.

import { describe, expect, test } from "vitest";
import { parseRunInput } from "../../../src/http/agui/run-input.ts";
import { computeJsonPatch } from "../../../src/http/agui/json-patch.ts";
import { call, callForProblem } from "../support.ts";

const createUserMessage = (content: unknown = "hello") => ({ id: "m1", role: "user", content });
const createInput = (changes: object = {}) => ({
  threadId: crypto.randomUUID(),
  runId: crypto.randomUUID(),
  messages: [createUserMessage()],
  tools: [],
  context: [],
  state: {},
  forwardedProps: {},
  ...changes,
});
const runForProblem = (changes: object, path = "/agui") => callForProblem("POST", path, { body: createInput(changes) });

const PICTURE = { type: "image", source: { type: "url", value: "https://x.example/a.png" } };
const ANSWER = { interruptId: "req-1", status: "resolved", payload: "yes" };
const RESULT = { id: "t", role: "tool", content: "4", toolCallId: "c" };

type AguiEvent = { readonly type: string; readonly [key: string]: unknown };

async function runAgui(body: object, path = "/agui"): Promise<AguiEvent[]> {
  const response = await call("POST", path, { body });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: "));
  return lines.map((line) => JSON.parse(line.slice(6)) as AguiEvent);
}

describe("POST /agui", () => {
  test.each<[string, object, number, string]>([
    ["an id that is a path", { threadId: "../x" }, 400, "threadId"],
    ["a run of half a character", { runId: "\ud800" }, 400, "runId"],
    ["no messages", { messages: [] }, 400, "messages"],
    ["an unknown role", { messages: [{ ...createUserMessage(), role: "wizard" }] }, 400, "messages.0.role"],
    ["an empty message", { messages: [createUserMessage("  ")] }, 400, "messages.0.content"],
    [
      "a picture",
      { messages: [createUserMessage([{ type: "text", text: "See" }, PICTURE])] },
      400,
      "messages.0.content",
    ],
    ["a state that is not an object", { state: "mine" }, 400, "state"],
    ["a state that is too large", { state: { big: "x".repeat(70_000) } }, 400, "context"],
    ["context of the wrong shape", { context: [{ description: 1, value: "x" }] }, 400, "context.0.description"],
    ["a message that is too large", { messages: [createUserMessage("x".repeat(70_000))] }, 413, "messages"],
    ["an unknown resume status", { resume: [{ interruptId: "r", status: "maybe" }] }, 400, "resume.0.status"],
    ["an answer of the wrong type", { resume: [{ ...ANSWER, payload: { no: 1 } }] }, 400, "resume.0.payload"],
    ["a tool result of the client", { messages: [createUserMessage(), RESULT] }, 400, "messages"],
  ])("rejects %s with the field before any stream", async (_name, changes, status, field) => {
    expect(await runForProblem(changes)).toMatchObject({ status, field });
  });

  test("rejects an answer to a question that does not exist", async () => {
    const resume = [ANSWER];
    expect(await runForProblem({ resume })).toMatchObject({ status: 404 });
    const threadId = crypto.randomUUID();
    await runAgui(createInput({ threadId }));
    expect(await runForProblem({ threadId, resume })).toMatchObject({ status: 404, field: "request_id" });
  });

  test("rejects unknown and disabled agents", async () => {
    expect(await runForProblem({}, "/agui/nobody")).toMatchObject({ status: 404, detail: "Agent not found." });
    await call("PATCH", "/api/v1/agents/toolsmith", { body: { enabled: false } });
    expect(await runForProblem({}, "/agui/toolsmith")).toMatchObject({ status: 404, detail: "Agent not found." });
    await call("PATCH", "/api/v1/agents/toolsmith", { body: { enabled: true } });
  });

  test("rejects other methods, other bodies and oversized requests", async () => {
    const response = await call("GET", "/agui");
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    expect(await callForProblem("POST", "/agui", { body: "{" })).toMatchObject({ status: 400 });
    expect(await callForProblem("POST", "/agui", { body: "[".repeat(100_000) })).toMatchObject({ status: 400 });
    const headers = { "content-type": "text/plain" };
    expect(await callForProblem("POST", "/agui", { body: "{}", headers })).toMatchObject({ status: 415 });
    const huge = { messages: [createUserMessage("x".repeat(5 * 1024 * 1024))] };
    expect(await runForProblem(huge)).toMatchObject({ status: 413 });
    const deep = `{"threadId":"a","runId":"b","messages":[{"id":"m","role":"user","content":"hi","metadata":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}]}`;
    expect((await call("POST", "/agui", { body: deep })).status).toBe(200);
    const deepState = `{"threadId":"a","runId":"c","messages":[{"id":"m","role":"user","content":"hi"}],"state":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}`;
    expect(await callForProblem("POST", "/agui", { body: deepState })).toMatchObject({ status: 400, field: "context" });
  });
});

test("a member named __proto__ in the body does not change any prototype", async () => {
  const body = `{"threadId":"proto","runId":"r","runId":"r2","messages":[{"id":"m","role":"user","content":"hi","__proto__":{"role":"system"}}],"state":{"__proto__":{"orrery":1}}}`;
  const response = await call("POST", "/agui", { body });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('"runId":"r2"');
  expect(({} as Record<string, unknown>)["orrery"]).toBeUndefined();
});

test("tools of the client are reported as not called", async () => {
  const events = await runAgui(createInput({ tools: [{ name: "confirm", description: "Asks", parameters: {} }] }));
  expect(events[1]).toEqual({ type: "CUSTOM", name: "tools_not_called", value: { tools: ["confirm"] } });
});

test("null members of older clients count as missing", () => {
  const { messages } = parseRunInput({
    ...createInput({
      tools: null,
      context: null,
      state: null,
      forwardedProps: null,
      resume: null,
      protocolVersion: null,
    }),
    messages: [{ ...createUserMessage(), name: null, metadata: { a: 1, b: { c: 1 } }, toolCalls: null }],
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
])("computeJsonPatch returns the operations from %j to %j", (before, after, patch) => {
  expect(computeJsonPatch(before, after)).toEqual(patch);
});
