import { expect, test } from "vitest";
import { BodyReader } from "../../src/models/body-reader.ts";
import { encodeText } from "./scripted-endpoint.ts";

type BodyUnderTest = {
  readonly texts: readonly string[];
  readonly reader: BodyReader;
  readonly finished: Promise<void>;
  readonly sendChunks: (...chunks: string[]) => void;
  readonly end: () => void;
  readonly fail: () => void;
};

/** Creates a body whose chunks the test sends. `isAll` tells which text is the last required one. */
function createBody(isAll: (text: string) => boolean = () => false): BodyUnderTest {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(undefined, undefined, {
    highWaterMark: 100_000,
  });
  const writer = writable.getWriter();
  const ignoreErrors = (work: Promise<void>) => void work.catch(() => {});
  const texts: string[] = [];
  const reader = new BodyReader(readable, new AbortController().signal, "ends");
  const finished = reader.readAll((text) => {
    texts.push(text);
    return isAll(text);
  });
  finished.catch(() => {});
  return {
    texts,
    reader,
    finished,
    sendChunks: (...chunks) => chunks.forEach((chunk) => ignoreErrors(writer.write(encodeText(chunk)))),
    end: () => ignoreErrors(writer.close()),
    fail: () => ignoreErrors(writer.abort(new Error("broken"))),
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("an awaited chunk is delivered alone, and the chunks that arrived after it as one text", async () => {
  const { texts, finished, sendChunks, end } = createBody();
  sendChunks("a", "b", "c", "d");
  await pause(50);
  expect(texts).toEqual(["a", "bcd"]);
  sendChunks("e", "f", "g");
  end();
  await finished;
  expect(texts.slice(2)).toEqual(["e", "fg"]);
});

test("fast tokens are delivered in groups, and the last ones before a pause are not held back", async () => {
  const { texts, sendChunks } = createBody();
  for (let i = 0; i < 20; i++) {
    sendChunks("x");
    await pause(5);
  }
  await pause(100);
  expect(texts.join("")).toBe("x".repeat(20));
  expect(texts.length).toBeLessThan(12);
});

test("text before a failure is delivered before the failure", async () => {
  const { texts, finished, sendChunks, fail } = createBody();
  sendChunks("a", "b", "c");
  await pause(5);
  fail();
  await expect(finished).rejects.toMatchObject({ code: "model_interrupted", cause: new Error("broken") });
  expect(texts.join("")).toBe("abc");
});

test("a delivered text has a size limit", async () => {
  const { texts, finished, sendChunks, end } = createBody();
  const chunk = "x".repeat(1_000);
  sendChunks("a", ...Array.from({ length: 100 }, () => chunk));
  end();
  await finished;
  const lengths = texts.map((text) => text.length);
  expect(lengths[0]).toBe(1);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(17_384);
  expect(lengths.length).toBeLessThan(20);
  expect(lengths.reduce((sum, length) => sum + length)).toBe(100_001);
});

test("a body that breaks within a character ends with a replacement character", async () => {
  const body = new Response(Uint8Array.of(0x61, 0xe4, 0xb8)).body as ReadableStream<Uint8Array>;
  const texts: string[] = [];
  await new BodyReader(body, new AbortController().signal, "ends").readAll((text) => texts.push(text) === 0);
  expect(texts.join("")).toBe("a\ufffd");
});

test("a character in two chunks is delivered as one", async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const texts: string[] = [];
  const finished = new BodyReader(readable, new AbortController().signal, "ends").readAll(
    (text) => texts.push(text) === 0,
  );
  await writer.write(Uint8Array.of(0xe4));
  await pause(50);
  await writer.write(Uint8Array.of(0xb8, 0xad));
  await writer.close();
  await finished;
  expect(texts).toEqual(["中"]);
});

test("an abort rejects with its reason and stops the delivery", async () => {
  const abort = new AbortController();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const texts: string[] = [];
  const finished = new BodyReader(readable, abort.signal, "ends").readAll((text) => texts.push(text) === 0);
  const writer = writable.getWriter();
  await writer.write(encodeText("a"));
  await writer.write(encodeText("b"));
  abort.abort(new Error("enough"));
  await expect(finished).rejects.toThrow("enough");
  const before = texts.length;
  await pause(50);
  expect(texts).toHaveLength(before);
  await expect(new BodyReader(new ReadableStream(), abort.signal, "ends").readAll(() => false)).rejects.toThrow(
    "enough",
  );
});

test("an exception of the listener stops the delivery", async () => {
  const { finished, texts, sendChunks } = createBody(() => {
    throw new Error("nonsense");
  });
  sendChunks("a");
  await expect(finished).rejects.toThrow("nonsense");
  sendChunks("b");
  await pause(50);
  expect(texts).toEqual(["a"]);
});

test("drain finds the end of a body that closes, and no end of an open or broken one", async () => {
  const isAll = (text: string) => text.endsWith("!");
  const [closed, open, broken] = [createBody(isAll), createBody(isAll), createBody(isAll)];
  for (const { sendChunks } of [closed, open, broken]) sendChunks("a", "b!");
  await Promise.all([closed.finished, open.finished, broken.finished]);
  closed.sendChunks("more");
  closed.end();
  const drained = [closed, open, broken].map(({ reader: pieces }) => pieces.drain());
  await pause(5);
  broken.fail();
  expect(await Promise.all(drained)).toEqual([true, false, false]);
  expect(closed.texts.join("")).toBe("ab!");
});

test("drain finds no end after an abort", async () => {
  const abort = new AbortController();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const reader = new BodyReader(readable, abort.signal, "ends");
  const finished = reader.readAll(() => false);
  await writable.getWriter().write(encodeText("a"));
  abort.abort(new Error("enough"));
  await expect(finished).rejects.toThrow("enough");
  expect(await reader.drain()).toBe(false);
});
