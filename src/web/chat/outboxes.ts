// The outboxes of this page, one per conversation.
//
// Owns a module-level map of outboxes and their HTTP client. Outboxes are never removed: they outlive the views, so
// that a message is delivered even if the person leaves the conversation immediately.

import { doorOf, pathOf } from "../../client/door.ts";
import { toFault } from "../../protocol/fault.ts";
import { requireSignIn } from "../shell/access.ts";
import { RUNTIME } from "../account.ts";
import { conversationsBegun, createOutbox, type Outbox, type Post } from "./outgoing.ts";

/** The timeout of a request in ms. After it the connection is considered lost, and the message is sent again. */
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

/** Opens the sign-in dialog if the error is `unauthorized`, and rethrows it. For use in `catch`. */
export function withSignIn(thrown: unknown): never {
  if (toFault(thrown).code === "unauthorized") requireSignIn();
  throw thrown;
}

const outboxes = new Map<string, Outbox>();

/** Returns the outbox of a conversation, always the same object. Creates it with the stored messages. */
export function outboxOf(conversationId: string): Outbox {
  const known = outboxes.get(conversationId) ?? createOutbox(conversationId, post);
  outboxes.set(conversationId, known);
  return known;
}

/** Sends first messages that were stored but not delivered, because an earlier page was closed. */
export function sendWhatWasLeft(): void {
  for (const id of conversationsBegun()) outboxOf(id).pump();
}
