// Connections that break. A client that reconnects sees the same as one that stayed connected (L2).

import { isDeepStrictEqual } from "node:util";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createApi } from "../../src/client/api.ts";
import type { ConnectOptions } from "../../src/client/connect.ts";
import type { SocketConstructor } from "../../src/client/live-socket.ts";
import { startUnreliableProxy } from "../support/unreliable-proxy.ts";
import { isDone, connectRecordingClient, type RecordingClient } from "../support/recording-client.ts";
import { createHandoffReply, createPlanReply } from "../support/model-reply.ts";
import type { ModelServer } from "../support/model-server.ts";
import { createApiUser, type ApiUser } from "../support/api-user.ts";
import { randomBetween, createRandom } from "../support/random.ts";
import { findViolations, foldVisibleState, toVisibleState, findReusedNumbers } from "../support/invariants.ts";
import { shareModel, shareRuntime, type SharedRuntime } from "../support/shared-runtime.ts";
import { pickByLength } from "../support/run-length.ts";

const SEEDS = pickByLength([20_261_121], [20_261_121, 20_261_122, 20_261_123]);
const LOSSES = pickByLength(20, 100);

let model: ModelServer;
let runtime: SharedRuntime;
let user: ApiUser;

beforeAll(async () => {
  model = await shareModel();
  runtime = await shareRuntime({ vars: { OPENAI_BASE_URL: model.url } });
  user = createApiUser(runtime.url);
});

/** The WebSocket of Node, with the type that the client expects. */
const Socket = WebSocket as unknown as SocketConstructor;

const createWords = (count: number, mark = "w") => Array.from({ length: count }, (_, i) => `${mark}${i} `).join("");

function scriptParagraph(): string {
  return `Tell ${model.addScript({ triage: { reasoning: createWords(20, "r"), text: createWords(150), paceMs: 5 } })}`;
}

function scriptPlan(): string {
  const scriptPart = (mark: string) =>
    model.addScript({
      "agent:assistant": [
        { text: createWords(30, mark), calls: [{ name: "calculate", arguments: { expression: "2+2" } }], paceMs: 5 },
        { text: createWords(40, mark), paceMs: 5 },
      ],
    });
  const briefs = [
    { query: `A ${scriptPart("a")}` },
    { query: `B ${scriptPart("b")}` },
    { query: `C ${scriptPart("c")}`, after: ["t0"] },
  ];
  const synthesis = { text: createWords(30, "s"), paceMs: 5 };
  return `Do ${model.addScript({ triage: createHandoffReply("needs_planning"), planner: createPlanReply(...briefs), synthesis })}`;
}

async function createConversation(): Promise<string> {
  return (await createApi({ url: runtime.url }).createConversation()).conversation_id;
}

function openListener(options: Partial<ConnectOptions> & { readonly conversationId: string }): RecordingClient {
  const listener = connectRecordingClient({ url: runtime.url, ...options });
  onTestFinished(() => listener.close());
  return listener;
}

test.each(SEEDS)(
  `[L1] [L2] [I4] ${LOSSES} lost connections at random moments lead to the same view (seed %d)`,
  async (seed) => {
    const random = createRandom(seed);
    const proxy = await startUnreliableProxy(runtime.url, () => ({
      bytes: randomBetween(random, 0, 20_000),
      ms: randomBetween(random, 30, 300),
    }));
    onTestFinished(() => proxy.close());
    const conversations = await Promise.all([createConversation(), createConversation(), createConversation()]);
    const listeners = conversations.flatMap((conversationId) =>
      [1, 2].map(() => ({ conversationId, listener: openListener({ conversationId, url: proxy.url }) })),
    );
    const losses = () => listeners.reduce((total, { listener }) => total + listener.losses, 0);
    for (let round = 0; losses() < LOSSES; round++) {
      await Promise.all(
        listeners.map(async ({ listener }, i) => {
          const { thread_id } = await listener.connection.send(
            (round + i) % 2 === 0 ? scriptParagraph() : scriptPlan(),
          );
          await listener.waitFor(isDone(thread_id));
        }),
      );
    }
    proxy.stopBreaking();
    proxy.resetAll();
    const logs = new Map(await Promise.all(conversations.map(async (id) => [id, await user.history(id)] as const)));
    for (const { conversationId, listener } of listeners) {
      const log = logs.get(conversationId) ?? [];
      expect(findViolations(log)).toEqual([]);
      await listener.waitForSeq(log.at(-1)?.seq ?? 0);
      expect(toVisibleState(listener.connection.view)).toEqual(foldVisibleState(log));
      expect(foldVisibleState(listener.frames)).toEqual(foldVisibleState(log));
      const numbers = listener.events.map(({ frame }) => frame.seq);
      expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    }
    for (const id of conversations) {
      const received = listeners
        .filter(({ conversationId }) => conversationId === id)
        .flatMap(({ listener }) => listener.events);
      expect(findReusedNumbers([...received.map(({ frame }) => frame), ...(logs.get(id) ?? [])])).toEqual([]);
    }
  },
);

