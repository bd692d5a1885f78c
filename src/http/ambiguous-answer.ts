// Recognizes answers that need a `request_id`.

import { Fault } from "../protocol/wire/fault.ts";

/** True for the fault of an answer that could belong to several open questions. */
export function isAmbiguousAnswer(thrown: unknown): thrown is Fault {
  return thrown instanceof Fault && thrown.code === "conflict" && thrown.field === "request_id";
}
