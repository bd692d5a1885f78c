// The outboxes of this page, one per conversation: they outlive the views, so that a message goes on its way also when the
// person goes elsewhere at once.

import { doorOf, pathOf } from "../../client/door.ts";
import { toFault } from "../../protocol/fault.ts";
import { requireSignIn } from "../shell/access.ts";
import { RUNTIME } from "../account.ts";
import { conversationsBegun, createOutbox, type Outbox, type Post } from "./outgoing.ts";

/** Longer than any answer takes: the line is dead, and the message is sent again. */
const SILENCE_MS = 20_000;

const door = doorOf({
  ...RUNTIME,
  fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(SILENCE_MS) }),
});

const post: Post = async (conversationId, id, send) => {
  const path = pathOf("conversations", conversationId, "/messages");
  const accepted = await door.call("POST", path, { id, ...send }).catch(withSignIn);
  const { thread_id } = accepted as { readonly thread_id: string };
  return { thread_id };
};

/** For `catch`: lets the person sign in when that is what is missing. */
export function withSignIn(thrown: unknown): never {
  if (toFault(thrown).code === "unauthorized") requireSignIn();
  throw thrown;
}

const outboxes = new Map<string, Outbox>();

export function outboxOf(conversationId: string): Outbox {
  const known = outboxes.get(conversationId) ?? createOutbox(conversationId, post);
  outboxes.set(conversationId, known);
  return known;
}

/** A page that was closed at once may have left the first message of a conversation unsent. */
export function sendWhatWasLeft(): void {
  for (const id of conversationsBegun()) outboxOf(id).pump();
}
