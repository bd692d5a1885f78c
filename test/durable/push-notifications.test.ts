// Push notifications of a thread, in the Conversation object.

import { expect, test } from "vitest";
import { unwrapResult } from "../../src/durable/conversation-api.ts";
import type { PushConfig } from "../../src/protocol/agents/a2a-push.ts";
import { openConversation, queryStorage, send, waitUntil } from "./support.ts";

test("a question is answered although its additional push config is rejected", async () => {
  const { api, stub } = openConversation();
  const { thread_id } = await send(api, "every day at 9 tell me the time");
  await waitUntil(async () => expect(unwrapResult(await api.read()).status).toBe("require_user_input"));
  const push = (id: string): PushConfig => ({ id, url: "https://example.com/", version: "1.0" });
  for (let n = 0; n < 10; n += 1) unwrapResult(await api.pushes(thread_id, { put: push(`p-${n}`) }));
  const refused = await api.send("c-2", { message: "yes" }, { create: false, push: push("one-more") });
  expect(refused).toMatchObject({ ok: false, failure: { code: "invalid_request" } });
  const done = `SELECT 1 FROM log WHERE entries LIKE '%"event":"done"%'`;
  await waitUntil(async () => expect(await queryStorage(stub, done)).toHaveLength(1), 2_500);
});
