// The budget of one call, in steps.
//
// Module state: the current portion (`budget.left`), the remaining steps, the deadline, and the reason of the end. An
// isolate serves one call, so there is one budget.
// - `openBudget` starts a call, `closeBudget` ends it; before and after, every payment ends in `EXHAUSTED`.
// - Instrumented code decrements `budget.left` inline and calls `more` below zero. `more` takes the next portion of the
//   remaining steps and checks the clock.
// - After the end, every further payment throws again, so code that catches the error cannot continue. The first reason
//   is kept.
// - Pay before the work. A stack overflow between both must not leave work unpaid.
// The clock moves while code runs only in local development; on the edge it stands still, and the platform limits CPU
// time.

import { LIMITS, STEPS_PER_BYTE } from "../limits.ts";

/** The number of steps between two checks of the clock. */
const PORTION = 1_000_000;

/** The current portion. The instrumented code mentions `budget.left` by name. */
export const budget = { left: -1 };

/**
 * Thrown when the budget is exhausted. It is not an error object, and `catch` and `finally` rethrow it, so the code
 * never sees it.
 */
export const EXHAUSTED: unknown = Object.freeze(Object.create(null));

// Saved before the globals are replaced.
const now = Date.now;
let rest = 0;
let deadline = 0;
/** The reason why no call is running; null during a call. */
let reason: string | null = "The call is over";

/** Starts a call. */
export function open(): void {
  budget.left = 0;
  rest = LIMITS.steps;
  deadline = now() + LIMITS.computing;
  reason = null;
}

/**
 * Ends the call. Returns the reason why the budget was exhausted, or null. Code that still runs afterwards finds no
 * budget.
 */
export function close(): string | null {
  const ended = reason;
  giveUpQuietly("The call is over");
  return ended;
}

/**
 * Pays for `units` bytes, or for work of about one nanosecond each. Throws `EXHAUSTED` if the budget is not sufficient.
 */
export function spend(units: number): void {
  if ((budget.left -= units * STEPS_PER_BYTE) < 0) more();
}

/** Takes the next portion. Throws `EXHAUSTED` if there is none, after the deadline, or if the call is over. */
export function more(): void {
  if (reason !== null) giveUp(reason);
  const wanted = PORTION - budget.left;
  // Written this way, the condition holds for NaN as well, so a wrong price cannot make work free.
  if (!(wanted <= rest)) giveUp("It takes too many steps or too much memory");
  if (now() > deadline) giveUp("It takes too long");
  rest -= wanted;
  budget.left = PORTION;
}

/** Ends the call. The author reads the first reason. */
export function giveUp(why: string): never {
  giveUpQuietly(reason ?? why);
  throw EXHAUSTED;
}

/** True if no call is running. */
export function isOver(): boolean {
  return reason !== null;
}

/** Ends the call without throwing. */
function giveUpQuietly(why: string): void {
  reason = why;
  rest = 0;
  budget.left = -1;
}
