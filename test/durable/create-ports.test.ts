import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createUserAgents, createBasePorts } from "../../src/durable/conversation/create-ports.ts";
import type { Env } from "../../src/env.ts";
import { parseSettings } from "../../src/settings.ts";
import { createSchedule } from "../directory/schedule-rows.ts";

/** A directory that never answers a query. */
const silentDirectory = {
  prepare: () => silentDirectory,
  bind: () => silentDirectory,
  all: () => new Promise(() => {}),
  first: () => new Promise(() => {}),
};
const env = { DB: silentDirectory as unknown as D1Database } as Env;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("[I38] createUserAgents() lists no agents after a timeout if the directory never answers", async () => {
  const listed = createUserAgents(env, parseSettings({}), "unheard-of").list();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await listed).toEqual([]);
});

test("[I38] schedules.count() counts only the schedules of its own conversation if the directory never answers", async () => {
  const counted = createBasePorts(
    env,
    parseSettings({}),
    { userId: "unheard-of", conversationId: "conv-1" },
    {
      list: () => ["a", "b", "c"].map((id) => createSchedule("unheard-of", id)),
      get: () => expect.fail("No schedule is changed"),
    },
  ).schedules.count();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await counted).toMatchObject({ used: 3 });
});
