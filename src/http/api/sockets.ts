// Opens the WebSocket of a conversation: authenticates, then forwards the upgrade to the Durable Object. Frames do not
// pass through this Worker afterwards.

import type { Context } from "hono";
import * as z from "zod";
import { unwrapResult, type RedeemedTicket } from "../../durable/conversation-api.ts";
import type { Env } from "../../env.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { deriveId, isSubConversationId } from "../../protocol/wire/ids.ts";
import { getSettings, type Settings } from "../../settings.ts";
import { authenticate, type Identity } from "../authenticate.ts";
import { checkOrigin } from "../check-origin.ts";
import { parseTicket, type TicketParts } from "../socket-ticket.ts";
import { findParentConversation, getConversationName } from "./conversation-access.ts";
import type { HonoEnv, HttpRoute } from "./http-route.ts";

export const socketRoute: HttpRoute = {
  method: "get",
  path: "/api/v1/conversations/{id}/ws",
  tag: "Talking",
  summary: "Open the WebSocket of a conversation; docs/protocol.md describes its frames",
  query: z.object({ after: z.string().default("0"), ticket: z.string().optional() }),
  body: null,
  answer: { status: 101, description: "An open WebSocket", schema: null },
  streams: false,
  run: openSocket,
};

/**
 * Opens the socket of a conversation or, for the id of a sub-conversation, of one task of its parent. The Durable
 * Object closes the socket when the authentication expires.
 */
async function openSocket(context: Context<HonoEnv>): Promise<Response> {
  const request = context.req.raw;
  const settings = getSettings(context.env);
  const id = context.req.param("id") ?? "";
  if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
    throw createFault("invalid_request", "http.webSocketRequired");
  }
  checkOrigin(request, settings);
  const { userId, expiresAt } = await authenticateSocket(context, settings, id);
  const address = new URL("https://conversation/ws");
  address.searchParams.set("after", new URL(request.url).searchParams.get("after") ?? "0");
  if (expiresAt !== null) address.searchParams.set("expires_at", String(expiresAt));
  /** Forwards the upgrade to the object of a conversation. Its status is 404 if the conversation does not exist. */
  const forwardTo = (conversation: string): Promise<Response> => {
    const object = context.env.CONVERSATION.getByName(getConversationName(userId, conversation));
    const language = request.headers.get("accept-language");
    return object.fetch(address, {
      headers: { upgrade: "websocket", ...(language === null ? {} : { "accept-language": language }) },
    });
  };
  const own = await forwardTo(id);
  const parent = own.status === 404 ? await findParentConversation(context.env, userId, id) : null;
  if (parent === null) return own;
  address.searchParams.set("task", deriveId(id, "task"));
  return forwardTo(parent);
}

/**
 * Returns the user of the ticket in the query or, without one, of the token. Using a ticket invalidates it. Tickets of
 * sub-conversations are those of their parents.
 */
async function authenticateSocket(
  context: Context<HonoEnv>,
  settings: Settings,
  conversationId: string,
): Promise<Identity> {
  const ticket = context.req.query("ticket");
  if (ticket === undefined) return authenticate(context.req.raw, settings);
  const parts = parseTicket(ticket);
  const redeemed = parts === null ? null : await redeemTicket(context.env, parts, conversationId);
  if (parts === null || redeemed === null) throw createFault("unauthorized", "auth.invalidTicket");
  return { userId: parts.userId, expiresAt: redeemed.until };
}

async function redeemTicket(env: Env, { key, userId }: TicketParts, id: string): Promise<RedeemedTicket | null> {
  const redeemIn = async (conversation: string, task?: string): Promise<RedeemedTicket | null> =>
    unwrapResult(await env.CONVERSATION.getByName(getConversationName(userId, conversation)).redeemTicket(key, task));
  const own = await redeemIn(id);
  if (own !== null || !isSubConversationId(id)) return own;
  const parent = await findParentConversation(env, userId, id);
  return parent === null ? null : redeemIn(parent, deriveId(id, "task"));
}
