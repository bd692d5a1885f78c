// The outcome of a turn: its last events, its usage, and the wording of failures.

import type { Usage } from "../../protocol/wire/events.ts";
import type { ScheduleRunResult, Schedule } from "../../protocol/schedules/schedule.ts";
import { createMessage, type Message } from "../../language/messages.ts";
import { sumUsage, type RecordedCalls } from "../models/budget.ts";
import type { EventDraft, Ports } from "../ports.ts";
import type { TurnInput } from "./turn-context.ts";
import { isCancelledByPerson, StopReason } from "./stop-reason.ts";
import { Failure } from "../../protocol/wire/message-error.ts";

/** The outcome of one run of a turn. The caller stores it in one transaction. */
export type TurnOutcome =
  | {
      readonly status: "completed" | "failed";
      /** The last events of the thread, with `done` at the end. Stored together with the status (T3). */
      readonly closing: readonly EventDraft[];
      /** The result of a schedule run and the updated schedule. Stored together with the status. */
      readonly run?: ScheduleRunResult;
      readonly schedule?: Schedule;
    }
  /** All work that needs no answer is done. The turn resumes when it is run again. */
  | { readonly status: "paused"; readonly request_ids: readonly string[] };

/** Returns the `usage` of a thread: totals, the number of tasks, the duration in ms, and the single calls. */
export function buildUsage(calls: RecordedCalls, tasks: number, durationMs: number): Usage {
  return { ...sumUsage(calls), tasks, duration_ms: durationMs, calls: [...calls] };
}

/** Creates `done`, the very last event of a thread (T3). It is marked `cancelled` if a person cancelled the thread. */
export function createDoneEvent(
  { threadId, signal }: Pick<TurnInput, "threadId" | "signal">,
  usage: Usage,
): EventDraft {
  const metadata = isCancelledByPerson(signal) ? { usage, cancelled: true } : { usage };
  return { event: "done", data: { role: "system", thread_id: threadId, metadata } };
}

/** Creates the event that shows the failure of a thread. */
export function createSystemFailure(thread_id: string, payload: SystemFailure): EventDraft {
  return { event: "system_failed", data: { role: "system", thread_id, payload } };
}

/** The formatted message and the code of a failure. */
export type SystemFailure = { readonly content: string; readonly code: string };

/**
 * Returns the formatted message and the code of a failure. If the signal is aborted, its reason replaces `thrown`. Also
 * reports `thrown` if it is an error of our own (code `internal`).
 */
export function describeFailure(
  ports: Pick<Ports, "report" | "formatMessage">,
  signal: AbortSignal,
  thrown: unknown,
): SystemFailure {
  const { text, code } = toTurnFailure(signal.aborted ? signal.reason : thrown);
  if (code === "internal") ports.report(thrown);
  return { content: ports.formatMessage(text), code };
}

/** The message for the person and the code for programs. */
type TurnFailure = { readonly text: Message | string; readonly code: string };

const STOP_CODES = { person: "interrupted", clock: "time_exceeded", expiry: "question_expired" } as const;

/** Maps an error to its message and code. Unknown errors become `internal` with a general message. */
function toTurnFailure(thrown: unknown): TurnFailure {
  if (thrown instanceof StopReason) {
    return { text: thrown.text, code: STOP_CODES[thrown.initiator] };
  }
  if (thrown instanceof Failure) return { text: thrown.text, code: thrown.code };
  return { text: createMessage("internal"), code: "internal" };
}
