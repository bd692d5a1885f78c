// Sockets that nobody should have opened: oversized, binary, malformed, flooding, half-open. Each gets a typed error or
// a close code; the object lives on, and whoever else is connected notices nothing.

import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createApi } from "../../src/client/api.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { FAULT_STATUS } from "../../src/protocol/wire/fault.ts";
import type { ServerFrame } from "../../src/protocol/wire/server-frames.ts";
import type { Task } from "../../src/protocol/plans/task-plan.ts";
import { isDone, listenTo, type Listener } from "../support/listener.ts";
import { handoff, planOf } from "../support/model-reply.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { oddFrame } from "../support/odd-frames.ts";
import { framesOf, personAt } from "../support/person.ts";
import { plainSocket, rawSocket, wireFrame, type PlainSocket } from "../support/plain-socket.ts";
import { randomFrom } from "../support/random.ts";
import { breachesIn, pictureFrom, pictureOf } from "../support/rules.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

const SEED = 20_261_121;
const ODD_FRAMES = 4_000;
const FLOOD = 20_000;
const MIB = 1024 * 1024;
const LISTENERS = 12;
const COMMANDS = 100;
/** No neighbour's turn may take longer, whatever the others do. */
const TURN_MS = 5_000;

let model: ModelServer;
let runtime: Runtime;
let strict: Runtime;
const opened: { close(): void }[] = [];

beforeAll(async () => {
  model = await startModelServer();
  runtime = await startRuntime({ vars: { OPENAI_BASE_URL: model.url, MAX_SOCKET_COMMANDS: "100000" } });
  strict = await startRuntime({
    vars: { OPENAI_BASE_URL: model.url, MAX_SOCKET_COMMANDS: String(COMMANDS), MAX_LISTENERS: String(LISTENERS) },
  });
});
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});
afterAll(async () => {
  await Promise.all([runtime.stop(), strict.stop()]);
  await model.close();
});

/** What a stream brings up to these words; it is left then. */
async function heardUntil({ body }: Response, words: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes(words) && text.endsWith("\n\n")) break;
  }
  return text;
}

const newConversation = async (url: string) => (await createApi({ url }).createConversation()).conversation_id;

async function open(url: string, conversationId: string, after: number | string = 0): Promise<PlainSocket> {
  const socket = await plainSocket(url, conversationId, after);
  opened.push(socket);
  return socket;
}

function listen(url: string, conversationId: string): Listener {
  const listener = listenTo({ url, conversationId });
  opened.push(listener);
  return listener;
}

function words(count: number, paceMs = 0): string {
  const text = Array.from({ length: count }, (_, i) => `w${i} `).join("");
  return `Tell ${model.act({ triage: { text, paceMs } })}`;
}

/** Somebody in the same conversation and somebody in another: they talk all the time and must not notice anything. */
async function bystanders(url: string, conversationId: string) {
  const same = listen(url, conversationId);
  const other = listen(url, await newConversation(url));
  let isOver = false;
  const longest = { ms: 0, turns: 0 };
  const talk = async (listener: Listener) => {
    while (!isOver) {
      const startedAt = Date.now();
      const { thread_id } = await listener.line.send(words(10));
      await listener.until(isDone(thread_id));
      longest.ms = Math.max(longest.ms, Date.now() - startedAt);
      longest.turns += 1;
      await sleep(10);
    }
  };
  const talks = Promise.all([talk(same), talk(other)]);
  return {
    /** Waits for their last words; what must hold is checked here. */
    async part(): Promise<void> {
      isOver = true;
      await talks;
      expect(same.losses + other.losses).toBe(0);
      expect(longest.turns).toBeGreaterThanOrEqual(2);
      expect(longest.ms).toBeLessThan(TURN_MS);
      const log = await personAt(url).history(conversationId);
      expect(breachesIn(log)).toEqual([]);
      await same.hasSeen(log.at(-1)?.seq ?? 0);
      expect(pictureOf(same.line.view)).toEqual(pictureFrom(log));
    },
  };
}

