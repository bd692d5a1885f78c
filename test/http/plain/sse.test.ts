// Event streams without the Workers runtime: the effects of a slow, a disconnected and a broken side.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSseResponse, acceptsEventStream } from "../../../src/http/sse.ts";

const utf8 = new TextEncoder();

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createSource() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const cancelled: unknown[] = [];
  const stream = new ReadableStream<Uint8Array>({
    start: (streamController) => {
      controller = streamController;
    },
    cancel: (reason) => {
      cancelled.push(reason);
    },
  });
  return {
    stream,
    cancelled,
    write: (bytes: Uint8Array) => controller?.enqueue(bytes),
    end: () => controller?.close(),
    fail: () => controller?.error(new Error("The host is gone")),
  };
}

test("frames become events, wherever their bytes are split", async () => {
  const source = createSource();
  const response = createSseResponse(source.stream);
  const text = `{"seq":1,"event":"a","data":{}}\n{"seq":12,"event":"b","data":{"content":"汉字"}}\n`;
  for (const byte of utf8.encode(text)) source.write(Uint8Array.of(byte));
  source.end();
  expect(await response.text()).toBe(
    `:\n\nid: 1\ndata: {"seq":1,"event":"a","data":{}}\n\nid: 12\ndata: {"seq":12,"event":"b","data":{"content":"汉字"}}\n\n`,
  );
  expect(vi.getTimerCount()).toBe(0);
});

test("a quiet stream sends a heartbeat every 2 s", async () => {
  const source = createSource();
  const body = createSseResponse(source.stream).text();
  await vi.advanceTimersByTimeAsync(6_000);
  source.end();
  expect(await body).toBe(":\n\n".repeat(4));
  expect(vi.getTimerCount()).toBe(0);
});

test("a reader who leaves cancels the source and the heartbeat", async () => {
  const source = createSource();
  await createSseResponse(source.stream).body?.cancel();
  expect(source.cancelled).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});

test("a failing source fails the stream and leaves no timer", async () => {
  const source = createSource();
  const response = createSseResponse(source.stream);
  const outcome = response.text().catch((thrown: unknown) => thrown);
  source.write(utf8.encode(`{"seq":1}\n`));
  await vi.advanceTimersByTimeAsync(0);
  source.fail();
  expect(await outcome).toMatchObject({ message: "The host is gone" });
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ["text/event-stream", true],
  ["application/json, text/event-stream;q=0.9", true],
  ["Text/Event-Stream; charset=utf-8", true],
  ["text/event-stream;q=0.001", true],
  ["text/event-stream;q=0, application/json", false],
  ["application/json, text/event-stream; Q=0.000", false],
  ["application/x-text/event-stream", false],
  ["application/json", false],
  [undefined, false],
])("the Accept header %s is evaluated", (accept, accepts) => {
  const request = new Request("https://orrery.dev", accept === undefined ? {} : { headers: { accept } });
  expect(acceptsEventStream(request)).toBe(accepts);
});
