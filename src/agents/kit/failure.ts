// The errors that end a run, and their translation to a failed event.

import { Fault } from "../../protocol/fault.ts";
import type { Said } from "./agent.ts";
import { Exhausted, type Limits } from "./limits.ts";

/** Ends a run as failed when it is thrown by an agent or a tool. The person reads its message. */
export class RunFailed extends Error {
  override readonly name = "RunFailed";
  readonly code: "tool_failed" | "agent_failed";

  constructor(message: string, code: RunFailed["code"], cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/**
 * Converts an error to the failed event that ends a run. Once `clock` has aborted, the event states that the time
 * limit is exceeded. Throws unexpected errors again, so that their message stays private.
 */
export function failureOf(thrown: unknown, clock: AbortSignal, { seconds }: Limits): Said {
  if (clock.aborted) return failed(`The agent had no answer after ${seconds} seconds.`, "agent_exhausted");
  const said = told(thrown);
  if (said === undefined) throw thrown;
  return said;
}

/**
 * Returns the failed event of an error whose message is meant for people: `RunFailed`, `AgentLimitError`, `Fault`
 * or an error of the model. Returns undefined for any other error.
 */
export function told(thrown: unknown): Said | undefined {
  if (thrown instanceof RunFailed) return failed(thrown.message, thrown.code);
  if (thrown instanceof Exhausted) return failed(thrown.message, "agent_exhausted");
  if (thrown instanceof Fault) return failed(thrown.message, "agent_failed");
  return isModelFault(thrown) ? failed(thrown.message, thrown.code) : undefined;
}

function failed(reason: string, code: string): Said {
  return { type: "failed", reason, code };
}

/**
 * True for an error of the model client. It is recognized by its shape, because its class belongs to a layer that
 * agents may not import.
 */
export function isModelFault(thrown: unknown): thrown is Error & { readonly code: string } {
  return thrown instanceof Error && thrown.name === "ModelFault" && "code" in thrown && typeof thrown.code === "string";
}
