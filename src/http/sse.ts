// Server-sent events (WHATWG HTML, section 9.2). Each frame becomes an event with one `data:` line and, if it has a
// `seq`, an `id:` line.

import { createEventStream } from "../lib/event-stream.ts";
import { SSE_HEARTBEAT } from "../lib/sse-parser.ts";
import { readLines } from "./read-frames.ts";

/**
 * The interval of heartbeats in milliseconds. The platform notices that a reader has disconnected only when it writes
 * to the connection; until then the reader counts as a subscriber of the conversation.
 */
export const HEARTBEAT_MS = 2_000;
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
  const cancelLines = () => void reader.cancel().catch(() => undefined);
  return respondWithEvents(formatLines(reader), cancelLines, { endsAt });
}

/**
 * Responds with texts of server-sent events and a heartbeat, the first of them at once. `onDisconnect` is called if the
 * reader leaves, or at `endsAt`.
 */
export function respondWithEvents(
  texts: AsyncIterable<string>,
  onDisconnect: () => void,
  { endsAt = null, headers = {} }: { readonly endsAt?: number | null; readonly headers?: Record<string, string> } = {},
): Response {
  const body = createEventStream(withFirstHeartbeat(texts), { heartbeatMs: HEARTBEAT_MS, onDisconnect, endsAt });
  return new Response(body, { headers: { ...headers, ...EVENT_STREAM_HEADERS } });
}

async function* withFirstHeartbeat(texts: AsyncIterable<string>): AsyncGenerator<string, void> {
  yield SSE_HEARTBEAT;
  yield* texts;
}

async function* formatLines(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<string, void> {
  for await (const events of readLines(reader, formatServerEvent)) yield events.join("");
}

/** Formats a line as an event. `seq` is read without parsing the JSON, because it is always the first member. */
function formatServerEvent(line: string): string {
  const [, seq] = /^\{"seq":(\d+)/.exec(line) ?? [];
  return `${seq === undefined ? "" : `id: ${seq}\n`}${formatDataEvent(line)}`;
}

/** Formats one line of JSON as an event without a name. */
export function formatDataEvent(json: string): string {
  return `data: ${json}\n\n`;
}
