// The clock of the host, so far from the real one as the run wants it. Imported before everything else.

import { env } from "cloudflare:workers";

const Real = globalThis.Date;
/** Set at the start of a life: nothing of it sees another time than the run means. */
let offset = Number((env as { readonly CLOCK_OFFSET?: string }).CLOCK_OFFSET ?? 0);

export function setOffset(ms: number): void {
  offset = ms;
}

/** An alarm comes by the real clock, at most so much later: it looks at the other clock, and is set again if it is early. */
const POLL_MS = 200;

/** The real time at which to look whether the time `at` has come. */
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