describe("[I33] whatever comes in", () => {
  test(`${ODD_FRAMES} odd frames get an answer each, and the socket goes on`, async () => {
    const conversationId = await newConversation(runtime.url);
    const others = await bystanders(runtime.url, conversationId);
    const random = randomFrom(SEED);
    const codes = new Set<string>();
    for (let round = 0; round < 4; round++) {
      const { socket, frames, errors, until, pong } = await open(runtime.url, conversationId);
      await until((frame) => "type" in frame && frame.type === "caught_up");
      for (let i = 0; i < ODD_FRAMES / 4; i++) socket.send(oddFrame(random));
      await pong();
      socket.send(JSON.stringify({ type: "cancel", id: "the last", thread_id: "none" }));
      await until((frame) => "type" in frame && frame.type === "error" && frame.id === "the last");
      expect(errors()).toHaveLength(ODD_FRAMES / 4 + 1);
      expect(frames.filter((frame) => "type" in frame && frame.type === "ack")).toEqual([]);
      for (const { code } of errors()) codes.add(code);
      socket.terminate();
    }
    // All of them are known, and none says that something went wrong with us.
    for (const code of codes) expect(Object.keys(FAULT_STATUS)).toContain(code);
    expect(codes).not.toContain("internal");
    expect([...codes].toSorted()).toEqual(["conflict", "invalid_request", "not_found", "too_large", "unsupported"]);
    await others.part();
  });

  test("messages around 32 MiB are too large, or the end of their socket", async () => {
    const conversationId = await newConversation(runtime.url);
    const others = await bystanders(runtime.url, conversationId);
    const send = async (size: number): Promise<string> => {
      const { socket, errors, closed, until } = await open(runtime.url, conversationId);
      socket.send("a".repeat(size));
      const said = until((frame) => "type" in frame && frame.type === "error").then(() => errors()[0]?.code ?? "");
      return Promise.race([said.catch(() => ""), closed.then(({ code }) => String(code))]);
    };
    const outcomes = await Promise.all([32 * MIB - 1, 32 * MIB, 32 * MIB + 1].map(send));
    expect(outcomes).toEqual(["too_large", "too_large", "1009"]);
    await others.part();
  });

  test("what is no WebSocket ends its own connection alone", async () => {
    const conversationId = await newConversation(runtime.url);
    const others = await bystanders(runtime.url, conversationId);
    const bytes = (...list: number[]) => Uint8Array.from(list);
    const utf8 = new TextEncoder();
    const close = (code: number, reason = "") => wireFrame(8, bytes(code >> 8, code & 0xff, ...utf8.encode(reason)));
    const violations: Uint8Array[] = [
      utf8.encode("GET / HTTP/1.1\r\n\r\n"),
      Uint8Array.from({ length: 500 }, (_, i) => (i * 7919) & 0xff),
      wireFrame(1, utf8.encode("{}"), { masked: false }),
      wireFrame(3, utf8.encode("{}")),
      wireFrame(0xb, utf8.encode("{}")),
      wireFrame(0, utf8.encode("{}")),
      wireFrame(9, new Uint8Array(200)),
      wireFrame(1, bytes(0xff, 0xfe, 0xc0)),
      bytes(...wireFrame(1, utf8.encode("{"), { final: false }), ...wireFrame(1, utf8.encode("}"))),
      // A length of 2^63, of which nothing comes.
      bytes(0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4),
      ...[0, 999, 1000, 1004, 1005, 1006, 1012, 1015, 2999, 3000, 4401, 5000, 65_535].map((code) => close(code)),
      close(1000, "x".repeat(123)),
      close(4000, "\u0000é💥"),
      wireFrame(8, bytes(3)),
      wireFrame(8, bytes(3, 0xe8, 0xff, 0xfe)),
    ];
    const sockets = await Promise.all(
      violations.map(async (violation) => {
        const socket = await rawSocket(runtime.url, conversationId);
        socket.resume().write(violation);
        return socket;
      }),
    );
    // Cut in the middle of a frame, and before it was a socket at all.
    const cut = await rawSocket(runtime.url, conversationId);
    cut.write(wireFrame(1, utf8.encode('{"type":"send"')).subarray(0, 9));
    await sleep(300);
    for (const socket of [...sockets, cut]) socket.resetAndDestroy();
    await others.part();
  });
});

