// Formats the messages of the toolsmith in the language of its request.

import type { AgentRequest } from "../../protocol/agents/agent.ts";
import { detectRequestLanguage } from "../../language/detect-language.ts";
import { createMessage, formatMessage, type Message, type MessageKey } from "../../language/messages.ts";
import type { SubtaskOutcome } from "./toolsmith-state.ts";

type ToolsmithQuery = Pick<AgentRequest, "query" | "metadata">;

/** Formats a message, or that of a key without parameters, in the language of the request. */
export function localizeReply(request: ToolsmithQuery, message: MessageKey | Message): string {
  return formatMessage(detectRequestLanguage(request), typeof message === "string" ? createMessage(message) : message);
}

/** Formats the outcome of a sub-task in the language of the request, with its literal result or its error (F100). */
export function formatOutcome(request: ToolsmithQuery, { id, description, ...outcome }: SubtaskOutcome): string {
  return localizeReply(
    request,
    outcome.status === "completed"
      ? createMessage("toolsmith.subtaskCompleted", { id, description, result: outcome.result })
      : createMessage("toolsmith.subtaskFailed", { id, description, error: outcome.error }),
  );
}
