// What the runtime is asked once more: a host that was reset comes back with all that it had stored.

import { toFault, type FaultCode } from "../../protocol/fault.ts";
import { failureOf, type Result } from "../../protocol/result.ts";
import type { Office } from "./office.ts";

/** What is wrong now and may not be in a moment. */
const PASSING: ReadonlySet<FaultCode> = new Set(["internal", "unavailable", "too_many_requests"]);
const MOST_TRIES = 10;
const PAUSE_MS = 500;

/** The answer, or the failure that lasts. What is asked must change nothing, or be a command that is carried out once. */
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
