// The bounds of one event: each is stored in one row, as JSON, and sent in one frame. Text paragraphs have no bound,
// because they consist of many events. Longer parts of other events are cut with a notice, or refused.

import { createMessage, type Message } from "../../language/messages.ts";
import { MAX_ROW_BYTES } from "../../lib/row-size.ts";
import { countBytes, exceedsBytes, splitText } from "../../lib/text-size.ts";

/** The maximum size of the largest text of an event, as JSON in bytes of UTF-8: three quarters of a row. */
export const MAX_EVENT_TEXT_BYTES = (MAX_ROW_BYTES / 4) * 3;

/** A UTF-16 unit has at most 6 bytes in JSON, and 7 in JSON within JSON. */
const MAX_BYTES_PER_UNIT = 7;

/** The notice at the end of a text that was cut. */
export const CUT_NOTICE: Message = createMessage("event.cutNotice");

/** Returns true if the value is larger than `maxBytes` as JSON. */
export function exceedsJsonBytes(value: unknown, maxBytes: number): boolean {
  return exceedsBytes(JSON.stringify(value), maxBytes);
}

/**
 * Returns the text if its JSON has at most `maxBytes` bytes; otherwise a beginning that does, with `notice` on a line of
 * its own. `encode` returns the JSON in which the event contains the text.
 */
export function limitText(
  text: string,
  notice: string,
  maxBytes: number = MAX_EVENT_TEXT_BYTES,
  encode: (text: string) => string = JSON.stringify,
): string {
  if (text.length * MAX_BYTES_PER_UNIT <= maxBytes) return text;
  let kept = text;
  for (let bytes = countBytes(encode(kept)); bytes > maxBytes; bytes = countBytes(encode(kept))) {
    const chars = Math.max(2, Math.floor((kept.length * maxBytes) / bytes) - notice.length - 2);
    kept = `${splitText(kept, chars).next().value ?? ""}\n${notice}`;
  }
  return kept;
}
