// The RPC border of the Durable Objects: the only place where their faults become results.
//
// Failures are returned as values, because an error loses its class when it crosses RPC. Method names and argument
// shapes are wire: a Worker and an object of two releases may talk to each other during a deployment.

import { createResultWrapper, type InternalResult } from "../protocol/wire/rpc-result.ts";

/**
 * Runs an operation and resolves with its `InternalResult`. A `Fault` becomes its failure value; any other error is
 * logged and becomes a general `internal` failure. Never rejects.
 */
const captureResult = createResultWrapper((thrown) => console.error("A call failed", thrown));

/** Operations as they are called over RPC: each resolves with the `InternalResult` of the operation. */
export type Rpc<Operations> = {
  [Name in keyof Operations]: Operations[Name] extends (...args: infer Args) => infer Value
    ? (...args: Args) => Promise<InternalResult<Awaited<Value>>>
    : never;
};

/**
 * Adds one RPC method to a class of Durable Objects for each public method of `operations`, which is the class of the
 * instances' `operations`. Returns the class.
 */
export function withRpcMethods<Args extends unknown[], Instance extends { readonly operations: object }>(
  objectClass: new (...args: Args) => Instance,
  operations: { readonly prototype: Instance["operations"] },
): new (...args: Args) => Instance & Rpc<Instance["operations"]> {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(operations.prototype))) {
    if (name === "constructor" || typeof value !== "function") continue;
    const operation = value as (...args: unknown[]) => unknown;
    Object.defineProperty(objectClass.prototype, name, {
      value(this: Instance, ...args: unknown[]) {
        return captureResult(() => Reflect.apply(operation, this.operations, args));
      },
    });
  }
  return objectClass as new (...args: Args) => Instance & Rpc<Instance["operations"]>;
}
