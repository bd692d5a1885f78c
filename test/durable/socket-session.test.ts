// The lifetime of sockets, with a fake clock.

import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { afterEach, describe, expect, test, vi } from "vitest";
import { unwrapResult } from "../../src/durable/conversation-api.ts";
import { SOCKET_CLOSES, SocketSession } from "../../src/durable/conversation/socket-session.ts";
import { parseServerFrame } from "../../src/protocol/wire/server-frames.ts";
import { getSettings } from "../../src/settings.ts";
import { connect, ENV, openConversation, queryStorage, send, setClock } from "./support.ts";

const CHARS = 8 * 1024 * 1024;

afterEach(() => {
  vi.useRealTimers();
});

const advanceClock = (ms: number) => setClock(Date.now() + ms);

async function createConversation(user = "ada") {
  const { api, stub } = openConversation(user);
  unwrapResult(await api.create());
  return { api, stub, send: () => send(api, "hello") };
}

describe("[S8] socket whose token expires", () => {
  const soon = () => `&expires_at=${Date.now() + 60_000}`;

  test("is closed when something would be sent", async () => {
    const { stub, send: sendHello } = await createConversation();
    const [brief, lasting] = [await connect(stub, soon()), await connect(stub)];
    await sendHello();
    await vi.waitFor(() => expect(brief.texts.join()).toContain('"done"'));
    const received = brief.texts.length;
    advanceClock(60_000);
    await sendHello();
    expect(await brief.closed).toBe(4401);
    expect(brief.texts).toHaveLength(received);
    await vi.waitFor(() => expect(lasting.texts.join().split('"done"')).toHaveLength(3));
  });

  test("is closed when it sends a command, which is not executed", async () => {
    const { stub } = await createConversation();
    const { socket, waitFor, closed } = await connect(stub, soon());
    await waitFor("caught_up");
    advanceClock(60_000);
    socket.send(JSON.stringify({ type: "send", id: "c1", message: "hello" }));
    expect(await closed).toBe(4401);
    expect(await queryStorage(stub, "SELECT id FROM command")).toEqual([]);
  });

  test.each([false, true])("is closed by the alarm, although nothing is sent (hibernated: %s)", async (hibernates) => {
    const { stub } = await createConversation();
    const later = `&expires_at=${Date.now() + 120_000}`;
    const [second, first, lasting] = [await connect(stub, later), await connect(stub, soon()), await connect(stub)];
    for (const { waitFor } of [second, first, lasting]) await waitFor("caught_up");
    if (hibernates) await evictDurableObject(stub, { webSockets: "hibernate" });
    advanceClock(60_000);
    await runDurableObjectAlarm(stub);
    expect(await first.closed).toBe(4401);
    expect(second.socket.readyState).toBe(WebSocket.OPEN);
    advanceClock(60_000);
    await runDurableObjectAlarm(stub);
    expect(await second.closed).toBe(4401);
    expect(lasting.socket.readyState).toBe(WebSocket.OPEN);
  });

  test("is closed after a hibernation", async () => {
    const { stub, send: sendHello } = await createConversation();
    const { waitFor, closed } = await connect(stub, soon());
    await waitFor("caught_up");
    await evictDurableObject(stub, { webSockets: "hibernate" });
    advanceClock(60_000);
    await sendHello();
    expect(await closed).toBe(4401);
  });
});

test("[I35] closes a socket that sent pings and then fell silent, but not one that is active or never sent pings", async () => {
  const { stub, send: sendHello } = await createConversation();
  const [silent, awake, quiet] = [await connect(stub), await connect(stub), await connect(stub)];
  silent.socket.send("ping");
  await vi.waitFor(() => expect(silent.texts).toContain("pong"));
  advanceClock(185_000);
  awake.socket.send("null");
  await vi.waitFor(() => expect(awake.texts.join()).toContain('"error"'));
  await sendHello();
  expect(await silent.closed).toBe(1013);
  await vi.waitFor(() => expect(awake.texts.join()).toContain('"done"'));
  await vi.waitFor(() => expect(quiet.texts.join()).toContain('"done"'));
});

