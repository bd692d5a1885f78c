// Replays from every seq of a log, over all interfaces, and from an unknown seq.

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createApi } from "../../src/client/api.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { isDone, connectRecordingClient } from "../support/recording-client.ts";
import { createHandoffReply, createPlanReply } from "../support/model-reply.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { createApiUser } from "../support/api-user.ts";
import { openTestSocket, type TestSocket } from "../support/test-socket.ts";
import { findReplayFaults } from "../support/check-replay.ts";
import { foldVisibleState, toVisibleState } from "../support/invariants.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";
import { pickByLength } from "../support/run-length.ts";

const LOG_EVENTS = pickByLength(200, 1_000);

let model: ModelServer;
let runtime: Runtime;
const openSockets: { close(): void }[] = [];

beforeAll(async () => {
  model = await startModelServer();
  // On a busy machine, closed connections are noticed with a delay.
  runtime = await startRuntime({ vars: { OPENAI_BASE_URL: model.url, MAX_LISTENERS: "2000" } });
});
afterEach(() => {
  for (const socket of openSockets.splice(0)) socket.close();
});
afterAll(async () => {
  await runtime.stop();
  await model.close();
});

const createConversation = async (url: string) => (await createApi({ url }).createConversation()).conversation_id;

async function openSocket(url: string, conversationId: string, after: number | string = 0): Promise<TestSocket> {
  const socket = await openTestSocket(url, conversationId, after);
  openSockets.push(socket);
  return socket;
}

const createText = (count: number, mark = "w") => Array.from({ length: count }, (_, i) => `${mark}${i}é💥 `).join("");

function createMessage(count: number, paceMs = 0): string {
  return `Tell ${model.addScript({ triage: { text: createText(count), paceMs } })}`;
}

/** Creates a message for a plan of three tasks, two of them concurrent, with reasoning, tools and interleaved text. */
function createPlanMessage(): string {
  const part = (mark: string) =>
    model.addScript({
      "agent:assistant": [
        { reasoning: createText(15, "r"), calls: [{ name: "calculate", arguments: { expression: "2+2" } }], paceMs: 2 },
        { text: createText(60, mark), paceMs: 2 },
      ],
    });
  const briefs = [{ query: `A ${part("a")}` }, { query: `B ${part("b")}` }, { query: `C ${part("c")}`, after: ["t0"] }];
  const synthesis = { text: createText(30, "s"), paceMs: 2 };
  return `Do ${model.addScript({ triage: createHandoffReply("needs_planning"), planner: createPlanReply(...briefs), synthesis })}`;
}

/** Lists the events that a socket received, as raw text. */
function listEventTexts({ texts }: TestSocket): string[] {
  return texts.filter((socket) => socket.startsWith('{"seq":'));
}

