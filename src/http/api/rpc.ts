// The RPC entrypoint for other Workers: the operations that have an RPC signature.
//
// The caller states the user that it acts for. It is not verified: the deployment decides which Workers have the
// binding. Faults are returned as values, because errors lose their class over RPC. The entrypoint has no state, and
// calls may run concurrently.

import { WorkerEntrypoint } from "cloudflare:workers";
import type { Env } from "../../env.ts";
import type { Endpoint } from "../../protocol/api/endpoint.ts";
import { parseOrThrow, toFault } from "../../protocol/wire/fault.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { toFaultData, type RpcResult } from "../../protocol/wire/rpc-result.ts";
import { getSettings } from "../../settings.ts";
import { parseCommandId } from "../command-id.ts";
import { isUserId } from "./id-validation.ts";
import type { AnyOperation, GivenInput, Operation, OperationInput } from "./operation.ts";
import { listOperations, type OPERATIONS } from "./operations.ts";

type Table = typeof OPERATIONS;
type RpcName<Entry, Name> =
  Entry extends Operation<infer _E, infer Args, infer _Result> ? ([Args] extends [never] ? never : Name) : never;
type RpcMethod<Entry> =
  Entry extends Operation<infer _E, infer Args extends readonly unknown[], infer Result>
    ? (user: string, ...args: Args) => Promise<RpcResult<Result>>
    : never;

/**
 * The methods of the `Orrery` entrypoint. Every method returns an `RpcResult` and does not reject. `user` is the user
 * id that the caller acts for; the caller is trusted, because it holds the binding. Methods with a `commandId` execute
 * a repeated command once (T2). Streams are JSON lines; cancelling a stream of frames does not stop the work. An unknown
 * id is `not_found`. Lists return 20 entries per page by default, at most 100; `next_cursor` is the `cursor` of the next
 * page.
 */
export type OrreryApi = { [Name in keyof Table as RpcName<Table[Name], Name>]: RpcMethod<Table[Name]> };

/** Implements `OrreryApi`: every method carries out the operation of its name. */
export class Orrery extends WorkerEntrypoint<Env> {
  static {
    for (const [name, operation] of listOperations()) {
      if (operation.rpc === undefined) continue;
      const value = function (this: Orrery, user: unknown, ...args: readonly unknown[]) {
        return callOperation(this.env, operation, user, args);
      };
      Object.defineProperty(this.prototype, name, { value });
    }
  }
}

/**
 * Carries out an operation for a user and returns its value or its fault as data. Never rejects. An invalid user id is
 * `invalid_request`, any error but a `Fault` is `internal`; causes of `internal` faults are logged and not returned.
 */
async function callOperation(
  env: Env,
  { endpoint, rpc, run }: AnyOperation,
  user: unknown,
  args: readonly unknown[],
): Promise<RpcResult<unknown>> {
  try {
    if (!isUserId(user)) throw createFault("invalid_request", "auth.invalidUserId", { field: "user" });
    const caller = { env, settings: getSettings(env), userId: user, expiresAt: null };
    return { ok: true, value: await run(caller, validateInput(endpoint, rpc?.(...args) ?? {})) };
  } catch (thrown) {
    const fault = toFault(thrown);
    if (fault.code === "internal") console.error("A call failed", fault.cause ?? thrown);
    return { ok: false, failure: toFaultData(fault) };
  }
}

/** Validates query, body and command id of an input. Operations check ids themselves. */
function validateInput(endpoint: Endpoint, given: GivenInput<Endpoint>): OperationInput<Endpoint> {
  const { query = {}, body, commandId, ...params } = given as GivenInput<Endpoint> & Record<string, unknown>;
  return {
    ...params,
    commandId: parseCommandId("commandId", commandId),
    ...(endpoint.query === undefined ? {} : { query: parseOrThrow(endpoint.query, query) }),
    ...(endpoint.body === undefined ? {} : { body: parseOrThrow(endpoint.body, body) }),
  };
}
