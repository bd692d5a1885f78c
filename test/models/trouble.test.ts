import { expect, onTestFinished, test, vi } from "vitest";
import { ModelFault } from "../../src/core/ports.ts";
import { computeBackoffMs } from "../../src/models/backoff.ts";
import { parseRetryAfter } from "../../src/models/model-errors.ts";
import {
  ask,
  bytesOf,
  DONE,
  delta,
  finish,
  frame,
  inPieces,
  KEY,
  modelAt,
  open,
  say,
  serve,
  status,
  stream,
  type Script,
} from "./scripted-endpoint.ts";

const fine = stream(say("ok"), finish(), DONE);

async function faultOf(...scripts: [Script, ...Script[]]) {
  const endpoint = await serve(...scripts);
  const heard: string[] = [];
  const signal = new AbortController().signal;
  const thrown: unknown = await modelAt({ url: endpoint.url, silenceSeconds: 0.3 })
    .complete({ role: "planner", messages: [], signal }, ({ text }) => heard.push(text))
    .then(
      () => undefined,
      (reason: unknown) => reason,
    );
  if (!(thrown instanceof ModelFault)) throw new Error("The call did not fail as it should.", { cause: thrown });
  return {
    code: thrown.code,
    retryable: thrown.retryable,
    attempts: endpoint.requests.length,
    heard: heard.join(""),
    fault: thrown,
  };
}

test.each([429, 500, 502, 503, 529, 408])("[I30] status %i is tried again", async (code) => {
  const { url, requests } = await serve(
    status(code, { "retry-after": "0" }),
    status(code, { "retry-after-ms": "1" }),
    fine,
  );
  expect((await ask(modelAt({ url }))).completion.text).toBe("ok");
  expect(requests).toHaveLength(3);
});

test.each([429, 503])("[I30] status %i that stays is given up after three attempts", async (code) => {
  const failed = await faultOf(status(code, { "retry-after": "0" }));
  expect(failed).toMatchObject({ code: "model_unavailable", retryable: false, attempts: 3 });
});

test.each([400, 401, 402, 403, 404, 413, 422])("[I30] status %i is not tried again", async (code) => {
  const failed = await faultOf(status(code, {}, { message: `the key ${KEY} is bad` }));
  expect(failed).toMatchObject({ code: "model_refused", retryable: false, attempts: 1 });
  expect(failed.fault.message).toMatch(/[a-z]{3,}.*\.$/);
});

test("[I30] a used up quota is not tried again, although its status is 429", async () => {
  const failed = await faultOf(status(429, {}, { message: "pay", code: "insufficient_quota" }));
  expect(failed).toMatchObject({ code: "model_refused", attempts: 1 });
});

test("[S23] neither the message nor what is logged of a failure carries the key", async () => {
  const leak = { message: `wrong key ${KEY}`, code: 401 };
  for (const script of [status(401, {}, leak), status(418, {}, leak), stream(frame({ error: leak }))]) {
    const { fault } = await faultOf(script);
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
  const closed = ask(modelAt({ url: "http://127.0.0.1:9/v1" }));
  await Promise.all([
    expect(ask(modelAt({ fetch: refusing }))).rejects.toMatchObject({ code: "model_unavailable", retryable: false }),
    expect(closed).rejects.toMatchObject({ code: "model_unavailable" }),
  ]);
  expect(attempts).toBe(3);
});

test("[I30] Retry-After is obeyed", async () => {
  const { url, requests } = await serve(status(429, { "retry-after": "1" }), fine);
  const started = Date.now();
  await ask(modelAt({ url }));
  expect(Date.now() - started).toBeGreaterThanOrEqual(995);
  expect(requests).toHaveLength(2);
});

test("[I30] an endpoint that asks for an hour is asked again after ten seconds, and twice at most", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const asked: number[] = [];
  const busy: typeof fetch = () => {
    asked.push(Date.now());
    return Promise.resolve(new Response("{}", { status: 429, headers: { "retry-after": "3600" } }));
  };
  const whole = ask(modelAt({ fetch: busy, silenceSeconds: 60 })).catch((thrown: unknown) => thrown);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(await whole).toMatchObject({ code: "model_unavailable" });
  expect(asked.map((at) => at - (asked[0] ?? 0))).toEqual([0, 10_000, 20_000]);
});

