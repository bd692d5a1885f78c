// Errors whose message is for people: faults with a text of the catalogue, and failures. A failure is of one of two
// kinds, terminal or retryable; its code is stable.

import type { Language } from "../../language/detect-language.ts";
import { createMessage, formatMessage, type Message, type MessageKey } from "../../language/messages.ts";
import { Fault, type FaultCode, type FaultDetail } from "./fault.ts";

/**
 * Creates a fault whose message is in English until `describeFault` formats it in the language of its reader. `message`
 * is a message, or the key of one without parameters.
 */
export function createFault(
  code: FaultCode,
  message: MessageKey | Message,
  detail: FaultDetail & { readonly cause?: unknown } = {},
): Fault {
  const text = typeof message === "string" ? createMessage(message) : message;
  return new Fault(code, formatMessage("en", text), { ...detail, text });
}

/**
 * Formats the message of a fault in a language. An `internal` fault gets a general sentence. Faults without a catalogue
 * entry keep their message, and so do faults of a Durable Object of another release, whose entry this release may lack.
 */
export function describeFault(fault: Fault, language: Language): string {
  if (fault.code === "internal") return formatMessage(language, createMessage("internal"));
  if (fault.text === undefined) return fault.message;
  try {
    return formatMessage(language, fault.text);
  } catch {
    return fault.message;
  }
}

/** The code of a failed model call. */
export type ModelFailureCode =
  /** The deployment has no model. */
  | "model_not_configured"
  /** No answer from the endpoint. */
  | "model_unavailable"
  /** The endpoint rejected the request. */
  | "model_refused"
  /** The stream broke or was silent. */
  | "model_interrupted"
  /** The answer is unusable. */
  | "model_malformed";

/** The reason why a run on an agent failed (A1). Clients and tests rely on these codes. */
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

export type FailureCode =
  | ModelFailureCode
  | AgentFailureCode
  /** A thread, or the task of an agent, has reached one of its limits. */
  | "budget_exceeded"
  | "agent_exhausted"
  /** A tool cannot be used, which ends the run of its agent. */
  | "tool_failed"
  /** A document is not an agent card. */
  | "card_invalid"
  /** A query cannot be compiled; `detail` is the `DataFailure`. */
  | "query_refused"
  /** A page cannot be built; `detail` is the `MissingEntity`, if a named thing does not exist. */
  | "page_failed";

type FailureOptions = {
  /** True if repeating the work may help; a failure is terminal otherwise. */
  readonly retryable?: boolean;
  /** The delay in ms that the other side asked for before a repetition. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
  readonly detail?: unknown;
};

/**
 * The failure of a piece of work: a model call, a run of an agent, a tool. `message` is in English, for logs; `text` is
 * formatted in the language of its reader. A `text` that is a string is foreign and stays unchanged.
 */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly code: FailureCode;
  readonly text: Message | string;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly detail: unknown;

  constructor(
    code: FailureCode,
    text: Message | string,
    { retryable = false, retryAfterMs, cause, detail }: FailureOptions = {},
  ) {
    super(formatMessage("en", text), { cause });
    this.code = code;
    this.text = text;
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
    this.detail = detail;
  }
}

/** True if the error is a failure with one of these codes. */
export function isFailure(thrown: unknown, ...codes: readonly FailureCode[]): thrown is Failure {
  return thrown instanceof Failure && codes.includes(thrown.code);
}

/** Formats the message of an error in a language. Errors that are no `Fault` or `Failure` keep their message. */
export function describeError(error: Error, language: Language): string {
  if (error instanceof Fault) return describeFault(error, language);
  return error instanceof Failure ? formatMessage(language, error.text) : error.message;
}
