// The budget of one call. Spent in steps; every so many of them the clock is looked at too, where it moves while
// code runs (it does locally, where nothing else bounds a call; at the edge the platform counts CPU time).

import { LIMITS, STEPS_PER_BYTE } from "../limits.ts";

/** Steps between two looks at the clock. */
const PORTION = 1_000_000;

/** What the rewritten code counts down inline. Below zero it asks for `more`. */
export const budget = { left: -1 };

/** Thrown when the budget is gone. The code never gets to see it: every `catch` and `finally` throws it on. */
export const EXHAUSTED: unknown = Object.freeze(Object.create(null));

const now = Date.now;
let rest = 0;
let deadline = 0;
let reason: string | null = "The call is over";

/** Begins a call. */
export function open(): void {
  budget.left = 0;
  rest = LIMITS.steps;
  deadline = now() + LIMITS.computing;
  reason = null;
}

/** Ends it: what still runs afterwards finds no budget. Answers why the budget ran out, or null. */
export function close(): string | null {
  const ended = reason;
  giveUpQuietly("The call is over");
  return ended;
}

/** For bytes, and for work of about a nanosecond that is not the code's own operations. */
export function spend(units: number): void {
  if ((budget.left -= units * STEPS_PER_BYTE) < 0) more();
}

/** Gets the next portion, or ends the call. */
export function more(): void {
  if (reason !== null) giveUp(reason);
  const wanted = PORTION - budget.left;
  // Also true of NaN, which no count may become.
  if (!(wanted <= rest)) giveUp("It takes too many steps or too much memory");
  if (now() > deadline) giveUp("It takes too long");
  rest -= wanted;
  budget.left = PORTION;
}

/** Ends the call for good, with the reason that its author reads. */
export function giveUp(why: string): never {
  giveUpQuietly(reason ?? why);
  throw EXHAUSTED;
}

export function isOver(): boolean {
  return reason !== null;
}

function giveUpQuietly(why: string): void {
  reason = why;
  rest = 0;
  budget.left = -1;
}