test("[F13] [L2] clients that connect during a paragraph get all of it, over a socket and over SSE", async () => {
  const conversationId = await createConversation();
  const first = openListener({ conversationId });
  const { thread_id } = await first.connection.send(scriptParagraph());
  await first.waitFor(({ event }) => event === "message_chunk");
  const lateListener = openListener({ conversationId });
  const stop = new AbortController();
  const stream = await fetch(`${runtime.url}/api/v1/conversations/${conversationId}/events`, {
    headers: { accept: "text/event-stream", "last-event-id": "0" },
    signal: stop.signal,
  });
  await Promise.all([first.waitFor(isDone(thread_id)), lateListener.waitFor(isDone(thread_id))]);
  let text = "";
  for await (const piece of (stream.body ?? new ReadableStream<Uint8Array>()).pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (text.includes('"event":"done"')) break;
  }
  stop.abort();
  const log = foldVisibleState(await user.history(conversationId));
  expect(foldVisibleState(first.frames)).toEqual(log);
  expect(foldVisibleState(lateListener.frames)).toEqual(log);
  const frames = text.split("\n").filter((line) => line.startsWith("data: "));
  expect(
    foldVisibleState(frames.map((line) => JSON.parse(line.slice(6)) as (typeof first.events)[number]["frame"])),
  ).toEqual(log);
});

test("[F13] a thread continues without connected clients", async () => {
  const conversationId = await createConversation();
  const listener = openListener({ conversationId });
  const { thread_id } = await listener.connection.send(scriptPlan());
  await listener.waitFor(({ event }) => event === "task_started");
  listener.close();
  const reconnected = openListener({ conversationId });
  await reconnected.waitFor(isDone(thread_id));
  expect(findViolations(await user.history(conversationId))).toEqual([]);
  expect(foldVisibleState(reconnected.frames)).toEqual(foldVisibleState(await user.history(conversationId)));
});

describe("comparison of views", () => {
  /** A faulty client that always requests the whole log and ignores `after`. */
  class ForgetfulSocket extends Socket {
    constructor(url: string) {
      const address = new URL(url);
      address.searchParams.set("after", "0");
      super(address.href);
    }
  }

  test.each([
    { client: "the real client", kind: Socket, isRight: true },
    { client: "a client without a cursor", kind: ForgetfulSocket, isRight: false },
  ])("$client reconnects during a paragraph with the correct view: $isRight", async ({ kind, isRight }) => {
    const proxy = await startUnreliableProxy(runtime.url, () => null);
    onTestFinished(() => proxy.close());
    const conversationId = await createConversation();
    const reconnectTiming = { backoff: { minMs: 300, maxMs: 300 } };
    const listener = openListener({ conversationId, url: proxy.url, WebSocket: kind, timing: reconnectTiming });
    const { thread_id } = await listener.connection.send(scriptParagraph());
    // The first chunk is always replayed alone. Later chunks are joined, so the replay must be cut at the right position.
    let chunks = 0;
    await listener.waitFor(({ event }) => event === "message_chunk" && ++chunks === 3);
    proxy.resetAll();
    await listener.waitFor(isDone(thread_id));
    const log = await user.history(conversationId);
    await listener.waitForSeq(log.at(-1)?.seq ?? 0);
    const isSame = isDeepStrictEqual(toVisibleState(listener.connection.view), foldVisibleState(log));
    expect(listener.losses).toBe(1);
    expect(isSame).toBe(isRight);
  });
});
