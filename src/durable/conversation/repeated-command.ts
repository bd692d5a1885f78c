// T2. Finds the earlier command with the same id. A command id names one command: with another request it is refused,
// because the client would take the outcome of the first request for that of the second.

import type { TurnRequest } from "../../core/models/answer-options.ts";
import { isSameJson } from "../../lib/json-value.ts";
import type { ResumeCommand } from "../../protocol/wire/commands.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import type { CommandRequest, ConversationStore, StoredCommand } from "./storage/conversation-store.ts";

/**
 * Returns the stored command with this id; null if the id is new. Throws `unprocessable` (`id`) if `isSame` denies that
 * it was the same command.
 */
export function findRepeatedCommand(
  store: ConversationStore,
  id: string,
  isSame: (stored: CommandRequest, command: StoredCommand) => boolean,
): StoredCommand | null {
  const known = store.getCommand(id);
  if (known === null || isSame(known.request, known)) return known;
  throw createFault("unprocessable", "command.idReused", { field: "id" });
}

/** Like `findRepeatedCommand`, for a message. If it answered a question, only its text was stored. */
export function findRepeatedMessage(store: ConversationStore, id: string, message: TurnRequest): StoredCommand | null {
  return findRepeatedCommand(store, id, (stored, { seq }) =>
    store.hasAnswerAt(seq) ? "message" in stored && stored.message === message.message : isSameJson(stored, message),
  );
}

/** Like `findRepeatedCommand`, for an answer. The runtime may have added the question to it. */
export function findRepeatedAnswer(store: ConversationStore, id: string, answer: ResumeCommand): StoredCommand | null {
  const { request_id, ...content } = answer;
  return findRepeatedCommand(store, id, (stored) => {
    const { request_id: known = request_id, ...storedContent } = stored as ResumeCommand;
    return (request_id === undefined || known === request_id) && isSameJson(storedContent, content);
  });
}
