// Server-sent events: the same frames as everywhere, one `data:` line each, their `seq` as `id:`.

const HEARTBEAT_MS = 15_000;
const utf8 = new TextEncoder();

export function wantsStream(request: Request): boolean {
  return (request.headers.get("accept") ?? "").includes("text/event-stream");
}

/** Turns JSON lines of frames into an event stream with a heartbeat. A reader who leaves ends the lines too. */
export function sseResponse(lines: ReadableStream<Uint8Array>): Response {
  const reader = lines.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(utf8.encode(":\n\n"));
      heartbeat = setInterval(() => controller.enqueue(utf8.encode(":\n\n")), HEARTBEAT_MS);
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) {
        clearInterval(heartbeat);
        controller.close();
        return;
      }
      const parts = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      if (parts.length > 0) controller.enqueue(utf8.encode(parts.map(eventOf).join("")));
      else await this.pull?.(controller);
    },
    async cancel() {
      clearInterval(heartbeat);
      await reader.cancel();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    },
  });
}

function eventOf(line: string): string {
  const [, seq = ""] = /^\{"seq":(\d+)/.exec(line) ?? [];
  return `id: ${seq}\ndata: ${line}\n\n`;
}
