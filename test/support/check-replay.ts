// Checks a replay: every event after the cursor, once, in order, and as first sent.

import type { Frame } from "../../src/protocol/wire/events.ts";

/**
 * I4, I5: `sent` are all live events as text, numbered from 1 without gaps; `replayed` are the frames after the cursor
 * `after`. Only chunks of one paragraph may be joined. Returns the differences.
 */
export function findReplayFaults(sent: readonly string[], after: number, replayed: readonly string[]): string[] {
  const expected = sent.slice(after).map((text) => ({ text, frame: JSON.parse(text) as Frame }));
  const faults: string[] = [];
  for (const text of replayed) {
    const { seq } = JSON.parse(text) as Frame;
    const covered = takeCovered(expected, seq);
    const last = covered.at(-1);
    if (last === undefined) faults.push(`after ${after}: ${seq} was not expected`);
    else if (joinChunks(covered, text) !== text)
      faults.push(`after ${after}: ${seq} was ${text} instead of ${last.text}`);
  }
  const [missing] = expected;
  if (missing !== undefined) faults.push(`after ${after}: ${missing.frame.seq} is missing`);
  return faults;
}

type ExpectedEvent = { readonly text: string; readonly frame: Frame };

/** Removes and returns the events that a frame covers: its own event and earlier chunks of its paragraph. */
function takeCovered(expected: ExpectedEvent[], seq: number): ExpectedEvent[] {
  const covered: ExpectedEvent[] = [];
  while (expected[0] !== undefined && expected[0].frame.seq <= seq) covered.push(...expected.splice(0, 1));
  return covered;
}

/** Returns the single frame that may represent the events, or an error text if they must not be joined. */
function joinChunks(covered: readonly ExpectedEvent[], text: string): string {
  const last = covered.at(-1);
  if (last === undefined || covered.length === 1) return last?.text ?? "";
  const { frame } = last;
  const isParagraph = (other: Frame): boolean =>
    other.event === frame.event && other.data.item_id === frame.data.item_id;
  const isText = frame.event === "message_chunk" || frame.event === "reasoning";
  if (!isText || !covered.every((event) => isParagraph(event.frame)))
    return `${covered.length} events at once: ${text}`;
  const content = covered.map((event) => getContent(event.frame)).join("");
  return JSON.stringify({ ...frame, data: { ...frame.data, payload: { content } } });
}

function getContent(frame: Frame): string {
  return frame.event === "message_chunk" || frame.event === "reasoning" ? frame.data.payload.content : "";
}
