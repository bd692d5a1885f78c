// The failed event of an error whose message is meant for people.
//
// The errors are recognized by their names, not by their classes: an agent loads only the classes of the errors that it
// throws, and the class of model errors belongs to a layer that agents may not import.

import { Fault } from "../../protocol/wire/fault.ts";
import type { AgentRunEvent } from "./agent.ts";

/** `RunFailed`, `AgentLimitError` and `ModelFault`, which have the code of the event. */
const CODED_ERRORS: ReadonlySet<string> = new Set(["RunFailed", "Exhausted", "ModelFault"]);

/**
 * Returns the `failed` event of an error that is meant for people, with the message that `describe` returns. `RunFailed`,
 * `AgentLimitError` and model errors keep their code, `Fault` becomes `agent_failed`. Undefined for any other error.
 */
export function toPublicFailedEvent(thrown: unknown, describe: (error: Error) => string): AgentRunEvent | undefined {
  if (thrown instanceof Fault) return { type: "failed", reason: describe(thrown), code: "agent_failed" };
  if (!isCodedError(thrown) || !CODED_ERRORS.has(thrown.name)) return undefined;
  return { type: "failed", reason: describe(thrown), code: thrown.code };
}

/** True for an error of the model client. */
export function isModelFault(thrown: unknown): thrown is Error & { readonly code: string } {
  return isCodedError(thrown) && thrown.name === "ModelFault";
}

function isCodedError(thrown: unknown): thrown is Error & { readonly code: string } {
  return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string";
}
