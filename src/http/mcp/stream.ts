// The answer to one request as server-sent events: how the work stands, as long as it goes on, and then the result.

import { HEARTBEAT } from "../../protocol/server-events.ts";
import { EVENT_STREAM, HEARTBEAT_MS } from "../sse.ts";
import type { Request } from "./message.ts";

const utf8 = new TextEncoder();

/** `work` is told by its signal that nobody reads any longer. */
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
      // It never rejects: what goes wrong is an answer too.
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

function event(message: object): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}
