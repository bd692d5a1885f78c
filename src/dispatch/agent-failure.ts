// The failures of a run on an agent.

import { isJsonRpcError } from "@a2a-js/sdk/errors";
import type { AgentEvent } from "../protocol/agents/agent.ts";
import { truncateWithEllipsis } from "../protocol/text/truncate.ts";

/** The reason why a run failed (A1). Clients and tests rely on these codes. */
export type AgentFailureCode =
  | "agent_unreachable"
  | "agent_timeout"
  | "agent_silent"
  | "agent_too_large"
  | "agent_protocol"
  | "agent_failed"
  | "agent_rejected"
  | "agent_unauthorized"
  | "agent_cancelled";

/** The message of `agent_unauthorized`. */
export const CREDENTIALS_REQUIRED = "The agent asks for credentials.";

/** A failed run. The person who waits for the answer reads the message. */
export class AgentFailure extends Error {
  override readonly name = "AgentFailure";
  readonly code: AgentFailureCode;

  constructor(code: AgentFailureCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/**
 * Converts any error of an exchange to a failure. Network errors are an `AgentFailure` already; JSON-RPC errors
 * become `agent_failed`, all others `agent_protocol`.
 */
export function toAgentFailure(thrown: unknown): AgentFailure {
  if (thrown instanceof AgentFailure) return thrown;
  if (isJsonRpcError(thrown))
    return new AgentFailure("agent_failed", `The agent refused: ${toShortLine(thrown.message)}`, thrown);
  return new AgentFailure("agent_protocol", "The agent answered with something that is not A2A.", thrown);
}

/** Creates the failure of a cancelled task. */
export function createCancelledFailure(): AgentFailure {
  return new AgentFailure("agent_cancelled", "The task was cancelled.");
}

/** Converts a failure to the event that ends a run. */
export function toFailedEvent({ code, message }: AgentFailure): AgentEvent {
  return { type: "failed", reason: message, code };
}

/** Joins an agent's text in one line and truncates it to 300 characters. */
export function toShortLine(words: string): string {
  return truncateWithEllipsis(words.replace(/\s+/g, " ").trim(), 299);
}
