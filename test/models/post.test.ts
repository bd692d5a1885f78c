import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { expect, expectTypeOf, test } from "vitest";
import { createPostRequest, EndpointStatusError, ConnectionError } from "../../src/models/endpoint-client.ts";
import { ModelFault } from "../../src/core/ports.ts";
import { createModel } from "../../src/models/create-model.ts";
import type { CompletionParams } from "../../src/models/completion-request.ts";
import { parseSettings } from "../../src/settings.ts";
import { ask, DONE, finish, KEY, modelAt, say, serve, status, stream } from "./scripted-endpoint.ts";

const PARAMS: CompletionParams = { model: "m", messages: [], stream: true, stream_options: { include_usage: true } };
const { signal } = new AbortController();

type Sent = { readonly url: string; readonly init: RequestInit };

async function sentTo(baseUrl: string): Promise<Sent> {
  let sent: Sent | undefined;
  const post = createPostRequest({ baseUrl, key: KEY }, (url, init = {}) => {
    sent = { url: String(url), init };
    return Promise.resolve(new Response());
  });
  await post(PARAMS, "triage", signal);
  if (sent === undefined) throw new Error("Nothing was sent");
  return sent;
}

/** What a post comes to that is answered like this. */
function refusalOf(code: number, body: BodyInit | null, headers: Record<string, string> = {}): Promise<unknown> {
  const post = createPostRequest({ baseUrl: "http://h/v1", key: KEY }, () =>
    Promise.resolve(new Response(body, { status: code, headers })),
  );
  return post(PARAMS, "triage", signal).catch((thrown: unknown) => thrown);
}

test("a request is what the official client would send", () => {
  type Official = ChatCompletionCreateParamsStreaming;
  expectTypeOf<CompletionParams["model"]>().toExtend<Official["model"]>();
  expectTypeOf<CompletionParams["messages"][number]>().toExtend<DeepReadonly<Official["messages"][number]>>();
  expectTypeOf<NonNullable<CompletionParams["tools"]>[number]>().toExtend<
    DeepReadonly<NonNullable<Official["tools"]>[number]>
  >();
});

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

test.each([
  ["http://h:1/v1", "http://h:1/v1/chat/completions"],
  ["http://h/v1/", "http://h/v1/chat/completions"],
  ["http://h/v1//", "http://h/v1/chat/completions"],
  ["https://h", "https://h/chat/completions"],
  ["https://h/a b/v1", "https://h/a%20b/v1/chat/completions"],
  ["https://h/openai?api-version=2026-01&x=1&x=2", "https://h/openai/chat/completions?api-version=2026-01&x=1&x=2"],
  ["https://h/openai/?api-version=2026-01#top", "https://h/openai/chat/completions?api-version=2026-01"],
])("%s is asked at %s", async (baseUrl, url) => {
  expect((await sentTo(baseUrl)).url).toBe(url);
});

test("a request says who asks, with which key and for what", async () => {
  const { init } = await sentTo("http://h/v1");
  expect(init).toMatchObject({ method: "POST", body: JSON.stringify(PARAMS), signal });
  expect(init.headers).toEqual({
    authorization: `Bearer ${KEY}`,
    "content-type": "application/json",
    accept: "application/json",
    "user-agent": "orrery",
    "x-orrery-role": "triage",
  });
});

test("a refusal in JSON is told by its words and its code, else its type", async () => {
  const error = { message: "too long", type: "invalid_request_error", code: "context_length_exceeded" };
  const refused = await refusalOf(400, JSON.stringify({ error }), { "retry-after": "7" });
  expect(refused).toBeInstanceOf(EndpointStatusError);
  expect(refused).toMatchObject({ status: 400, code: "context_length_exceeded", message: "400 too long" });
  expect((refused as EndpointStatusError).headers.get("retry-after")).toBe("7");
  const typed = JSON.stringify({ error: { ...error, code: null } });
  expect(await refusalOf(400, typed)).toMatchObject({ code: "invalid_request_error" });
});

test.each([
  ["a page", "<h1>Bad gateway</h1>"],
  ["nothing", ""],
  ["a list", "[1]"],
  ["null", "null"],
  ["an error that is text", '{"error":"no"}'],
  ["an error of another shape", '{"error":{"code":7,"message":{}}}'],
])("a refusal with %s for a body is one all the same", async (_, body) => {
  expect(await refusalOf(502, body)).toMatchObject({ status: 502, code: "", message: `502 ${body}` });
});

test("a refusal whose body breaks off is one all the same", async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error("cut")) });
  expect(await refusalOf(500, body)).toMatchObject({ status: 500, code: "" });
});

test("a refusal without end is read as far as anybody would, and the rest is left", async () => {
  let sent = 0;
  let isLeft = false;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    sent += 1024;
    if (sent > 1024 * 1024) controller.close();
    else controller.enqueue(new Uint8Array(1024).fill(120));
  };
  const cancel = () => void (isLeft = true);
  const refused = await refusalOf(500, new ReadableStream({ pull, cancel }));
  expect(refused).toMatchObject({ status: 500, code: "", message: expect.stringMatching(/^500 x+$/) as unknown });
  expect((refused as EndpointStatusError).message.length).toBeLessThan(70_000);
  expect([isLeft, sent < 70_000]).toEqual([true, true]);
});

test("an endpoint that is not there is told with what stopped the way", async () => {
  const cause = new TypeError("fetch failed");
  const post = createPostRequest({ baseUrl: "http://h/v1", key: KEY }, () => Promise.reject(cause));
  const thrown: unknown = await post(PARAMS, "triage", signal).catch((reason: unknown) => reason);
  expect(thrown).toBeInstanceOf(ConnectionError);
  expect(thrown).toMatchObject({ cause });
});

test.each(["nonsense", "localhost:8080/v1", "/v1", "ftp://h/v1"])(
  "[I30] %s is no address, which is said at the first call and not tried again",
  async (url) => {
    let sent = 0;
    const model = modelAt({ url, fetch: () => Promise.resolve(new Response(String((sent += 1)))) });
    await expect(ask(model)).rejects.toMatchObject({
      code: "model_unavailable",
      retryable: false,
      message: "The model could not be called. Please check OPENAI_BASE_URL and OPENAI_API_KEY.",
    });
    expect(sent).toBe(0);
  },
);

test("[S23] a key that no header can carry is not repeated in what is logged", async () => {
  const model = createModel(parseSettings({ OPENAI_API_KEY: `${KEY}\n${KEY}`, OPENAI_BASE_URL: "http://127.0.0.1:9" }));
  const thrown: unknown = await ask(model).catch((reason: unknown) => reason);
  if (!(thrown instanceof ModelFault)) throw new Error("The call did not fail as it should.", { cause: thrown });
  expect(thrown.message).toContain("OPENAI_API_KEY");
  expect(String(thrown.cause)).toContain("[key]");
  expect(String(thrown.cause)).not.toContain(KEY);
});

test("a redirect that keeps the method is followed", async () => {
  const { url, requests } = await serve(status(307, { location: "/elsewhere" }), stream(say("ok"), finish(), DONE));
  expect((await ask(modelAt({ url }))).completion.text).toBe("ok");
  expect(requests.map(({ body }) => body !== "")).toEqual([true, true]);
});
