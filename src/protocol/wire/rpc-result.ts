// Results as values, for borders where errors lose their class, as in RPC.

import type { Message } from "../../language/messages.ts";
import { Fault, toFault, type FaultCode, type FaultDetail } from "./fault.ts";

export type FaultData = { readonly code: FaultCode; readonly message: string } & Readonly<FaultDetail>;
/** The value of a call, or its fault as plain data. This is the result of the public RPC interface. */
export type RpcResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: FaultData };

/**
 * A fault between the parts of one deployment. `text` is its catalogue entry: the receiver formats it for the reader.
 */
export type InternalFaultData = FaultData & { readonly text?: Message };
/** Like `RpcResult`, between Durable Objects, agents and the Worker of one deployment. */
export type InternalResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: InternalFaultData };

/** Returns the value of a result. Throws the `Fault` of a failed one. */
export function unwrapResult<T>(result: InternalResult<T>): T {
  if (result.ok) return result.value;
  const { code, message, ...detail } = result.failure;
  throw new Fault(code, message, detail);
}

/** Converts a fault to plain data, without its cause and without the catalogue entry of its message. */
export function toFaultData({ code, message, detail }: Fault): FaultData {
  return { code, message, ...detail };
}

/**
 * Returns a function that runs an operation and resolves with its outcome; it rejects only if `report` throws. `report`
 * receives the cause of every `internal` fault, or the fault itself without one, because the result does not contain
 * it.
 */
export function createResultWrapper(
  report: (thrown: unknown) => void,
): <T>(operation: () => T | Promise<T>) => Promise<InternalResult<T>> {
  return async (operation) => {
    try {
      return { ok: true, value: await operation() };
    } catch (thrown) {
      const fault = toFault(thrown);
      if (fault.code === "internal") report(fault.cause ?? thrown);
      const { text } = fault;
      return { ok: false, failure: { ...toFaultData(fault), ...(text === undefined ? {} : { text }) } };
    }
  };
}
