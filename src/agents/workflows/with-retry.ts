// Retries of requests to the runtime, whose host may be reset and come back with everything it stored.

import { toFault, type FaultCode } from "../../protocol/wire/fault.ts";
import { toFaultData, type RpcResult } from "../../protocol/wire/rpc-result.ts";
import type { WorkflowRunContext } from "./workflow-context.ts";

/** Failures that may be temporary. */
const TRANSIENT_CODES: ReadonlySet<FaultCode> = new Set(["internal", "unavailable", "too_many_requests"]);
const MAX_ATTEMPTS = 10;
const RETRY_PAUSE_MS = 500;

/**
 * Returns the result, or the failure that persists after ten attempts. The request must change nothing, or be a
 * command with an id that is executed once. Never rejects. Stops retrying when the signal aborts.
 */
export async function withRetry<T>(
  { signal }: Pick<WorkflowRunContext, "signal">,
  send: () => Promise<RpcResult<T>>,
  attempt = 1,
): Promise<RpcResult<T>> {
  const result = await send().catch((thrown: unknown): RpcResult<T> => ({
    ok: false,
    failure: toFaultData(toFault(thrown)),
  }));
  const isTransient = !result.ok && TRANSIENT_CODES.has(result.failure.code);
  if (!isTransient || attempt >= MAX_ATTEMPTS || signal.aborted) return result;
  await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
  return withRetry({ signal }, send, attempt + 1);
}
