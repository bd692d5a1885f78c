// The JSON lines in which conversations are followed, as frames again.

import type { Frame } from "../protocol/events.ts";

/** The frames of a stream, in order. Leaving it cancels the stream, which stops none of the work. */
export async function* framesOf(lines: ReadableStream<Uint8Array>): AsyncGenerator<Frame, void> {
  for await (const portion of portionsOf(lines)) yield* portion;
}

/** As `framesOf`, what arrived together at once: a generator costs several promises for each of its values. */
export async function* portionsOf(lines: ReadableStream<Uint8Array>): AsyncGenerator<readonly Frame[], void> {
  const reader = lines.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let isOver = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const parts = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      if (parts.length > 0) yield parts.map((line) => JSON.parse(line) as Frame);
    }
    isOver = true;
  } finally {
    // One that broke has nobody left to tell.
    if (!isOver) await reader.cancel().catch(() => undefined);
  }
}
