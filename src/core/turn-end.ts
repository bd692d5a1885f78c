// The outcome of a turn: its last events, its usage, and the wording of failures.

import type { Usage } from "../protocol/events.ts";
import type { RunResult, Schedule } from "../protocol/recurring.ts";
import { BudgetExceeded, sumOf, type Spent } from "./budget.ts";
import { ModelFault, type Draft, type Ports } from "./ports.ts";
import type { Turn } from "./scene.ts";
import { isCancelled, Stop } from "./stop.ts";

/** The outcome of one run of a turn. The caller stores it in one transaction. */
export type TurnEnd =
  | {
      readonly status: "completed" | "failed";
      /** The last events of the thread, with `done` at the end. Stored together with the status (T3). */
      readonly closing: readonly Draft[];
      /** The result of a schedule run and the updated schedule. Stored together with the status. */
      readonly run?: RunResult;
      readonly schedule?: Schedule;
    }
  /** All work that needs no answer is done. The turn resumes when it is run again. */
  | { readonly status: "paused"; readonly request_ids: readonly string[] };

/** Returns the `usage` of a thread: totals, the number of tasks, the duration in ms, and the single calls. */
export function usageOf(spent: Spent, tasks: number, durationMs: number): Usage {
  return { ...sumOf(spent), tasks, duration_ms: durationMs, calls: [...spent] };
}

/** Creates `done`, the very last event of a thread (T3). It is marked `cancelled` if a person cancelled the thread. */
export function doneDraft({ threadId, signal }: Pick<Turn, "threadId" | "signal">, usage: Usage): Draft {
  const metadata = isCancelled(signal) ? { usage, cancelled: true } : { usage };
  return { event: "done", data: { role: "system", thread_id: threadId, metadata } };
}

/**
 * Returns the message and the code of a failure, translated for the person. If the signal is aborted, its reason
 * replaces `thrown`. Also reports `thrown` if it is an error of our own (code `internal`).
 */
export function wordsFor(ports: Pick<Ports, "report" | "say">, signal: AbortSignal, thrown: unknown): Failure {
  const words = inWords(signal.aborted ? signal.reason : thrown);
  if (words.code === "internal") ports.report(thrown);
  return { ...words, content: ports.say(words.content) };
}

/** The message for the person and the code for programs. */
type Failure = { readonly content: string; readonly code: string };

/** Maps an error to its message and code. Unknown errors become `internal` with a general message. */
function inWords(thrown: unknown): Failure {
  if (thrown instanceof Stop) {
    return { content: thrown.message, code: thrown.by === "clock" ? "time_exceeded" : "interrupted" };
  }
  if (thrown instanceof ModelFault) return { content: thrown.message, code: thrown.code };
  if (thrown instanceof BudgetExceeded) return { content: thrown.message, code: "budget_exceeded" };
  return { content: "Something went wrong on our side. Please try again.", code: "internal" };
}
