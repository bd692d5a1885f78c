// JSON responses that may take long.
//
// State of one response: the timer of the heartbeat and whether the reader has disconnected. The timer ends with the
// work or with the disconnection, whichever is first. The status is sent with the first heartbeat; a later failure can
// only be part of the body.

import { HEARTBEAT_MS } from "./sse.ts";

const encoder = new TextEncoder();
/** JSON allows white space before a value (RFC 8259, section 2). */
const KEEPALIVE_BYTES = encoder.encode(" ");

export type KeepaliveOptions = {
  readonly headers?: Readonly<Record<string, string>>;
  /** Called once if the reader disconnects before the end. */
  readonly onDisconnect: () => void;
  /** Returns the body if the work fails after the status was sent. Must not throw. */
  readonly encodeError: (thrown: unknown) => unknown;
};

/**
 * Responds with the value of `work` as JSON. Rejects like `work` if it fails within one heartbeat interval. After this
 * interval the status is 200 and a failure becomes the body of `encodeError`. A space is sent per interval before the
 * value: it keeps proxies from closing an idle connection, and lets the platform notice that the reader disconnected.
 */
export async function respondWithKeepalive(work: Promise<unknown>, options: KeepaliveOptions): Promise<Response> {
  const { promise: timeout, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, HEARTBEAT_MS, null);
  try {
    const early = await Promise.race([work.then((answer) => ({ answer })), timeout]);
    if (early !== null) return Response.json(early.answer, { headers: options.headers ?? {} });
  } finally {
    clearTimeout(timer);
  }
  return new Response(streamWithKeepalive(work, options), {
    headers: { "content-type": "application/json", ...options.headers },
  });
}

/** Streams spaces until the work ends, then its value. */
function streamWithKeepalive(
  work: Promise<unknown>,
  { onDisconnect, encodeError }: KeepaliveOptions,
): ReadableStream<Uint8Array> {
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  let isDisconnected = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(KEEPALIVE_BYTES);
      heartbeat = setInterval(() => controller.enqueue(KEEPALIVE_BYTES), HEARTBEAT_MS);
      void work.catch(encodeError).then((answer) => {
        clearInterval(heartbeat);
        if (isDisconnected) return;
        controller.enqueue(encoder.encode(JSON.stringify(answer)));
        controller.close();
      });
    },
    cancel() {
      isDisconnected = true;
      clearInterval(heartbeat);
      onDisconnect();
    },
  });
}
