import type { Budget, Spent } from "./budget.ts";
import type { Emit, StepOutcome, StepSpec } from "./ports.ts";
import type { Scene } from "./scene.ts";

/**
 * A step that may spend: what it spent is kept with its value, so that a thread which goes on after
 * a crash still knows.
 */
export async function stage<T>(
  scene: Scene,
  spec: StepSpec,
  work: (emit: Emit, budget: Budget) => Promise<StepOutcome<T>>,
): Promise<T> {
  let isFresh = false;
  const kept = await scene.ports.step<{ value: T; spent: Spent }>(spec, async (emit) => {
    isFresh = true;
    const budget = scene.budget.part();
    const { value, closing } = await work(emit, budget);
    return { value: { value, spent: budget.spent }, closing };
  });
  if (!isFresh) scene.budget.book(kept.spent);
  return kept.value;
}
