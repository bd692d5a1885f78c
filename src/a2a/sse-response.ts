// Server-sent events of an A2A response, from an async generator to bytes.
//
// A stream owns its generator of batches. All events of one batch are one chunk.
// Order: the first batch is read before the response exists, so an early error can still be a plain JSON response.
// Failure: an error in a later batch is sent as an error event; then the stream closes, calls `onDisconnect` and ends
// the generator (`return`). The same cleanup runs when the reader cancels. A normal end only clears the timer.

import { formatSSEErrorEvent, formatSSEEvent, SSE_HEADERS } from "@a2a-js/sdk";
import { createEventStream } from "../lib/event-stream.ts";
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
  const { encodeEvent, onDisconnect, heartbeatMs } = handlers;
  const encodeBatch = (events: readonly T[]) => events.map((event) => formatSSEEvent(encodeEvent(event))).join("");
  const release = () => {
    onDisconnect?.();
    void batches.return([]);
  };
  const { done, value } = await batches.next();
  let first: string;
  try {
    first = encodeBatch(value);
  } catch (thrown) {
    release();
    throw thrown;
  }
  const texts = encodeBatches(first, done === true, batches, encodeBatch, handlers);
  const body = createEventStream(texts, { heartbeatMs, onDisconnect: release });
  return new Response(body, { headers: { ...SSE_HEADERS, ...headers } });
}

/** Yields the text of each batch. An error is the last event; then the source is released like after a disconnection. */
async function* encodeBatches<T>(
  first: string,
  isOver: boolean,
  batches: EventBatches<T>,
  encodeBatch: (events: readonly T[]) => string,
  { encodeError, onDisconnect }: StreamHandlers<T>,
): AsyncGenerator<string, void> {
  // The platform does not repeat a pull that enqueued nothing, so an empty batch sends a heartbeat.
  if (first !== "" || !isOver) yield first === "" ? SSE_HEARTBEAT : first;
  if (isOver) return;
  try {
    for (;;) {
      const { done, value } = await batches.next();
      const text = encodeBatch(value);
      if (text !== "" || done !== true) yield text === "" ? SSE_HEARTBEAT : text;
      if (done === true) return;
    }
  } catch (thrown) {
    yield formatSSEErrorEvent(encodeError(thrown));
    onDisconnect?.();
    await batches.return([]);
  }
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
