// Server-sent events (WHATWG HTML, section 9.2). Each frame becomes an event with one `data:` line and, if it has a
// `seq`, an `id:` line.
//
// State of one response: the reader of the lines, the incomplete last line and the timer of the heartbeat. All of them
// end together: with the lines, with the reader of the response, or at `endsAt`.

import { LineSplitter } from "../lib/line-splitter.ts";
import { SSE_HEARTBEAT } from "../lib/sse-parser.ts";

/**
 * The interval of heartbeats in milliseconds. The platform notices that a reader has disconnected only when it writes
 * to the connection; until then the reader counts as a subscriber of the conversation.
 */
export const HEARTBEAT_MS = 2_000;
const encoder = new TextEncoder();
const HEARTBEAT_BYTES = encoder.encode(SSE_HEARTBEAT);
/** The headers of an event stream. They keep proxies from buffering and compressing it. */
export const EVENT_STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** True if the request accepts an event stream explicitly, with a weight other than 0 (RFC 9110, section 12.5.1). */
export function acceptsEventStream(request: Request): boolean {
  return (request.headers.get("accept") ?? "").split(",").some((range) => {
    const [type, ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    return type === "text/event-stream" && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

/**
 * Converts JSON lines of frames to an event stream with a heartbeat. A disconnected reader cancels the lines. The first
 * heartbeat after `endsAt` (epoch milliseconds; null: never) cancels them and closes the response. If the lines break,
 * the response breaks, so that the reader reconnects.
 */
export function createSseResponse(jsonLines: ReadableStream<Uint8Array>, endsAt: number | null = null): Response {
  const reader = jsonLines.getReader();
  const splitter = new LineSplitter();
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  let hasEnded = false;
  const cancelLines = async () => {
    hasEnded = true;
    clearInterval(heartbeat);
    await reader.cancel();
  };
  /** Returns the events of the next complete lines; null at the end. */
  const nextEvents = async (): Promise<Uint8Array | null> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return null;
      const lines = splitter.feed(value);
      if (lines.length > 0) return encoder.encode(lines.map(formatServerEvent).join(""));
    }
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(HEARTBEAT_BYTES);
      heartbeat = setInterval(() => {
        if (endsAt === null || Date.now() < endsAt) return controller.enqueue(HEARTBEAT_BYTES);
        controller.close();
        void cancelLines().catch(() => undefined);
      }, HEARTBEAT_MS);
    },
    async pull(controller) {
      try {
        const events = await nextEvents();
        if (hasEnded) return;
        if (events !== null) return controller.enqueue(events);
        controller.close();
      } catch (thrown) {
        // The host of the conversation failed. The reader reconnects with the last id that it has received.
        if (!hasEnded) controller.error(thrown);
      }
      clearInterval(heartbeat);
    },
    cancel: cancelLines,
  });
  return new Response(body, { headers: EVENT_STREAM_HEADERS });
}

/** Formats a line as an event. `seq` is read without parsing the JSON, because it is always the first member. */
function formatServerEvent(line: string): string {
  const [, seq] = /^\{"seq":(\d+)/.exec(line) ?? [];
  return `${seq === undefined ? "" : `id: ${seq}\n`}data: ${line}\n\n`;
}
