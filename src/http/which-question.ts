import { Fault } from "../protocol/fault.ts";

/** True for the refusal of words that may be meant for any of several open questions. */
export function isWhichQuestion(thrown: unknown): thrown is Fault {
  return thrown instanceof Fault && thrown.code === "conflict" && thrown.field === "request_id";
}
