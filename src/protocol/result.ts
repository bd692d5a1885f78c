// An outcome that crosses a border where errors lose their class, as they do across RPC.

import { Fault, toFault, type FaultCode, type FaultDetail } from "./fault.ts";

export type Failure = { readonly code: FaultCode; readonly message: string } & Readonly<FaultDetail>;
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

/** Unwraps a result at the border. */
export function valueOf<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  const { code, message, ...detail } = result.failure;
  throw new Fault(code, message, detail);
}

/** A fault as it crosses the border. */
export function failureOf({ code, message, detail }: Fault): Failure {
  return { code, message, ...detail };
}

/** What runs a verb and turns what it throws into a value. `report` hears of what nobody was meant to read. */
export function answering(report: (thrown: unknown) => void): <T>(verb: () => T | Promise<T>) => Promise<Result<T>> {
  return async (verb) => {
    try {
      return { ok: true, value: await verb() };
    } catch (thrown) {
      const fault = toFault(thrown);
      if (fault.code === "internal") report(fault.cause ?? thrown);
      return { ok: false, failure: failureOf(fault) };
    }
  };
}
