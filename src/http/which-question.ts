// Recognizes answers that need a `request_id`.

import { Fault } from "../protocol/fault.ts";

/** True for the fault of an answer that could belong to several open questions. */
export function isWhichQuestion(thrown: unknown): thrown is Fault {
  return thrown instanceof Fault && thrown.code === "conflict" && thrown.field === "request_id";
}
