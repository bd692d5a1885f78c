import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createUserAgents, createBasePorts } from "../../src/durable/create-ports.ts";
import type { Env } from "../../src/env.ts";
import { parseSettings } from "../../src/settings.ts";

/** A directory that takes every question and answers none. */
const silent = {
  prepare: () => silent,
  bind: () => silent,
  all: () => new Promise(() => {}),
  first: () => new Promise(() => {}),
};
const env = { DB: silent as unknown as D1Database } as Env;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("[I38] a directory that never answers stops no conversation", async () => {
  const listed = createUserAgents(env, parseSettings({}), "unheard-of").list();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await listed).toEqual([]);
});

test("[I38] a directory that never answers keeps nobody from a schedule", async () => {
  const counted = createBasePorts(
    env,
    parseSettings({}),
    { userId: "unheard-of", conversationId: "conv-1" },
    () => 3,
  ).schedules();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await counted).toMatchObject({ used: 3 });
});
