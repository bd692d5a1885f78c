import { readFrameBatches } from "../../src/http/read-frames.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";

/** Yields the frames of a stream of JSON lines one by one. */
export async function* readFrames(
  lines: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<Frame, void> {
  for await (const batch of readFrameBatches(lines, signal)) yield* batch;
}
