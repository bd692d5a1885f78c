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

import { LIMITS, STEPS_PER_BYTE } from "../sandbox-limits.ts";

/** The number of steps between two checks of the clock. */
const PORTION_STEPS = 1_000_000;

/** The current portion. The instrumented code mentions `budget.left` by name. */
export const budget = { left: -1 };

/**
 * Thrown when the budget is exhausted. It is not an error object, and `catch` and `finally` rethrow it, so the code
 * never sees it.
 */
export const EXHAUSTED: unknown = Object.freeze(Object.create(null));

// Saved before the globals are replaced.
const now = Date.now;
let remainingSteps = 0;
let deadline = 0;
/** The reason why no call is running; null during a call. */
let endReason: string | null = "The call is over";

/** Starts a call. */
export function openBudget(): void {
  budget.left = 0;
  remainingSteps = LIMITS.steps;
  deadline = now() + LIMITS.computing;
  endReason = null;
}

/**
 * Ends the call. Returns the reason why the budget was exhausted, or null. Code that still runs afterwards finds no
 * budget.
 */
export function closeBudget(): string | null {
  const ended = endReason;
  markCallOver("The call is over");
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
  if (endReason !== null) abortCall(endReason);
  const requested = PORTION_STEPS - budget.left;
  // Written this way, the condition holds for NaN as well, so a wrong price cannot make work free.
  if (!(requested <= remainingSteps)) abortCall("It takes too many steps or too much memory");
  if (now() > deadline) abortCall("It takes too long");
  remainingSteps -= requested;
  budget.left = PORTION_STEPS;
}

/** Ends the call. The author reads the first reason. */
export function abortCall(message: string): never {
  markCallOver(endReason ?? message);
  throw EXHAUSTED;
}

/** True if no call is running. */
export function isCallOver(): boolean {
  return endReason !== null;
}

/** Ends the call without throwing. */
function markCallOver(message: string): void {
  endReason = message;
  remainingSteps = 0;
  budget.left = -1;
}
