// Operations on conversations: create, list, read, update, delete, and the ticket for a socket.

import { openDirectory } from "../../directory/open-directory.ts";
import { listConversations, toSubConversation } from "../../directory/conversation-directory.ts";
import { requireDirectory } from "../../directory/directory-availability.ts";
import { unwrapResult } from "../../durable/conversation-api.ts";
import { conversationEndpoints } from "../../protocol/api/conversation-endpoints.ts";
import type { PageQuery } from "../../protocol/api/endpoint.ts";
import type {
  ConversationInfo,
  CreateConversationRequest,
  UpdateConversationRequest,
} from "../../protocol/wire/conversation-info.ts";
import type { ConversationList } from "../../protocol/wire/http-responses.ts";
import { createId } from "../../protocol/wire/ids.ts";
import { formatTicket } from "../socket-ticket.ts";
import {
  findSubConversation,
  getConversationStub,
  readConversationOrTask,
  writeToConversation,
} from "./conversation-access.ts";
import { computeNextCursor, decodeCursor } from "./list-cursor.ts";
import { defineOperation, type Caller } from "./operation.ts";
import { deleteAnalysisState } from "./pages.ts";

const tag = "Conversations";
const answer = "The conversation";

export const conversationOperations = {
  /** Creates a conversation and, with `message`, sends it the first message. If it is refused, creates nothing. */
  createConversation: defineOperation(conversationEndpoints.createConversation, {
    http: {
      tag,
      summary: "Create a conversation, with an optional first message",
      example: { title: "Morning report", message: "hello" },
      status: 201,
      answer,
    },
    rpc: (options: CreateConversationRequest = {}) => ({ body: options }),
    async run(caller, { body: { title, message } }) {
      const api = getConversationStub(caller, createId("conv"));
      if (message === undefined) return unwrapResult(await api.create(title));
      // One call creates both. If the message is refused or lost, there is no conversation without it.
      unwrapResult(await api.send(createId("cmd"), { message }, { create: true, title }));
      return unwrapResult(await api.read());
    },
  }),
  /**
   * Lists last updated first. `q`: titles that contain all its words. `top`: no task conversations and no instances.
   */
  listConversations: defineOperation(conversationEndpoints.listConversations, {
    http: {
      tag,
      summary:
        "List your conversations, last updated first; `q` selects titles with all its words, `top` those that you started yourself",
      answer: "A page of conversations",
    },
    rpc: (options?: PageQuery & { q?: string; top?: boolean }) => ({ query: options }),
    async run({ env, userId }, { query: { limit, cursor, q, top } }): Promise<ConversationList> {
      const filter = { text: q, isTop: top };
      const conversations = await requireDirectory(
        listConversations(openDirectory(env.DB), userId, limit, decodeCursor(cursor), filter),
      );
      return {
        conversations,
        next_cursor: computeNextCursor(conversations, limit, (last) => [last.updated_at, last.conversation_id]),
      };
    },
  }),
  readConversation: defineOperation(conversationEndpoints.readConversation, {
    http: { tag, summary: "Get a conversation", answer },
    rpc: (conversation: string) => ({ id: conversation }),
    run: (caller, { id }) => readConversation(caller, id),
  }),
  /**
   * Changes the title or status. Without a difference nothing is written, so the position in the list does not change.
   */
  updateConversation: defineOperation(conversationEndpoints.updateConversation, {
    http: {
      tag,
      summary: "Rename a conversation, or set it to active or inactive",
      example: { title: "Evening report" },
      answer,
    },
    rpc: (conversation: string, patch: UpdateConversationRequest) => ({ id: conversation, body: patch }),
    async run(caller, { id, body }) {
      const api = getConversationStub(caller, id);
      const now = await writeToConversation(caller, id, () => api.read());
      const { title = now.title, status = now.status } = body;
      return title === now.title && status === now.status ? now : unwrapResult(await api.update(body));
    },
  }),
  /** Deletes a conversation with its content and schedules. The pages that were built in it remain. */
  deleteConversation: defineOperation(conversationEndpoints.deleteConversation, {
    http: { tag, summary: "Delete a conversation with its content", answer: "The conversation was deleted" },
    rpc: (conversation: string) => ({ id: conversation }),
    async run(caller, { id }) {
      const deleted = await writeToConversation(caller, id, (api) => api.remove());
      await deleteAnalysisState(caller, id);
      return deleted;
    },
  }),
};

export const ticketOperations = {
  /** Creates a ticket for one socket of a conversation. The socket is closed when the caller's authentication expires. */
  issueTicket: defineOperation(conversationEndpoints.issueTicket, {
    http: {
      tag: "Talking",
      summary: "Create a ticket that opens one WebSocket within 30 seconds, for browsers, which cannot send a token",
      example: { conversation_id: "conv-00000000000000000000000000000000" },
      status: 201,
      answer: "The ticket",
    },
    async run(caller, { body: { conversation_id: id } }) {
      const { userId, expiresAt } = caller;
      const { key, expires_at } = await readConversationOrTask(caller, id, (from, task) =>
        from.issueTicket(expiresAt, task),
      );
      return { ticket: formatTicket({ key, userId }), expires_at };
    },
  }),
};

/** Returns a conversation or sub-conversation. */
async function readConversation(caller: Caller, id: string): Promise<ConversationInfo> {
  const own = await getConversationStub(caller, id).read();
  const sub = !own.ok && own.failure.code === "not_found" ? await findSubConversation(caller, id) : null;
  return sub === null
    ? unwrapResult(own)
    : toSubConversation(unwrapResult(await getConversationStub(caller, sub.parent).read()), sub.task);
}
