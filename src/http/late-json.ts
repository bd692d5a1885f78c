// An answer in JSON that may take long.

import { HEARTBEAT_MS } from "./sse.ts";

const utf8 = new TextEncoder();
/** May stand before any value in JSON. */
const BLANK = utf8.encode(" ");

export type Late = {
  readonly headers?: Readonly<Record<string, string>>;
  /** Called when the reader goes away before the end. */
  readonly leave: () => void;
  /** The answer when the work fails once there is a status. */
  readonly explain: (thrown: unknown) => unknown;
};

/**
 * What `work` resolves with; rejects as it does. If neither comes within a heartbeat, the status is 200 and blanks go
 * before the answer: they keep whatever is in between from closing a quiet connection, and only when something is
 * written to it shows that its reader is gone.
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
