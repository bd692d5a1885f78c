// The budget of a thread: counts model calls and tokens and stops the thread at its limits (T6).
//
// A root budget belongs to one run of a turn; `createSubBudget` makes one per stage or task. Usage recorded
// in a sub-budget is recorded in its parent as well; limits are checked at the root only.
// - Recorded usage is never given back, not even if a step is retracted or a call fails.
// - After a crash, `runBudgetedStep` records the stored usage of finished steps again, so totals survive restarts.
// - Check before a call, record after it: parallel calls may exceed a limit by the calls already in flight.

import { Failure } from "../../protocol/wire/message-error.ts";
import { createMessage } from "../../language/messages.ts";
import type { CallUsage } from "../../protocol/wire/events.ts";
import type { ModelCompletion, Model, ModelDelta, ModelRequest } from "../ports.ts";

/** The limits of one thread (T6). */
export type ThreadLimits = {
  readonly maxModelCalls: number;
  /** The limit for the sum of input and output tokens. */
  readonly maxTokens: number;
  /** The limit for the tasks of one plan. */
  readonly maxTasks: number;
  readonly maxConcurrentTasks: number;
  /** The time in seconds after which an open question expires (H2). */
  readonly questionSeconds: number;
  /** The number of consecutive failed runs after which a schedule is paused. */
  readonly maxFailures: number;
  /** The maximum number of listener firings in a workflow instance; a further one fails the instance. */
  readonly maxFirings: number;
};

/** Entries of recorded usage, each for one or more model calls. JSON; part of step values in the journal. */
export type RecordedCalls = readonly CallUsage[];

/** The maximum number of separate entries; further ones are merged into entries of the same role and task. */
const MAX_LISTED_CALLS = 500;

/** Totals of calls and tokens. */
type UsageTotals = Pick<CallUsage, "model_calls" | "input_tokens" | "output_tokens">;

/** Returns the totals of a list of usages. Each total is capped at `Number.MAX_SAFE_INTEGER`. */
export function sumUsage(calls: readonly UsageTotals[]): UsageTotals {
  const sum = { model_calls: 0, input_tokens: 0, output_tokens: 0 };
  for (const call of calls) {
    sum.model_calls = addCapped(sum.model_calls, call.model_calls);
    sum.input_tokens = addCapped(sum.input_tokens, call.input_tokens);
    sum.output_tokens = addCapped(sum.output_tokens, call.output_tokens);
  }
  return sum;
}

/** Adds with a cap: agents may report any number, and readers accept safe integers only. */
function addCapped(left: number, right: number): number {
  return Math.min(left + right, Number.MAX_SAFE_INTEGER);
}

/** The running usage of a thread, or of one stage or task within it. */
export class Budget {
  readonly limits: ThreadLimits;
  readonly #scope: string;
  readonly #parent: Budget | null;
  readonly #calls: CallUsage[] = [];
  #totals = sumUsage([]);

  constructor(limits: ThreadLimits, scope = "", parent: Budget | null = null) {
    this.limits = limits;
    this.#scope = scope;
    this.#parent = parent;
  }

  /** Creates an empty budget for one stage or task. Usage recorded in it is also recorded in this budget. */
  createSubBudget(scope: string): Budget {
    return new Budget(this.limits, scope, this);
  }

  /**
   * Returns the live list of recorded entries, also from sub-budgets: at most `MAX_LISTED_CALLS`, unless more roles and
   * tasks have some.
   */
  get recordedCalls(): RecordedCalls {
    return this.#calls;
  }

  /**
   * Records the usage of one or more model calls as one entry of `role` and this budget's scope, here and in the
   * parents. Negative numbers count as 0, so usage never decreases.
   */
  recordUsage(role: string, { model_calls, input_tokens, output_tokens }: UsageTotals): void {
    const call = {
      role,
      task_id: this.#scope,
      model_calls: Math.max(0, model_calls),
      input_tokens: Math.max(0, input_tokens),
      output_tokens: Math.max(0, output_tokens),
    };
    this.recordCalls([call]);
  }

  /**
   * Records finished entries with their own role and scope, here and in the parents. Also used for entries that a
   * finished step had recorded before a crash.
   */
  recordCalls(calls: RecordedCalls): void {
    for (const call of calls) appendOrMergeCall(this.#calls, call);
    this.#totals = sumUsage([this.#totals, ...calls]);
    this.#parent?.recordCalls(calls);
  }

  /** Throws a `Failure` (`budget_exceeded`) if the whole thread has reached its limit of model calls or tokens. */
  check(): void {
    if (this.#parent !== null) return this.#parent.check();
    const { maxModelCalls, maxTokens } = this.limits;
    const { model_calls, input_tokens, output_tokens } = this.#totals;
    if (model_calls >= maxModelCalls) {
      throw new Failure("budget_exceeded", createMessage("turn.modelCallLimit", { limit: maxModelCalls }));
    }
    if (input_tokens + output_tokens >= maxTokens) {
      throw new Failure("budget_exceeded", createMessage("turn.tokenLimit", { limit: maxTokens }));
    }
  }
}

/** Appends an entry. If the list is full, merges it into the last entry of the same role and task, if there is one. */
function appendOrMergeCall(calls: CallUsage[], call: CallUsage): void {
  const isSameSource = ({ role, task_id }: CallUsage): boolean => role === call.role && task_id === call.task_id;
  const index = calls.length < MAX_LISTED_CALLS ? -1 : calls.findLastIndex(isSameSource);
  const known = calls[index];
  if (known === undefined) calls.push(call);
  else calls[index] = { ...known, ...sumUsage([known, call]) };
}

/**
 * Makes one model call within a budget. Throws a `Failure` (`budget_exceeded`) before the call if the budget is
 * exhausted. Records the call after it; a failed call counts as one call without tokens, and its error is rethrown.
 */
export async function completeWithinBudget(
  budget: Budget,
  model: Model,
  request: ModelRequest,
  onDelta: (delta: ModelDelta) => void,
): Promise<ModelCompletion> {
  budget.check();
  try {
    const completion = await model.complete(request, onDelta);
    const { inputTokens: input_tokens, outputTokens: output_tokens } = completion.usage;
    budget.recordUsage(request.role, { model_calls: 1, input_tokens, output_tokens });
    return completion;
  } catch (thrown) {
    budget.recordUsage(request.role, { model_calls: 1, input_tokens: 0, output_tokens: 0 });
    throw thrown;
  }
}
