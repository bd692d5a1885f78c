// The alarm of a conversation with a running or waiting thread, in the Workers runtime.

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { formatObjectName, unwrapResult } from "../../src/durable/conversation-api.ts";
import type { ConversationApi } from "../../src/durable/conversation/operations.ts";
import type { Conversation } from "../../src/durable/conversation/conversation.ts";
import type { Env } from "../../src/env.ts";
import { ensurePresent } from "../../src/lib/assert.ts";
import { createId } from "../../src/protocol/wire/ids.ts";

const { CONVERSATION } = env as unknown as Env;

test("[I25] [I26] sets the alarm again while a thread runs and deletes it when all threads are done", async () => {
  const stub = CONVERSATION.getByName(formatObjectName("ada", createId("conv")));
  const alarms = await runInDurableObject(stub, async (object, { storage }) => {
    const conversation = object as unknown as Conversation;
    const message = "首先查询现在时间然后计算678乘以8776的结果";
    unwrapResult(await conversation.send(createId("cmd"), { message }, { create: true }));
    const first = await storage.getAlarm();
    await storage.deleteAlarm();
    await conversation.alarm();
    return [first, await storage.getAlarm()].map((at) => (at ?? 0) - Date.now());
  });
  for (const ahead of alarms) expect(ahead).toBeGreaterThan(4_000);
  for (const ahead of alarms) expect(ahead).toBeLessThanOrEqual(5_000);
  const alarm = () => runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
  await vi.waitFor(async () => expect(await alarm()).toBeNull(), { timeout: 15_000, interval: 200 });
  const { status } = unwrapResult(await (stub as unknown as ConversationApi).read());
  expect(status).toBe("completed");
});

test("[H2] expires a question on time while the directory is down", async () => {
  const stub = CONVERSATION.getByName(formatObjectName("ada", createId("conv")));
  const retry = await runInDurableObject(stub, async (object) => {
    const conversation = object as unknown as Conversation;
    const { DB } = (object as unknown as { readonly env: Env }).env;
    unwrapResult(
      await conversation.send(createId("cmd"), { message: "every day at 9 tell me the time" }, { create: true }),
    );
    const expiry = async () =>
      ensurePresent(unwrapResult(await conversation.context()).expires_at, "a question that expires");
    const end = await vi.waitFor(expiry, { timeout: 5_000 });
    const directory = vi.spyOn(DB, "prepare").mockImplementation(() => {
      throw new Error("D1 is down");
    });
    unwrapResult(await conversation.update({ title: "untold" }));
    vi.useFakeTimers({ toFake: ["Date"], now: end - 5_000 });
    const again = await conversation.onJob({ job: { fn: "turns" } } as never);
    vi.useRealTimers();
    directory.mockRestore();
    return (again?.rescheduleAt ?? 0) - end;
  });
  expect(retry).toBe(0);
});
