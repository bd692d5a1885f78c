// The words of time in a request. What is quoted in it, or to be worked on, states none.

import { readTiming, type Timing } from "../../protocol/words/timing.ts";
import { literalSpans } from "./payload.ts";

/** How the request recurs, or null when it is about a single time. */
export function timingOf(text: string): Timing | null {
  return readTiming(text, literalSpans(text));
}
