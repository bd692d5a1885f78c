// The failed event of an error whose message is meant for people.
//
// A `Failure` is recognized by its name, not by its class: an agent that throws none does not load the catalogue of its
// messages.

import { Fault } from "../../protocol/wire/fault.ts";
import type { AgentRunEvent } from "./agent.ts";

/**
 * Returns the `failed` event of an error that is meant for people, with the message that `describe` returns. A
 * `Failure` keeps its code, a `Fault` becomes `agent_failed`. Undefined for any other error.
 */
export function toPublicFailedEvent(thrown: unknown, describe: (error: Error) => string): AgentRunEvent | undefined {
  if (thrown instanceof Fault) return { type: "failed", reason: describe(thrown), code: "agent_failed" };
  return isFailureByName(thrown) ? { type: "failed", reason: describe(thrown), code: thrown.code } : undefined;
}

function isFailureByName(thrown: unknown): thrown is Error & { readonly code: string } {
  return thrown instanceof Error && thrown.name === "Failure" && "code" in thrown && typeof thrown.code === "string";
}
