// JSON responses that may take long.
//
// State of one response: the timer of the heartbeat and whether the reader has disconnected. The timer ends with the
// work or with the disconnection, whichever is first. The status is sent with the first heartbeat; a later failure can
// only be part of the body.

import { HEARTBEAT_MS } from "./sse.ts";

const utf8 = new TextEncoder();
/** JSON allows white space before a value (RFC 8259, section 2). */
const BLANK = utf8.encode(" ");

export type Late = {
  readonly headers?: Readonly<Record<string, string>>;
  /** Called once if the reader disconnects before the end. */
  readonly leave: () => void;
  /** Returns the body if the work fails after the status was sent. Must not throw. */
  readonly explain: (thrown: unknown) => unknown;
};

/**
 * Responds with the value of `work` as JSON. Rejects like `work` if it fails within one heartbeat interval. After this
 * interval the status is 200, and a space is sent per interval before the value: it keeps proxies from closing an idle
 * connection, and it is how the platform notices that the reader has disconnected.
 */
export async function lateJson(work: Promise<unknown>, late: Late): Promise<Response> {
  const { promise: isLate, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, HEARTBEAT_MS, null);
  try {
    const soon = await Promise.race([work.then((answer) => ({ answer })), isLate]);
    if (soon !== null) return Response.json(soon.answer, { headers: late.headers ?? {} });
  } finally {
    clearTimeout(timer);
  }
  return new Response(blanksBefore(work, late), { headers: { ...late.headers, "content-type": "application/json" } });
}

/** Streams spaces until the work ends, then its value. */
function blanksBefore(work: Promise<unknown>, { leave, explain }: Late): ReadableStream<Uint8Array> {
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  let hasLeft = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(BLANK);
      heartbeat = setInterval(() => controller.enqueue(BLANK), HEARTBEAT_MS);
      void work.catch(explain).then((answer) => {
        clearInterval(heartbeat);
        if (hasLeft) return;
        controller.enqueue(utf8.encode(JSON.stringify(answer)));
        controller.close();
      });
    },
    cancel() {
      hasLeft = true;
      clearInterval(heartbeat);
      leave();
    },
  });
}
