// The response to one MCP request as server-sent events: progress notifications, then the result. It ends with the
// result, or when the client disconnects, which aborts the signal of the work.

import { formatDataEvent, respondWithEvents } from "../sse.ts";
import type { McpRequest } from "./mcp-message.ts";

/**
 * Starts `work` and streams its progress and its response. The signal of `work` aborts when the client disconnects.
 * `work` must not reject. Without a progress token in the request, progress is not sent.
 */
export function streamMcpResponse(
  work: (reportProgress: (line: string) => void, signal: AbortSignal) => Promise<object>,
  { params }: McpRequest,
): Response {
  const progressToken = params._meta?.progressToken;
  const disconnect = new AbortController();
  let progress = 0;
  const texts = new ReadableStream<string>({
    start(controller) {
      const send = (message: object) =>
        controller.enqueue(`event: message\n${formatDataEvent(JSON.stringify(message))}`);
      const reportProgress = (message: string): void => {
        if (progressToken === undefined) return;
        progress += 1;
        send({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress, message } });
      };
      // `work` never rejects: a failure is an error response.
      void work(reportProgress, disconnect.signal).then((answer) => {
        send(answer);
        controller.close();
      });
    },
  });
  return respondWithEvents(texts, () => disconnect.abort());
}
