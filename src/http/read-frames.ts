// Parses the JSON lines in which a conversation streams its frames.
//
// Each generator owns its stream. Ending the generator early cancels the stream, which does not stop the work of the
// conversation.

import { LineSplitter } from "../lib/line-splitter.ts";
import type { Frame } from "../protocol/wire/events.ts";

/**
 * Yields the frames of a stream in batches, one for each chunk with a complete line. Batches are cheaper than single
 * frames: a generator creates several promises for each value. An incomplete last line is dropped. Throws if the stream
 * breaks. An abort of `signal` ends the generator even while it waits for a chunk; `return()` would wait for that
 * chunk.
 */
export async function* readFrameBatches(
  lines: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<readonly Frame[], void> {
  const reader = lines.getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal?.addEventListener("abort", cancel, { once: true });
  if (signal?.aborted === true) cancel();
  try {
    yield* readLines(reader, (line) => JSON.parse(line) as Frame);
  } finally {
    signal?.removeEventListener("abort", cancel);
  }
}

/** Yields the parsed lines of each chunk. Cancels the reader at the end. */
export async function* readLines<T>(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  parse: (line: string) => T,
): AsyncGenerator<readonly T[], void> {
  const splitter = new LineSplitter();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const completeLines = splitter.feed(value);
      if (completeLines.length > 0) yield completeLines.map(parse);
    }
  } finally {
    // Errors of the cancellation are ignored: the stream has ended or is broken, and nobody reads it.
    void reader.cancel().catch(() => undefined);
  }
}
