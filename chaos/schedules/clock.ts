// The clock of the host: the real time plus an offset that the run sets. Replaces the global `Date`, so it must be
// imported before all other modules.

import { env } from "cloudflare:workers";

const Real = globalThis.Date;
/** The offset in ms. It is set at the start of the process, before any other code reads the time. */
let offset = Number((env as { readonly CLOCK_OFFSET?: string }).CLOCK_OFFSET ?? 0);

export function setOffset(ms: number): void {
  offset = ms;
}

/** The maximum real delay of an alarm, which the platform fires by the real clock. An early alarm is set again. */
const POLL_MS = 200;

/** Returns the real time at which to check whether the simulated time `at` has come. */
export function lookAt(at: number): number {
  return Real.now() + Math.min(Math.max(0, at - now()), POLL_MS);
}

function now(): number {
  return Real.now() + offset;
}

globalThis.Date = new Proxy(Real, {
  construct: (target, given: unknown[], made) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, made) as Date,
  apply: () => new Real(now()).toString(),
  get: (target, key): unknown => (key === "now" ? now : Reflect.get(target, key)),
});
