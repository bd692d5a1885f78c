// The event stream of a sub-conversation, which shows one task of its parent.

import { isOfTask, toldIn } from "../durable/sub-conversation.ts";
import { portionsOf } from "./frames.ts";

const utf8 = new TextEncoder();

/**
 * Returns the lines of one task from the lines of its parent conversation, with `id` as their conversation. Pulls from
 * the parent only on demand. Cancelling the stream cancels the parent's lines.
 */
export function linesOfTask(lines: ReadableStream<Uint8Array>, id: string, task: string): ReadableStream<Uint8Array> {
  const left = new AbortController();
  const portions = portionsOf(lines, left.signal);
  /** Returns the next lines of the task; an empty string at the end. */
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
