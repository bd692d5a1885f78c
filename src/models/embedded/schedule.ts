// The words of time in a request. What is quoted in it, or to be worked on, states none.

import { withoutConfirmation } from "../../protocol/words/confirmation.ts";
import { readTiming, type Timing } from "../../protocol/words/timing.ts";
import { literalSpans } from "./payload.ts";

/** How the request recurs, or null when it is about a single time. */
export function timingOf(text: string): Timing | null {
  return readTiming(text, literalSpans(text));
}

/** The request as work to do: leave to set it up as a schedule (`…, yes go ahead`, `好的，每天…`) is no part of that. */
export function workOf(text: string): string {
  return timingOf(text) === null ? text : withoutConfirmation(text, literalSpans(text));
}
