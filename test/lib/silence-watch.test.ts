import { getEventListeners } from "node:events";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { SilenceWatch } from "../../src/lib/silence-watch.ts";

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

const createWatch = (caller = new AbortController().signal, timeoutMs = 10_000): SilenceWatch =>
  new SilenceWatch(caller, { silenceMs: 100, timeoutMs }, (end) => end);

test("[W1] silence counts only between touch and suspend", () => {
  const watch = createWatch();
  vi.advanceTimersByTime(500);
  watch.touch();
  vi.advanceTimersByTime(90);
  watch.suspend();
  vi.advanceTimersByTime(500);
  expect(watch.signal.aborted).toBe(false);
  watch.touch();
  vi.advanceTimersByTime(210);
  expect(watch.signal.reason).toBe("silent");
});

test("the deadline ends an operation that is never silent", () => {
  const watch = createWatch(undefined, 300);
  for (let n = 0; n < 10; n += 1) {
    watch.touch();
    vi.advanceTimersByTime(40);
  }
  expect(watch.signal.reason).toBe("timeout");
});

test("[W2] the first reason stays, and an ended watch leaves no listener and no timer", () => {
  const caller = new AbortController();
  const watch = createWatch(caller.signal);
  caller.abort();
  watch.abort("later");
  expect(watch.signal.reason).toBe("aborted");
  expect(createWatch(caller.signal).signal.reason).toBe("aborted");
  const stopped = createWatch();
  stopped.stop();
  expect(getEventListeners(caller.signal, "abort")).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test("shorten ends an operation after the shorter silence", () => {
  const watch = createWatch();
  watch.touch();
  watch.shorten(20);
  vi.advanceTimersByTime(25);
  expect(watch.signal.reason).toBe("silent");
});