test("[I34] a flood is refused, then ended, and held up nobody", async () => {
  const conversationId = await newConversation(strict.url);
  const others = await bystanders(strict.url, conversationId);
  const { socket, errors, closed, until } = await open(strict.url, conversationId);
  await until((frame) => "type" in frame && frame.type === "caught_up");
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
  // Whoever was refused is told which command it was.
  expect(errors().at(-1)?.id).toBe(`c-${2 * COMMANDS - 1}`);
  const back = await open(strict.url, conversationId);
  await back.pong();
  await others.part();
});

test("[S24] a conversation has room for so many listeners, sockets and streams together", async () => {
  const { url } = strict;
  const conversationId = await newConversation(url);
  const sockets = await Promise.all(Array.from({ length: LISTENERS - 1 }, () => open(url, conversationId)));
  const stop = new AbortController();
  const stream = () =>
    fetch(`${url}/api/v1/conversations/${conversationId}/events`, {
      headers: { accept: "text/event-stream" },
      signal: stop.signal,
    });
  expect((await stream()).status).toBe(200);
  await expect(open(url, conversationId)).rejects.toMatchObject({ status: 429, code: "too_many_requests" });
  const refused = await stream();
  expect([refused.status, await refused.json()]).toMatchObject([429, { code: "too_many_requests" }]);
  // The others are as they were, another conversation has room of its own, and who leaves makes room.
  await Promise.all(sockets.map(({ pong }) => pong()));
  await open(url, await newConversation(url));
  sockets[0]?.socket.close();
  await sockets[0]?.closed;
  await expect.poll(() => open(url, conversationId).then(({ pong }) => pong().then(() => "in"), String)).toBe("in");
  stop.abort();
});

test("[I34] [I35] peers that have fallen silent without a word hold up nobody", async () => {
  const conversationId = await newConversation(runtime.url);
  const silent = await Promise.all(Array.from({ length: 20 }, () => rawSocket(runtime.url, conversationId)));
  for (const socket of silent) socket.pause();
  const others = await bystanders(runtime.url, conversationId);
  const { socket, until } = await open(runtime.url, conversationId);
  socket.send(JSON.stringify({ type: "send", id: "c", message: words(3_000) }));
  const ack = await until((frame) => "type" in frame && frame.type === "ack");
  const threadId = "type" in ack && ack.type === "ack" ? ack.thread_id : "";
  await until((frame) => "event" in frame && isDone(threadId)(frame));
  await others.part();
  for (const one of silent) one.resetAndDestroy();
});

test("[F48] [L2] the conversation of a task is told live, on its socket and as a stream, and nothing else with it", async () => {
  const person = personAt(runtime.url);
  const part = model.act({ "agent:assistant": { text: "one two three ".repeat(10), paceMs: 20 } });
  const planner = planOf({ query: `This ${part}` }, { query: `That ${part}` });
  const all = `Both ${model.act({ triage: handoff("needs_planning"), planner, synthesis: { text: "Done." } })}`;
  const { conversation_id: parent } = await person.tell(all);
  const sub = await vi.waitFor(async () => {
    const { tasks } = await person.get<{ tasks: Task[] }>(`/api/v1/conversations/${parent}/tasks?status=running`);
    expect(tasks).toHaveLength(2);
    return tasks[0]?.conversation_id ?? "";
  });
  const { frames, until } = await open(runtime.url, sub);
  const lines = await fetch(`${runtime.url}/api/v1/conversations/${sub}/events`, {
    headers: { accept: "text/event-stream" },
  });
  const isLast = (frame: ServerFrame) => "event" in frame && frame.event === "task_completed";
  const [streamed] = await Promise.all([heardUntil(lines, '"event":"task_completed"'), until(isLast)]);
  const told = frames.filter((frame) => "event" in frame);
  const live = frames.slice(frames.findIndex((frame) => "type" in frame && frame.type === "caught_up"));
  expect(live.length).toBeGreaterThan(5);
  const { events } = await person.get<{ events: Frame[] }>(`/api/v1/conversations/${sub}/events`);
  expect(pictureFrom(told)).toEqual(pictureFrom(events));
  expect(pictureFrom(framesOf(streamed))).toEqual(pictureFrom(events));
  expect(new Set(told.map(({ data }) => data.conversation_id))).toEqual(new Set([sub]));
});

test("half an upgrade is nothing", async () => {
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
