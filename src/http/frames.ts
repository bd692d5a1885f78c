// The JSON lines in which conversations are followed, as frames again.

import type { Frame } from "../protocol/events.ts";

/** The frames of a stream, in order. Leaving it cancels the stream, which stops none of the work. */
export async function* framesOf(lines: ReadableStream<Uint8Array>, left?: AbortSignal): AsyncGenerator<Frame, void> {
  for await (const portion of portionsOf(lines, left)) yield* portion;
}

/**
 * As `framesOf`, what arrived together at once: a generator costs several promises for each of its values. `left` ends
 * it while it waits, which nothing else can.
 */
export async function* portionsOf(
  lines: ReadableStream<Uint8Array>,
  left?: AbortSignal,
): AsyncGenerator<readonly Frame[], void> {
  const reader = lines.getReader();
  const decoder = new TextDecoder();
  // A stream that broke has nobody left to tell.
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
