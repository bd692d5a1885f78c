// How long a socket may stay, with a clock that the test sets.

import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { formatObjectName, unwrapResult, type ConversationApi } from "../../src/durable/conversation-api.ts";
import { formatRateLimiterName } from "../../src/durable/rate-limiter.ts";
import { SOCKET_CLOSES, SocketSession } from "../../src/durable/socket-session.ts";
import type { Env } from "../../src/env.ts";
import { parseServerFrame } from "../../src/protocol/wire/server-frames.ts";
import { createId } from "../../src/protocol/wire/ids.ts";
import { getSettings } from "../../src/settings.ts";

const ENV = env as unknown as Env;
const { CONVERSATION, LIBRARY } = ENV;
const CHARS = 8 * 1024 * 1024;

afterEach(() => {
  vi.useRealTimers();
});

function later(ms: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
}

async function conversation(user = "ada") {
  const stub = CONVERSATION.getByName(formatObjectName(user, createId("conv")));
  const api = stub as unknown as ConversationApi;
  unwrapResult(await api.create());
  const say = async () => unwrapResult(await api.send(createId("cmd"), { message: "hello" }, { create: false }));
  return { stub, say };
}

async function connect(stub: Awaited<ReturnType<typeof conversation>>["stub"], query = "") {
  const response = await stub.fetch(`https://conversation/ws?after=0${query}`, { headers: { upgrade: "websocket" } });
  const socket = response.webSocket;
  if (socket === null) throw new Error(`No socket: ${response.status}`);
  const texts: string[] = [];
  const closed = new Promise<number>((resolve) => socket.addEventListener("close", ({ code }) => resolve(code)));
  socket.accept();
  socket.addEventListener("message", ({ data }) => texts.push(String(data)));
  return { socket, texts, closed };
}

describe("[S8] a socket ends with the token it was opened with", () => {
  const soon = () => `&expires_at=${Date.now() + 60_000}`;

  test("when something would be sent", async () => {
    const { stub, say } = await conversation();
    const [brief, lasting] = [await connect(stub, soon()), await connect(stub)];
    await say();
    await vi.waitFor(() => expect(brief.texts.join()).toContain('"done"'));
    const heard = brief.texts.length;
    later(60_000);
    await say();
    expect(await brief.closed).toBe(4401);
    expect(brief.texts).toHaveLength(heard);
    await vi.waitFor(() => expect(lasting.texts.join().split('"done"')).toHaveLength(3));
  });

  test("when it says something, which is not carried out", async () => {
    const { stub } = await conversation();
    const { socket, texts, closed } = await connect(stub, soon());
    await vi.waitFor(() => expect(texts.join()).toContain("caught_up"));
    later(60_000);
    socket.send(JSON.stringify({ type: "send", id: "c1", message: "hello" }));
    expect(await closed).toBe(4401);
    const rows = () =>
      runInDurableObject(stub, (_, { storage }) => storage.sql.exec("SELECT id FROM command").toArray());
    expect(await rows()).toEqual([]);
  });

  test("also after it has slept", async () => {
    const { stub, say } = await conversation();
    const { texts, closed } = await connect(stub, soon());
    await vi.waitFor(() => expect(texts.join()).toContain("caught_up"));
    await evictDurableObject(stub, { webSockets: "hibernate" });
    later(60_000);
    await say();
    expect(await closed).toBe(4401);
  });
});

test("[I35] a socket that pinged and fell silent is closed when something is to be sent; one that goes on stays", async () => {
  const { stub, say } = await conversation();
  const [silent, awake, quiet] = [await connect(stub), await connect(stub), await connect(stub)];
  silent.socket.send("ping");
  await vi.waitFor(() => expect(silent.texts).toContain("pong"));
  later(185_000);
  awake.socket.send("null");
  await vi.waitFor(() => expect(awake.texts.join()).toContain('"error"'));
  await say();
  expect(await silent.closed).toBe(1013);
  await vi.waitFor(() => expect(awake.texts.join()).toContain('"done"'));
  await vi.waitFor(() => expect(quiet.texts.join()).toContain('"done"'));
});

test("[F48] the socket of one task is still that after it has slept", async () => {
  const { stub, say } = await conversation();
  const api = stub as unknown as ConversationApi;
  unwrapResult(await api.send(createId("cmd"), { message: "what is 12 * 34?" }, { create: false }));
  const [task] = await vi.waitFor(async () => {
    const tasks = unwrapResult(await api.tasks({ status: "completed" }));
    expect(tasks).toHaveLength(1);
    return tasks;
  });
  const { socket, texts } = await connect(stub, `&task=${task?.task_id}`);
  await vi.waitFor(() => expect(texts.join()).toContain("caught_up"));
  const heard = texts.length;
  await evictDurableObject(stub, { webSockets: "hibernate" });
  await say();
  await vi.waitFor(async () => expect(unwrapResult(await api.read()).status).toBe("completed"));
  socket.send(JSON.stringify({ type: "send", id: "c-1", message: "hello" }));
  await vi.waitFor(() => expect(texts).toHaveLength(heard + 1));
  expect(texts.at(-1)).toContain('"code":"conflict"');
});

