import { formatSSEErrorEvent, formatSSEEvent } from "@a2a-js/sdk";

/**
 * Server-sent events as bytes, produced as fast as they are read: what `portions` brings at once travels as one
 * piece, and the stream ends with its return value. `leave` is called when the reader goes away before the end;
 * `explain` words what broke the stream.
 */
export function eventStream<T>(
  portions: AsyncGenerator<readonly T[], readonly T[]>,
  first: IteratorResult<readonly T[], readonly T[]>,
  worded: (event: T) => unknown,
  { leave, explain }: { readonly leave: () => void; readonly explain: (thrown: unknown) => unknown },
): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder();
  const tell = (controller: ReadableStreamDefaultController<Uint8Array>, { done, value }: typeof first) => {
    const text = value.map((event) => formatSSEEvent(worded(event))).join("");
    if (text !== "") controller.enqueue(utf8.encode(text));
    if (done === true) controller.close();
  };
  return new ReadableStream({
    start: (controller) => tell(controller, first),
    async pull(controller) {
      try {
        tell(controller, await portions.next());
      } catch (thrown) {
        controller.enqueue(utf8.encode(formatSSEErrorEvent(explain(thrown))));
        controller.close();
      }
    },
    async cancel() {
      leave();
      await portions.return([]);
    },
  });
}
