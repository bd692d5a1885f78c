// A journaled step that records its spending.

import type { Budget, Spent } from "./budget.ts";
import type { Emit, Memo, StepOutcome, StepSpec } from "./ports.ts";
import type { Scene } from "./scene.ts";

/** The journal format: a value with the calls that were spent on it. */
type Booked<T> = { readonly value: T; readonly spent: Spent };

/**
 * Runs a step with a sub-budget of its scope. The spending is stored with the step's value and with each saved memo
 * value. After a crash the stored spending is recorded in the turn's budget again, exactly once, so that limits hold
 * across restarts (T6). Rejects with the error of `work`.
 */
export async function stage<T, Kept = never>(
  scene: Scene,
  spec: StepSpec,
  work: (emit: Emit, budget: Budget, memo: Memo<Kept>) => Promise<StepOutcome<T>>,
): Promise<T> {
  let isFresh = false;
  const done = await scene.ports.step<Booked<T>>(spec, async (emit, { kept, keep }) => {
    isFresh = true;
    const budget = scene.budget.part(spec.scope);
    const before = kept as Booked<Kept> | null;
    if (before !== null) budget.book(before.spent);
    const memo: Memo<Kept> = {
      kept: before === null ? null : before.value,
      keep: (value) => keep({ value, spent: budget.spent }),
    };
    const outcome = await work(emit, budget, memo);
    return { ...outcome, value: { value: outcome.value, spent: budget.spent } };
  });
  if (!isFresh) scene.budget.book(done.spent);
  return done.value;
}
