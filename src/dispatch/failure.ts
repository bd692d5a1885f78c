import { isJsonRpcError } from "@a2a-js/sdk/errors";
import type { AgentEvent } from "../protocol/agent.ts";
import { shortened } from "../protocol/shortened.ts";

/** Why a run on an agent failed (A1). Stable: clients and tests rely on them. */
export type FailureCode =
  | "agent_unreachable"
  | "agent_timeout"
  | "agent_silent"
  | "agent_too_large"
  | "agent_protocol"
  | "agent_failed"
  | "agent_rejected"
  | "agent_unauthorized"
  | "agent_cancelled";

export const ASKS_FOR_CREDENTIALS = "The agent asks for credentials.";

/** A failed run. `message` is written for the person who waits for the answer. */
export class AgentFailure extends Error {
  override readonly name = "AgentFailure";
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Whatever was thrown while an agent was listened to. What the network did is an `AgentFailure` already. */
export function toFailure(thrown: unknown): AgentFailure {
  if (thrown instanceof AgentFailure) return thrown;
  if (isJsonRpcError(thrown))
    return new AgentFailure("agent_failed", `The agent refused: ${brief(thrown.message)}`, thrown);
  return new AgentFailure("agent_protocol", "The agent answered with something that is not A2A.", thrown);
}

export function cancelled(): AgentFailure {
  return new AgentFailure("agent_cancelled", "The task was cancelled.");
}

export function failed({ code, message }: AgentFailure): AgentEvent {
  return { type: "failed", reason: message, code };
}

/** A stranger's words, short enough for a sentence. */
export function brief(words: string): string {
  return shortened(words.replace(/\s+/g, " ").trim(), 299);
}
