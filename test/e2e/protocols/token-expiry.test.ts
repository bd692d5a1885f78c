// Streams whose token expires during the thread.

import { beforeAll, expect, test } from "vitest";
import { signToken } from "../../http/tokens.ts";
import { createApiUser, type ApiUser } from "../../support/api-user.ts";
import { startOpenAISetup, type OpenAISetup } from "./openai-setup.ts";

let setup: OpenAISetup;

beforeAll(async () => {
  setup = await startOpenAISetup({ MODEL_TIMEOUT_SECONDS: "60" });
});

const STREAM = { accept: "text/event-stream" };
const now = () => Math.floor(Date.now() / 1_000);

/** Starts a thread that runs without output. */
async function startSilentThread() {
  const message = `Wait ${setup.model.addScript({ triage: { fault: { kind: "stall" } } })}`;
  const key = crypto.randomUUID();
  const accepted = await setup.ada.request("POST", "/api/v1/messages", { message, id: key });
  const { conversation_id: id, thread_id: thread } = (await accepted.json()) as Readonly<Record<string, string>>;
  return { id: `${id}`, thread: `${thread}`, message, key };
}
type SilentThread = Awaited<ReturnType<typeof startSilentThread>>;

const createRpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });

const STREAMS: Readonly<Record<string, (user: ApiUser, silentThread: SilentThread) => Promise<Response>>> = {
  "events of a conversation": (user, { id }) =>
    user.request("GET", `/api/v1/conversations/${id}/events`, undefined, STREAM),
  "response to a message": (user, { id, message, key }) =>
    user.request("POST", `/api/v1/conversations/${id}/messages`, { message, id: key }, STREAM),
  "A2A SendStreamingMessage": (user, { id, message, key }) => {
    const sent = { messageId: key, contextId: id, role: "ROLE_USER", parts: [{ text: message }] };
    return user.request("POST", "/a2a", createRpc("SendStreamingMessage", { message: sent }), {
      "a2a-version": "1.0",
    });
  },
  "A2A SubscribeToTask": (user, { id, thread }) =>
    user.request("POST", "/a2a", createRpc("SubscribeToTask", { id: `${id}.${thread}` }), { "a2a-version": "1.0" }),
  "A2A SubscribeToTask over HTTP+JSON": (user, { id, thread }) =>
    user.request("POST", `/a2a/tasks/${id}.${thread}:subscribe`, {}),
  "A2A 0.3 tasks/resubscribe": (user, { id, thread }) =>
    user.request("POST", "/a2a", createRpc("tasks/resubscribe", { id: `${id}.${thread}` })),
};

test.each(Object.entries(STREAMS))(
  "[S8] a stream ends when its token expires: %s",
  async (_, openStream) => {
    const silentThread = await startSilentThread();
    // The clock tolerance is 30 s, so this token is valid for three more seconds.
    const expiringUser = createApiUser(setup.runtime.url, await signToken({ sub: setup.userId, exp: now() - 27 }));
    const stayed = new AbortController();
    const longStream = await openStream(setup.ada, silentThread);
    void longStream.text().then(
      () => stayed.abort(),
      () => undefined,
    );
    const text = await (await openStream(expiringUser, silentThread)).text();
    expect(text).toContain("data: ");
    expect(stayed.signal.aborted).toBe(false);
    await setup.ada.request("POST", `/api/v1/conversations/${silentThread.id}/cancel`, {});
  },
  20_000,
);
