// Sends the message of a request, to a new conversation or to an existing one.

import type { AnswerOptions } from "../../core/models/answer-options.ts";
import type { ChatMessage } from "../../core/ports.ts";
import type { AcceptedCommand } from "../../durable/conversation-api.ts";
import { messageSchema, type SendCommand } from "../../protocol/wire/commands.ts";
import { parseNamedValue, parseOrThrow } from "../../protocol/wire/fault.ts";
import type { Settings } from "../../settings.ts";
import { limitHistory, type HistoryMessage } from "../client-history.ts";
import { conversationIdSchema } from "../api/id-validation.ts";
import { isAmbiguousAnswer } from "../api/messages.ts";
import type { Operations } from "../api/operations.ts";
import type { ClientTurn } from "./client-turn.ts";
import { CONVERSATION_HEADER } from "./openai-descriptions.ts";
import { OpenAiError } from "./openai-error.ts";
import { RUNTIME_MODEL } from "./openai-models.ts";

/** A message to send. `conversation` is continued; without it, a new conversation starts. */
export type TurnToSend = {
  readonly model: string;
  readonly turn: ClientTurn;
  readonly options: Omit<AnswerOptions, "input">;
  readonly conversation: string | null;
  readonly commandKey: string | undefined;
};

/**
 * Throws an `OpenAiError` (400) if the model cannot use the messages or the tools of the client: agents read only text
 * and have their own tools, and images need a model that accepts them. `param` is the parameter of the messages.
 */
export function checkCapabilities(
  { MODEL_VISION: acceptsImages }: Settings,
  model: string,
  messages: readonly ChatMessage[],
  { clientTools }: Omit<AnswerOptions, "input">,
  param: string,
): void {
  const isAgent = model !== RUNTIME_MODEL;
  if (isAgent && clientTools !== undefined) {
    const sentence = `tools: agents have their own tools; only the model ${RUNTIME_MODEL} calls client tools`;
    throw new OpenAiError(400, "unsupported", sentence, { param: "tools" });
  }
  const index = messages.findIndex((message) => message.role === "user" && message.images !== undefined);
  if (index < 0 || (acceptsImages && !isAgent)) return;
  const reason = isAgent ? "agents do not accept images" : "the configured model does not accept images";
  throw new OpenAiError(400, "unsupported_content", `${param}.${index}: ${reason}`, { param: `${param}.${index}` });
}

/** Returns the conversation that the header names; null without the header. Throws `invalid_request`. */
export function readConversationHeader(headers: Headers): string | null {
  const id = headers.get(CONVERSATION_HEADER);
  return id === null ? null : parseNamedValue(CONVERSATION_HEADER, conversationIdSchema, id);
}

/** Sends the message and returns its position. The history is the context of the message. */
export function sendTurn(
  operations: Operations,
  { model, turn, options, conversation, commandKey: commandId }: TurnToSend,
): Promise<AcceptedCommand> {
  const message: SendCommand = {
    message: parseOrThrow(messageSchema, turn.message),
    ...(model === RUNTIME_MODEL ? {} : { agent: model }),
    ...createContext(turn.earlierMessages),
  };
  const answer: AnswerOptions = { ...options, ...(turn.input === undefined ? {} : { input: turn.input }) };
  const input = { message, commandId, ...(Object.keys(answer).length === 0 ? {} : { answer }) };
  return conversation === null ? operations.start(input) : sendOrAnswer(operations, { id: conversation, ...input });
}

function createContext(earlierMessages: readonly HistoryMessage[]): Pick<SendCommand, "context"> {
  const history = limitHistory(earlierMessages);
  return history.length === 0 ? {} : { context: { history } };
}

/**
 * Sends a message to a conversation. If it could answer several open questions, it answers the first, because this is
 * the question that the client was shown, and the OpenAI API cannot name another.
 */
async function sendOrAnswer(
  operations: Operations,
  input: Parameters<Operations["continueConversation"]>[0],
): Promise<AcceptedCommand> {
  try {
    return await operations.continueConversation(input);
  } catch (thrown) {
    if (!isAmbiguousAnswer(thrown)) throw thrown;
    const { id, message, commandId } = input;
    const [first] = (await operations.context({ id })).pending;
    if (first === undefined) throw thrown;
    return operations.resume({ id, body: { message: message.message, request_id: first.request_id }, commandId });
  }
}
