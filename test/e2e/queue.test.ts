// More messages than may wait in one conversation.

import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { personAt } from "../support/person.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

const WAITING = 2;
/** One that runs, those that wait, and two more. */
const MOST = 1 + WAITING + 2;

let model: ModelServer;
let runtime: Runtime;

beforeAll(async () => {
  model = await startModelServer();
  const vars = {
    OPENAI_BASE_URL: model.url,
    MAX_QUEUED_THREADS: String(WAITING),
    MAX_MESSAGES_PER_MINUTE: String(MOST),
  };
  runtime = await startRuntime({ vars });
});
afterAll(async () => {
  await runtime.stop();
  await model.close();
});

test("those that find no room are refused in words, not counted, and find it again", async () => {
  const person = personAt(runtime.url);
  const endless = model.act({ triage: { trouble: { kind: "stall" } } });
  const first = await person.tell(endless);
  const { conversation_id: id } = first;
  const waiting = [await person.tell(endless, { in: id }), await person.tell(endless, { in: id })];
  const path = `/api/v1/conversations/${id}/messages`;
  for (let time = 0; time < MOST; time += 1) {
    const refused = await person.request("POST", path, { message: "and this?" });
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      { code: "too_many_requests", detail: expect.stringContaining("waiting in this conversation") as string },
    ]);
  }
  for (const { thread_id } of [first, ...waiting])
    await person.request("POST", `/api/v1/conversations/${id}/cancel`, { thread_id });
  await vi.waitFor(async () => {
    expect((await person.history(id)).filter(({ event }) => event === "done")).toHaveLength(1 + WAITING);
  }, 10_000);
  // The last two of the minute.
  for (let time = 1 + WAITING; time < MOST; time += 1) {
    const { frames } = await person.say(model.act({ triage: { text: "Yes." } }), { in: id });
    expect(frames.at(-1)?.event).toBe("done");
  }
  const over = await person.request("POST", path, { message: "hello" });
  expect([over.status, await over.json()]).toMatchObject([
    429,
    { detail: expect.stringContaining("in a short time") as string },
  ]);
});
