// The conversation of one task, read out of the one that it belongs to.

import { isOfTask, toldIn } from "../durable/sub-conversation.ts";
import { portionsOf } from "./frames.ts";

const utf8 = new TextEncoder();

/** The lines of one task alone. Leaving them leaves those that they are taken from. */
export function linesOfTask(lines: ReadableStream<Uint8Array>, id: string, task: string): ReadableStream<Uint8Array> {
  const left = new AbortController();
  const portions = portionsOf(lines, left.signal);
  const next = async (): Promise<string> => {
    for (;;) {
      const { done, value: frames } = await portions.next();
      if (done === true) return "";
      const own = frames.filter((frame) => isOfTask(frame, task));
      if (own.length > 0) return own.map((frame) => `${JSON.stringify(toldIn(id, frame))}\n`).join("");
    }
  };
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      const text = await next();
      if (text === "") controller.close();
      else controller.enqueue(utf8.encode(text));
    },
    cancel: () => left.abort(),
  });
}
