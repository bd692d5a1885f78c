import { APIConnectionError, APIError } from "openai/error";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { expect, test } from "vitest";
import { createPostRequest } from "../../src/models/endpoint-client.ts";
import { createModel } from "../../src/models/create-model.ts";
import { parseSettings } from "../../src/settings.ts";
import { completeOnce, KEY, createTestModel } from "./scripted-endpoint.ts";
import { Failure } from "../../src/protocol/wire/message-error.ts";

const PARAMS: ChatCompletionCreateParamsStreaming = {
  model: "m",
  messages: [],
  stream: true,
  stream_options: { include_usage: true },
};
const { signal } = new AbortController();

type SentRequest = { readonly url: string; readonly init: RequestInit };

async function captureRequest(baseUrl: string): Promise<SentRequest> {
  let sent: SentRequest | undefined;
  const post = createPostRequest({ baseUrl, key: KEY }, (url, init = {}) => {
    sent = { url: String(url), init };
    return Promise.resolve(new Response());
  });
  await post(PARAMS, "triage", signal);
  if (sent === undefined) throw new Error("Nothing was sent");
  return sent;
}

/** Returns the error of a request with this response. */
function postForError(code: number, body: BodyInit | null, headers: Record<string, string> = {}): Promise<unknown> {
  const post = createPostRequest({ baseUrl: "http://h/v1", key: KEY }, () =>
    Promise.resolve(new Response(body, { status: code, headers })),
  );
  return post(PARAMS, "triage", signal).catch((thrown: unknown) => thrown);
}

test.each([
  ["http://h:1/v1", "http://h:1/v1/chat/completions"],
  ["http://h/v1/", "http://h/v1/chat/completions"],
  ["http://h/v1//", "http://h/v1/chat/completions"],
  ["https://h", "https://h/chat/completions"],
  ["https://h/a b/v1", "https://h/a%20b/v1/chat/completions"],
  ["https://h/openai?api-version=2026-01&x=1&x=2", "https://h/openai/chat/completions?api-version=2026-01&x=1&x=2"],
  ["https://h/openai/?api-version=2026-01#top", "https://h/openai/chat/completions?api-version=2026-01"],
])("the base URL %s leads to the request URL %s", async (baseUrl, url) => {
  expect((await captureRequest(baseUrl)).url).toBe(url);
});

test("a request contains the role, the key and the parameters", async () => {
  const { init } = await captureRequest("http://h/v1");
  expect(init).toMatchObject({ method: "POST", body: JSON.stringify(PARAMS), signal });
  expect(init.headers).toEqual({
    authorization: `Bearer ${KEY}`,
    "content-type": "application/json",
    accept: "application/json",
    "user-agent": "orrery",
    "x-orrery-role": "triage",
  });
});

test("an error response in JSON yields its message, its code and its type", async () => {
  const error = { message: "too long", type: "invalid_request_error", code: "context_length_exceeded" };
  const failure = await postForError(400, JSON.stringify({ error }), { "retry-after": "7" });
  expect(failure).toBeInstanceOf(APIError);
  expect(failure).toMatchObject({ status: 400, code: "context_length_exceeded", message: "400 too long" });
  expect((failure as APIError<number, Headers>).headers.get("retry-after")).toBe("7");
  const typed = JSON.stringify({ error: { ...error, code: null } });
  expect(await postForError(400, typed)).toMatchObject({ code: null, type: "invalid_request_error" });
});

test.each([
  ["HTML", "<h1>Bad gateway</h1>", "502 <h1>Bad gateway</h1>"],
  ["no body", "", "502 status code (no body)"],
  ["a list", "[1]", "502 [1]"],
  ["null", "null", "502 null"],
  ["an error that is text", '{"error":"no"}', '502 "no"'],
  ["an error of the wrong shape", '{"error":{"code":7,"message":{}}}', "502 {}"],
])("an error response with %s as its body is an APIError", async (_, body, message) => {
  expect(await postForError(502, body)).toMatchObject({ status: 502, message });
});

test("an error response whose body breaks off is an APIError", async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error("cut")) });
  expect(await postForError(500, body)).toMatchObject({ status: 500 });
});

test("an error response without end is read up to a limit and then cancelled", async () => {
  let sent = 0;
  let isCancelled = false;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    sent += 1024;
    if (sent > 1024 * 1024) controller.close();
    else controller.enqueue(new Uint8Array(1024).fill(120));
  };
  const cancel = () => void (isCancelled = true);
  const failure = await postForError(500, new ReadableStream({ pull, cancel }));
  expect(failure).toMatchObject({ status: 500, message: expect.stringMatching(/^500 x+$/) as unknown });
  expect((failure as APIError<number, Headers>).message.length).toBeLessThan(70_000);
  expect([isCancelled, sent < 70_000]).toEqual([true, true]);
});

test("an unreachable endpoint is a APIConnectionError with its cause", async () => {
  const cause = new TypeError("fetch failed");
  const post = createPostRequest({ baseUrl: "http://h/v1", key: KEY }, () => Promise.reject(cause));
  const thrown: unknown = await post(PARAMS, "triage", signal).catch((reason: unknown) => reason);
  expect(thrown).toBeInstanceOf(APIConnectionError);
  expect(thrown).toMatchObject({ cause });
});

test.each(["nonsense", "localhost:8080/v1", "/v1", "ftp://h/v1"])(
  "[I30] the invalid address %s fails the first call without a retry",
  async (url) => {
    let sent = 0;
    const model = createTestModel({ url, fetch: () => Promise.resolve(new Response(String((sent += 1)))) });
    await expect(completeOnce(model)).rejects.toMatchObject({
      code: "model_unavailable",
      retryable: false,
      message: "The model can’t be called. Check OPENAI_BASE_URL and OPENAI_API_KEY.",
    });
    expect(sent).toBe(0);
  },
);

test("[S23] a key that is invalid in a header is not logged", async () => {
  const model = createModel(
    parseSettings({ OPENAI_API_KEY: `${KEY}\n${KEY}`, OPENAI_BASE_URL: "http://127.0.0.1:9" }),
    {},
  );
  const thrown: unknown = await completeOnce(model).catch((reason: unknown) => reason);
  if (!(thrown instanceof Failure)) throw new Error("The call did not fail as it should.", { cause: thrown });
  expect(thrown.message).toContain("OPENAI_API_KEY");
  expect(String(thrown.cause)).toContain("[key]");
  expect(String(thrown.cause)).not.toContain(KEY);
});
