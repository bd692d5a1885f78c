import { expect, test } from "vitest";
import { Pieces } from "../../src/models/pieces.ts";
import { bytesOf } from "./scripted-endpoint.ts";

/** A body whose chunks the test sends. */
function line(): {
  readonly pieces: Pieces;
  readonly say: (...chunks: string[]) => void;
  readonly end: () => void;
  readonly fail: () => void;
} {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(undefined, undefined, {
    highWaterMark: 100_000,
  });
  const writer = writable.getWriter();
  const quietly = (work: Promise<void>) => void work.catch(() => {});
  return {
    pieces: new Pieces(readable, new AbortController().signal, false),
    say: (...chunks) => chunks.forEach((chunk) => quietly(writer.write(bytesOf(chunk)))),
    end: () => quietly(writer.close()),
    fail: () => quietly(writer.abort(new Error("broken"))),
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("a chunk that was waited for passes alone, and what has arrived behind it as one piece", async () => {
  const { pieces, say, end } = line();
  say("a", "b", "c", "d");
  expect(await pieces.next()).toBe("a");
  expect(await pieces.next()).toBe("bcd");
  const later = pieces.next();
  await pause(50);
  say("e", "f", "g");
  end();
  expect(await later).toBe("e");
  expect(await pieces.next()).toBe("fg");
  expect(await pieces.next()).toBe(null);
});

test("nothing waits for what has not arrived", async () => {
  const { pieces, say } = line();
  say("a", "b", "c");
  await pieces.next();
  const asked = performance.now();
  expect(await pieces.next()).toBe("bc");
  expect(performance.now() - asked).toBeLessThan(100);
});

test("tokens that come fast are told a few at a time, and the last before a pause are not held back", async () => {
  const { pieces, say } = line();
  const told: string[] = [];
  const reading = (async () => {
    for (let text = await pieces.next(); text !== null; text = await pieces.next()) told.push(text);
  })();
  reading.catch(() => {});
  for (let i = 0; i < 20; i++) {
    say("x");
    await pause(5);
  }
  await pause(100);
  expect(told.join("")).toBe("x".repeat(20));
  expect(told.length).toBeLessThan(12);
});

test("what was said before trouble is heard before it", async () => {
  const { pieces, say, fail } = line();
  say("a", "b", "c");
  await pieces.next();
  expect(await pieces.next()).toBe("bc");
  fail();
  await expect(pieces.next()).rejects.toThrow("broken");
});

test("a piece has its limit, however much is there", async () => {
  const { pieces, say, end } = line();
  const chunk = "x".repeat(1_000);
  say("a", ...Array.from({ length: 100 }, () => chunk));
  end();
  const lengths: number[] = [];
  for (let text = await pieces.next(); text !== null; text = await pieces.next()) lengths.push(text.length);
  expect(lengths[0]).toBe(1);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(17_384);
  expect(lengths.length).toBeLessThan(20);
  expect(lengths.reduce((sum, length) => sum + length)).toBe(100_001);
});

test("the end of a body that breaks within a character is a replacement character", async () => {
  const body = new Response(Uint8Array.of(0x61, 0xe4, 0xb8)).body as ReadableStream<Uint8Array>;
  const pieces = new Pieces(body, new AbortController().signal, false);
  expect(`${await pieces.next()}${await pieces.next()}`).toBe("a\ufffd");
  expect(await pieces.next()).toBe(null);
});

test("an abort ends the wait with its reason", async () => {
  const abort = new AbortController();
  const pieces = new Pieces(new ReadableStream<Uint8Array>(), abort.signal, false);
  const waiting = pieces.next();
  abort.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  await expect(pieces.next()).rejects.toThrow("enough");
});