test("[I30] Retry-After is read as seconds, a date or milliseconds, and capped at ten seconds", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  const read = (headers: Record<string, string>) => parseRetryAfter(new Headers(headers), now);
  expect(read({ "retry-after": "2" })).toBe(2_000);
  expect(read({ "retry-after": "Thu, 01 Jan 2026 00:00:05 GMT" })).toBe(5_000);
  expect(read({ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" })).toBe(0);
  expect(read({ "retry-after": "9", "retry-after-ms": "250" })).toBe(250);
  expect(read({ "retry-after": "soon" })).toBeUndefined();
  expect(read({})).toBeUndefined();
  expect(computeBackoffMs(1, 3_600_000, 0)).toBe(10_000);
  expect(computeBackoffMs(1, 0, 0.5)).toBe(0);
});

test("without Retry-After the wait doubles, with jitter", () => {
  expect([
    computeBackoffMs(1, undefined, 0),
    computeBackoffMs(1, undefined, 0.99),
    computeBackoffMs(2, undefined, 0),
  ]).toEqual([250, 497.5, 500]);
});

test("[I30] silence before and within an answer is a stall", async () => {
  expect(await faultOf(() => {})).toMatchObject({ code: "model_interrupted", retryable: true, attempts: 1, heard: "" });
  const falling = await faultOf((response) => {
    open(response);
    response.write(say("par"));
  });
  expect(falling).toMatchObject({ code: "model_interrupted", retryable: true, attempts: 1, heard: "par" });
});

test("a slow answer is no stall as long as bytes come", async () => {
  const { url } = await serve((response) => {
    open(response);
    let left = 8;
    const timer = setInterval(() => {
      response.write(left > 0 ? ": wait\n\n" : say("ok") + finish() + DONE);
      if (left-- === 0) clearInterval(timer);
    }, 100);
  });
  expect((await ask(modelAt({ url, silenceSeconds: 0.3 }))).completion.text).toBe("ok");
});

test("[I30] a stream that ends or is cut before the model has finished is interrupted", async () => {
  const interrupted = { code: "model_interrupted", retryable: true, attempts: 1 };
  expect(await faultOf(stream(say("par")))).toMatchObject({ ...interrupted, heard: "par" });
  expect(await faultOf(stream())).toMatchObject(interrupted);
  const cut: Script = (response) => {
    open(response);
    response.write(say("par"));
    setTimeout(() => response.destroy(), 50);
  };
  expect(await faultOf(cut)).toMatchObject({ ...interrupted, heard: "par" });
});

test("a cut after the model has finished changes nothing", async () => {
  const { url } = await serve((response) => {
    open(response);
    response.write(say("ok") + finish());
    setTimeout(() => response.destroy(), 50);
  });
  expect((await ask(modelAt({ url }))).completion.text).toBe("ok");
});

test.each([
  ["an error", frame({ error: { message: "no usage today", code: 500 } })],
  ["what cannot be read", "data: [DONE] \n\ndata: bye\n\n"],
])("%s after the model has finished changes nothing", async (_, behind) => {
  const { url, requests } = await serve(stream(say("ok"), finish(), behind));
  expect((await ask(modelAt({ url }))).completion.text).toBe("ok");
  expect(requests).toHaveLength(1);
});

test("an answer that has finished does not wait long for the usage that may follow", async () => {
  const { url } = await serve((response) => {
    open(response);
    response.write(say("ok") + finish());
  });
  const started = Date.now();
  expect((await ask(modelAt({ url, silenceSeconds: 20 }))).completion.text).toBe("ok");
  expect(Date.now() - started).toBeLessThan(4_000);
});

test.each([
  ["cut JSON", [say("par"), 'data: {"choices":[{"del\n\n']],
  ["no choices", [frame({ choices: [] }), DONE]],
  ["an empty answer without its end", [say(""), DONE]],
  ["nothing but reasoning at the length limit", [delta({ reasoning: "hm" }), finish("length"), DONE]],
])("[I30] %s is malformed", async (_, frames) => {
  expect(await faultOf(stream(...frames))).toMatchObject({ code: "model_malformed", retryable: true, attempts: 1 });
});

test("[F11] an answer that ends without a word is one, and costs what it costs", async () => {
  const usage = { prompt_tokens: 70, completion_tokens: 900, total_tokens: 970 };
  const { url } = await serve(stream(delta({ reasoning: "hm" }), finish(), frame({ choices: [], usage }), DONE));
  expect((await ask(modelAt({ url }))).completion).toEqual({
    text: "",
    toolCalls: [],
    usage: { inputTokens: 70, outputTokens: 900 },
  });
});

test("an answer that the content filter held back is refused", async () => {
  expect(await faultOf(stream(finish("content_filter"), DONE))).toMatchObject({
    code: "model_refused",
    retryable: false,
  });
});

test.each([
  ["text/html", "<html>"],
  ["text/plain", "\n<!DOCTYPE html><html>"],
])("a web page is no answer, nor where it is called %s", async (type, text) => {
  const failed = await faultOf((response) => {
    response.writeHead(200, { "content-type": type });
    response.end(text);
  });
  expect(failed).toMatchObject({ code: "model_refused", attempts: 1 });
  expect(failed.fault.message).toContain("OPENAI_BASE_URL");
});

test("[I30] an error in the stream is what its status would have been", async () => {
  const sending = (error: unknown, ...before: string[]) => stream(...before, frame({ error }));
  const overloaded = { message: "busy", code: 503 };
  // The two that are tried again wait at the same time.
  const [unavailable, limited] = await Promise.all([
    faultOf(sending(overloaded)),
    faultOf(stream('event: error\ndata: {"type":"rate_limit_error"}\n\n')),
  ]);
  expect(unavailable).toMatchObject({ code: "model_unavailable", retryable: false, attempts: 3 });
  expect(limited).toMatchObject({ attempts: 3 });
  expect(await faultOf(sending(overloaded, say("par")))).toMatchObject({
    code: "model_interrupted",
    retryable: true,
    attempts: 1,
    heard: "par",
  });
  expect(await faultOf(sending({ type: "invalid_request_error" }))).toMatchObject({
    code: "model_refused",
    attempts: 1,
  });
  expect(await faultOf(sending("boom"))).toMatchObject({ code: "model_interrupted", retryable: true, attempts: 1 });
  expect(await faultOf(sending({ code: "constructor" }))).toMatchObject({ code: "model_interrupted" });
});

test("[I31] an answer that never ends is cut off", async () => {
  const blob = new Uint8Array(1_048_576).fill(97);
  const endless = inPieces(() => Array.from({ length: 20 }, () => blob));
  await expect(ask(modelAt({ fetch: endless }))).rejects.toMatchObject({ code: "model_malformed" });
});

test("a call that is aborted before it begins is never made", async () => {
  const { url, requests } = await serve(fine);
  await expect(ask(modelAt({ url }), { signal: AbortSignal.abort("gone") })).rejects.toBe("gone");
  expect(requests).toHaveLength(0);
});

test("[T5] an abort rejects at once with its reason and closes the connection", async () => {
  let close = () => {};
  const closed = new Promise<void>((resolve) => (close = resolve));
  const { url } = await serve((response) => {
    open(response);
    response.write(say("par"));
    response.on("close", close);
  });
  const controller = new AbortController();
  const reason = new Error("cancelled");
  const { signal } = controller;
  const whole = modelAt({ url }).complete({ role: "triage", messages: [], signal }, () => controller.abort(reason));
  await expect(whole).rejects.toBe(reason);
  await closed;
});

test("[T5] an abort ends a body that knows nothing of the signal", async () => {
  const reason = new Error("cancelled");
  const controller = new AbortController();
  let cancelled: unknown;
  const deaf: typeof fetch = () => {
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => stream.enqueue(bytesOf(say("par"))),
      cancel(why) {
        cancelled = why;
        return new Promise(() => {});
      },
    });
    return Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
  };
  const { signal } = controller;
  const whole = modelAt({ fetch: deaf }).complete({ role: "triage", messages: [], signal }, () => {
    setTimeout(() => controller.abort(reason), 20);
  });
  await expect(whole).rejects.toBe(reason);
  expect(cancelled).toBe(reason);
});

test("[T5] an abort while waiting for the headers or for the next attempt rejects at once", async () => {
  const { url, requests } = await serve(status(429, { "retry-after": "9" }), () => {});
  const model = modelAt({ url });
  for (let round = 0; round < 2; round++) {
    const started = Date.now();
    await expect(ask(model, { signal: AbortSignal.timeout(200) })).rejects.toMatchObject({ name: "TimeoutError" });
    expect(Date.now() - started).toBeLessThan(1_000);
  }
  expect(requests).toHaveLength(2);
});

test("what the listener throws is thrown, not explained away", async () => {
  const { url, requests } = await serve(fine);
  const bug = new Error("listener");
  const whole = modelAt({ url }).complete(
    { role: "triage", messages: [], signal: new AbortController().signal },
    () => {
      throw bug;
    },
  );
  await expect(whole).rejects.toBe(bug);
  expect(requests).toHaveLength(1);
});
