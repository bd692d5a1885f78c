// Disconnected readers: each interface soon frees their places in the listener limit of the conversation.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startModelServer, type ModelServer } from "../../support/model-server.ts";
import { createApiUser } from "../../support/api-user.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import { pickByLength } from "../../support/run-length.ts";

/** The listener limit of a conversation. */
const LISTENERS = pickByLength(30, 100);
const WITHIN_MS = 6_000;

let runtime: Runtime;
let model: ModelServer;

beforeAll(async () => {
  model = await startModelServer();
  runtime = await startRuntime({
    vars: { OPENAI_BASE_URL: model.url, MAX_LISTENERS: String(LISTENERS), MODEL_TIMEOUT_SECONDS: "120" },
  });
});
afterAll(async () => {
  await runtime.stop();
  await model.close();
});

/** Starts a thread that runs without output in a new conversation. */
async function startSilentThread() {
  const message = `Wait ${model.addScript({ triage: { fault: { kind: "stall" } } })}`;
  const conversation = `conv-${crypto.randomUUID()}`;
  const key = `cmd-${crypto.randomUUID()}`;
  const ada = createApiUser(runtime.url);
  const accepted = await ada.request("POST", "/api/v1/messages", { message, conversation_id: conversation, id: key });
  const { thread_id: thread } = (await accepted.json()) as { thread_id: string };
  return { message, conversation, key, thread };
}
type SilentThread = Awaited<ReturnType<typeof startSilentThread>>;

type ReaderRequest = (silentThread: SilentThread) => { readonly path: string; readonly init: RequestInit };

const createPost = (body: object, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", accept: "text/event-stream", ...headers },
  body: JSON.stringify(body),
});

const createA2ARequest = (message: Message, version: string, { conversation, key }: SilentThread) =>
  createPost(
    {
      jsonrpc: "2.0",
      id: 1,
      method: version === "1.0" ? "SendMessage" : "message/send",
      params: { message: { ...message, messageId: key, contextId: conversation } },
    },
    { "a2a-version": version },
  );
type Message = { readonly role: string; readonly parts: readonly object[]; readonly kind?: string };

const createMcpRequest = ({ conversation, message, key }: SilentThread, accept: string) =>
  createPost(
    {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name: "ask",
        arguments: { message, conversation_id: conversation },
        _meta: { "orrery/idempotency-key": key },
      },
    },
    { accept },
  );

const READERS: Readonly<Record<string, ReaderRequest>> = {
  "SSE of a conversation": ({ conversation }) => ({
    path: `/api/v1/conversations/${conversation}/events?after=0`,
    init: { headers: { accept: "text/event-stream" } },
  }),
  "SSE of a message": ({ conversation, message, key }) => ({
    path: `/api/v1/conversations/${conversation}/messages`,
    init: createPost({ message, id: key }),
  }),
  OpenAI: ({ conversation, message, key }) => ({
    path: "/v1/chat/completions",
    init: createPost(
      { model: "orrery", stream: true, messages: [{ role: "user", content: message }] },
      { "x-orrery-conversation": conversation, "idempotency-key": key },
    ),
  }),
  "OpenAI responses": ({ conversation, message, key }) => ({
    path: "/v1/responses",
    init: createPost(
      { model: "orrery", stream: true, input: message },
      { "x-orrery-conversation": conversation, "idempotency-key": key },
    ),
  }),
  "AG-UI": ({ conversation, message, key }) => ({
    path: "/agui",
    init: createPost({
      threadId: conversation,
      runId: key,
      state: {},
      tools: [],
      context: [],
      forwardedProps: {},
      messages: [{ id: "m1", role: "user", content: message }],
    }),
  }),
  MCP: (silentThread) => ({
    path: "/mcp",
    init: createMcpRequest(silentThread, "application/json, text/event-stream"),
  }),
  "MCP, whole": (silentThread) => ({ path: "/mcp", init: createMcpRequest(silentThread, "application/json") }),
  "A2A, whole": (silentThread) => ({
    path: "/a2a",
    init: createA2ARequest({ role: "ROLE_USER", parts: [{ text: silentThread.message }] }, "1.0", silentThread),
  }),
  "A2A 0.3, whole": (silentThread) => ({
    path: "/a2a",
    init: createA2ARequest(
      { kind: "message", role: "user", parts: [{ kind: "text", text: silentThread.message }] },
      "0.3",
      silentThread,
    ),
  }),
  "A2A over HTTP+JSON, whole": ({ conversation, message, key }) => ({
    path: "/a2a/message:send",
    init: createPost({
      message: { messageId: key, contextId: conversation, role: "ROLE_USER", parts: [{ text: message }] },
    }),
  }),
  "A2A over HTTP+JSON": ({ conversation, thread }) => ({
    path: `/a2a/tasks/${conversation}.${thread}:subscribe`,
    init: createPost({}),
  }),
  A2A: ({ conversation, thread }) => ({
    path: "/a2a",
    init: createPost(
      { jsonrpc: "2.0", id: 1, method: "SubscribeToTask", params: { id: `${conversation}.${thread}` } },
      { "a2a-version": "1.0" },
    ),
  }),
};

describe("[F13] as many readers as may listen free their places when they disconnect, and do not stop the thread", () => {
  test.concurrent.each(Object.entries(READERS))(
    "%s",
    async (_, createReader) => {
      const silentThread = await startSilentThread();
      await openAndDropReaders(createReader(silentThread));
      // Three heartbeats, because intermediaries may need one of their own.
      await sleep(WITHIN_MS);
      expect(await countFreeListeners(silentThread)).toBe(LISTENERS);
      const log = await createApiUser(runtime.url).history(silentThread.conversation);
      expect(log.map(({ event }) => event)).not.toContain("done");
    },
    60_000,
  );
});

/** Opens as many streams as the limit allows, reads their first bytes, and drops all connections. */
async function openAndDropReaders({ path, init }: ReturnType<ReaderRequest>): Promise<void> {
  const abort = new AbortController();
  const readers = Array.from({ length: LISTENERS }, async () => {
    const response = await fetch(runtime.url + path, { ...init, signal: abort.signal });
    expect(response.status).toBe(200);
    await response.body?.getReader().read();
  });
  await Promise.all(readers);
  abort.abort();
}

/** Counts the listeners that can connect now. */
async function countFreeListeners({ conversation }: SilentThread): Promise<number> {
  const abort = new AbortController();
  const init = { headers: { accept: "text/event-stream" }, signal: abort.signal };
  const path = `${runtime.url}/api/v1/conversations/${conversation}/events?after=0`;
  const statuses = await Promise.all(Array.from({ length: LISTENERS }, async () => (await fetch(path, init)).status));
  abort.abort();
  return statuses.filter((status) => status === 200).length;
}
