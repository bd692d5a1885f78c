// Recognizes answers that need a `request_id`.

import { Fault } from "../protocol/wire/fault.ts";

/** True for the `conflict` of an answer without `request_id` while several questions are open. */
export function isAmbiguousAnswer(thrown: unknown): thrown is Fault {
  return thrown instanceof Fault && thrown.code === "conflict" && thrown.field === "request_id";
}
