// Those who follow a conversation as a stream, and how much of it there may be.

import { describe, expect, test } from "vitest";
import { Broadcaster } from "../../src/durable/broadcaster.ts";
import { readFrames } from "../../src/http/read-frames.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";

/** Of twelve megabytes together. */
const MANY = 120;
const CONTENT = "x".repeat(100_000);

/** A conversation of one thread, which grows. */
function long() {
  const frames: Frame[] = [];
  const audience = new Broadcaster([]);
  const say = (event = "message") => {
    const data = { thread_id: "th", payload: { content: CONTENT } };
    const frame = { seq: frames.length + 1, event, data } as unknown as Frame;
    frames.push(frame);
    audience.broadcast([frame]);
  };
  const follow = (after = 0) => {
    let asked = after;
    const past = (seq: number) => {
      asked = seq;
      return frames.filter((frame) => frame.seq > seq);
    };
    return { reader: readFrames(audience.openStream(past, after, "th")), askedFor: () => asked };
  };
  for (let n = 0; n < MANY; n += 1) say();
  return { audience, say, follow };
}

async function allOf(reader: AsyncIterable<Frame>): Promise<number[]> {
  const seqs: number[] = [];
  for await (const { seq } of reader) seqs.push(seq);
  return seqs;
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

describe("a stream", () => {
  test("[L2] begins with all of a long past, and goes on with what happens meanwhile", async () => {
    const { say, follow } = long();
    const { reader } = follow(5);
    const seqs: number[] = [];
    for await (const { seq } of reader) {
      seqs.push(seq);
      if (seq === 50) say();
      if (seq === MANY + 1) say("done");
    }
    expect(seqs).toEqual(numbers(6, MANY + 2));
  });

  test("takes no more of the past into memory than is read of it", async () => {
    const { follow } = long();
    const { reader, askedFor } = follow();
    await reader.next();
    expect(askedFor()).toBeLessThan(MANY / 2);
    await reader.return();
  });

  test("of a thread that waits for the person ends once it has told all that was said", async () => {
    const { audience, follow } = long();
    const { reader } = follow();
    audience.endThreadStreams("th");
    expect(await allOf(reader)).toEqual(numbers(1, MANY));
  });

  test("whose reader does not read is let go", async () => {
    const { say, follow } = long();
    const { reader } = follow(MANY);
    for (let n = 0; n < MANY; n += 1) say();
    await expect(allOf(reader)).rejects.toThrow("too slow");
  });
});

test("everybody is dismissed, also when one has gone already", () => {
  const dismissed: number[] = [];
  const socket = (close: (code: number) => void) =>
    ({ close, deserializeAttachment: () => null }) as unknown as WebSocket;
  const gone = socket(() => {
    throw new TypeError("The socket is closed");
  });
  new Broadcaster([gone, socket((code) => void dismissed.push(code))]).closeAll(4404, "It was deleted");
  expect(dismissed).toEqual([4404]);
});
