import { expect, onTestFinished, test, vi } from "vitest";
import { getRetryDelayMs } from "../../src/models/chat-model.ts";
import { parseRetryAfter } from "../../src/models/retry-after.ts";
import {
  okScript,
  completeStream,
  callForFault,
  completeOnce,
  encodeText,
  DONE,
  deltaFrame,
  finishFrame,
  toSseFrame,
  createChunkFetch,
  KEY,
  createTestModel,
  openStream,
  textFrame,
  serveScripts,
  createErrorScript,
  createStreamScript,
} from "./scripted-endpoint.ts";
import { describeError } from "../../src/protocol/wire/message-error.ts";

test.each([429, 500, 502, 503, 529, 408])("[I30] status %i is retried", async (code) => {
  const { url, requests } = await serveScripts(
    createErrorScript(code, { "retry-after": "0" }),
    createErrorScript(code, { "retry-after-ms": "1" }),
    okScript,
  );
  expect((await completeOnce(createTestModel({ url }))).completion.text).toBe("ok");
  expect(requests).toHaveLength(3);
});

test("[S23] neither the message nor the logged cause of a failure contains the key", async () => {
  const leak = { message: `wrong key ${KEY}`, code: 401 };
  for (const script of [
    createErrorScript(401, {}, leak),
    createErrorScript(418, {}, leak),
    createStreamScript(toSseFrame({ error: leak })),
  ]) {
    const { fault } = await callForFault(script);
    expect(fault.message).not.toContain(KEY);
    expect(String(fault.cause)).not.toContain(KEY);
    expect(String(fault.cause)).toContain("[key]");
  }
});

test("[I30] a refused connection is tried three times", async () => {
  let attempts = 0;
  const refusing: typeof fetch = () => {
    attempts += 1;
    return Promise.reject(new TypeError("fetch failed"));
  };
  const closedPort = completeOnce(createTestModel({ url: "http://127.0.0.1:9/v1" }));
  await Promise.all([
    expect(completeOnce(createTestModel({ fetch: refusing }))).rejects.toMatchObject({
      code: "model_unavailable",
      retryable: false,
    }),
    expect(closedPort).rejects.toMatchObject({ code: "model_unavailable" }),
  ]);
  expect(attempts).toBe(3);
});

test("[I30] a Retry-After of ten seconds is waited for, twice", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const requestTimes: number[] = [];
  const busyFetch: typeof fetch = () => {
    requestTimes.push(Date.now());
    return Promise.resolve(new Response("{}", { status: 429, headers: { "retry-after": "10" } }));
  };
  const completion = completeOnce(createTestModel({ fetch: busyFetch, silenceSeconds: 60 })).catch(
    (thrown: unknown) => thrown,
  );
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await completion).toMatchObject({ code: "model_unavailable" });
  expect(requestTimes.map((at) => at - (requestTimes[0] ?? 0))).toEqual([0, 10_000, 20_000]);
});

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toUTCString();
test.each<[number, Record<string, string>, string, string]>([
  [429, { "retry-after": "11" }, "rate-limited. Try again in 11 seconds.", "请在 11 秒后重试。"],
  [429, { "retry-after": "711" }, "rate-limited. Try again in 12 minutes.", "请在 12 分钟后重试。"],
  [429, { "retry-after": inMinutes(12) }, "rate-limited. Try again in 12 minutes.", "请在 12 分钟后重试。"],
  [503, { "retry-after": "7200" }, "(HTTP 503). Try again in 2 hours.", "请在 2 小时后重试。"],
  [529, { "retry-after-ms": "259200000" }, "(HTTP 529). Try again in 3 days.", "请在 3 天后重试。"],
  [
    429,
    {
      "x-ratelimit-remaining-requests": "0",
      "x-ratelimit-reset-requests": "6m0s",
      "x-ratelimit-remaining-tokens": "10",
      "x-ratelimit-reset-tokens": "1h",
    },
    "rate-limited. Try again in 6 minutes.",
    "请在 6 分钟后重试。",
  ],
])("[I30] status %i with %j is not retried and says when to come back", async (status, headers, en, zh) => {
  const startedAt = Date.now();
  const failed = await callForFault(createErrorScript(status, headers));
  expect(failed).toMatchObject({ code: "model_unavailable", retryable: false, attempts: 1 });
  expect(failed.fault.message).toContain(en);
  expect(describeError(failed.fault, "zh")).toContain(zh);
  expect(Date.now() - startedAt).toBeLessThan(2_000);
});

