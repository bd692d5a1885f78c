import type { CallUsage } from "../protocol/events.ts";
import type { Completion, Model, ModelDelta, ModelRequest } from "./ports.ts";

/** What a thread may spend (T6). */
export type Limits = {
  readonly maxModelCalls: number;
  readonly maxTokens: number;
  readonly maxTasks: number;
  readonly maxConcurrentTasks: number;
  /** How long a question waits for its answer (H2). */
  readonly questionSeconds: number;
  /** Failed runs in a row after which a schedule is paused. */
  readonly maxFailures: number;
  /** Listeners that may fire in one instance of a plan. */
  readonly maxFirings: number;
};

/** What something has spent, call by call; JSON, so that it can stand in a journal. */
export type Spent = readonly CallUsage[];

/** So many are told one by one. */
const MOST_CALLS = 500;

type Sum = Pick<CallUsage, "model_calls" | "input_tokens" | "output_tokens">;

export function sumOf(spent: readonly Sum[]): Sum {
  const sum = { model_calls: 0, input_tokens: 0, output_tokens: 0 };
  for (const call of spent) {
    sum.model_calls = added(sum.model_calls, call.model_calls);
    sum.input_tokens = added(sum.input_tokens, call.input_tokens);
    sum.output_tokens = added(sum.output_tokens, call.output_tokens);
  }
  return sum;
}

/** Agents claim what they like, and no reader takes more for a whole number. */
function added(one: number, other: number): number {
  return Math.min(one + other, Number.MAX_SAFE_INTEGER);
}

/** A thread ran out of what it may spend. `message` is written for the person. */
export class BudgetExceeded extends Error {
  override readonly name = "BudgetExceeded";
}

/** The running account of one thread, or of one stage within it: what a stage spends, its thread spends too. */
export class Budget {
  readonly limits: Limits;
  readonly #scope: string;
  readonly #whole: Budget | null;
  readonly #spent: CallUsage[] = [];
  #sum = sumOf([]);

  constructor(limits: Limits, scope = "", whole: Budget | null = null) {
    this.limits = limits;
    this.#scope = scope;
    this.#whole = whole;
  }

  /** A new account for one stage or task of this thread. */
  part(scope: string): Budget {
    return new Budget(this.limits, scope, this);
  }

  get spent(): Spent {
    return this.#spent;
  }

  /** Books one call of this stage. Whoever counted it, nothing is ever given back. */
  spend(role: string, { model_calls, input_tokens, output_tokens }: Sum): void {
    const call = {
      role,
      task_id: this.#scope,
      model_calls: Math.max(0, model_calls),
      input_tokens: Math.max(0, input_tokens),
      output_tokens: Math.max(0, output_tokens),
    };
    this.book([call]);
  }

  /** Books what was spent, also what a finished step spent before a crash. */
  book(spent: Spent): void {
    for (const call of spent) note(this.#spent, call);
    this.#sum = sumOf([this.#sum, ...spent]);
    this.#whole?.book(spent);
  }

  /** Throws `BudgetExceeded` when nothing may be spent any more. */
  check(): void {
    if (this.#whole !== null) return this.#whole.check();
    const { maxModelCalls, maxTokens } = this.limits;
    const { model_calls, input_tokens, output_tokens } = this.#sum;
    if (model_calls >= maxModelCalls) {
      throw new BudgetExceeded(`This message used up its ${maxModelCalls} model calls before it was done.`);
    }
    if (input_tokens + output_tokens >= maxTokens) {
      throw new BudgetExceeded(`This message used up its ${maxTokens} tokens before it was done.`);
    }
  }
}

/** Notes a call; one too many to be told by itself, with the last one of its role and task. */
function note(spent: CallUsage[], call: CallUsage): void {
  const isLike = ({ role, task_id }: CallUsage): boolean => role === call.role && task_id === call.task_id;
  const at = spent.length < MOST_CALLS ? -1 : spent.findLastIndex(isLike);
  const known = spent[at];
  if (known === undefined) spent.push(call);
  else spent[at] = { ...known, ...sumOf([known, call]) };
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
    const { inputTokens: input_tokens, outputTokens: output_tokens } = completion.usage;
    budget.spend(request.role, { model_calls: 1, input_tokens, output_tokens });
    return completion;
  } catch (thrown) {
    budget.spend(request.role, { model_calls: 1, input_tokens: 0, output_tokens: 0 });
    throw thrown;
  }
}
