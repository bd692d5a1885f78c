// The HTTP interface of the analyst: its validation, the user that it passes on, and its errors. The analyst is a
// stub.

import { describe, expect, test, vi } from "vitest";
import type { AnalysisReply } from "../../src/protocol/pages/analysis-api.ts";
import type { RpcResult } from "../../src/protocol/wire/rpc-result.ts";
import { callRoute, call, assertPresent, callForProblem, type ApiRequest } from "./support.ts";
import { authenticateAs } from "./tokens.ts";

type AnalystMethod = (user: string, request: unknown) => Promise<RpcResult<unknown>>;

const REPLY: AnalysisReply = { action: "chat_qa", chatResponse: "Hi.", conversationId: "conv-1" };
const createAnswer = (value: unknown) => vi.fn<AnalystMethod>(() => Promise.resolve({ ok: true, value }));
const createFailure = (code: "agent_failed" | "unprocessable", message: string) =>
  vi.fn<AnalystMethod>(() => Promise.resolve({ ok: false, failure: { code, message } }));

async function withAnalyst(analyst: object): Promise<ApiRequest> {
  const ada = await authenticateAs("ada");
  return { ...ada, env: { ...ada.env, AGENT_ANALYST: analyst } };
}

describe("[F103] POST /api/conversation", () => {
  test("calls the analyst for the user and adds missing members", async () => {
    const converse = createAnswer(REPLY);
    expect(
      await callRoute("POST", "/api/conversation", {
        ...(await withAnalyst({ converse })),
        body: { message: "hi", more: 1 },
      }),
    ).toEqual(REPLY);
    expect(converse).toHaveBeenCalledExactlyOnceWith("ada", { message: "hi", language: "en", teacherId: "" });
  });

  test("treats an empty conversation id as missing", async () => {
    const converse = createAnswer(REPLY);
    await callRoute("POST", "/api/conversation", {
      ...(await withAnalyst({ converse })),
      body: { message: "hi", conversationId: "", blueprint: null },
    });
    expect(converse.mock.calls[0]?.[1]).toMatchObject({ conversationId: null, blueprint: null });
  });

  test.each([
    [{ message: " \n" }, "message"],
    [{}, "message"],
    [{ message: "hi", blueprint: {} }, "blueprint.id"],
    [{ message: "hi", context: [] }, "context"],
  ])("[F116] returns 422 with the field for %j", async (body, field) => {
    const converse = createAnswer(REPLY);
    const problem = await callForProblem("POST", "/api/conversation", { ...(await withAnalyst({ converse })), body });
    expect(problem).toMatchObject({ status: 422, field, detail: expect.stringContaining(field) as string });
    expect(converse).not.toHaveBeenCalled();
  });

  test("rejects a message above the limit of messages", async () => {
    const analyst = await withAnalyst({ converse: createAnswer(REPLY) });
    const path = "/api/conversation";
    const limited = { ...analyst, env: { ...analyst.env, MAX_MESSAGE_BYTES: "10" } };
    expect(await callForProblem("POST", path, { ...limited, body: { message: "x".repeat(11) } })).toMatchObject({
      status: 413,
      field: "message",
    });
  });

  test("[F116] returns 502 with the message of the analyst when it fails", async () => {
    const converse = createFailure("agent_failed", "The model cannot be reached.");
    const problem = await callForProblem("POST", "/api/conversation", {
      ...(await withAnalyst({ converse })),
      body: { message: "hi" },
    });
    expect(problem).toMatchObject({ status: 502, code: "agent_failed", detail: "The model cannot be reached." });
  });

  test("returns 503 when the deployment has no analyst", async () => {
    const ada = await authenticateAs("ada");
    const without = { ...ada, env: { ...ada.env, AGENT_ANALYST: undefined } };
    expect(await callForProblem("POST", "/api/conversation", { ...without, body: { message: "hi" } })).toMatchObject({
      status: 503,
    });
  });
});

describe("[F109] POST /api/page/generate", () => {
  const createLines = (...events: object[]) => new Blob(events.map((event) => `${JSON.stringify(event)}\n`)).stream();

  test("streams events without ids and disables caching", async () => {
    const generate = createAnswer(
      createLines({ type: "PHASE", phase: "data", message: "…" }, { type: "MESSAGE", content: "a\nb" }),
    );
    const response = await call("POST", "/api/page/generate", {
      ...(await withAnalyst({ generate })),
      body: { conversationId: "c" },
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-cache, no-transform");
    expect(await response.text()).toBe(
      ':\n\ndata: {"type":"PHASE","phase":"data","message":"…"}\n\ndata: {"type":"MESSAGE","content":"a\\nb"}\n\n',
    );
    expect(generate).toHaveBeenCalledExactlyOnceWith("ada", { conversationId: "c", language: "en", teacherId: "" });
  });

  test("cancels the generation when the reader leaves", async () => {
    const cancelled = vi.fn<() => void>();
    const generate = createAnswer(new ReadableStream({ type: "bytes", cancel: cancelled }));
    const response = await call("POST", "/api/page/generate", {
      ...(await withAnalyst({ generate })),
      body: { conversationId: "c" },
    });
    const reader = assertPresent(response.body).getReader();
    await reader.read();
    await reader.cancel();
    await vi.waitFor(() => expect(cancelled).toHaveBeenCalledTimes(1));
  });

  test("returns a problem instead of a stream when it fails before the first event", async () => {
    const generate = createFailure("unprocessable", "blueprint: send one");
    expect(
      await callForProblem("POST", "/api/page/generate", { ...(await withAnalyst({ generate })), body: {} }),
    ).toMatchObject({
      status: 422,
    });
  });
});

test("[F108] POST /api/workflow/generate returns 422 without a prompt", async () => {
  const plan = createAnswer(null);
  for (const body of [{}, { userPrompt: "" }, { userPrompt: " " }])
    expect(
      await callForProblem("POST", "/api/workflow/generate", { ...(await withAnalyst({ plan })), body }),
    ).toMatchObject({
      status: 422,
      field: "userPrompt",
    });
});

test.each([
  ["/api/conversation", { message: "hi" }, "context"],
  ["/api/conversation", { message: "hi" }, "pageContext"],
  ["/api/workflow/generate", { userPrompt: "hi" }, "context"],
  ["/api/page/generate", { conversationId: "c" }, "context"],
])("%s with %j rejects a %s that is nested deeper than a service binding supports", async (path, body, field) => {
  const analystMethod = createAnswer(REPLY);
  const analyst = await withAnalyst({ converse: analystMethod, plan: analystMethod, generate: analystMethod });
  const deep = `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`;
  const problem = await callForProblem("POST", path, {
    ...analyst,
    body: `{"${field}":${deep},${JSON.stringify(body).slice(1)}`,
  });
  expect(problem).toMatchObject({ status: 422, field });
  expect(analystMethod).not.toHaveBeenCalled();
});
