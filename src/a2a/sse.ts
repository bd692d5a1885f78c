import { formatSSEErrorEvent, formatSSEEvent, SSE_HEADERS } from "@a2a-js/sdk";
import { HEARTBEAT } from "../protocol/server-events.ts";

/** Events that became known together; the last of them are returned. None at all are told as a comment. */
export type Portions<T> = AsyncGenerator<readonly T[], readonly T[]>;

export type Telling<T> = {
  readonly worded: (event: T) => unknown;
  /** Called when the reader goes away before the end, or the stream breaks. */
  readonly leave?: () => void;
  /** Words what broke the stream. */
  readonly explain: (thrown: unknown) => unknown;
  /** Keeps a quiet connection open with a comment, as often as that. */
  readonly heartbeatMs?: number;
};

/** An error before the first event is thrown, to be answered as plain JSON, as A2A wants it. */
export async function streamResponse<T>(
  portions: Portions<T>,
  telling: Telling<T>,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const first = await portions.next();
  return new Response(eventStream(portions, first, telling), { headers: { ...SSE_HEADERS, ...headers } });
}

/**
 * Server-sent events as bytes, produced as fast as they are read: what `portions` brings at once travels as one
 * piece, and the stream ends with its return value.
 */
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
    // A pull that brings nothing is not made again, and whoever is quiet is there all the same.
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

/** Each event by itself. */
export async function* oneByOne<T>(events: AsyncIterable<T>): Portions<T> {
  for await (const event of events) yield [event];
  return [];
}

/** The events of portions, for whoever wants them one by one. */
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
