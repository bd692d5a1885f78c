// Server-sent events of an A2A response, from an async generator to bytes.
//
// A stream owns its generator of batches and its heartbeat timer. It reads the next batch only when the reader pulls,
// so a slow reader slows the source. All events of one batch are enqueued as one chunk.
// Order: the first batch is read before the response exists, so an early error can still be a plain JSON response.
// Failure: an error in a later batch is sent as an error event; then the stream closes, calls `onAbort` and returns the
// generator. The same cleanup runs when the reader cancels. A normal end only clears the timer.

import { formatSSEErrorEvent, formatSSEEvent, SSE_HEADERS } from "@a2a-js/sdk";
import { HEARTBEAT } from "../protocol/server-events.ts";

/**
 * Batches of events. Each yield is a batch that is sent at once; the return value is the last batch. An empty batch
 * before the end is sent as a heartbeat.
 */
export type Portions<T> = AsyncGenerator<readonly T[], readonly T[]>;

/** Encoders and callbacks of a stream. */
export type Telling<T> = {
  /** Encodes one event as the JSON value of its `data` line. */
  readonly worded: (event: T) => unknown;
  /** Called when the reader cancels before the end or the source fails. */
  readonly leave?: () => void;
  /** Encodes the error that ended the stream. */
  readonly explain: (thrown: unknown) => unknown;
  /** Interval in ms of comments that keep an idle connection open; none if absent. */
  readonly heartbeatMs?: number;
};

/**
 * Creates a streaming response. Rejects if the source fails before its first batch, so that the caller can respond with
 * plain JSON, as A2A requires.
 */
export async function streamResponse<T>(
  portions: Portions<T>,
  telling: Telling<T>,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const first = await portions.next();
  return new Response(eventStream(portions, first, telling), { headers: { ...SSE_HEADERS, ...headers } });
}

/** Creates the stream of bytes. Reads one batch per pull and closes after the return value of `batches`. */
function eventStream<T>(
  portions: Portions<T>,
  first: IteratorResult<readonly T[], readonly T[]>,
  { worded, leave, explain, heartbeatMs }: Telling<T>,
): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder();
  const heartbeat = utf8.encode(HEARTBEAT);
  let timer: ReturnType<typeof setInterval> | undefined;
  const tell = (controller: ReadableStreamDefaultController<Uint8Array>, { done, value }: typeof first) => {
    const text = value.map((event) => formatSSEEvent(worded(event))).join("");
    // The platform does not repeat a pull that enqueued nothing, so an empty batch sends a heartbeat.
    if (text !== "") controller.enqueue(utf8.encode(text));
    else if (done !== true) controller.enqueue(heartbeat);
    if (done !== true) return;
    clearInterval(timer);
    controller.close();
  };
  const letGo = async () => {
    clearInterval(timer);
    leave?.();
    await portions.return([]);
  };
  return new ReadableStream({
    start(controller) {
      if (heartbeatMs !== undefined) timer = setInterval(() => controller.enqueue(heartbeat), heartbeatMs);
      try {
        tell(controller, first);
      } catch (thrown) {
        void letGo();
        throw thrown;
      }
    },
    async pull(controller) {
      try {
        tell(controller, await portions.next());
      } catch (thrown) {
        controller.enqueue(utf8.encode(formatSSEErrorEvent(explain(thrown))));
        controller.close();
        await letGo();
      }
    },
    cancel: letGo,
  });
}

/** Converts events to batches of one event each. */
export async function* oneByOne<T>(events: AsyncIterable<T>): Portions<T> {
  for await (const event of events) yield [event];
  return [];
}

/** Yields the events of all batches one by one. Returns the generator of batches when the consumer stops early. */
export async function* eventsOf<T>(portions: Portions<T>): AsyncGenerator<T, void> {
  try {
    for (;;) {
      const { done, value } = await portions.next();
      yield* value;
      if (done === true) return;
    }
  } finally {
    await portions.return([]);
  }
}
