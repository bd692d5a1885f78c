// Retries of requests to the runtime, whose host may be reset and come back with everything it stored.

import { toFault, type FaultCode } from "../../protocol/fault.ts";
import { failureOf, type Result } from "../../protocol/result.ts";
import type { Office } from "./office.ts";

/** Failures that may be temporary. */
const PASSING: ReadonlySet<FaultCode> = new Set(["internal", "unavailable", "too_many_requests"]);
const MOST_TRIES = 10;
const PAUSE_MS = 500;

/**
 * Returns the result, or the failure that persists after ten attempts. The request must change nothing, or be a
 * command with an id that is executed once. Never rejects. Stops retrying when the signal aborts.
 */
export async function patiently<T>(
  { signal }: Pick<Office, "signal">,
  ask: () => Promise<Result<T>>,
  tries = 1,
): Promise<Result<T>> {
  const result = await ask().catch((thrown: unknown): Result<T> => ({
    ok: false,
    failure: failureOf(toFault(thrown)),
  }));
  const mayPass = !result.ok && PASSING.has(result.failure.code);
  if (!mayPass || tries >= MOST_TRIES || signal.aborted) return result;
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  return patiently({ signal }, ask, tries + 1);
}
