// More messages than can wait in one conversation.

import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { createApiUser } from "../support/api-user.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

const MAX_QUEUED = 2;
/** The running message, the waiting messages, and two more. */
const MAX_MESSAGES = 1 + MAX_QUEUED + 2;

let model: ModelServer;
let runtime: Runtime;

beforeAll(async () => {
  model = await startModelServer();
  const vars = {
    OPENAI_BASE_URL: model.url,
    MAX_QUEUED_THREADS: String(MAX_QUEUED),
    MAX_MESSAGES_PER_MINUTE: String(MAX_MESSAGES),
  };
  runtime = await startRuntime({ vars });
});
afterAll(async () => {
  await runtime.stop();
  await model.close();
});

test("messages beyond the queue limit are rejected, do not count for the rate limit, and are accepted later", async () => {
  const user = createApiUser(runtime.url);
  const endless = model.addScript({ triage: { fault: { kind: "stall" } } });
  const first = await user.send(endless);
  const { conversation_id: id } = first;
  const waiting = [await user.send(endless, { conversation: id }), await user.send(endless, { conversation: id })];
  const path = `/api/v1/conversations/${id}/messages`;
  for (let time = 0; time < MAX_MESSAGES; time += 1) {
    const refused = await user.request("POST", path, { message: "and this?" });
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      { code: "too_many_requests", detail: expect.stringContaining("waiting in this conversation") as string },
    ]);
  }
  for (const { thread_id } of [first, ...waiting])
    await user.request("POST", `/api/v1/conversations/${id}/cancel`, { thread_id });
  await vi.waitFor(async () => {
    expect((await user.history(id)).filter(({ event }) => event === "done")).toHaveLength(1 + MAX_QUEUED);
  }, 10_000);
  // The last two messages of this minute.
  for (let time = 1 + MAX_QUEUED; time < MAX_MESSAGES; time += 1) {
    const { frames } = await user.sendAndWait(model.addScript({ triage: { text: "Yes." } }), { conversation: id });
    expect(frames.at(-1)?.event).toBe("done");
  }
  const overLimit = await user.request("POST", path, { message: "hello" });
  expect([overLimit.status, await overLimit.json()]).toMatchObject([
    429,
    { detail: expect.stringContaining("Too many messages") as string },
  ]);
});
