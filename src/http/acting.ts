// Runs an operation on behalf of a user, for callers over RPC.

import type { Env } from "../env.ts";
import { Fault, toFault } from "../protocol/fault.ts";
import { failureOf, type Result } from "../protocol/result.ts";
import { settingsOf } from "../settings.ts";
import { isUserId } from "./identity.ts";
import { verbsOf, type Verbs } from "./verbs.ts";

/**
 * Runs an operation for a user and returns its value or its fault as data. Never rejects. An invalid user id is
 * `invalid_request`; causes of `internal` faults are logged and not returned.
 */
export async function actingFor<T>(env: Env, user: string, verb: (verbs: Verbs) => Promise<T>): Promise<Result<T>> {
  try {
    if (!isUserId(user)) throw new Fault("invalid_request", "user: is not a user's id", { field: "user" });
    return { ok: true, value: await verb(verbsOf(env, settingsOf(env), user)) };
  } catch (thrown) {
    const fault = toFault(thrown);
    if (fault.code === "internal") console.error("A call failed", fault.cause ?? thrown);
    return { ok: false, failure: failureOf(fault) };
  }
}
