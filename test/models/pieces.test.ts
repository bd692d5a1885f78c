import { expect, test } from "vitest";
import { BodyReader } from "../../src/models/body-reader.ts";
import { bytesOf } from "./scripted-endpoint.ts";

type Line = {
  readonly told: readonly string[];
  readonly pieces: BodyReader;
  readonly heard: Promise<void>;
  readonly say: (...chunks: string[]) => void;
  readonly end: () => void;
  readonly fail: () => void;
};

/** A body whose chunks the test sends; `isAll` says which piece is the last that is wanted. */
function line(isAll: (text: string) => boolean = () => false): Line {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(undefined, undefined, {
    highWaterMark: 100_000,
  });
  const writer = writable.getWriter();
  const quietly = (work: Promise<void>) => void work.catch(() => {});
  const told: string[] = [];
  const pieces = new BodyReader(readable, new AbortController().signal, "ends");
  const heard = pieces.readAll((text) => {
    told.push(text);
    return isAll(text);
  });
  heard.catch(() => {});
  return {
    told,
    pieces,
    heard,
    say: (...chunks) => chunks.forEach((chunk) => quietly(writer.write(bytesOf(chunk)))),
    end: () => quietly(writer.close()),
    fail: () => quietly(writer.abort(new Error("broken"))),
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("a chunk that was waited for passes alone, and what has arrived behind it as one piece", async () => {
  const { told, heard, say, end } = line();
  say("a", "b", "c", "d");
  await pause(50);
  expect(told).toEqual(["a", "bcd"]);
  say("e", "f", "g");
  end();
  await heard;
  expect(told.slice(2)).toEqual(["e", "fg"]);
});

test("nothing waits for what has not arrived", async () => {
  const { told, say } = line();
  const asked = performance.now();
  say("a", "b", "c");
  await expect.poll(() => told, { interval: 5 }).toEqual(["a", "bc"]);
  expect(performance.now() - asked).toBeLessThan(100);
});

test("tokens that come fast are told a few at a time, and the last before a pause are not held back", async () => {
  const { told, say } = line();
  for (let i = 0; i < 20; i++) {
    say("x");
    await pause(5);
  }
  await pause(100);
  expect(told.join("")).toBe("x".repeat(20));
  expect(told.length).toBeLessThan(12);
});

test("what was said before trouble is heard before it", async () => {
  const { told, heard, say, fail } = line();
  say("a", "b", "c");
  await pause(5);
  fail();
  await expect(heard).rejects.toMatchObject({ code: "model_interrupted", cause: new Error("broken") });
  expect(told.join("")).toBe("abc");
});

test("a piece has its limit, however much is there", async () => {
  const { told, heard, say, end } = line();
  const chunk = "x".repeat(1_000);
  say("a", ...Array.from({ length: 100 }, () => chunk));
  end();
  await heard;
  const lengths = told.map((text) => text.length);
  expect(lengths[0]).toBe(1);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(17_384);
  expect(lengths.length).toBeLessThan(20);
  expect(lengths.reduce((sum, length) => sum + length)).toBe(100_001);
});

test("the end of a body that breaks within a character is a replacement character", async () => {
  const body = new Response(Uint8Array.of(0x61, 0xe4, 0xb8)).body as ReadableStream<Uint8Array>;
  const told: string[] = [];
  await new BodyReader(body, new AbortController().signal, "ends").readAll((text) => told.push(text) === 0);
  expect(told.join("")).toBe("a\ufffd");
});

test("a character that comes in two chunks is one character", async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const told: string[] = [];
  const heard = new BodyReader(readable, new AbortController().signal, "ends").readAll((text) => told.push(text) === 0);
  await writer.write(Uint8Array.of(0xe4));
  await pause(50);
  await writer.write(Uint8Array.of(0xb8, 0xad));
  await writer.close();
  await heard;
  expect(told).toEqual(["中"]);
});

test("an abort ends the wait with its reason, and nothing is told any more", async () => {
  const abort = new AbortController();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const told: string[] = [];
  const heard = new BodyReader(readable, abort.signal, "ends").readAll((text) => told.push(text) === 0);
  const writer = writable.getWriter();
  await writer.write(bytesOf("a"));
  await writer.write(bytesOf("b"));
  abort.abort(new Error("enough"));
  await expect(heard).rejects.toThrow("enough");
  const before = told.length;
  await pause(50);
  expect(told).toHaveLength(before);
  await expect(new BodyReader(new ReadableStream(), abort.signal, "ends").readAll(() => false)).rejects.toThrow(
    "enough",
  );
});

test("what the listener throws ends the listening", async () => {
  const { heard, told, say } = line(() => {
    throw new Error("nonsense");
  });
  say("a");
  await expect(heard).rejects.toThrow("nonsense");
  say("b");
  await pause(50);
  expect(told).toEqual(["a"]);
});

test("when all is said, the end is still looked for: a body that stays open has none", async () => {
  const isAll = (text: string) => text.endsWith("!");
  const [closed, open, broken] = [line(isAll), line(isAll), line(isAll)];
  for (const { say } of [closed, open, broken]) say("a", "b!");
  await Promise.all([closed.heard, open.heard, broken.heard]);
  closed.say("more");
  closed.end();
  const found = [closed, open, broken].map(({ pieces }) => pieces.drain());
  await pause(5);
  broken.fail();
  expect(await Promise.all(found)).toEqual([true, false, false]);
  expect(closed.told.join("")).toBe("ab!");
});

test("a body that was given up has shown no end, though nothing more can be read of it", async () => {
  const abort = new AbortController();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const pieces = new BodyReader(readable, abort.signal, "ends");
  const heard = pieces.readAll(() => false);
  await writable.getWriter().write(bytesOf("a"));
  abort.abort(new Error("enough"));
  await expect(heard).rejects.toThrow("enough");
  expect(await pieces.drain()).toBe(false);
});
