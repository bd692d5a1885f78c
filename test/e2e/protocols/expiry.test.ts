// Streams whose token expires while the work that they tell of goes on.

import { afterAll, beforeAll, expect, test } from "vitest";
import { signed } from "../../http/tokens.ts";
import { personAt, type Person } from "../../support/person.ts";
import { startStage, type Stage } from "./openai-stage.ts";

let stage: Stage;

beforeAll(async () => {
  stage = await startStage({ MODEL_TIMEOUT_SECONDS: "60" });
});
afterAll(() => stage.stop());

const STREAM = { accept: "text/event-stream" };
const now = () => Math.floor(Date.now() / 1_000);

/** A thread that is at work and says nothing. */
async function quietThread() {
  const message = `Wait ${stage.model.act({ triage: { trouble: { kind: "stall" } } })}`;
  const key = crypto.randomUUID();
  const told = await stage.ada.request("POST", "/api/v1/messages", { message, id: key });
  const { conversation_id: id, thread_id: thread } = (await told.json()) as Readonly<Record<string, string>>;
  return { id: `${id}`, thread: `${thread}`, message, key };
}
type Quiet = Awaited<ReturnType<typeof quietThread>>;

const rpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });

const STREAMS: Readonly<Record<string, (person: Person, quiet: Quiet) => Promise<Response>>> = {
  "of a conversation's events": (person, { id }) =>
    person.request("GET", `/api/v1/conversations/${id}/events`, undefined, STREAM),
  "of a message": (person, { id, message, key }) =>
    person.request("POST", `/api/v1/conversations/${id}/messages`, { message, id: key }, STREAM),
  "of A2A, after a message": (person, { id, message, key }) => {
    const sent = { messageId: key, contextId: id, role: "ROLE_USER", parts: [{ text: message }] };
    return person.request("POST", "/a2a", rpc("SendStreamingMessage", { message: sent }), { "a2a-version": "1.0" });
  },
  "of A2A, to a task": (person, { id, thread }) =>
    person.request("POST", "/a2a", rpc("SubscribeToTask", { id: `${id}.${thread}` }), { "a2a-version": "1.0" }),
  "of A2A 0.3, to a task": (person, { id, thread }) =>
    person.request("POST", "/a2a", rpc("tasks/resubscribe", { id: `${id}.${thread}` })),
};

test.each(Object.entries(STREAMS))(
  "[S8] a stream ends with its token: %s",
  async (_, open) => {
    const quiet = await quietThread();
    // Clocks may differ by half a minute, so it is good for three more seconds.
    const leaving = personAt(stage.runtime.url, await signed({ sub: "ada", exp: now() - 27 }));
    const staying = new AbortController();
    const stays = await open(stage.ada, quiet);
    void stays.text().then(
      () => staying.abort(),
      () => undefined,
    );
    const text = await (await open(leaving, quiet)).text();
    expect(text).toContain("data: ");
    expect(staying.signal.aborted).toBe(false);
    await stage.ada.request("POST", `/api/v1/conversations/${quiet.id}/cancel`, {});
  },
  20_000,
);
