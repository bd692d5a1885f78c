// Finds the question that an answer refers to.

import type { ThreadQuestion } from "../core/ports.ts";
import { assertNever } from "../protocol/assert.ts";
import { Fault } from "../protocol/wire/fault.ts";
import type { ConversationStore } from "./conversation-store.ts";

/**
 * Returns the open question with this id or, without an id, the only open one. Throws a `Fault` that states why the
 * answer cannot be accepted: several are open, none is, or it was answered, has expired or was cancelled.
 */
export function requireOpenQuestion(store: ConversationStore, requestId: string | undefined): ThreadQuestion {
  const open = store.listOpenQuestions();
  if (requestId === undefined && open.length > 1) {
    const words = `${open.length} questions are open; name the one you answer in request_id.`;
    throw new Fault("conflict", words, { field: "request_id" });
  }
  const [only] = open;
  if (requestId === undefined && only !== undefined) return only;
  const id = requestId ?? store.getLastQuestion()?.request_id;
  if (id === undefined) throw new Fault("conflict", "Nothing in this conversation waits for an answer.");
  const known = store.getQuestion(id);
  if (known === null) throw new Fault("not_found", "There is no such question.", { field: "request_id" });
  const { state } = known.state;
  switch (state) {
    case "open":
      return known.question;
    case "answered":
      throw new Fault("question_answered", "This question has been answered already.");
    case "expired":
      throw new Fault("question_expired", "Nobody answered in time: the question has expired. Send a new message.");
    case "cancelled":
      throw new Fault("question_cancelled", "This question was withdrawn: its work was stopped.");
    default:
      return assertNever(state);
  }
}

export function listRequestIds(questions: readonly ThreadQuestion[]): string[] {
  return questions.map(({ request_id }) => request_id);
}
