// The response to one MCP request as server-sent events: progress notifications, then the result.
//
// State of one stream: the timer of the heartbeat, the abort controller and the number of the last notification. The
// stream ends with the result or when the client disconnects. After a disconnection nothing is written, and the signal
// of the work is aborted.

import { HEARTBEAT } from "../../protocol/server-events.ts";
import { EVENT_STREAM, HEARTBEAT_MS } from "../sse.ts";
import type { Request } from "./message.ts";

const utf8 = new TextEncoder();

/**
 * Starts `work` and streams its progress and its response. The signal of `work` aborts when the client disconnects.
 * `work` must not reject. Without a progress token in the request, progress is not sent.
 */
export function streamOf(
  work: (tell: (line: string) => void, signal: AbortSignal) => Promise<object>,
  { params }: Request,
): Response {
  const token = params._meta?.progressToken;
  const left = new AbortController();
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  let progress = 0;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string): void => {
        if (!left.signal.aborted) controller.enqueue(utf8.encode(text));
      };
      const tell = (message: string): void => {
        if (token === undefined) return;
        progress += 1;
        const told = { progressToken: token, progress, message };
        send(event({ jsonrpc: "2.0", method: "notifications/progress", params: told }));
      };
      heartbeat = setInterval(() => send(HEARTBEAT), HEARTBEAT_MS);
      send(HEARTBEAT);
      // `work` never rejects: a failure is an error response.
      void work(tell, left.signal).then((answer) => {
        clearInterval(heartbeat);
        if (left.signal.aborted) return;
        send(event(answer));
        controller.close();
      });
    },
    cancel() {
      clearInterval(heartbeat);
      left.abort();
    },
  });
  return new Response(body, { headers: EVENT_STREAM });
}

/** Formats a message as an event. */
function event(message: object): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}
