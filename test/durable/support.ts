// Conversation objects in the Workers runtime: how tests open them, send to them and read them.

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import { formatObjectName, unwrapResult } from "../../src/durable/conversation-api.ts";
import type { Conversation } from "../../src/durable/conversation/conversation.ts";
import type { ConversationApi } from "../../src/durable/conversation/operations.ts";
import type { Env } from "../../src/env.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { createId } from "../../src/protocol/wire/ids.ts";
import type { ServerFrame } from "../../src/protocol/wire/server-frames.ts";

export const ENV = env as unknown as Env;
export const { DB, LOADER } = ENV;
export const TWO_TASKS = "首先查询现在时间然后计算678乘以8776的结果";

export type ConversationStub = ReturnType<Env["CONVERSATION"]["getByName"]>;

export function openConversation(user = "ada", id: string = createId("conv")) {
  const stub = ENV.CONVERSATION.getByName(formatObjectName(user, id));
  return { id, stub, api: stub as unknown as ConversationApi };
}

/** Calls the object itself instead of its stub. */
export function runInside<T>(stub: ConversationStub, run: (object: Conversation) => Promise<T>): Promise<T> {
  return runInDurableObject(stub, (object) => run(object as unknown as Conversation));
}

/** Queries the storage of the object without a call that would wake its threads. */
export function queryStorage<Row extends Record<string, SqlStorageValue>>(
  stub: ConversationStub,
  query: string,
): Promise<Row[]> {
  return runInDurableObject(stub, (_, { storage }) => storage.sql.exec<Row>(query).toArray());
}

export const getAlarm = (stub: ConversationStub) => runInDurableObject(stub, (_, { storage }) => storage.getAlarm());

export async function send(api: ConversationApi, message: string, commandId: string = createId("cmd")) {
  return unwrapResult(await api.send(commandId, { message }, { create: true }));
}

/** Waits until `count` threads are done and returns all events. */
/** Resolves with all events of a conversation once `count` threads have ended. */
export function waitForDone(api: ConversationApi, count = 1): Promise<Frame[]> {
  const frames: Frame[] = [];
  return waitUntil(async () => {
    // Reading the whole log again for each check would delay the threads.
    const { events } = unwrapResult(await api.events(frames.at(-1)?.seq ?? 0, 10_000));
    frames.push(...events);
    expect(frames.filter(({ event }) => event === "done")).toHaveLength(count);
    return frames;
  });
}

export function waitUntil<T>(check: () => Promise<T> | T, timeout = 20_000): Promise<T> {
  return vi.waitFor(check, { timeout, interval: 20 });
}

export function setClock(now: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now });
}

/** Opens a socket that records its frames. `query` follows `?after=0`. */
export async function connect(stub: ConversationStub, query = "") {
  const response = await stub.fetch(`http://orrery/ws?after=0${query}`, { headers: { upgrade: "websocket" } });
  const socket = response.webSocket;
  if (socket === null) throw new Error(`No socket: ${response.status}`);
  const texts: string[] = [];
  const closed = new Promise<number>((resolve) => socket.addEventListener("close", ({ code }) => resolve(code)));
  socket.accept();
  socket.addEventListener("message", ({ data }) => void texts.push(String(data)));
  const listFrames = () => texts.filter((text) => text !== "pong").map((text) => JSON.parse(text) as ServerFrame);
  const listTypes = () => listFrames().map((frame) => ("type" in frame ? frame.type : frame.event));
  const waitFor = (type: string) => waitUntil(() => expect(listTypes()).toContain(type));
  return { socket, texts, closed, listFrames, listTypes, waitFor };
}
