// Parses the JSON lines in which a conversation streams its frames.
//
// Each generator owns its stream, the decoder and the incomplete last line. Ending the generator early cancels the
// stream, which does not stop the work of the conversation.

import type { Frame } from "../protocol/events.ts";

/** Yields the frames of a stream in order. */
export async function* framesOf(lines: ReadableStream<Uint8Array>, left?: AbortSignal): AsyncGenerator<Frame, void> {
  for await (const portion of portionsOf(lines, left)) yield* portion;
}

/**
 * Yields the frames of a stream in batches, one for each chunk with a complete line. Batches are cheaper than single
 * frames: a generator creates several promises for each value. An abort of `signal` ends the generator even while it
 * waits for a chunk; `return()` would wait for that chunk.
 */
export async function* portionsOf(
  lines: ReadableStream<Uint8Array>,
  left?: AbortSignal,
): AsyncGenerator<readonly Frame[], void> {
  const reader = lines.getReader();
  const decoder = new TextDecoder();
  // Errors of the cancellation are ignored: the stream is already broken, and nobody reads it.
  const leave = () => void reader.cancel().catch(() => undefined);
  left?.addEventListener("abort", leave, { once: true });
  let rest = "";
  let isOver = false;
  try {
    while (left?.aborted !== true) {
      const { done, value } = await reader.read();
      isOver = done;
      if (done) return;
      const parts = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      if (parts.length > 0) yield parts.map((line) => JSON.parse(line) as Frame);
    }
  } finally {
    left?.removeEventListener("abort", leave);
    if (!isOver) leave();
  }
}
