import type { Completion, Model, ModelDelta, ModelRequest } from "./ports.ts";

/** What a thread may spend (T6). */
export type Limits = {
  readonly maxModelCalls: number;
  readonly maxTokens: number;
  readonly maxTasks: number;
  readonly maxConcurrentTasks: number;
  /** How long a question waits for its answer (H2). */
  readonly questionSeconds: number;
};

/** What something has spent; JSON, so that it can stand in a journal. */
export type Spent = { readonly modelCalls: number; readonly inputTokens: number; readonly outputTokens: number };

export const NOTHING_SPENT: Spent = { modelCalls: 0, inputTokens: 0, outputTokens: 0 };

export function addSpent(a: Spent, b: Spent): Spent {
  return {
    modelCalls: a.modelCalls + b.modelCalls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
}

/** A thread ran out of what it may spend. `message` is written for the person. */
export class BudgetExceeded extends Error {
  override readonly name = "BudgetExceeded";
}

/** The running account of one thread, or of one stage within it: what a stage spends, its thread spends too. */
export class Budget {
  readonly limits: Limits;
  readonly #whole: Budget | null;
  #spent: Spent = NOTHING_SPENT;

  constructor(limits: Limits, whole: Budget | null = null) {
    this.limits = limits;
    this.#whole = whole;
  }

  /** A new account for one stage of this thread. */
  part(): Budget {
    return new Budget(this.limits, this);
  }

  get spent(): Spent {
    return this.#spent;
  }

  /** Books what was spent, also what a finished step spent before a crash. */
  book(spent: Spent): void {
    this.#spent = addSpent(this.#spent, spent);
    this.#whole?.book(spent);
  }

  /** Throws `BudgetExceeded` when nothing may be spent any more. */
  check(): void {
    if (this.#whole !== null) return this.#whole.check();
    const { maxModelCalls, maxTokens } = this.limits;
    if (this.#spent.modelCalls >= maxModelCalls) {
      throw new BudgetExceeded(`This message used up its ${maxModelCalls} model calls before it was done.`);
    }
    if (this.#spent.inputTokens + this.#spent.outputTokens >= maxTokens) {
      throw new BudgetExceeded(`This message used up its ${maxTokens} tokens before it was done.`);
    }
  }
}

/** One model call: checked against the budget before it, booked after it whatever came of it. */
export async function spend(
  budget: Budget,
  model: Model,
  request: ModelRequest,
  hear: (delta: ModelDelta) => void,
): Promise<Completion> {
  budget.check();
  try {
    const completion = await model.complete(request, hear);
    budget.book({ modelCalls: 1, ...completion.usage });
    return completion;
  } catch (thrown) {
    budget.book({ modelCalls: 1, inputTokens: 0, outputTokens: 0 });
    throw thrown;
  }
}
