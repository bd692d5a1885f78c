// Retries of requests to the runtime, whose host may be reset and come back with everything it stored.

import { toFault, type FaultCode } from "../../protocol/wire/fault.ts";
import { toFaultData, type RpcResult } from "../../protocol/wire/rpc-result.ts";
import type { WorkflowRunContext } from "./workflow-context.ts";

/** Failures that may be temporary. */
const TRANSIENT_CODES: ReadonlySet<FaultCode> = new Set(["internal", "unavailable", "too_many_requests"]);
const MAX_ATTEMPTS = 10;
const RETRY_PAUSE_MS = 500;

/**
 * Sends a request and returns its result. A failure that may be temporary (`internal`, `unavailable`,
 * `too_many_requests`, or a rejection that becomes one of them) is repeated every 500 ms, at most ten attempts in all
 * or until the signal aborts; then it is returned. Never rejects. The request must be safe to repeat: it changes
 * nothing, or is a command whose id is executed once. `attempt` is internal.
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
