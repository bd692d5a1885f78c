// The response to one MCP request as server-sent events: progress notifications, then the result.
//
// State of one stream: the timer of the heartbeat, the abort controller and the number of the last notification. The
// stream ends with the result or when the client disconnects. After a disconnection nothing is written, and the signal
// of the work is aborted.

import { SSE_HEARTBEAT } from "../../lib/sse-parser.ts";
import { EVENT_STREAM_HEADERS, HEARTBEAT_MS } from "../sse.ts";
import type { McpRequest } from "./mcp-message.ts";

const encoder = new TextEncoder();

/**
 * Starts `work` and streams its progress and its response. The signal of `work` aborts when the client disconnects.
 * `work` must not reject. Without a progress token in the request, progress is not sent.
 */
export function streamMcpResponse(
  work: (reportProgress: (line: string) => void, signal: AbortSignal) => Promise<object>,
  { params }: McpRequest,
): Response {
  const token = params._meta?.progressToken;
  const abortController = new AbortController();
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  let progress = 0;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string): void => {
        if (!abortController.signal.aborted) controller.enqueue(encoder.encode(text));
      };
      const reportProgress = (message: string): void => {
        if (token === undefined) return;
        progress += 1;
        const progressParams = { progressToken: token, progress, message };
        send(formatMcpEvent({ jsonrpc: "2.0", method: "notifications/progress", params: progressParams }));
      };
      heartbeat = setInterval(() => send(SSE_HEARTBEAT), HEARTBEAT_MS);
      send(SSE_HEARTBEAT);
      // `work` never rejects: a failure is an error response.
      void work(reportProgress, abortController.signal).then((answer) => {
        clearInterval(heartbeat);
        if (abortController.signal.aborted) return;
        send(formatMcpEvent(answer));
        controller.close();
      });
    },
    cancel() {
      clearInterval(heartbeat);
      abortController.abort();
    },
  });
  return new Response(body, { headers: EVENT_STREAM_HEADERS });
}

/** Formats a message as an event. */
function formatMcpEvent(message: object): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}
