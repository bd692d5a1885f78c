import { formatSSEErrorEvent, formatSSEEvent } from "@a2a-js/sdk";

/**
 * Server-sent events as bytes, produced as fast as they are read. `leave` is called when the reader goes
 * away before the end; `explain` words what broke the stream.
 */
export function eventStream(
  values: AsyncIterator<unknown>,
  first: unknown,
  leave: () => void,
  explain: (thrown: unknown) => unknown,
): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      controller.enqueue(utf8.encode(formatSSEEvent(first)));
    },
    async pull(controller) {
      try {
        const next: IteratorResult<unknown, unknown> = await values.next();
        if (next.done === true) controller.close();
        else controller.enqueue(utf8.encode(formatSSEEvent(next.value)));
      } catch (thrown) {
        controller.enqueue(utf8.encode(formatSSEErrorEvent(explain(thrown))));
        controller.close();
      }
    },
    async cancel() {
      leave();
      await values.return?.();
    },
  });
}
