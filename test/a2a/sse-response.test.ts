import { afterEach, expect, test, vi } from "vitest";
import { createStreamResponse, type EventBatches, type StreamHandlers } from "../../src/a2a/sse-response.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** Says numbers without end, and whether anybody still listens. */
function counting() {
  const state = { isOver: false, hasLeft: false };
  async function* portions(): EventBatches<number> {
    try {
      for (let n = 1; ; n += 1) yield [n];
    } finally {
      state.isOver = true;
    }
  }
  return { state, portions: portions() };
}

function telling(
  encodeEvent: StreamHandlers<number>["encodeEvent"],
  state: { hasLeft: boolean },
): StreamHandlers<number> {
  return {
    encodeEvent,
    onDisconnect: () => void (state.hasLeft = true),
    encodeError: () => "it broke",
    heartbeatMs: 1_000,
  };
}

test.each([1, 3])(
  "what cannot be worded, at event %i, ends the stream with an error and lets its source go",
  async (bad) => {
    vi.useFakeTimers();
    const { state, portions } = counting();
    const worded = (n: number) => {
      if (n === bad) throw new Error("no words");
      return n;
    };
    const answer = createStreamResponse(portions, telling(worded, state), {}).then((response) => response.text());
    if (bad === 1) await expect(answer).rejects.toThrow("no words");
    else expect(await answer).toMatch(/data: 2\n\nevent: error\ndata: "it broke"\n\n$/);
    expect(state).toEqual({ isOver: true, hasLeft: true });
    expect(vi.getTimerCount()).toBe(0);
  },
);

test("a reader that goes away lets the source go", async () => {
  vi.useFakeTimers();
  const { state, portions } = counting();
  const response = await createStreamResponse(portions, telling(String, state), {});
  await response.body?.cancel();
  expect(state).toEqual({ isOver: true, hasLeft: true });
  expect(vi.getTimerCount()).toBe(0);
});
