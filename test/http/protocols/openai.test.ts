// Requests to the OpenAI API, from incorrect to hostile.

import { afterEach, describe, expect, test, vi } from "vitest";
import { WITH_SECRET } from "../tokens.ts";
import { call, createEndlessBody, type ApiRequest } from "../support.ts";

const COMPLETIONS = "/v1/chat/completions";
const KB = 1_024;
const HELLO_BODY = { model: "orrery", messages: [{ role: "user", content: "hello" }] };

const createTool = (name: string) => ({ type: "function", function: { name, parameters: { type: "object" } } });
const createFormat = (schema: object) => ({ type: "json_schema", json_schema: { name: "a", schema } });

type OpenAiError = { message: string; type: string; param: string | null; code: string | null };

/** Sends a request that must fail with an error in OpenAI's format. */
async function callForError(
  status: number,
  path: string,
  options: ApiRequest = {},
  method = "POST",
): Promise<OpenAiError> {
  const response = await call(method, path, options);
  const text = await response.text();
  expect(response.status, text).toBe(status);
  expect(response.headers.get("content-type")).toBe("application/json");
  const { error, ...rest } = JSON.parse(text) as { error: OpenAiError };
  expect(rest).toEqual({});
  expect(Object.keys(error).toSorted()).toEqual(["code", "message", "param", "type"]);
  expect(error.message).not.toBe("");
  return error;
}

describe("[F89] a request body to the OpenAI API", () => {
  test.each(["{", "[".repeat(100_000)])("is rejected when it is not JSON: %.20s", async (body) => {
    expect(await callForError(400, COMPLETIONS, { body })).toMatchObject({
      message: "The request body isn’t valid JSON.",
    });
  });

  test.each(["null", '{"__proto__":{"model":"orrery","messages":[]}}'])(
    "is rejected with another type: %s",
    async (body) => {
      expect(await callForError(400, COMPLETIONS, { body })).toMatchObject({ code: "invalid_request" });
    },
  );

  test.each([
    [{ ...HELLO_BODY, model: 7 }, "model"],
    [{ ...HELLO_BODY, messages: [] }, "messages"],
    [{ ...HELLO_BODY, messages: Array.from({ length: 2_001 }, () => HELLO_BODY.messages[0]) }, "messages"],
    [{ ...HELLO_BODY, messages: [{ role: "user", content: 7 }] }, "messages.0.content"],
    [{ ...HELLO_BODY, messages: [{ role: "user", content: " \n" }] }, "messages.0.content"],
    [{ ...HELLO_BODY, messages: [{ role: "wizard", content: "hello" }] }, "messages.0.role"],
    [{ ...HELLO_BODY, messages: [...HELLO_BODY.messages, { role: "assistant", content: "Hel" }] }, "messages"],
    [{ ...HELLO_BODY, messages: [{ role: "system", content: "hello" }] }, "messages"],
    [{ ...HELLO_BODY, stream: "yes" }, "stream"],
    [{ ...HELLO_BODY, tools: Array.from({ length: 129 }, (_, i) => createTool(`f${i}`)) }, "tools"],
    [{ ...HELLO_BODY, tools: [createTool("get weather")] }, "tools.0.name"],
    [{ ...HELLO_BODY, tools: [createTool("a"), createTool("a")] }, "tools.1"],
    [{ ...HELLO_BODY, tools: [createTool("handoff_to_planner")] }, "tools.0"],
    [{ ...HELLO_BODY, tools: [{ type: "custom", custom: { name: "a" } }] }, "tools.0"],
    [{ ...HELLO_BODY, tool_choice: "required" }, "tool_choice"],
    [
      { ...HELLO_BODY, tools: [createTool("a")], tool_choice: { type: "function", function: { name: "b" } } },
      "tool_choice",
    ],
    [{ ...HELLO_BODY, response_format: { type: "grammar" } }, "response_format"],
    [{ ...HELLO_BODY, response_format: createFormat({ $ref: "https://schemas.example/a" }) }, "response_format.schema"],
    [{ ...HELLO_BODY, messages: [...HELLO_BODY.messages, { role: "tool", content: "5" }] }, "messages.1.tool_call_id"],
    [
      { ...HELLO_BODY, messages: [...HELLO_BODY.messages, { role: "tool", tool_call_id: "x", content: "5" }] },
      "messages.1",
    ],
    [{ ...HELLO_BODY, stream_options: { include_usage: 1 } }, "stream_options.include_usage"],
  ])("is rejected with the field name: %j", async (body, param) => {
    expect(await callForError(400, COMPLETIONS, { body })).toMatchObject({ param, type: "invalid_request_error" });
  });

  test("is rejected with another type, beyond the limit or without end", async () => {
    const form = { headers: { "content-type": "text/plain" }, body: JSON.stringify(HELLO_BODY) };
    expect(await callForError(415, COMPLETIONS, form)).toMatchObject({ code: "unsupported" });
    const large = { ...HELLO_BODY, messages: [{ role: "user", content: "x".repeat(64 * KB + 1) }] };
    const refusal = { code: "too_large", param: "messages", message: expect.stringMatching(/^messages:/) as string };
    expect(await callForError(413, COMPLETIONS, { body: large })).toMatchObject(refusal);
    expect(await callForError(413, COMPLETIONS, { body: createEndlessBody().body })).toMatchObject(refusal);
  });

  test("is cancelled when it is not read", async () => {
    const foreignBody = createEndlessBody();
    await callForError(401, COMPLETIONS, { body: foreignBody.body, env: WITH_SECRET });
    await vi.waitFor(() => expect(foreignBody.isCancelled()).toBe(true));
    const unroutedBody = createEndlessBody();
    await callForError(404, "/v1/embeddings", { body: unroutedBody.body });
    await vi.waitFor(() => expect(unroutedBody.isCancelled()).toBe(true));
  });

  test("uses the last of duplicate members and ignores names of Object.prototype", async () => {
    const body =
      '{"model":"nobody","model":"orrery","__proto__":{"n":2},"constructor":{"tools":[1]},"messages":[{"role":"user","content":"hello"}]}';
    expect((await call("POST", COMPLETIONS, { body })).status).toBe(200);
  });
});

