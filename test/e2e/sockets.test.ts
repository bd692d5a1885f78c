// Misbehaving sockets: oversized, binary, malformed, flooding, half-open. Each gets a typed error or a close code. The
// object and the other connected clients are not affected.

import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createApi } from "../../src/client/api.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { FAULT_STATUS } from "../../src/protocol/wire/fault.ts";
import type { ServerFrame } from "../../src/protocol/wire/server-frames.ts";
import type { Task } from "../../src/protocol/plans/task-plan.ts";
import { isDone, connectRecordingClient, type RecordingClient } from "../support/recording-client.ts";
import { createHandoffReply, createPlanReply } from "../support/model-reply.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { createMalformedFrame } from "../support/malformed-frames.ts";
import { parseFrames, createApiUser } from "../support/api-user.ts";
import { openTestSocket, openRawSocket, encodeFrame, type TestSocket } from "../support/test-socket.ts";
import { createRandom } from "../support/random.ts";
import { findViolations, foldVisibleState, toVisibleState } from "../support/invariants.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";
import { pickByLength } from "../support/run-length.ts";

const SEED = 20_261_121;
/** Fewer frames do not reach every code. */
const MALFORMED_FRAMES = 4_000;
const FLOOD = pickByLength(5_000, 20_000);
const MIB = 1024 * 1024;
const LISTENERS = 12;
const COMMANDS = 100;
/** The maximum duration of a bystander's turn. */
const TURN_MS = 5_000;

let model: ModelServer;
let runtime: Runtime;
let strictRuntime: Runtime;
const openSockets: { close(): void }[] = [];

beforeAll(async () => {
  model = await startModelServer();
  runtime = await startRuntime({ vars: { OPENAI_BASE_URL: model.url, MAX_SOCKET_COMMANDS: "100000" } });
  strictRuntime = await startRuntime({
    vars: { OPENAI_BASE_URL: model.url, MAX_SOCKET_COMMANDS: String(COMMANDS), MAX_LISTENERS: String(LISTENERS) },
  });
});
afterEach(() => {
  for (const socket of openSockets.splice(0)) socket.close();
});
afterAll(async () => {
  await Promise.all([runtime.stop(), strictRuntime.stop()]);
  await model.close();
});

/** Reads a stream until it contains `words`, and then closes it. */
async function readUntil({ body }: Response, createMessage: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes(createMessage) && text.endsWith("\n\n")) break;
  }
  return text;
}

const createConversation = async (url: string) => (await createApi({ url }).createConversation()).conversation_id;

async function openSocket(url: string, conversationId: string, after: number | string = 0): Promise<TestSocket> {
  const socket = await openTestSocket(url, conversationId, after);
  openSockets.push(socket);
  return socket;
}

function openListener(url: string, conversationId: string): RecordingClient {
  const listener = connectRecordingClient({ url, conversationId });
  openSockets.push(listener);
  return listener;
}

function createMessage(count: number, paceMs = 0): string {
  const text = Array.from({ length: count }, (_, i) => `w${i} `).join("");
  return `Tell ${model.addScript({ triage: { text, paceMs } })}`;
}

/** Starts two clients that send messages all the time, in the same and in another conversation. */
async function startBystanders(url: string, conversationId: string) {
  const same = openListener(url, conversationId);
  const other = openListener(url, await createConversation(url));
  let isOver = false;
  const longest = { ms: 0, turns: 0 };
  const sendRepeatedly = async (listener: RecordingClient) => {
    while (!isOver) {
      const startedAt = Date.now();
      const { thread_id } = await listener.connection.send(createMessage(10));
      await listener.waitFor(isDone(thread_id));
      longest.ms = Math.max(longest.ms, Date.now() - startedAt);
      longest.turns += 1;
      await sleep(10);
    }
  };
  const loops = Promise.all([sendRepeatedly(same), sendRepeatedly(other)]);
  return {
    /** Stops the clients and checks that they were not affected. */
    async stop(): Promise<void> {
      isOver = true;
      await loops;
      expect(same.losses + other.losses).toBe(0);
      expect(longest.turns).toBeGreaterThanOrEqual(2);
      expect(longest.ms).toBeLessThan(TURN_MS);
      const log = await createApiUser(url).history(conversationId);
      expect(findViolations(log)).toEqual([]);
      await same.waitForSeq(log.at(-1)?.seq ?? 0);
      expect(toVisibleState(same.connection.view)).toEqual(foldVisibleState(log));
    },
  };
}

