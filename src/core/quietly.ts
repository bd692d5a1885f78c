import type { Draft, Step } from "./ports.ts";

/** Steps of which readers are told only some events. */
export function quietly(step: Step, isTold: (draft: Draft) => boolean): Step {
  return (spec, work) =>
    step(spec, async (emit, memo) => {
      const outcome = await work((...drafts) => emit(...drafts.filter(isTold)), memo);
      return { ...outcome, closing: outcome.closing.filter(isTold) };
    });
}
