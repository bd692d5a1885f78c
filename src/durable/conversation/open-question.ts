// Finds the question that an answer refers to.

import type { ThreadQuestion } from "../../core/ports.ts";
import { assertNever } from "../../lib/assert.ts";
import { createMessage } from "../../language/messages.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import type { ConversationStore } from "./storage/conversation-store.ts";

/**
 * Returns the open question with this id or, without an id, the only open one. Throws `conflict` (`request_id`) if
 * several are open, `conflict` if there has been no question, `not_found` for an unknown id, else `question_answered`,
 * `question_expired` or `question_cancelled`; without an id these are about the question that expires last.
 */
export function requireOpenQuestion(store: ConversationStore, requestId: string | undefined): ThreadQuestion {
  const open = store.listOpenQuestions();
  if (requestId === undefined && open.length > 1) {
    const text = createMessage("question.idRequired", { count: open.length });
    throw createFault("conflict", text, { field: "request_id" });
  }
  const [only] = open;
  if (requestId === undefined && only !== undefined) return only;
  const id = requestId ?? store.getLastQuestion()?.request_id;
  if (id === undefined) throw createFault("conflict", "question.noneOpen");
  const known = store.getQuestion(id);
  if (known === null) throw createFault("not_found", "question.notFound", { field: "request_id" });
  const { state } = known.state;
  switch (state) {
    case "open":
      return known.question;
    case "answered":
      throw createFault("question_answered", "question.alreadyAnswered");
    case "expired":
      throw createFault("question_expired", "question.expired");
    case "cancelled":
      throw createFault("question_cancelled", "question.withdrawn");
    default:
      return assertNever(state);
  }
}

export function listRequestIds(questions: readonly ThreadQuestion[]): string[] {
  return questions.map(({ request_id }) => request_id);
}
