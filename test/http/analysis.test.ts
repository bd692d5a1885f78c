// The doors of analysis: what they take, on whose behalf they ask, and how they refuse. The analyst is a stand-in.

import { describe, expect, test, vi } from "vitest";
import type { AnalysisReply } from "../../src/protocol/pages/analysis-api.ts";
import type { RpcResult } from "../../src/protocol/wire/rpc-result.ts";
import { ask, call, must, refused, type Ask } from "./support.ts";
import { as } from "./tokens.ts";

type Verb = (user: string, request: unknown) => Promise<RpcResult<unknown>>;

const REPLY: AnalysisReply = { action: "chat_qa", chatResponse: "Hi.", conversationId: "conv-1" };
const answers = (value: unknown) => vi.fn<Verb>(() => Promise.resolve({ ok: true, value }));
const fails = (code: "agent_failed" | "unprocessable", message: string) =>
  vi.fn<Verb>(() => Promise.resolve({ ok: false, failure: { code, message } }));

async function at(analyst: object): Promise<Ask> {
  const ada = await as("ada");
  return { ...ada, env: { ...ada.env, AGENT_ANALYST: analyst } };
}

describe("[F103] POST /api/conversation", () => {
  test("asks on behalf of the user, with what the body leaves out", async () => {
    const converse = answers(REPLY);
    expect(
      await ask("POST", "/api/conversation", { ...(await at({ converse })), body: { message: "hi", more: 1 } }),
    ).toEqual(REPLY);
    expect(converse).toHaveBeenCalledExactlyOnceWith("ada", { message: "hi", language: "en", teacherId: "" });
  });

  test("an empty id of a conversation is none", async () => {
    const converse = answers(REPLY);
    await ask("POST", "/api/conversation", {
      ...(await at({ converse })),
      body: { message: "hi", conversationId: "", blueprint: null },
    });
    expect(converse.mock.calls[0]?.[1]).toMatchObject({ conversationId: null, blueprint: null });
  });

  test.each([
    [{ message: " \n" }, "message"],
    [{}, "message"],
    [{ message: "" }, "message"],
    [{ message: 7 }, "message"],
    [{ message: "hi", blueprint: {} }, "blueprint.id"],
    [{ message: "hi", context: [] }, "context"],
    [{ message: "hi", conversationId: 7 }, "conversationId"],
  ])("[F116] %j is a 422 that names the field", async (body, field) => {
    const converse = answers(REPLY);
    const problem = await refused("POST", "/api/conversation", { ...(await at({ converse })), body });
    expect(problem).toMatchObject({ status: 422, field, detail: expect.stringContaining(field) as string });
    expect(converse).not.toHaveBeenCalled();
  });

  test("a body that is no JSON, or too large, is refused as everywhere", async () => {
    const analyst = await at({ converse: answers(REPLY) });
    const path = "/api/conversation";
    expect(await refused("POST", path, { ...analyst, body: "{" })).toMatchObject({ status: 400 });
    const limited = { ...analyst, env: { ...analyst.env, MAX_MESSAGE_BYTES: "10" } };
    expect(await refused("POST", path, { ...limited, body: { message: "x".repeat(11) } })).toMatchObject({
      status: 413,
      field: "message",
    });
    expect(await refused("GET", path, analyst)).toMatchObject({ status: 405 });
  });

  test("[F116] what the analyst could not do is a 502 with its words", async () => {
    const converse = fails("agent_failed", "The model cannot be reached.");
    const problem = await refused("POST", "/api/conversation", {
      ...(await at({ converse })),
      body: { message: "hi" },
    });
    expect(problem).toMatchObject({ status: 502, code: "agent_failed", detail: "The model cannot be reached." });
  });

  test("a deployment without an analyst says so", async () => {
    const ada = await as("ada");
    const without = { ...ada, env: { ...ada.env, AGENT_ANALYST: undefined } };
    expect(await refused("POST", "/api/conversation", { ...without, body: { message: "hi" } })).toMatchObject({
      status: 503,
    });
  });
});

describe("[F109] POST /api/page/generate", () => {
  const lines = (...events: object[]) => new Blob(events.map((event) => `${JSON.stringify(event)}\n`)).stream();

  test("streams events without numbers, and never from a cache", async () => {
    const generate = answers(
      lines({ type: "PHASE", phase: "data", message: "…" }, { type: "MESSAGE", content: "a\nb" }),
    );
    const response = await call("POST", "/api/page/generate", {
      ...(await at({ generate })),
      body: { conversationId: "c" },
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-cache, no-transform");
    expect(await response.text()).toBe(
      ':\n\ndata: {"type":"PHASE","phase":"data","message":"…"}\n\ndata: {"type":"MESSAGE","content":"a\\nb"}\n\n',
    );
    expect(generate).toHaveBeenCalledExactlyOnceWith("ada", { conversationId: "c", language: "en", teacherId: "" });
  });

  test("a reader who leaves ends the work", async () => {
    const cancelled = vi.fn<() => void>();
    const generate = answers(new ReadableStream({ type: "bytes", cancel: cancelled }));
    const response = await call("POST", "/api/page/generate", {
      ...(await at({ generate })),
      body: { conversationId: "c" },
    });
    const reader = must(response.body).getReader();
    await reader.read();
    await reader.cancel();
    await vi.waitFor(() => expect(cancelled).toHaveBeenCalledTimes(1));
  });

  test("what is refused before the first event is a problem, not a stream", async () => {
    const generate = fails("unprocessable", "blueprint: send one");
    expect(await refused("POST", "/api/page/generate", { ...(await at({ generate })), body: {} })).toMatchObject({
      status: 422,
    });
  });
});

test("[F108] POST /api/workflow/generate names what it needs", async () => {
  const plan = answers(null);
  for (const body of [{}, { userPrompt: "" }, { userPrompt: " " }])
    expect(await refused("POST", "/api/workflow/generate", { ...(await at({ plan })), body })).toMatchObject({
      status: 422,
      field: "userPrompt",
    });
});

test.each(["/api/conversation", "/api/workflow/generate", "/api/page/generate"])("%s asks who it is", async (path) => {
  const { env } = await as("ada");
  expect(await refused("POST", path, { ...(env === undefined ? {} : { env }), body: { message: "hi" } })).toMatchObject(
    { status: 401 },
  );
});

test.each([
  ["/api/conversation", { message: "hi" }, "context"],
  ["/api/conversation", { message: "hi" }, "pageContext"],
  ["/api/workflow/generate", { userPrompt: "hi" }, "context"],
  ["/api/page/generate", { conversationId: "c" }, "context"],
])("%s refuses %j with a %s that is nested deeper than a binding carries", async (path, body, field) => {
  const asked = answers(REPLY);
  const analyst = await at({ converse: asked, plan: asked, generate: asked });
  const deep = `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`;
  const problem = await refused("POST", path, {
    ...analyst,
    body: `{"${field}":${deep},${JSON.stringify(body).slice(1)}`,
  });
  expect(problem).toMatchObject({ status: 422, field });
  expect(asked).not.toHaveBeenCalled();
});
