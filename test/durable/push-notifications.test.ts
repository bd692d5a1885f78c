// Push notifications of a thread, in the Conversation object.

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { formatObjectName, unwrapResult } from "../../src/durable/conversation-api.ts";
import type { ConversationApi } from "../../src/durable/conversation/operations.ts";
import type { Env } from "../../src/env.ts";
import type { PushConfig } from "../../src/protocol/agents/a2a-push.ts";
import { createId } from "../../src/protocol/wire/ids.ts";

const { CONVERSATION } = env as unknown as Env;

test("a question is answered although its additional push config is rejected", async () => {
  const stub = CONVERSATION.getByName(formatObjectName("ada", createId("conv")));
  const api: ConversationApi = stub as unknown as ConversationApi;
  const { thread_id } = unwrapResult(
    await api.send("c-1", { message: "every day at 9 tell me the time" }, { create: true }),
  );
  await vi.waitFor(async () => expect(unwrapResult(await api.read()).status).toBe("require_user_input"));
  const push = (id: string): PushConfig => ({ id, url: "https://example.com/", version: "1.0" });
  for (let n = 0; n < 10; n += 1) unwrapResult(await api.pushes(thread_id, { put: push(`p-${n}`) }));
  const refused = await api.send("c-2", { message: "yes" }, { create: false, push: push("one-more") });
  expect(refused).toMatchObject({ ok: false, failure: { code: "invalid_request" } });
  // Read storage directly: a call to the object would wake it.
  const isDone = () =>
    runInDurableObject(stub, (_, { storage }) =>
      storage.sql.exec(`SELECT 1 FROM log WHERE entries LIKE '%"event":"done"%'`).toArray(),
    );
  await vi.waitFor(async () => expect(await isDone()).toHaveLength(1), { timeout: 2_500, interval: 100 });
});
