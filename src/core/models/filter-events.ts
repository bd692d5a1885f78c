// A wrapper around the `StepRunner` port that hides events.

import type { EventDraft, StepRunner } from "../ports.ts";

/**
 * Returns a `StepRunner` that publishes only the events for which `isPublished` is true, both during the step and in
 * its closing events. The value, the memo and the question of the step are unchanged.
 */
export function withFilteredEvents(step: StepRunner, isPublished: (draft: EventDraft) => boolean): StepRunner {
  return (spec, work) =>
    step(spec, async (emit, memo) => {
      const outcome = await work((...drafts) => emit(...drafts.filter(isPublished)), memo);
      return { ...outcome, closing: outcome.closing.filter(isPublished) };
    });
}