describe("[I33] invalid input on a socket", () => {
  test(`${MALFORMED_FRAMES} malformed frames get one error each, and the socket stays open`, async () => {
    const conversationId = await createConversation(runtime.url);
    const bystanders = await startBystanders(runtime.url, conversationId);
    const random = createRandom(SEED);
    const codes = new Set<string>();
    for (let round = 0; round < 4; round++) {
      const {
        socket,
        frames,
        errors,
        waitFor: waitForFrame,
        waitForPong: pong,
      } = await openSocket(runtime.url, conversationId);
      await waitForFrame((frame) => "type" in frame && frame.type === "caught_up");
      for (let i = 0; i < MALFORMED_FRAMES / 4; i++) socket.send(createMalformedFrame(random));
      await pong();
      socket.send(JSON.stringify({ type: "cancel", id: "the last", thread_id: "none" }));
      await waitForFrame((frame) => "type" in frame && frame.type === "error" && frame.id === "the last");
      expect(errors()).toHaveLength(MALFORMED_FRAMES / 4 + 1);
      expect(frames.filter((frame) => "type" in frame && frame.type === "ack")).toEqual([]);
      for (const { code } of errors()) codes.add(code);
      socket.terminate();
    }
    // All codes are known, and none is an internal error.
    for (const code of codes) expect(Object.keys(FAULT_STATUS)).toContain(code);
    expect(codes).not.toContain("internal");
    expect([...codes].toSorted()).toEqual(["conflict", "invalid_request", "not_found", "too_large", "unsupported"]);
    await bystanders.stop();
  });

  // The platform itself closes sockets that send more than 32 MiB.
  const SIZES = pickByLength<readonly (readonly [bytes: number, outcome: string])[]>(
    [[4 * MIB, "too_large"]],
    [
      [32 * MIB - 1, "too_large"],
      [32 * MIB, "too_large"],
      [32 * MIB + 1, "1009"],
    ],
  );
  test("of 4 MiB and more is rejected as too large or closes the socket", async () => {
    const conversationId = await createConversation(runtime.url);
    const bystanders = await startBystanders(runtime.url, conversationId);
    const send = async (size: number): Promise<string> => {
      const { socket, errors, closed, waitFor: waitForFrame } = await openSocket(runtime.url, conversationId);
      socket.send("a".repeat(size));
      const errorCode = waitForFrame((frame) => "type" in frame && frame.type === "error").then(
        () => errors()[0]?.code ?? "",
      );
      return Promise.race([errorCode.catch(() => ""), closed.then(({ code }) => String(code))]);
    };
    const outcomes = await Promise.all(SIZES.map(([size]) => send(size)));
    expect(outcomes).toEqual(SIZES.map(([, outcome]) => outcome));
    await bystanders.stop();
  });

  test("that violates the WebSocket protocol closes only its own connection", async () => {
    const conversationId = await createConversation(runtime.url);
    const bystanders = await startBystanders(runtime.url, conversationId);
    const bytes = (...list: number[]) => Uint8Array.from(list);
    const utf8 = new TextEncoder();
    const close = (code: number, reason = "") => encodeFrame(8, bytes(code >> 8, code & 0xff, ...utf8.encode(reason)));
    const violations: Uint8Array[] = [
      utf8.encode("GET / HTTP/1.1\r\n\r\n"),
      Uint8Array.from({ length: 500 }, (_, i) => (i * 7919) & 0xff),
      encodeFrame(1, utf8.encode("{}"), { masked: false }),
      encodeFrame(3, utf8.encode("{}")),
      encodeFrame(0xb, utf8.encode("{}")),
      encodeFrame(0, utf8.encode("{}")),
      encodeFrame(9, new Uint8Array(200)),
      encodeFrame(1, bytes(0xff, 0xfe, 0xc0)),
      bytes(...encodeFrame(1, utf8.encode("{"), { final: false }), ...encodeFrame(1, utf8.encode("}"))),
      // A frame with a length of 2^63 and no data.
      bytes(0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4),
      ...[0, 999, 1000, 1004, 1005, 1006, 1012, 1015, 2999, 3000, 4401, 5000, 65_535].map((code) => close(code)),
      close(1000, "x".repeat(123)),
      close(4000, "\u0000é💥"),
      encodeFrame(8, bytes(3)),
      encodeFrame(8, bytes(3, 0xe8, 0xff, 0xfe)),
    ];
    const sockets = await Promise.all(
      violations.map(async (violation) => {
        const socket = await openRawSocket(runtime.url, conversationId);
        socket.resume().write(violation);
        return socket;
      }),
    );
    // A connection that is cut in the middle of a frame.
    const cutSocket = await openRawSocket(runtime.url, conversationId);
    cutSocket.write(encodeFrame(1, utf8.encode('{"type":"send"')).subarray(0, 9));
    await sleep(300);
    for (const socket of [...sockets, cutSocket]) socket.resetAndDestroy();
    await bystanders.stop();
  });
});

