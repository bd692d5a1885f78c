// Server-sent events: the same frames as everywhere, one `data:` line each, their `seq` as `id:` if they have one.

import { HEARTBEAT } from "../protocol/server-events.ts";

/**
 * How often an event stream says that it is there. A client that closes its connection only says that it will send
 * nothing more; that it does not listen either is known when something is written to it, and until then it counts as
 * one who listens to the conversation.
 */
export const HEARTBEAT_MS = 2_000;
const utf8 = new TextEncoder();
const HEARTBEAT_BYTES = utf8.encode(HEARTBEAT);
/** The headers of an event stream. */
export const EVENT_STREAM = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** Whether a request asks for an event stream. A weight of 0 says that it takes anything else. */
export function wantsStream(request: Request): boolean {
  return (request.headers.get("accept") ?? "").split(",").some((range) => {
    const [type, ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    return type === "text/event-stream" && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

/**
 * Turns JSON lines of frames into an event stream with a heartbeat. A reader who leaves ends the lines too; so does
 * the first heartbeat after `endsAt`, in milliseconds since the epoch.
 */
export function sseResponse(lines: ReadableStream<Uint8Array>, endsAt: number | null = null): Response {
  const reader = lines.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  let isOver = false;
  const end = async () => {
    isOver = true;
    clearInterval(heartbeat);
    await reader.cancel();
  };
  const nextEvents = async (): Promise<Uint8Array | null> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return null;
      const parts = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      if (parts.length > 0) return utf8.encode(parts.map(eventOf).join(""));
    }
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(HEARTBEAT_BYTES);
      heartbeat = setInterval(() => {
        if (endsAt === null || Date.now() < endsAt) return controller.enqueue(HEARTBEAT_BYTES);
        controller.close();
        void end().catch(() => undefined);
      }, HEARTBEAT_MS);
    },
    async pull(controller) {
      try {
        const events = await nextEvents();
        if (isOver) return;
        if (events !== null) return controller.enqueue(events);
        controller.close();
      } catch (thrown) {
        // The conversation's host is gone. Whoever reads comes back with the last id it has seen.
        if (!isOver) controller.error(thrown);
      }
      clearInterval(heartbeat);
    },
    cancel: end,
  });
  return new Response(body, { headers: EVENT_STREAM });
}

function eventOf(line: string): string {
  const [, seq] = /^\{"seq":(\d+)/.exec(line) ?? [];
  return `${seq === undefined ? "" : `id: ${seq}\n`}data: ${line}\n\n`;
}