describe("[I4] [I5] replay after any seq", () => {
  test(`equals the events that were sent live, over all interfaces, in a log of ${LOG_EVENTS} events`, async () => {
    const conversationId = await createConversation(runtime.url);
    const liveSocket = await openSocket(runtime.url, conversationId);
    while (listEventTexts(liveSocket).length < LOG_EVENTS) await sendAndWait(liveSocket, createPlanMessage());
    const sent = listEventTexts(liveSocket);
    const last = sent.length;
    const path = `${runtime.url}/api/v1/conversations/${conversationId}/events`;
    for (let after = 0; after <= last; after++) {
      const { events } = (await (await fetch(`${path}?after=${after}&limit=10000`)).json()) as { events: Frame[] };
      expect(
        findReplayFaults(
          sent,
          after,
          events.map((event) => JSON.stringify(event)),
        ),
      ).toEqual([]);
    }
    for (let after = 0; after <= last; after += 9) {
      const reconnected = await openTestSocket(runtime.url, conversationId, after);
      await reconnected.waitFor((frame) => "type" in frame && frame.type === "caught_up");
      reconnected.close();
      expect(findReplayFaults(sent, after, listEventTexts(reconnected))).toEqual([]);
    }
    for (let after = 0; after < last; after += 19) {
      const lines = await readStream(path, after, last);
      expect(findReplayFaults(sent, after, lines)).toEqual([]);
    }
  });

  test("equals the events that were sent live while the thread runs", async () => {
    const conversationId = await createConversation(runtime.url);
    const liveSocket = await openSocket(runtime.url, conversationId);
    let isOver = false;
    const production = (async () => {
      for (let i = 0; i < 3; i++) await sendAndWait(liveSocket, createPlanMessage());
      isOver = true;
    })();
    const reconnections: { after: number; socket: TestSocket }[] = [];
    for (let i = 0; !isOver; i++) {
      const received = listEventTexts(liveSocket).length;
      const after = i % 3 === 0 ? received : Math.floor((received * (i % 7)) / 7);
      reconnections.push({ after, socket: await openSocket(runtime.url, conversationId, after) });
    }
    await production;
    const sent = listEventTexts(liveSocket);
    expect(reconnections.length).toBeGreaterThan(20);
    for (const { after, socket } of reconnections) {
      await socket.waitFor((frame) => "event" in frame && frame.seq === sent.length).catch(() => undefined);
      expect(findReplayFaults(sent, after, listEventTexts(socket))).toEqual([]);
    }
  });

  test("is rejected by findReplayFaults if it differs", () => {
    const chunk = (seq: number, content: string) =>
      JSON.stringify({ seq, event: "message_chunk", data: { item_id: "i", payload: { content } } });
    const done = (seq: number) => JSON.stringify({ seq, event: "done", data: { item_id: "d" } });
    const sent = [chunk(1, "a"), chunk(2, "b"), chunk(3, "c"), done(4)];
    expect(findReplayFaults(sent, 1, [chunk(3, "bc"), done(4)])).toEqual([]);
    expect(findReplayFaults(sent, 1, [chunk(3, "c"), done(4)])).toHaveLength(1);
    expect(findReplayFaults(sent, 1, [chunk(3, "abc"), done(4)])).toHaveLength(1);
    expect(findReplayFaults(sent, 1, [chunk(3, "bc")])).toHaveLength(1);
    expect(findReplayFaults(sent, 1, [chunk(3, "bc"), done(4), done(4)])).toHaveLength(1);
    expect(findReplayFaults(sent, 1, [chunk(3, "bc"), done(4).replace("d", "e")])).toHaveLength(1);
    expect(findReplayFaults(sent, 0, [chunk(3, "bc"), done(4)])).toHaveLength(1);
  });
});

/** Sends a message and waits for the end of its thread. */
async function sendAndWait(socket: TestSocket, message: string): Promise<void> {
  const id = crypto.randomUUID();
  socket.socket.send(JSON.stringify({ type: "send", id, message }));
  const ack = await socket.waitFor((frame) => "type" in frame && frame.type === "ack" && frame.id === id);
  const threadId = "type" in ack && ack.type === "ack" ? ack.thread_id : undefined;
  await socket.waitFor((frame) => "event" in frame && isDone(threadId)(frame));
}

/** Reads an event stream from `after` to `last`. Resolves with the data lines. */
async function readStream(path: string, after: number, last: number): Promise<string[]> {
  const stop = new AbortController();
  const headers = { accept: "text/event-stream", "last-event-id": String(after) };
  const response = await fetch(path, { headers, signal: stop.signal });
  let receivedText = "";
  for await (const piece of (response.body ?? new ReadableStream<Uint8Array>()).pipeThrough(new TextDecoderStream())) {
    receivedText += piece;
    if (receivedText.includes(`id: ${last}\n`) && receivedText.endsWith("\n\n")) break;
  }
  stop.abort();
  return receivedText.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []));
}

