// Replays while a thread runs, after a crash, and of a conversation that was created again. `test/contracts/replay.test.ts`
// replays a finished log over every door.

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createApi } from "../../src/client/api.ts";
import { isDone, connectRecordingClient } from "../support/recording-client.ts";
import { createHandoffReply, createPlanReply } from "../support/model-reply.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { createApiUser } from "../support/api-user.ts";
import { openTestSocket, type TestSocket } from "../support/test-socket.ts";
import { findReplayFaults } from "../support/check-replay.ts";
import { foldVisibleState, toVisibleState } from "../support/invariants.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

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

test("[I4] a client is reset when its conversation was deleted and created again", async () => {
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

test("[L1] [I4] a client that received part of a paragraph before a crash reconnects without a reset", async () => {
  const conversationId = await createConversation(runtime.url);
  let resets = 0;
  const listener = connectRecordingClient({ url: runtime.url, conversationId, onReset: () => void (resets += 1) });
  openSockets.push(listener);
  const { thread_id } = await listener.connection.send(createMessage(300, 5));
  await listener.waitFor(({ event, seq }) => event === "message_chunk" && seq > 20);
  await runtime.kill();
  const received = listener.connection.view.seq;
  await runtime.restart();
  await listener.waitFor(isDone(thread_id));
  const log = await createApiUser(runtime.url).history(conversationId);
  expect(received).toBeGreaterThan(20);
  expect(resets).toBe(0);
  await listener.waitForSeq(log.at(-1)?.seq ?? 0);
  expect(toVisibleState(listener.connection.view)).toEqual(foldVisibleState(log));
});
