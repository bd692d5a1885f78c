// The outboxes of this page, one per conversation.
//
// Owns a module-level map of outboxes and their HTTP call. Outboxes are never removed: they outlive the views, so
// that a message is delivered even if the person leaves the conversation immediately.

import { createEndpointCalls } from "../../../../client/endpoint-calls.ts";
import { conversationEndpoints } from "../../../../protocol/api/conversation-endpoints.ts";
import { toFault } from "../../../../protocol/wire/fault.ts";
import { API_OPTIONS, requireSignIn } from "../../../session/account.ts";
import {
  listUnsentConversations,
  createMessageOutbox,
  type MessageOutbox,
  type PostMessage,
} from "./message-outbox.ts";

/** The timeout of a request in ms. After it the connection is considered lost, and the message is sent again. */
const POST_TIMEOUT_MS = 20_000;

const { send } = createEndpointCalls(
  { send: conversationEndpoints.send },
  { ...API_OPTIONS, fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(POST_TIMEOUT_MS) }) },
);

const post: PostMessage = (conversationId, id, command) =>
  send(conversationId, { id, ...command }).catch(promptSignInAndRethrow);

/** Shows the sign-in page if the error is `unauthorized`, and rethrows every error. For use in `catch`. */
export function promptSignInAndRethrow(thrown: unknown): never {
  if (toFault(thrown).code === "unauthorized") requireSignIn();
  throw thrown;
}

const outboxes = new Map<string, MessageOutbox>();

/** Returns the outbox of a conversation, always the same object. Creates it with the stored messages. */
export function getOutbox(conversationId: string): MessageOutbox {
  const known = outboxes.get(conversationId) ?? createMessageOutbox(conversationId, post);
  outboxes.set(conversationId, known);
  return known;
}

/** Sends first messages that an earlier page has stored but not delivered. Refused messages stay. Does not wait. */
export function sendStoredFirstMessages(): void {
  for (const id of listUnsentConversations()) getOutbox(id).pump();
}