test("a stop that follows a message at once stops it", async () => {
  const { stub } = await conversation("hasty");
  const { socket, texts } = await connect(stub);
  socket.send(JSON.stringify({ type: "send", id: "c-1", message: "hello" }));
  socket.send(JSON.stringify({ type: "cancel", id: "c-2" }));
  await vi.waitFor(() => expect(texts.join()).toContain('"id":"c-2"'));
  expect(texts.join()).not.toContain('"error"');
  expect(texts.join()).toContain('"cancelled":true');
});

test("[T2] what two sockets send in one moment under one id is one message, and both are told where it went", async () => {
  const { stub } = await conversation("twofold");
  const sockets = [await connect(stub), await connect(stub)];
  for (const { socket } of sockets) socket.send(JSON.stringify({ type: "send", id: "c-1", message: "hello" }));
  const acks = await vi.waitFor(() =>
    sockets.map(({ texts }) => {
      const ack = texts.find((text) => text.includes('"id":"c-1"'));
      if (ack === undefined) throw new Error("No answer yet");
      return JSON.parse(ack) as object;
    }),
  );
  expect(acks).toEqual([acks[0], acks[0]]);
  expect(acks[0]).toMatchObject({ type: "ack" });
  for (const { texts } of sockets) {
    await vi.waitFor(() => expect(texts.join()).toContain('"done"'));
    expect(texts.filter((text) => text.includes('"thread_started"'))).toHaveLength(1);
  }
});

test("a message too many in a minute is refused with the seconds to wait, as over HTTP", async () => {
  const most = getSettings(ENV).MAX_MESSAGES_PER_MINUTE;
  expect((await LIBRARY.getByName(formatRateLimiterName("eager")).begin(most, most)).granted).toBe(most);
  const { stub } = await conversation("eager");
  const { socket, texts } = await connect(stub);
  socket.send(JSON.stringify({ type: "send", id: "c1", message: "hello" }));
  await vi.waitFor(() => expect(texts.join()).toContain('"error"'));
  const refusal = parseServerFrame(JSON.parse(texts.at(-1) ?? ""));
  expect(refusal).toMatchObject({ type: "error", id: "c1", code: "too_many_requests" });
  const seconds = "retry_after" in refusal ? refusal.retry_after : undefined;
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  expect("message" in refusal ? refusal.message : "").toMatch(new RegExp(`in (a second|${seconds} seconds)\\.$`));
});

describe("[I34] a seat", () => {
  const at = 1_000_000;

  test("lets so many commands in within ten seconds, refuses as many, and then ends", () => {
    const seat = new SocketSession(Infinity, () => null, at);
    const admitted = (now: number) => Array.from({ length: 7 }, () => seat.admitCommand(now, 3));
    const expected = ["welcome", "welcome", "welcome", "too_many", "too_many", "too_many", SOCKET_CLOSES.flooding];
    expect(admitted(at)).toEqual(expected);
    expect(seat.admitCommand(at + 9_999, 3)).toBe(SOCKET_CLOSES.flooding);
    expect(admitted(at + 10_000)).toEqual(expected);
  });

  test("is sent so much without a word from its socket, and no more", () => {
    const seat = new SocketSession(Infinity, () => null, at);
    expect(seat.checkSend(CHARS, at)).toBeNull();
    expect(seat.checkSend(1, at)).toBe(SOCKET_CLOSES.gone);
  });

  test("counts anew after every word, commands and pings alike", () => {
    let pingedAt: number | null = null;
    const seat = new SocketSession(Infinity, () => pingedAt, at);
    expect(seat.checkSend(CHARS, at)).toBeNull();
    seat.admitCommand(at + 1, 1);
    expect(seat.checkSend(CHARS, at + 1)).toBeNull();
    pingedAt = at + 2;
    expect(seat.checkSend(CHARS, at + 2)).toBeNull();
    expect(seat.checkSend(CHARS + 1, at + 3)).toBe(SOCKET_CLOSES.gone);
  });

  test("is not looked at for every frame", () => {
    const lastPing = vi.fn<() => number>(() => at);
    const seat = new SocketSession(Infinity, lastPing, at);
    for (let i = 0; i < 1_000; i++) seat.checkSend(10, at + i);
    expect(lastPing).not.toHaveBeenCalled();
  });
});