test("[I34] a flood of commands is rejected, then the socket is closed, and other clients are not delayed", async () => {
  const conversationId = await createConversation(strictRuntime.url);
  const bystanders = await startBystanders(strictRuntime.url, conversationId);
  const { socket, errors, closed, waitFor: waitForFrame } = await openSocket(strictRuntime.url, conversationId);
  await waitForFrame((frame) => "type" in frame && frame.type === "caught_up");
  for (let i = 0; i < FLOOD && socket.readyState === socket.OPEN; i++) {
    socket.send(JSON.stringify({ type: "cancel", id: `c-${i}`, thread_id: "none" }));
    if (i % 1_000 === 0) await sleep(0);
  }
  expect(await closed).toEqual({ code: 1008, reason: "Too many commands" });
  const codes = errors().map(({ code }) => code);
  expect(codes).toEqual([
    ...Array.from({ length: COMMANDS }, () => "not_found"),
    ...Array.from({ length: COMMANDS }, () => "too_many_requests"),
  ]);
  // Errors contain the id of the rejected command.
  expect(errors().at(-1)?.id).toBe(`c-${2 * COMMANDS - 1}`);
  const reconnected = await openSocket(strictRuntime.url, conversationId);
  await reconnected.waitForPong();
  await bystanders.stop();
});

test("[S24] the listener limit of a conversation counts sockets and streams together", async () => {
  const { url } = strictRuntime;
  const conversationId = await createConversation(url);
  const sockets = await Promise.all(Array.from({ length: LISTENERS - 1 }, () => openSocket(url, conversationId)));
  const stop = new AbortController();
  const stream = () =>
    fetch(`${url}/api/v1/conversations/${conversationId}/events`, {
      headers: { accept: "text/event-stream" },
      signal: stop.signal,
    });
  expect((await stream()).status).toBe(200);
  await expect(openSocket(url, conversationId)).rejects.toMatchObject({ status: 429, code: "too_many_requests" });
  const refused = await stream();
  expect([refused.status, await refused.json()]).toMatchObject([429, { code: "too_many_requests" }]);
  // The other sockets are not affected, other conversations have their own limit, and a closed socket frees its place.
  await Promise.all(sockets.map(({ waitForPong: pong }) => pong()));
  await openSocket(url, await createConversation(url));
  sockets[0]?.socket.close();
  await sockets[0]?.closed;
  await expect
    .poll(() => openSocket(url, conversationId).then(({ waitForPong: pong }) => pong().then(() => "in"), String))
    .toBe("in");
  stop.abort();
});