test("[F48] keeps the task of a socket across a hibernation", async () => {
  const { api, stub, send: sendHello } = await createConversation();
  await send(api, "what is 12 * 34?");
  const [task] = await vi.waitFor(async () => {
    const tasks = unwrapResult(await api.tasks({ status: "completed" }));
    expect(tasks).toHaveLength(1);
    return tasks;
  });
  const { socket, texts, waitFor } = await connect(stub, `&task=${task?.task_id}`);
  await waitFor("caught_up");
  const received = texts.length;
  await evictDurableObject(stub, { webSockets: "hibernate" });
  await sendHello();
  await vi.waitFor(async () => expect(unwrapResult(await api.read()).status).toBe("completed"));
  socket.send(JSON.stringify({ type: "send", id: "c-1", message: "hello" }));
  await vi.waitFor(() => expect(texts).toHaveLength(received + 1));
  expect(texts.at(-1)).toContain('"code":"conflict"');
});

test("cancels a message with a cancel that follows at once", async () => {
  const { stub } = await createConversation("hasty");
  const { socket, texts } = await connect(stub);
  socket.send(JSON.stringify({ type: "send", id: "c-1", message: "hello" }));
  socket.send(JSON.stringify({ type: "cancel", id: "c-2" }));
  await vi.waitFor(() => expect(texts.join()).toContain('"id":"c-2"'));
  expect(texts.join()).not.toContain('"error"');
  expect(texts.join()).toContain('"cancelled":true');
});

test("rejects a message above the rate limit with retry_after, as over HTTP", async () => {
  const most = getSettings(ENV).MAX_MESSAGES_PER_MINUTE;
  expect((await ENV.RATE_LIMITER.getByName("eager").begin(most, most)).granted).toBe(most);
  const { stub } = await createConversation("eager");
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

describe("[I34] SocketSession", () => {
  const at = 1_000_000;

  test("accepts a number of commands within ten seconds, rejects as many, and then closes", () => {
    const session = new SocketSession(Infinity, () => null, at);
    const admitAll = (now: number) => Array.from({ length: 7 }, () => session.admitCommand(now, 3));
    const expected = ["welcome", "welcome", "welcome", "too_many", "too_many", "too_many", SOCKET_CLOSES.flooding];
    expect(admitAll(at)).toEqual(expected);
    expect(session.admitCommand(at + 9_999, 3)).toBe(SOCKET_CLOSES.flooding);
    expect(admitAll(at + 10_000)).toEqual(expected);
  });

  test("closes after a number of characters without a message from the client", () => {
    const session = new SocketSession(Infinity, () => null, at);
    expect(session.checkSend(CHARS, at)).toBeNull();
    expect(session.checkSend(1, at)).toBe(SOCKET_CLOSES.gone);
  });

  test("counts again after every command or ping", () => {
    let pingedAt: number | null = null;
    const session = new SocketSession(Infinity, () => pingedAt, at);
    expect(session.checkSend(CHARS, at)).toBeNull();
    session.admitCommand(at + 1, 1);
    expect(session.checkSend(CHARS, at + 1)).toBeNull();
    pingedAt = at + 2;
    expect(session.checkSend(CHARS, at + 2)).toBeNull();
    expect(session.checkSend(CHARS + 1, at + 3)).toBe(SOCKET_CLOSES.gone);
  });

  test("does not read the last ping time for every frame", () => {
    const lastPing = vi.fn<() => number>(() => at);
    const session = new SocketSession(Infinity, lastPing, at);
    for (let i = 0; i < 1_000; i++) session.checkSend(10, at + i);
    expect(lastPing).not.toHaveBeenCalled();
  });
});
