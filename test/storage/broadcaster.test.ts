// Streams and sockets that follow a conversation, and their memory use.

import { describe, expect, test } from "vitest";
import { Broadcaster, type Backlog } from "../../src/durable/conversation/broadcaster.ts";
import { restoreSessions, SocketSession, type SocketSessions } from "../../src/durable/conversation/socket-session.ts";
import { waitForOtherWork } from "../../src/lib/other-work.ts";
import { readFrames } from "../support/read-frames.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";

/** Twelve megabytes in total. */
const MESSAGE_COUNT = 120;
const CONTENT = "x".repeat(100_000);

/** A conversation with one growing thread. */
function createLongConversation() {
  const frames: Frame[] = [];
  const sockets: SocketSessions = new Map();
  const broadcaster = new Broadcaster(sockets, Infinity);
  const publish = (event = "message") => {
    const data = { thread_id: "th", payload: { content: CONTENT } };
    const frame = { seq: frames.length + 1, event, data } as unknown as Frame;
    frames.push(frame);
    broadcaster.broadcast([frame]);
  };
  const follow = (after = 0) => {
    let lastCursor = after;
    const readPast = (seq: number) => {
      lastCursor = seq;
      return frames.filter((frame) => frame.seq > seq);
    };
    return { reader: readFrames(broadcaster.openStream(readPast, after, "th")), getLastCursor: () => lastCursor };
  };
  const log: Backlog = {
    get lastSeq() {
      return frames.length;
    },
    readFrames: (after) => frames.slice(after),
  };
  /** Opens a socket on a backlog and records what it receives. */
  const openSocket = (backlog = log) => {
    const texts: string[] = [];
    const closeCodes: number[] = [];
    const socket = {
      send: (text: string) => void texts.push(text),
      close: (code: number) => void closeCodes.push(code),
    } as unknown as WebSocket;
    const session = new SocketSession(Infinity, () => null, Date.now());
    sockets.set(socket, session);
    return { socket, texts, closeCodes, caughtUp: broadcaster.sendBacklog(socket, session, backlog, 0) };
  };
  for (let n = 0; n < MESSAGE_COUNT; n += 1) publish();
  return { broadcaster, publish, follow, log, openSocket };
}

async function readAll(reader: AsyncIterable<Frame>): Promise<number[]> {
  const seqs: number[] = [];
  for await (const { seq } of reader) seqs.push(seq);
  return seqs;
}

const createRange = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

describe("stream", () => {
  test("reads the history only as fast as its reader", async () => {
    const { follow } = createLongConversation();
    const { reader, getLastCursor } = follow();
    await reader.next();
    expect(getLastCursor()).toBeLessThan(MESSAGE_COUNT / 2);
    await reader.return();
  });

  test("ends after the history if its thread waits for the user", async () => {
    const { broadcaster, follow } = createLongConversation();
    const { reader } = follow();
    broadcaster.endThreadStreams("th");
    expect(await readAll(reader)).toEqual(createRange(1, MESSAGE_COUNT));
  });

  test("fails if its reader is too slow", async () => {
    const { publish, follow } = createLongConversation();
    const { reader } = follow(MESSAGE_COUNT);
    for (let n = 0; n < MESSAGE_COUNT; n += 1) publish();
    await expect(readAll(reader)).rejects.toThrow("too slow");
  });
});

describe("socket", () => {
  test("[I43] [L2] receives the history in pieces, and every frame once while others are published", async () => {
    const { publish, openSocket } = createLongConversation();
    const { texts, caughtUp } = openSocket();
    expect(texts.length).toBeLessThan(MESSAGE_COUNT / 10);
    let isOver = false;
    void caughtUp.then(() => (isOver = true));
    let published = 0;
    for (; !isOver; published++) {
      publish();
      await waitForOtherWork();
    }
    publish();
    expect(published).toBeGreaterThan(10);
    const received = texts.map((text) => JSON.parse(text) as { readonly seq: number; readonly type?: string });
    const events = received.filter(({ type }) => type === undefined);
    expect(events.map(({ seq }) => seq)).toEqual(createRange(1, MESSAGE_COUNT + published + 1));
    const end = received.findIndex(({ type }) => type === "caught_up");
    expect(received[end]?.seq).toBe(end);
    expect(end).toBeGreaterThan(MESSAGE_COUNT);
  });

  test("receives nothing of the history after it was closed", async () => {
    const { broadcaster, openSocket } = createLongConversation();
    const { socket, texts, caughtUp } = openSocket();
    const { length } = texts;
    broadcaster.closeSocket(socket, { code: 1000, reason: "" });
    await caughtUp;
    expect(texts).toHaveLength(length);
  });

  test("is closed if the rest of the history cannot be read", async () => {
    const { log, openSocket } = createLongConversation();
    const readFrames = (after: number) => (after === 0 ? log.readFrames(0) : raise(new Error("The storage failed")));
    const { closeCodes, caughtUp } = openSocket({ lastSeq: log.lastSeq, readFrames });
    await caughtUp;
    expect(closeCodes).toEqual([1011]);
  });
});

function raise(thrown: Error): never {
  throw thrown;
}

test("closeAll() closes every socket, even if one is already closed", () => {
  const closeCodes: number[] = [];
  const socket = (close: (code: number) => void) =>
    ({ close, deserializeAttachment: () => null }) as unknown as WebSocket;
  const closedSocket = socket(() => {
    throw new TypeError("The socket is closed");
  });
  const sockets = [closedSocket, socket((code) => void closeCodes.push(code))];
  new Broadcaster(
    restoreSessions(sockets, () => null),
    Infinity,
  ).closeAll(4404, "It was deleted");
  expect(closeCodes).toEqual([4404]);
});
