import { afterEach, expect, test, vi } from "vitest";
import { createStreamResponse, type EventBatches, type StreamHandlers } from "../../src/a2a/sse-response.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** Creates an endless source of numbers, and records whether it was closed and whether the reader left. */
function createCounter() {
  const state = { isOver: false, hasDisconnected: false };
  async function* batches(): EventBatches<number> {
    try {
      for (let n = 1; ; n += 1) yield [n];
    } finally {
      state.isOver = true;
    }
  }
  return { state, portions: batches() };
}

function createHandlers(
  encodeEvent: StreamHandlers<number>["encodeEvent"],
  state: { hasDisconnected: boolean },
): StreamHandlers<number> {
  return {
    encodeEvent,
    onDisconnect: () => void (state.hasDisconnected = true),
    encodeError: () => "it broke",
    heartbeatMs: 1_000,
  };
}

test.each([1, 3])(
  "createStreamResponse() ends with an error and closes its source if event %i cannot be encoded",
  async (failingEvent) => {
    vi.useFakeTimers();
    const { state, portions: batches } = createCounter();
    const encode = (n: number) => {
      if (n === failingEvent) throw new Error("no words");
      return n;
    };
    const answer = createStreamResponse(batches, createHandlers(encode, state), {}).then((response) => response.text());
    if (failingEvent === 1) await expect(answer).rejects.toThrow("no words");
    else expect(await answer).toMatch(/data: 2\n\nevent: error\ndata: "it broke"\n\n$/);
    expect(state).toEqual({ isOver: true, hasDisconnected: true });
    expect(vi.getTimerCount()).toBe(0);
  },
);

test("createStreamResponse() closes its source when the reader disconnects", async () => {
  vi.useFakeTimers();
  const { state, portions: batches } = createCounter();
  const response = await createStreamResponse(batches, createHandlers(String, state), {});
  await response.body?.cancel();
  expect(state).toEqual({ isOver: true, hasDisconnected: true });
  expect(vi.getTimerCount()).toBe(0);
});
