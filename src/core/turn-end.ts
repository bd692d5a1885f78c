// How a thread ends: its last events, what it has used, and in which words it failed.

import type { Usage } from "../protocol/events.ts";
import type { RunResult, Schedule } from "../protocol/recurring.ts";
import { BudgetExceeded, sumOf, type Spent } from "./budget.ts";
import { ModelFault, type Draft, type Ports } from "./ports.ts";
import type { Turn } from "./scene.ts";
import { isCancelled, Stop } from "./stop.ts";

export type TurnEnd =
  | {
      readonly status: "completed" | "failed";
      /** The last events of the thread, `done` the very last: to be stored together with the status (T3). */
      readonly closing: readonly Draft[];
      /** What a run of a schedule brought, and how the schedule stands after it: to be stored with them. */
      readonly run?: RunResult;
      readonly schedule?: Schedule;
    }
  /** Everything that could be done without an answer is done. The same turn goes on when it is run again. */
  | { readonly status: "paused"; readonly request_ids: readonly string[] };

export function usageOf(spent: Spent, tasks: number, durationMs: number): Usage {
  return { ...sumOf(spent), tasks, duration_ms: durationMs, calls: [...spent] };
}

/** T3. The very last event of a thread. */
export function doneDraft({ threadId, signal }: Pick<Turn, "threadId" | "signal">, usage: Usage): Draft {
  const metadata = isCancelled(signal) ? { usage, cancelled: true } : { usage };
  return { event: "done", data: { role: "system", thread_id: threadId, metadata } };
}

/** What a person reads of a failure, and the code a program reads. What is our own fault is reported besides. */
export function wordsFor(ports: Pick<Ports, "report" | "say">, signal: AbortSignal, thrown: unknown): Failure {
  const words = inWords(signal.aborted ? signal.reason : thrown);
  if (words.code === "internal") ports.report(thrown);
  return { ...words, content: ports.say(words.content) };
}

type Failure = { readonly content: string; readonly code: string };

function inWords(thrown: unknown): Failure {
  if (thrown instanceof Stop) {
    return { content: thrown.message, code: thrown.by === "clock" ? "time_exceeded" : "interrupted" };
  }
  if (thrown instanceof ModelFault) return { content: thrown.message, code: thrown.code };
  if (thrown instanceof BudgetExceeded) return { content: thrown.message, code: "budget_exceeded" };
  return { content: "Something went wrong on our side. Please try again.", code: "internal" };
}
