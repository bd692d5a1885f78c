// The errors that end a run, and their translation to a failed event.

import type { AgentRequest } from "../../protocol/agents/agent.ts";
import { detectRequestLanguage, type Language } from "../../language/detect-language.ts";
import { describeError, MessageError } from "../../protocol/wire/message-error.ts";
import { createMessage, formatMessage, type Message } from "../../language/messages.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import type { AgentRunEvent } from "./agent.ts";
import { AgentLimitError, type AgentLimits } from "./agent-limits.ts";

/**
 * Ends a run as failed, with this code, when an agent or a tool throws it. The person reads its message in the language
 * of the request, or as it is if `text` is a string.
 */
export class RunFailed extends MessageError {
  override readonly name = "RunFailed";
  readonly code: "tool_failed" | "agent_failed";

  constructor(text: Message | string, code: RunFailed["code"], cause?: unknown) {
    super(text, { cause });
    this.code = code;
  }
}

/**
 * Returns the `failed` event for an error that ends a run, in the language of the request. Once `timeoutSignal` has
 * aborted, every error becomes `agent_exhausted` with the limit of `seconds`. Throws an error that is not meant for
 * people again, so that its message stays private.
 */
export function toFailedEvent(
  thrown: unknown,
  request: AgentRequest,
  timeoutSignal: AbortSignal,
  { seconds }: AgentLimits,
): AgentRunEvent {
  const language = detectRequestLanguage(request);
  if (timeoutSignal.aborted)
    return createFailedEvent(formatMessage(language, createMessage("agent.secondsLimit", { seconds })), EXHAUSTED);
  const event = toPublicFailedEvent(thrown, language);
  if (event === undefined) throw thrown;
  return event;
}

/** The code of a run that has reached a limit. */
const EXHAUSTED = "agent_exhausted";

/**
 * Returns the `failed` event of an error whose message is meant for people: `RunFailed` and model errors keep their
 * code, `AgentLimitError` becomes `agent_exhausted`, `Fault` becomes `agent_failed`. Undefined for any other error.
 */
export function toPublicFailedEvent(thrown: unknown, language: Language): AgentRunEvent | undefined {
  const code = getFailureCode(thrown);
  return code === undefined ? undefined : createFailedEvent(describeError(thrown as Error, language), code);
}

function getFailureCode(thrown: unknown): string | undefined {
  if (thrown instanceof RunFailed) return thrown.code;
  if (thrown instanceof AgentLimitError) return EXHAUSTED;
  if (thrown instanceof Fault) return "agent_failed";
  return isModelFault(thrown) ? thrown.code : undefined;
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
