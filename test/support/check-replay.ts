// What a replay owes a reader: everything after a number, once, in order, as it was first sent.

import type { Frame } from "../../src/protocol/wire/events.ts";

/**
 * I4, I5: `sent` is every event that was sent live, as text, numbered without a gap from 1; `replayed` what somebody
 * got who came back with `after`. Chunks of one paragraph may come joined, and only they. Returns what is wrong.
 */
export function replayFaults(sent: readonly string[], after: number, replayed: readonly string[]): string[] {
  const owed = sent.slice(after).map((text) => ({ text, frame: JSON.parse(text) as Frame }));
  const faults: string[] = [];
  for (const text of replayed) {
    const { seq } = JSON.parse(text) as Frame;
    const covered = take(owed, seq);
    const last = covered.at(-1);
    if (last === undefined) faults.push(`after ${after}: ${seq} came, which was not owed`);
    else if (joined(covered, text) !== text)
      faults.push(`after ${after}: ${seq} came as ${text}, sent was ${last.text}`);
  }
  const [missing] = owed;
  if (missing !== undefined) faults.push(`after ${after}: ${missing.frame.seq} did not come`);
  return faults;
}

type Owed = { readonly text: string; readonly frame: Frame };

/** Takes out what a frame with this number stands for: the event, and the chunks of its paragraph before it. */
function take(owed: Owed[], seq: number): Owed[] {
  const covered: Owed[] = [];
  while (owed[0] !== undefined && owed[0].frame.seq <= seq) covered.push(...owed.splice(0, 1));
  return covered;
}

/** The one frame that events may come as; the text of the last one when they may not be joined. */
function joined(covered: readonly Owed[], text: string): string {
  const last = covered.at(-1);
  if (last === undefined || covered.length === 1) return last?.text ?? "";
  const { frame } = last;
  const isParagraph = (other: Frame): boolean =>
    other.event === frame.event && other.data.item_id === frame.data.item_id;
  const isText = frame.event === "message_chunk" || frame.event === "reasoning";
  if (!isText || !covered.every((one) => isParagraph(one.frame))) return `${covered.length} events at once: ${text}`;
  const content = covered.map((one) => contentOf(one.frame)).join("");
  return JSON.stringify({ ...frame, data: { ...frame.data, payload: { content } } });
}

function contentOf(frame: Frame): string {
  return frame.event === "message_chunk" || frame.event === "reasoning" ? frame.data.payload.content : "";
}
