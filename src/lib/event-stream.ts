// A response body of server-sent events with a heartbeat.
//
// A stream owns its generator of texts and its timer. It asks for the next text only when the reader pulls, so a slow
// reader slows the source. Timer and generator end together: with the generator, with the reader, or at `endsAt`.

import { SSE_HEARTBEAT } from "./sse-parser.ts";

export type EventStreamOptions = {
  /** The interval of heartbeats in ms; none without it. */
  readonly heartbeatMs?: number | undefined;
  /** Called once if the reader disconnects or `endsAt` is reached. Must release whatever the generator waits for. */
  readonly onDisconnect: () => void;
  /** The first heartbeat after this time (epoch milliseconds) ends the stream; null, the default, for no limit. */
  readonly endsAt?: number | null;
};

/**
 * Streams the texts of a generator, each as one chunk. A text may hold several events and is not empty. If the generator
 * throws, the stream breaks, so that the reader reconnects.
 */
export function createEventStream(
  texts: AsyncGenerator<string, void>,
  { heartbeatMs, onDisconnect, endsAt = null }: EventStreamOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  let hasLeft = false;
  const leave = () => {
    hasLeft = true;
    clearInterval(heartbeat);
    onDisconnect();
    void texts.return().catch(() => undefined);
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (heartbeatMs === undefined) return;
      heartbeat = setInterval(() => {
        if (endsAt === null || Date.now() < endsAt) return controller.enqueue(encoder.encode(SSE_HEARTBEAT));
        leave();
        controller.close();
      }, heartbeatMs);
    },
    async pull(controller) {
      try {
        const { done, value } = await texts.next();
        if (hasLeft) return;
        if (done !== true) return controller.enqueue(encoder.encode(value));
        controller.close();
      } catch (thrown) {
        if (!hasLeft) controller.error(thrown);
      }
      clearInterval(heartbeat);
    },
    cancel: leave,
  });
}