test("[I34] [I35] sockets that stop reading do not delay other clients", async () => {
  const conversationId = await createConversation(runtime.url);
  const silentSockets = await Promise.all(Array.from({ length: 20 }, () => openRawSocket(runtime.url, conversationId)));
  for (const socket of silentSockets) socket.pause();
  const bystanders = await startBystanders(runtime.url, conversationId);
  const { socket, waitFor: waitForFrame } = await openSocket(runtime.url, conversationId);
  socket.send(JSON.stringify({ type: "send", id: "c", message: createMessage(3_000) }));
  const ack = await waitForFrame((frame) => "type" in frame && frame.type === "ack");
  const threadId = "type" in ack && ack.type === "ack" ? ack.thread_id : "";
  await waitForFrame((frame) => "event" in frame && isDone(threadId)(frame));
  await bystanders.stop();
  for (const socket of silentSockets) socket.resetAndDestroy();
});

test("[F48] [L2] a sub-conversation streams only its own events, over a socket and over SSE", async () => {
  const user = createApiUser(runtime.url);
  const part = model.addScript({ "agent:assistant": { text: "one two three ".repeat(40), paceMs: 20 } });
  const planner = createPlanReply({ query: `This ${part}` }, { query: `That ${part}` });
  const all = `Both ${model.addScript({ triage: createHandoffReply("needs_planning"), planner, synthesis: { text: "Done." } })}`;
  const { conversation_id: parent } = await user.send(all);
  const sub = await vi.waitFor(async () => {
    const { tasks } = await user.get<{ tasks: Task[] }>(`/api/v1/conversations/${parent}/tasks?status=running`);
    expect(tasks).toHaveLength(2);
    return tasks[0]?.conversation_id ?? "";
  });
  const { frames, waitFor: waitForFrame } = await openSocket(runtime.url, sub);
  const lines = await fetch(`${runtime.url}/api/v1/conversations/${sub}/events`, {
    headers: { accept: "text/event-stream" },
  });
  const isLast = (frame: ServerFrame) => "event" in frame && frame.event === "task_completed";
  const [streamed] = await Promise.all([readUntil(lines, '"event":"task_completed"'), waitForFrame(isLast)]);
  const receivedEvents = frames.filter((frame) => "event" in frame);
  const liveFrames = frames.slice(frames.findIndex((frame) => "type" in frame && frame.type === "caught_up"));
  expect(liveFrames.length).toBeGreaterThan(5);
  const { events } = await user.get<{ events: Frame[] }>(`/api/v1/conversations/${sub}/events`);
  expect(foldVisibleState(receivedEvents)).toEqual(foldVisibleState(events));
  expect(foldVisibleState(parseFrames(streamed))).toEqual(foldVisibleState(events));
  expect(new Set(receivedEvents.map(({ data }) => data.conversation_id))).toEqual(new Set([sub]));
});

test("incomplete upgrade requests do not affect the server", async () => {
  const { hostname, port } = new URL(runtime.url);
  const sockets = [
    "GET /api",
    "GET /api/v1/conversations/x/ws HTTP/1.1\r\nupgrade: websocket\r\n",
    "\r\n\r\n",
    "\u0000",
  ].map((text) => {
    const socket = connect(Number(port), hostname).on("error", () => {});
    socket.write(text);
    return socket;
  });
  await Promise.all(sockets.slice(0, 1).map((socket) => once(socket, "connect")));
  await sleep(100);
  for (const socket of sockets) socket.resetAndDestroy();
  expect((await fetch(`${runtime.url}/health`)).status).toBe(200);
});
