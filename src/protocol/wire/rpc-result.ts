// Results as values, for borders where errors lose their class, as in RPC.

import { Fault, toFault, type FaultCode, type FaultDetail } from "./fault.ts";

export type FaultData = { readonly code: FaultCode; readonly message: string } & Readonly<FaultDetail>;
/** The value of a call, or its fault as plain data. */
export type RpcResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: FaultData };

/** Returns the value of a result. Throws the `Fault` of a failed one. */
export function unwrapResult<T>(result: RpcResult<T>): T {
  if (result.ok) return result.value;
  const { code, message, ...detail } = result.failure;
  throw new Fault(code, message, detail);
}

/** Converts a fault to plain data, without its cause. */
export function toFaultData({ code, message, detail }: Fault): FaultData {
  return { code, message, ...detail };
}

/**
 * Returns a function that runs a call and returns its outcome as a `RpcResult`. It never rejects unless `report` throws.
 * `report` receives the causes of `internal` faults, which are not part of the result.
 */
export function createResultWrapper(
  report: (thrown: unknown) => void,
): <T>(operation: () => T | Promise<T>) => Promise<RpcResult<T>> {
  return async (operation) => {
    try {
      return { ok: true, value: await operation() };
    } catch (thrown) {
      const fault = toFault(thrown);
      if (fault.code === "internal") report(fault.cause ?? thrown);
      return { ok: false, failure: toFaultData(fault) };
    }
  };
}