describe("[T2] a started completion", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test("tells the client not to retry when its thread cannot be read", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const accepted = { conversation_id: "conv-1", thread_id: "th-1", seq: 2, is_first: true };
    const rejectLost = () => Promise.reject(new Error("The host is gone"));
    const conversation = {
      send: () => Promise.resolve({ ok: true, value: accepted }),
      follow: rejectLost,
      context: rejectLost,
    };
    const env = { CONVERSATION: { getByName: () => conversation } };
    for (const stream of [false, true]) {
      const responsePromise = call("POST", COMPLETIONS, { env, body: { ...HELLO_BODY, stream } });
      await vi.advanceTimersByTimeAsync(60_000);
      const { status, headers } = await responsePromise;
      expect([status, headers.get("x-should-retry")]).toEqual([503, "false"]);
      expect(headers.get("x-orrery-conversation")).toBe("conv-1");
    }
  });
});

describe("the routes of the OpenAI API", () => {
  test("return errors in the same format for other methods and paths", async () => {
    expect(await callForError(405, COMPLETIONS, {}, "GET")).toMatchObject({ code: "method_not_allowed" });
    expect(await callForError(405, "/v1/responses/resp_1", {}, "PUT")).toMatchObject({
      message: expect.stringContaining("GET") as string,
    });
    expect(await callForError(405, "/v1/models", {}, "DELETE")).toMatchObject({ code: "method_not_allowed" });
    for (const path of ["/v1/audio/speech", "/v1/completions", "/v1/", "/v1"])
      await callForError(404, path, { body: {} });
    await callForError(404, "/v1/models/%E0%A4%A", {}, "GET");
  });
});
