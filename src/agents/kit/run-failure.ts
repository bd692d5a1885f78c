// The failed event of an error that ends a run.

import type { AgentRequest } from "../../protocol/agents/agent.ts";
import { detectRequestLanguage } from "../../language/detect-language.ts";
import { describeError } from "../../protocol/wire/message-error.ts";
import { createMessage, formatMessage } from "../../language/messages.ts";
import type { AgentRunEvent } from "./agent.ts";
import type { AgentLimits } from "./agent-limits.ts";
import { toPublicFailedEvent } from "./public-failure.ts";

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
