// The failures of a run on an agent.

import { isJsonRpcError } from "@a2a-js/sdk/errors";
import type { AgentEvent } from "../protocol/agents/agent.ts";
import type { Language } from "../language/detect-language.ts";
import { MessageError } from "../protocol/wire/message-error.ts";
import { createMessage, formatMessage, type Message, type MessageKey } from "../language/messages.ts";
import { truncateWithEllipsis } from "../lib/truncate.ts";

/** The reason why a run failed (A1). Clients and tests rely on these codes. */
export type AgentFailureCode =
  /** No agent, no connection, or HTTP 429 or 5xx. */
  | "agent_unreachable"
  | "agent_timeout"
  | "agent_silent"
  /** Too many bytes or events. */
  | "agent_too_large"
  /** The answer is not A2A, or ended too early. */
  | "agent_protocol"
  /** The agent reported an error. */
  | "agent_failed"
  /** The agent declined the task. */
  | "agent_rejected"
  | "agent_unauthorized"
  /** Cancelled by the agent or by us. */
  | "agent_cancelled";

/** A failed run. The person who waits for the answer reads the message. */
export class AgentFailure extends MessageError {
  override readonly name = "AgentFailure";
  readonly code: AgentFailureCode;

  constructor(code: AgentFailureCode, text: MessageKey | Message, cause?: unknown) {
    super(typeof text === "string" ? createMessage(text) : text, { cause });
    this.code = code;
  }
}

/**
 * Converts any error of an exchange to a failure. Network errors are an `AgentFailure` already; JSON-RPC errors
 * become `agent_failed`, all others `agent_protocol`.
 */
export function toAgentFailure(thrown: unknown): AgentFailure {
  if (thrown instanceof AgentFailure) return thrown;
  if (isJsonRpcError(thrown)) return createRefusal(thrown.message, thrown);
  return new AgentFailure("agent_protocol", "agent.invalidResponse", thrown);
}

/**
 * Creates the failure (`agent_failed`) of an agent that answered with an error. `reason` is the agent's own text; it
 * may be blank.
 */
export function createRefusal(reason: string, cause?: unknown): AgentFailure {
  const line = toShortLine(reason);
  const text =
    line === "" ? createMessage("agent.errorWithoutReason") : createMessage("agent.errorResponse", { reason: line });
  return new AgentFailure("agent_failed", text, cause);
}

/** Creates the failure (`agent_cancelled`) of a task that we cancelled. */
export function createCancelledFailure(): AgentFailure {
  return new AgentFailure("agent_cancelled", "task.cancelled");
}

/** Converts a failure to the event that ends a run, with its message in the language of the request. */
export function toFailedEvent({ code, text }: AgentFailure, language: Language): AgentEvent {
  return { type: "failed", reason: formatMessage(language, text), code };
}

/** Joins an agent's text in one line, trims it and truncates it to 300 UTF-16 units, the ellipsis included. */
export function toShortLine(words: string): string {
  return truncateWithEllipsis(words.replace(/\s+/g, " ").trim(), 299);
}
