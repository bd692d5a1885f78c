// Server-sent events of an A2A response, from an async generator to bytes.
//
// A stream owns its generator of batches and its heartbeat timer. It reads the next batch only when the reader pulls,
// so a slow reader slows the source. All events of one batch are enqueued as one chunk.
// Order: the first batch is read before the response exists, so an early error can still be a plain JSON response.
// Failure: an error in a later batch is sent as an error event; then the stream closes, calls `onDisconnect` and ends
// the generator (`return`). The same cleanup runs when the reader cancels. A normal end only clears the timer.

import { formatSSEErrorEvent, formatSSEEvent, SSE_HEADERS } from "@a2a-js/sdk";
import { SSE_HEARTBEAT } from "../lib/sse-parser.ts";

/**
 * Batches of events. Each yield is a batch that is sent at once; the return value is the last batch. An empty batch
 * before the end is sent as a heartbeat.
 */
export type EventBatches<T> = AsyncGenerator<readonly T[], readonly T[]>;

/** Encoders and callbacks of a stream. */
export type StreamHandlers<T> = {
  /** Encodes one event as the JSON value of its `data` line. */
  readonly encodeEvent: (event: T) => unknown;
  /** Called when the reader cancels before the end, or the source fails after its first batch. */
  readonly onDisconnect?: () => void;
  /** Encodes the error that ended the stream. */
  readonly encodeError: (thrown: unknown) => unknown;
  /** Interval in ms of comments that keep an idle connection open; none if absent. */
  readonly heartbeatMs?: number;
};

/**
 * Creates a streaming response once the source has yielded its first batch. Rejects with the error of the source if it
 * fails before, so that the caller can respond with plain JSON, as A2A requires.
 */
export async function createStreamResponse<T>(
  batches: EventBatches<T>,
  handlers: StreamHandlers<T>,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const first = await batches.next();
  return new Response(createEventStream(batches, first, handlers), { headers: { ...SSE_HEADERS, ...headers } });
}

/** Creates the stream of bytes. Reads one batch per pull and closes after the return value of `batches`. */
function createEventStream<T>(
  batches: EventBatches<T>,
  first: IteratorResult<readonly T[], readonly T[]>,
  { encodeEvent, onDisconnect, encodeError, heartbeatMs }: StreamHandlers<T>,
): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder();
  const heartbeat = utf8.encode(SSE_HEARTBEAT);
  let timer: ReturnType<typeof setInterval> | undefined;
  const enqueueBatch = (controller: ReadableStreamDefaultController<Uint8Array>, { done, value }: typeof first) => {
    const text = value.map((event) => formatSSEEvent(encodeEvent(event))).join("");
    // The platform does not repeat a pull that enqueued nothing, so an empty batch sends a heartbeat.
    if (text !== "") controller.enqueue(utf8.encode(text));
    else if (done !== true) controller.enqueue(heartbeat);
    if (done !== true) return;
    clearInterval(timer);
    controller.close();
  };
  const release = async () => {
    clearInterval(timer);
    onDisconnect?.();
    await batches.return([]);
  };
  return new ReadableStream({
    start(controller) {
      if (heartbeatMs !== undefined) timer = setInterval(() => controller.enqueue(heartbeat), heartbeatMs);
      try {
        enqueueBatch(controller, first);
      } catch (thrown) {
        void release();
        throw thrown;
      }
    },
    async pull(controller) {
      try {
        enqueueBatch(controller, await batches.next());
      } catch (thrown) {
        controller.enqueue(utf8.encode(formatSSEErrorEvent(encodeError(thrown))));
        controller.close();
        await release();
      }
    },
    cancel: release,
  });
}

/** Converts events to batches of one event each. */
export async function* batchSingly<T>(events: AsyncIterable<T>): EventBatches<T> {
  for await (const event of events) yield [event];
  return [];
}

/**
 * Yields the events of all batches one by one, the last batch included. Ends `batches` when the consumer stops early.
 */
export async function* flattenBatches<T>(batches: EventBatches<T>): AsyncGenerator<T, void> {
  try {
    for (;;) {
      const { done, value } = await batches.next();
      yield* value;
      if (done === true) return;
    }
  } finally {
    await batches.return([]);
  }
}
