// Runs an operation on behalf of a user, for callers over RPC.

import type { Env } from "../env.ts";
import { createFault } from "../protocol/wire/message-error.ts";
import { toFault } from "../protocol/wire/fault.ts";
import { toFaultData, type RpcResult } from "../protocol/wire/rpc-result.ts";
import { getSettings } from "../settings.ts";
import { isUserId } from "./authenticate.ts";
import { createOperations, type Operations } from "./operations/operations.ts";

/**
 * Runs an operation for a user and returns its value or its fault as data. Never rejects. An invalid user id is
 * `invalid_request`, any error but a `Fault` is `internal`; causes of `internal` faults are logged and not returned.
 */
export async function runAsUser<T>(
  env: Env,
  user: string,
  operation: (operations: Operations) => Promise<T>,
): Promise<RpcResult<T>> {
  try {
    if (!isUserId(user)) throw createFault("invalid_request", "auth.invalidUserId", { field: "user" });
    return { ok: true, value: await operation(createOperations(env, getSettings(env), user)) };
  } catch (thrown) {
    const fault = toFault(thrown);
    if (fault.code === "internal") console.error("A call failed", fault.cause ?? thrown);
    return { ok: false, failure: toFaultData(fault) };
  }
}
