// Readers who leave: their places in the conversation are free again soon, whatever door they came through.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startModelServer, type ModelServer } from "../../support/model-server.ts";
import { personAt } from "../../support/person.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";

/** As many as may listen to one conversation at once. */
const LISTENERS = 100;
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

/** A conversation in which one thread is at work and says nothing. */
async function quietThread() {
  const message = `Wait ${model.act({ triage: { trouble: { kind: "stall" } } })}`;
  const conversation = `conv-${crypto.randomUUID()}`;
  const key = `cmd-${crypto.randomUUID()}`;
  const ada = personAt(runtime.url);
  const told = await ada.request("POST", "/api/v1/messages", { message, conversation_id: conversation, id: key });
  const { thread_id: thread } = (await told.json()) as { thread_id: string };
  return { message, conversation, key, thread };
}
type Quiet = Awaited<ReturnType<typeof quietThread>>;

type Door = (quiet: Quiet) => { readonly path: string; readonly init: RequestInit };

const json = (body: object, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", accept: "text/event-stream", ...headers },
  body: JSON.stringify(body),
});

const asksA2A = (message: Message, version: string, { conversation, key }: Quiet) =>
  json(
    {
      jsonrpc: "2.0",
      id: 1,
      method: version === "1.0" ? "SendMessage" : "message/send",
      params: { message: { ...message, messageId: key, contextId: conversation } },
    },
    { "a2a-version": version },
  );
type Message = { readonly role: string; readonly parts: readonly object[]; readonly kind?: string };

const asksMcp = ({ conversation, message, key }: Quiet, accept: string) =>
  json(
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

const DOORS: Readonly<Record<string, Door>> = {
  "SSE of a conversation": ({ conversation }) => ({
    path: `/api/v1/conversations/${conversation}/events?after=0`,
    init: { headers: { accept: "text/event-stream" } },
  }),
  "SSE of a message": ({ conversation, message, key }) => ({
    path: `/api/v1/conversations/${conversation}/messages`,
    init: json({ message, id: key }),
  }),
  OpenAI: ({ conversation, message, key }) => ({
    path: "/v1/chat/completions",
    init: json(
      { model: "orrery", stream: true, messages: [{ role: "user", content: message }] },
      { "x-orrery-conversation": conversation, "idempotency-key": key },
    ),
  }),
  "AG-UI": ({ conversation, message, key }) => ({
    path: "/agui",
    init: json({
      threadId: conversation,
      runId: key,
      state: {},
      tools: [],
      context: [],
      forwardedProps: {},
      messages: [{ id: "m1", role: "user", content: message }],
    }),
  }),
  MCP: (quiet) => ({ path: "/mcp", init: asksMcp(quiet, "application/json, text/event-stream") }),
  "MCP, whole": (quiet) => ({ path: "/mcp", init: asksMcp(quiet, "application/json") }),
  "A2A, whole": (quiet) => ({
    path: "/a2a",
    init: asksA2A({ role: "ROLE_USER", parts: [{ text: quiet.message }] }, "1.0", quiet),
  }),
  "A2A 0.3, whole": (quiet) => ({
    path: "/a2a",
    init: asksA2A({ kind: "message", role: "user", parts: [{ kind: "text", text: quiet.message }] }, "0.3", quiet),
  }),
  A2A: ({ conversation, thread }) => ({
    path: "/a2a",
    init: json(
      { jsonrpc: "2.0", id: 1, method: "SubscribeToTask", params: { id: `${conversation}.${thread}` } },
      { "a2a-version": "1.0" },
    ),
  }),
};

describe("[F13] of a hundred who come and drop at once, nobody keeps a place, and the work goes on", () => {
  test.concurrent.each(Object.entries(DOORS))(
    "%s",
    async (_, door) => {
      const quiet = await quietThread();
      await dropAll(door(quiet));
      // Three heartbeats: what stands in between may take one of its own.
      await sleep(WITHIN_MS);
      expect(await placesIn(quiet)).toBe(LISTENERS);
      const log = await personAt(runtime.url).history(quiet.conversation);
      expect(log.map(({ event }) => event)).not.toContain("done");
    },
    60_000,
  );
});

/** Connects as often as there are places, hears the beginning each time, and drops all connections. */
async function dropAll({ path, init }: ReturnType<Door>): Promise<void> {
  const left = new AbortController();
  const readers = Array.from({ length: LISTENERS }, async () => {
    const response = await fetch(runtime.url + path, { ...init, signal: left.signal });
    expect(response.status).toBe(200);
    await response.body?.getReader().read();
  });
  await Promise.all(readers);
  left.abort();
}

/** How many can listen now. */
async function placesIn({ conversation }: Quiet): Promise<number> {
  const left = new AbortController();
  const init = { headers: { accept: "text/event-stream" }, signal: left.signal };
  const path = `${runtime.url}/api/v1/conversations/${conversation}/events?after=0`;
  const statuses = await Promise.all(Array.from({ length: LISTENERS }, async () => (await fetch(path, init)).status));
  left.abort();
  return statuses.filter((status) => status === 200).length;
}
