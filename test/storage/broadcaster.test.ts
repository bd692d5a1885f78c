// Streams that follow a conversation, and their memory use.

import { describe, expect, test } from "vitest";
import { Broadcaster } from "../../src/durable/conversation/broadcaster.ts";
import { restoreSessions } from "../../src/durable/conversation/socket-session.ts";
import { readFrames } from "../support/read-frames.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";

/** Twelve megabytes in total. */
const MESSAGE_COUNT = 120;
const CONTENT = "x".repeat(100_000);

/** A conversation with one growing thread. */
function createLongConversation() {
  const frames: Frame[] = [];
  const broadcaster = new Broadcaster(new Map(), Infinity);
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
  for (let n = 0; n < MESSAGE_COUNT; n += 1) publish();
  return { broadcaster, publish, follow };
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
