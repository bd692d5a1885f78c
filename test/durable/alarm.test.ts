// The alarm of a conversation with a running or waiting thread, in the Workers runtime.

import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { expect, test, vi } from "vitest";
import { unwrapResult } from "../../src/durable/conversation-api.ts";
import type { Conversation } from "../../src/durable/conversation/conversation.ts";
import type { ConversationHead } from "../../src/durable/conversation/storage/conversation-head.ts";
import type { Env } from "../../src/env.ts";
import { ensurePresent } from "../../src/lib/assert.ts";
import {
  getAlarm,
  openConversation,
  queryStorage,
  runInside,
  send,
  setClock,
  TWO_TASKS,
  waitForDone,
  waitUntil,
} from "./support.ts";

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

test("[T4] [I26] [I28] lets a thread wait that may have killed its host, and wakes it by the alarm", async () => {
  const { api, stub } = openConversation();
  await send(api, "hello");
  await waitForDone(api);
  await runInDurableObject(stub, (_, { storage: { sql } }) => {
    const head = JSON.parse(sql.exec<{ body: string }>(`SELECT body FROM head`).one().body) as ConversationHead;
    const state = { kind: "running", isolate: "dead", is_suspect: true } as const;
    const interruptions = { host: 0, attributed: 0, state };
    const thread = { thread_id: "th-2", command_id: "c2", seq: 1_000, attempts: 2, interruptions };
    sql.exec(`UPDATE head SET body = ?`, JSON.stringify({ ...head, open: [thread] }));
    sql.exec(`INSERT INTO command (id, thread_id, seq, request) VALUES ('c2', 'th-2', 1000, '{"message":"hello"}')`);
  });
  await evictDurableObject(stub);
  const wakeAt = await waitUntil(async () => {
    await api.read();
    const alarm = ensurePresent(await getAlarm(stub), "an alarm");
    const [head] = await queryStorage<{ body: string }>(stub, `SELECT body FROM head`);
    const [thread] = (JSON.parse(head?.body ?? "") as ConversationHead).open;
    expect(thread?.interruptions).toMatchObject({ attributed: 1, state: { kind: "waiting" } });
    expect(alarm).toBeLessThanOrEqual(Date.now() + 5_000);
    return alarm;
  });
  await runInside(stub, async (conversation) => {
    setClock(wakeAt + 5_000);
    await conversation.onJob({ job: { fn: "turns" } } as never);
    vi.useRealTimers();
  });
  await waitForDone(api, 2);
});
