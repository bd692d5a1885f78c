// Bounds the events of an agent, so that each fits a row of the log. Text and reasoning have no bound of their own: the
// log splits them.

import { createMessage } from "../../language/messages.ts";
import { truncate } from "../../lib/truncate.ts";
import type { AgentEvent } from "../../protocol/agents/agent.ts";
import { exceedsJsonBytes, limitText, MAX_EVENT_TEXT_BYTES, CUT_NOTICE } from "../log/event-size.ts";
import type { Ports } from "../ports.ts";
import { toToolResult } from "./task-events.ts";

const MAX_NAME_CHARS = 256;
/** The maximum length of the result of a check, in UTF-16 units. */
export const MAX_CHECK_RESULT_CHARS = 16_384;
/** The maximum size of the arguments of a tool call as JSON, in bytes of UTF-8. */
const MAX_ARGUMENTS_BYTES = 128 * 1024;
/** The maximum size of a question as JSON, in bytes of UTF-8. Its answer is stored in the same row. */
const MAX_QUESTION_BYTES = 768 * 1024;

/**
 * Returns the event with texts cut at their limits. A component that is too large becomes a notification, because a part
 * of its content is of no use; a question becomes a failure (`agent_too_large`).
 */
export function limitAgentEvent(event: AgentEvent, { formatMessage }: Pick<Ports, "formatMessage">): AgentEvent {
  switch (event.type) {
    case "notification":
      return { ...event, text: limitText(event.text, formatMessage(CUT_NOTICE)) };
    case "tool_started":
      return limitToolCall(event, formatMessage(CUT_NOTICE));
    case "tool_completed": {
      const notice = formatMessage(CUT_NOTICE);
      const encode = (text: string) => JSON.stringify(toToolResult(text));
      const result = limitText(event.result, notice, MAX_EVENT_TEXT_BYTES - MAX_ARGUMENTS_BYTES, encode);
      return { ...limitToolCall(event, notice), result };
    }
    case "component": {
      const { content, component_id: id } = event;
      const component_type = truncate(event.component_type, MAX_NAME_CHARS);
      const component_id = id === undefined ? {} : { component_id: truncate(id, MAX_NAME_CHARS) };
      if (!exceedsJsonBytes(content, MAX_EVENT_TEXT_BYTES)) return { ...event, component_type, ...component_id };
      const megabytes = MAX_EVENT_TEXT_BYTES / 1_048_576;
      return { type: "notification", text: formatMessage(createMessage("event.componentTooLarge", { megabytes })) };
    }
    case "input_required": {
      const { prompt, options, approval } = event;
      if (!exceedsJsonBytes({ prompt, options, approval }, MAX_QUESTION_BYTES)) return event;
      const reason = formatMessage(createMessage("agent.questionExceedsBytes", { maxBytes: MAX_QUESTION_BYTES }));
      return { type: "failed", reason, code: "agent_too_large" };
    }
    case "criterion":
      return { ...event, before: truncate(event.before, MAX_CHECK_RESULT_CHARS) };
    case "accepted":
    case "text":
    case "reasoning":
    case "usage":
    case "checkpoint":
    case "retracted":
    case "completed":
    case "failed":
      return event;
  }
}

type ToolEvent = Extract<AgentEvent, { type: "tool_started" | "tool_completed" }>;

function limitToolCall<Event extends ToolEvent>(event: Event, notice: string): Event {
  const args =
    event.arguments === undefined ? {} : { arguments: limitText(event.arguments, notice, MAX_ARGUMENTS_BYTES) };
  return {
    ...event,
    tool: truncate(event.tool, MAX_NAME_CHARS),
    call_id: truncate(event.call_id, MAX_NAME_CHARS),
    ...args,
  };
}
