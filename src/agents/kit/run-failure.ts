// The errors that end a run, and their translation to a failed event.

import { Fault } from "../../protocol/wire/fault.ts";
import type { AgentRunEvent } from "./agent.ts";
import { AgentLimitError, type AgentLimits } from "./agent-limits.ts";

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
export function toFailedEvent(thrown: unknown, timeoutSignal: AbortSignal, { seconds }: AgentLimits): AgentRunEvent {
  if (timeoutSignal.aborted)
    return createFailedEvent(`The agent had no answer after ${seconds} seconds.`, "agent_exhausted");
  const event = toPublicFailedEvent(thrown);
  if (event === undefined) throw thrown;
  return event;
}

/**
 * Returns the failed event of an error whose message is meant for people: `RunFailed`, `AgentLimitError`, `Fault`
 * or an error of the model. Returns undefined for any other error.
 */
export function toPublicFailedEvent(thrown: unknown): AgentRunEvent | undefined {
  if (thrown instanceof RunFailed) return createFailedEvent(thrown.message, thrown.code);
  if (thrown instanceof AgentLimitError) return createFailedEvent(thrown.message, "agent_exhausted");
  if (thrown instanceof Fault) return createFailedEvent(thrown.message, "agent_failed");
  return isModelFault(thrown) ? createFailedEvent(thrown.message, thrown.code) : undefined;
}

function createFailedEvent(reason: string, code: string): AgentRunEvent {
  return { type: "failed", reason, code };
}

/**
 * True for an error of the model client. It is recognized by its shape, because its class belongs to a layer that
 * agents may not import.
 */
export function isModelFault(thrown: unknown): thrown is Error & { readonly code: string } {
  return thrown instanceof Error && thrown.name === "ModelFault" && "code" in thrown && typeof thrown.code === "string";
}