describe("[I4] request after an unknown seq", () => {
  const createShortConversation = async (url: string) => {
    const user = createApiUser(url);
    const { conversationId, frames } = await user.sendAndWait(createMessage(5));
    return { user, conversationId, last: frames.at(-1)?.seq ?? 0 };
  };

  test("is rejected on a socket with an error and a close code", async () => {
    const { conversationId, last } = await createShortConversation(runtime.url);
    for (const after of [last + 1, 999_999_999_999_999]) {
      const { frames, closed } = await openSocket(runtime.url, conversationId, after);
      expect(await closed).toMatchObject({ code: 4409 });
      expect(frames).toMatchObject([{ type: "error", code: "seq_unknown", field: "after" }]);
    }
    const { waitFor: waitForFrame } = await openSocket(runtime.url, conversationId, last);
    expect(await waitForFrame((frame) => "type" in frame && frame.type === "caught_up")).toMatchObject({ seq: last });
  });

  test("is rejected over HTTP and SSE with a problem", async () => {
    const { user, conversationId, last } = await createShortConversation(runtime.url);
    const path = `/api/v1/conversations/${conversationId}/events`;
    const sse = { accept: "text/event-stream" };
    for (const after of [last + 1, 999_999_999_999_999]) {
      for (const response of [
        await user.request("GET", `${path}?after=${after}`),
        await user.request("GET", `${path}?after=${after}`, undefined, sse),
        await user.request("GET", path, undefined, { ...sse, "last-event-id": String(after) }),
      ]) {
        expect([response.status, await response.json()]).toMatchObject([409, { code: "seq_unknown", field: "after" }]);
      }
    }
    expect(await user.get(`${path}?after=${last}`)).toEqual({ events: [], next: last });
  });

  test.each(["-1", "NaN", "1.5", "1e3", "Infinity", String(2 ** 53), "9".repeat(400), "0x1", "%00"])(
    "is rejected if it is not an integer: %s",
    async (after) => {
      const { user, conversationId } = await createShortConversation(runtime.url);
      const path = `/api/v1/conversations/${conversationId}/events`;
      const sse = { accept: "text/event-stream" };
      await expect(openSocket(runtime.url, conversationId, after)).rejects.toMatchObject({
        code: "invalid_request",
        field: "after",
      });
      const problem = { code: "invalid_request", field: "after" };
      expect(await (await user.request("GET", `${path}?after=${after}`)).json()).toMatchObject(problem);
      expect(await (await user.request("GET", `${path}?after=${after}`, undefined, sse)).json()).toMatchObject(problem);
      const id = { ...sse, "last-event-id": after };
      expect(await (await user.request("GET", path, undefined, id)).json()).toMatchObject({
        code: "invalid_request",
      });
    },
  );

  test("resets the client when its conversation was deleted and created again", async () => {
    const user = createApiUser(runtime.url);
    const conversation_id = "begun-anew";
    const sendMessage = (message: string) => user.request("POST", "/api/v1/messages", { conversation_id, message });
    await sendMessage(createMessage(200));
    let resets = 0;
    const listener = connectRecordingClient({
      url: runtime.url,
      conversationId: conversation_id,
      timing: { pingEveryMs: 200 },
      onReset: () => void (resets += 1),
    });
    openSockets.push(listener);
    await listener.waitFor(({ event }) => event === "done");
    expect((await user.request("DELETE", `/api/v1/conversations/${conversation_id}`)).status).toBe(200);
    await sendMessage(createMessage(2));
    // The object is awake and leaves closed sockets half open.
    await expect.poll(() => resets).toBe(1);
    await expect.poll(async () => (await user.history(conversation_id)).at(-1)?.event).toBe("done");
    const log = await user.history(conversation_id);
    await listener.waitForSeq(log.at(-1)?.seq ?? 0);
    expect(toVisibleState(listener.connection.view)).toEqual(foldVisibleState(log));
    expect(listener.connection.view.threads).toHaveLength(1);
  });
});

test("[L1] [I4] a client that received part of a paragraph before a crash reconnects without a reset", async () => {
  const ownRuntime = await startRuntime({ vars: { OPENAI_BASE_URL: model.url } });
  try {
    const conversationId = await createConversation(ownRuntime.url);
    let resets = 0;
    const listener = connectRecordingClient({ url: ownRuntime.url, conversationId, onReset: () => void (resets += 1) });
    openSockets.push(listener);
    const { thread_id } = await listener.connection.send(createMessage(300, 5));
    await listener.waitFor(({ event, seq }) => event === "message_chunk" && seq > 20);
    await ownRuntime.kill();
    const received = listener.connection.view.seq;
    await ownRuntime.restart();
    await listener.waitFor(isDone(thread_id));
    const log = await createApiUser(ownRuntime.url).history(conversationId);
    expect(received).toBeGreaterThan(20);
    expect(resets).toBe(0);
    await listener.waitForSeq(log.at(-1)?.seq ?? 0);
    expect(toVisibleState(listener.connection.view)).toEqual(foldVisibleState(log));
  } finally {
    await ownRuntime.stop();
  }
});
