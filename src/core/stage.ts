import type { Budget, Spent } from "./budget.ts";
import type { Emit, Memo, StepOutcome, StepSpec } from "./ports.ts";
import type { Scene } from "./scene.ts";

type Booked<T> = { readonly value: T; readonly spent: Spent };

/**
 * A step that may spend: what it spent is kept with its value and with what it holds on to, so that a
 * thread which goes on after a crash still knows.
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
