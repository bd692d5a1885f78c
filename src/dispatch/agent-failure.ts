// The failures of a run on an agent.

import { isJsonRpcError } from "@a2a-js/sdk/errors";
import type { AgentEvent } from "../protocol/agents/agent.ts";
import type { Language } from "../language/detect-language.ts";
import { Failure, type AgentFailureCode } from "../protocol/wire/message-error.ts";
import { createMessage, formatMessage, type Message, type MessageKey } from "../language/messages.ts";
import { toSingleLine } from "../lib/single-line.ts";

/** Creates the failure of a run. The person who waits for the answer reads the message. */
export function createAgentFailure(code: AgentFailureCode, text: MessageKey | Message, cause?: unknown): Failure {
  return new Failure(code, typeof text === "string" ? createMessage(text) : text, { cause });
}

/**
 * Converts any error of an exchange to a failure. Network errors are a `Failure` already; JSON-RPC errors
 * become `agent_failed`, all others `agent_protocol`.
 */
export function toAgentFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  if (isJsonRpcError(thrown)) return createRefusal(thrown.message, thrown);
  return createAgentFailure("agent_protocol", "agent.invalidResponse", thrown);
}

/**
 * Creates the failure (`agent_failed`) of an agent that answered with an error. `reason` is the agent's own text; it
 * may be blank.
 */
export function createRefusal(reason: string, cause?: unknown): Failure {
  const line = toShortLine(reason);
  const text =
    line === "" ? createMessage("agent.errorWithoutReason") : createMessage("agent.errorResponse", { reason: line });
  return createAgentFailure("agent_failed", text, cause);
}

/** Creates the failure (`agent_cancelled`) of a task that we cancelled. */
export function createCancelledFailure(): Failure {
  return createAgentFailure("agent_cancelled", "task.cancelled");
}

/** Converts a failure to the event that ends a run, with its message in the language of the request. */
export function toFailedEvent({ code, text }: Failure, language: Language): AgentEvent {
  return { type: "failed", reason: formatMessage(language, text), code };
}

/** Returns an agent's text as one line of at most 300 UTF-16 units. */
export function toShortLine(words: string): string {
  return toSingleLine(words, 300);
}
