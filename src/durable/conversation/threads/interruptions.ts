// The rule for threads whose host died while they ran, as pure functions.
//
// A death is attributed to the thread only if the thread may have caused it: its isolate had lived for `HOST_TRIAL_MS`
// and no other thread was at work in it, or the isolate is still alive. All other deaths are the host's.
//
//   - Progress (a finished step, a new checkpoint, a pause) forgets all deaths.
//   - The thread resumes at once while only the host is to blame, for at most `MAX_PROMPT_RESUMPTIONS` deaths in a row.
//   - Afterwards, and after each death that is attributed to the thread, it waits: twice as long each time, at most
//     `MAX_BACKOFF_MS`. It then starts only in an isolate that has lived for `HOST_TRIAL_MS`, which settles the blame.
//   - The person is asked only after deaths that are attributed to the thread: `MIN_ATTRIBUTED` of them, the first at
//     least `ASK_AFTER_MS` ago.

import type { Isolate } from "../../isolate.ts";

/** An isolate that dies younger than this had a fault of its own. */
export const HOST_TRIAL_MS = 2_000;
/** The deaths of the host after which a thread that makes no progress resumes with a delay. */
export const MAX_PROMPT_RESUMPTIONS = 10;
const MIN_BACKOFF_MS = 5_000;
export const MAX_BACKOFF_MS = 300_000;
export const ASK_AFTER_MS = 3_600_000;
/** A runtime that was down for an hour does not make the second death a reason to ask. */
const MIN_ATTRIBUTED = 10;

/** The deaths since the last progress of a thread. */
export type DeathCounts = {
  /** Deaths that are the host's. */
  readonly host: number;
  /** Deaths that the thread may have caused. */
  readonly attributed: number;
  /** The time at which the first attributed death was found, in ms since the epoch. */
  readonly attributed_since?: number;
};

/** The state of a thread between its first death and its next progress. */
export type RecoveryState =
  /** `is_suspect`: if the host dies now, the death is attributed to the thread. */
  | { readonly kind: "running"; readonly isolate: string; readonly is_suspect: boolean }
  | { readonly kind: "waiting"; readonly until: number }
  /** A question asks the person whether to try again. */
  | { readonly kind: "asking"; readonly request_id: string };

/** Stored with the open thread. Member names are stored data. */
export type Interruptions = DeathCounts & { readonly state: RecoveryState };

export const NO_DEATHS: DeathCounts = { host: 0, attributed: 0 };

/** True if the death of the isolate would be attributed to the only thread that is at work in it. */
export function isSuspect({ startedAt, working }: Isolate, threadId: string, now: number): boolean {
  return isProven({ startedAt }, now) && [...working].every((id) => id === threadId);
}

/** True if the isolate has lived for `HOST_TRIAL_MS`, or if the clock was set back. */
export function isProven({ startedAt }: Pick<Isolate, "startedAt">, now: number): boolean {
  return now < startedAt || now - startedAt >= HOST_TRIAL_MS;
}

/**
 * Returns who is blamed for the end of an attempt. `state` is that of the attempt, undefined for the first one;
 * `isolate` is the id of the present isolate. If it is the same, only the object died, not its host.
 */
export function findCulprit(state: RecoveryState | undefined, isolate: string): "host" | "thread" {
  if (state?.kind !== "running") return "host";
  return state.is_suspect || state.isolate === isolate ? "thread" : "host";
}

/** Returns the counts after one more death that is found at `now`. */
export function countDeath(counts: DeathCounts, culprit: "host" | "thread", now: number): DeathCounts {
  const { host, attributed, attributed_since: since = now } = counts;
  if (culprit === "host") return { ...counts, host: host + 1 };
  return { host, attributed: attributed + 1, attributed_since: Math.min(since, now) };
}

export type Recovery =
  | { readonly kind: "resume" }
  | { readonly kind: "wait"; readonly until: number }
  | { readonly kind: "ask" };

/** Decides how a thread continues after a death. */
export function decideRecovery({ host, attributed, attributed_since: since }: DeathCounts, now: number): Recovery {
  if (since !== undefined && attributed >= MIN_ATTRIBUTED && now - since >= ASK_AFTER_MS) return { kind: "ask" };
  const delays = attributed + Math.max(0, host - MAX_PROMPT_RESUMPTIONS);
  if (delays === 0) return { kind: "resume" };
  return { kind: "wait", until: now + Math.min(MIN_BACKOFF_MS * 2 ** (delays - 1), MAX_BACKOFF_MS) };
}

/** Returns the time at which a waiting thread resumes; null if it does not wait. A clock that was set back ends a wait. */
export function getResumptionTime(interruptions: Interruptions | undefined, now: number): number | null {
  const state = interruptions?.state;
  if (state?.kind !== "waiting" || state.until <= now || state.until > now + MAX_BACKOFF_MS) return null;
  return state.until;
}