test("[I30] Retry-After is parsed as seconds, a date or milliseconds, or as the reset of an exhausted limit", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  const parse = (headers: Record<string, string>) => parseRetryAfter(new Headers(headers), now);
  expect(parse({ "retry-after": "2" })).toBe(2_000);
  expect(parse({ "retry-after": "Thu, 01 Jan 2026 00:00:05 GMT" })).toBe(5_000);
  expect(parse({ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" })).toBe(0);
  expect(parse({ "retry-after": "9", "retry-after-ms": "250" })).toBe(250);
  expect(parse({ "retry-after": "soon" })).toBeUndefined();
  expect(parse({})).toBeUndefined();
  const exhausted = { "x-ratelimit-remaining-tokens": "0", "x-ratelimit-remaining-requests": "0" };
  const resets = { "x-ratelimit-reset-tokens": "1m1.5s", "x-ratelimit-reset-requests": "20ms" };
  expect(parse({ ...exhausted, ...resets })).toBe(61_500);
  expect(parse({ ...exhausted, ...resets, "retry-after": "2" })).toBe(2_000);
  expect(parse({ ...exhausted, "x-ratelimit-reset-tokens": "soon" })).toBeUndefined();
  expect(parse(resets)).toBeUndefined();
  expect(getRetryDelayMs(1, 0)).toBe(0);
});

test("without Retry-After the delay doubles, with jitter", () => {
  expect([
    getRetryDelayMs(1, undefined, () => 0),
    getRetryDelayMs(1, undefined, () => 0.99),
    getRetryDelayMs(2, undefined, () => 0),
  ]).toEqual([250, 497.5, 500]);
});

test("a slow completion does not time out while bytes arrive", async () => {
  const { url } = await serveScripts((response) => {
    openStream(response);
    let remaining = 8;
    const timer = setInterval(() => {
      response.write(remaining > 0 ? ": wait\n\n" : textFrame("ok") + finishFrame() + DONE);
      if (remaining-- === 0) clearInterval(timer);
    }, 100);
  });
  expect((await completeOnce(createTestModel({ url, silenceSeconds: 0.5 }))).completion.text).toBe("ok");
});

test("a connection loss after the finish is ignored", async () => {
  const { url } = await serveScripts((response) => {
    openStream(response);
    response.write(textFrame("ok") + finishFrame());
    setTimeout(() => response.destroy(), 50);
  });
  expect((await completeOnce(createTestModel({ url }))).completion.text).toBe("ok");
});

test.each([
  ["an error frame", toSseFrame({ error: { message: "no usage today", code: 500 } })],
  ["an unreadable frame", "data: [DONE] \n\ndata: bye\n\n"],
])("%s after the finish is ignored", async (_, trailing) => {
  const { url, requests } = await serveScripts(createStreamScript(textFrame("ok"), finishFrame(), trailing));
  expect((await completeOnce(createTestModel({ url }))).completion.text).toBe("ok");
  expect(requests).toHaveLength(1);
});

test("a finished completion does not wait long for its usage", async () => {
  const { url } = await serveScripts((response) => {
    openStream(response);
    response.write(textFrame("ok") + finishFrame());
  });
  const started = Date.now();
  expect((await completeOnce(createTestModel({ url, silenceSeconds: 20 }))).completion.text).toBe("ok");
  expect(Date.now() - started).toBeLessThan(4_000);
});

test("[F11] a finished completion without text is valid and has its usage", async () => {
  const usage = { prompt_tokens: 70, completion_tokens: 900, total_tokens: 970 };
  expect(
    (await completeStream(deltaFrame({ reasoning: "hm" }), finishFrame(), toSseFrame({ choices: [], usage }), DONE))
      .completion,
  ).toEqual({
    text: "",
    toolCalls: [],
    usage: { inputTokens: 70, outputTokens: 900 },
  });
});

test("[I31] a completion without end is cut off", async () => {
  const blob = new Uint8Array(1_048_576).fill(97);
  const endlessFetch = createChunkFetch(() => Array.from({ length: 20 }, () => blob));
  await expect(completeOnce(createTestModel({ fetch: endlessFetch }))).rejects.toMatchObject({
    code: "model_malformed",
  });
});

test("a call with an aborted signal is never sent", async () => {
  const { url, requests } = await serveScripts(okScript);
  await expect(completeOnce(createTestModel({ url }), { signal: AbortSignal.abort("gone") })).rejects.toBe("gone");
  expect(requests).toHaveLength(0);
});

test("[T5] an abort rejects at once with its reason and closes the connection", async () => {
  let close = () => {};
  const closed = new Promise<void>((resolve) => (close = resolve));
  const { url } = await serveScripts((response) => {
    openStream(response);
    response.write(textFrame("par"));
    response.on("close", close);
  });
  const controller = new AbortController();
  const reason = new Error("cancelled");
  const { signal } = controller;
  const completion = createTestModel({ url }).complete({ role: "triage", messages: [], signal }, () =>
    controller.abort(reason),
  );
  await expect(completion).rejects.toBe(reason);
  await closed;
});

test("[T5] an abort ends a body that ignores the signal", async () => {
  const reason = new Error("cancelled");
  const controller = new AbortController();
  let cancelled: unknown;
  const ignoringFetch: typeof fetch = () => {
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => stream.enqueue(encodeText(textFrame("par"))),
      cancel(reason) {
        cancelled = reason;
        return new Promise(() => {});
      },
    });
    return Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
  };
  const { signal } = controller;
  const completion = createTestModel({ fetch: ignoringFetch }).complete(
    { role: "triage", messages: [], signal },
    () => {
      setTimeout(() => controller.abort(reason), 20);
    },
  );
  await expect(completion).rejects.toBe(reason);
  expect(cancelled).toBe(reason);
});

test("[T5] an abort while waiting for headers or the next attempt rejects at once", async () => {
  const { url, requests } = await serveScripts(createErrorScript(429, { "retry-after": "9" }), () => {});
  const model = createTestModel({ url });
  for (let round = 0; round < 2; round++) {
    const started = Date.now();
    await expect(completeOnce(model, { signal: AbortSignal.timeout(200) })).rejects.toMatchObject({
      name: "TimeoutError",
    });
    expect(Date.now() - started).toBeLessThan(1_000);
  }
  expect(requests).toHaveLength(2);
});

test("an exception of the listener is rethrown unchanged", async () => {
  const { url, requests } = await serveScripts(okScript);
  const bug = new Error("listener");
  const completion = createTestModel({ url }).complete(
    { role: "triage", messages: [], signal: new AbortController().signal },
    () => {
      throw bug;
    },
  );
  await expect(completion).rejects.toBe(bug);
  expect(requests).toHaveLength(1);
});
