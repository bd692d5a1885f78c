// The errors that end a run, and their translation to a failed event.

import type { AgentRequest } from "../../protocol/agents/agent.ts";
import { detectRequestLanguage } from "../../language/detect-language.ts";
import { describeError, MessageError } from "../../protocol/wire/message-error.ts";
import { createMessage, formatMessage, type Message } from "../../language/messages.ts";
import type { AgentRunEvent } from "./agent.ts";
import type { AgentLimits } from "./agent-limits.ts";
import { toPublicFailedEvent } from "./public-failure.ts";

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
  if (timeoutSignal.aborted) {
    const reason = formatMessage(language, createMessage("agent.secondsLimit", { seconds }));
    return { type: "failed", reason, code: "agent_exhausted" };
  }
  const event = toPublicFailedEvent(thrown, (error) => describeError(error, language));
  if (event === undefined) throw thrown;
  return event;
}
