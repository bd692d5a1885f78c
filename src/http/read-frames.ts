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
  const splitter = new LineSplitter();
  // Errors of the cancellation are ignored: the stream is already broken, and nobody reads it.
  const cancelReader = () => void reader.cancel().catch(() => undefined);
  signal?.addEventListener("abort", cancelReader, { once: true });
  let hasEnded = false;
  try {
    while (signal?.aborted !== true) {
      const { done, value } = await reader.read();
      hasEnded = done;
      if (done) return;
      const completeLines = splitter.feed(value);
      if (completeLines.length > 0) yield completeLines.map((line) => JSON.parse(line) as Frame);
    }
  } finally {
    signal?.removeEventListener("abort", cancelReader);
    if (!hasEnded) cancelReader();
  }
}
