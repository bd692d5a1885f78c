// The alarm of a conversation with a running or waiting thread, in the Workers runtime.

import { runInDurableObject } from "cloudflare:test";
import { expect, test, vi } from "vitest";
import { unwrapResult } from "../../src/durable/conversation-api.ts";
import type { Conversation } from "../../src/durable/conversation/conversation.ts";
import type { Env } from "../../src/env.ts";
import { ensurePresent } from "../../src/lib/assert.ts";
import { getAlarm, openConversation, runInside, send, setClock, TWO_TASKS, waitUntil } from "./support.ts";

test("[I25] [I26] sets the alarm again while a thread runs and deletes it when all threads are done", async () => {
  const { api, stub } = openConversation();
  const alarms = await runInDurableObject(stub, async (object, { storage }) => {
    const conversation = object as unknown as Conversation;
    await send(conversation, TWO_TASKS);
    const first = await storage.getAlarm();
    await storage.deleteAlarm();
    await conversation.alarm();
    return [first, await storage.getAlarm()].map((at) => (at ?? 0) - Date.now());
  });
  for (const ahead of alarms) expect(ahead).toBeGreaterThan(4_000);
  for (const ahead of alarms) expect(ahead).toBeLessThanOrEqual(5_000);
  await waitUntil(async () => expect(await getAlarm(stub)).toBeNull());
  expect(unwrapResult(await api.read()).status).toBe("completed");
});

test("[H2] expires a question on time while the directory is down", async () => {
  const retry = await runInside(openConversation().stub, async (conversation) => {
    const { DB } = (conversation as unknown as { readonly env: Env }).env;
    await send(conversation, "every day at 9 tell me the time");
    const expiry = async () =>
      ensurePresent(unwrapResult(await conversation.context()).expires_at, "a question that expires");
    const end = await waitUntil(expiry);
    const directory = vi.spyOn(DB, "prepare").mockImplementation(() => {
      throw new Error("D1 is down");
    });
    unwrapResult(await conversation.update({ title: "untold" }));
    setClock(end - 5_000);
    const again = await conversation.onJob({ job: { fn: "turns" } } as never);
    vi.useRealTimers();
    directory.mockRestore();
    return (again?.rescheduleAt ?? 0) - end;
  });
  expect(retry).toBe(0);
});
