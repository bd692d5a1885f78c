// Wrappers of journaled steps: one records the spending, one hides events.

import type { Budget, RecordedCalls } from "./budget.ts";
import type { Emit, EventDraft, Memo, StepOutcome, StepRunner, StepSpec } from "../ports.ts";
import type { TurnContext } from "../turn/turn-context.ts";

/** The journal format: a value with the calls that were spent on it. */
type BudgetedValue<T> = { readonly value: T; readonly spent: RecordedCalls };

/**
 * Runs a step with a sub-budget of its scope. The spending is stored with the step's value and with each saved memo.
 * After a crash, a finished step returns its stored value without calling `work`, and an interrupted one calls `work`
 * again with the saved memo; the stored spending is recorded in the turn's budget again, exactly once (T6). Rejects
 * with the error of `work`.
 */
export async function runBudgetedStep<T, MemoValue = never>(
  turn: TurnContext,
  spec: StepSpec,
  work: (emit: Emit, budget: Budget, memo: Memo<MemoValue>) => Promise<StepOutcome<T>>,
): Promise<T> {
  let isFresh = false;
  const done = await turn.ports.step<BudgetedValue<T>>(spec, async (emit, { saved, save }) => {
    isFresh = true;
    const budget = turn.budget.createSubBudget(spec.scope);
    const before = saved as BudgetedValue<MemoValue> | null;
    if (before !== null) budget.recordCalls(before.spent);
    const memo: Memo<MemoValue> = {
      saved: before === null ? null : before.value,
      save: (value) => save({ value, spent: budget.recordedCalls }),
    };
    const outcome = await work(emit, budget, memo);
    return { ...outcome, value: { value: outcome.value, spent: budget.recordedCalls } };
  });
  if (!isFresh) turn.budget.recordCalls(done.spent);
  return done.value;
}

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
