// The event stream of a sub-conversation, which shows one task of its parent.

import { belongsToTask, withConversationId } from "../../durable/conversation/sub-conversation.ts";
import { readFrameBatches } from "../read-frames.ts";

const encoder = new TextEncoder();

/**
 * Returns the lines of one task from the lines of its parent conversation, with `id` as their conversation. Pulls from
 * the parent only on demand. Cancelling the stream cancels the parent's lines.
 */
export function filterTaskLines(
  lines: ReadableStream<Uint8Array>,
  id: string,
  task: string,
): ReadableStream<Uint8Array> {
  const abortController = new AbortController();
  const batches = readFrameBatches(lines, abortController.signal);
  /** Returns the next lines of the task; an empty string at the end. */
  const readNextLines = async (): Promise<string> => {
    for (;;) {
      const { done, value: frames } = await batches.next();
      if (done === true) return "";
      const taskFrames = frames.filter((frame) => belongsToTask(frame, task));
      if (taskFrames.length > 0)
        return taskFrames.map((frame) => `${JSON.stringify(withConversationId(id, frame))}\n`).join("");
    }
  };
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      const text = await readNextLines();
      if (text === "") controller.close();
      else controller.enqueue(encoder.encode(text));
    },
    cancel: () => abortController.abort(),
  });
}
