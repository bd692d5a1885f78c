// Opens the WebSocket of a conversation: authenticates, then forwards the upgrade to the Durable Object. Frames do not
// pass through this Worker afterwards.

import type { Context } from "hono";
import * as z from "zod";
import { fromDirectory } from "../directory/availability.ts";
import { takeTicket } from "../directory/tickets.ts";
import { ticketSchema } from "../protocol/answers.ts";
import { Fault } from "../protocol/fault.ts";
import { companion } from "../protocol/ids.ts";
import { settingsOf, type Settings } from "../settings.ts";
import { identityOf, type Identity } from "./identity.ts";
import { checkOrigin } from "./origins.ts";
import { route, type App, type Route } from "./route.ts";
import { conversationName, parentOfSubConversation } from "./verbs.ts";

const socketRoute: Route = {
  method: "get",
  path: "/api/v1/conversations/{id}/ws",
  tag: "Talking",
  summary: "The WebSocket of a conversation; its frames are described in docs/protocol.md",
  query: z.object({ after: z.string().default("0"), ticket: z.string().optional() }),
  body: null,
  answer: { status: 101, description: "An open socket", schema: null },
  streams: false,
  run: openSocket,
};

export const socketRoutes = [
  socketRoute,
  route({
    method: "post",
    path: "/api/v1/tickets",
    tag: "Talking",
    summary: "A ticket that opens one socket within 30 seconds, for browsers, which cannot send the token there",
    body: z.strictObject({ conversation_id: z.string() }),
    example: { conversation_id: "conv-00000000000000000000000000000000" },
    answer: { status: 201, description: "The ticket", schema: ticketSchema },
    handle: ({ verbs, body, identity }) => verbs.issueTicket(body.conversation_id, identity.expiresAt),
  }),
];

/**
 * Opens the socket of a conversation or, for the id of a sub-conversation, of one task of its parent. The Durable
 * Object closes the socket at the expiry of the authentication (S8).
 */
async function openSocket(context: Context<App>): Promise<Response> {
  const request = context.req.raw;
  const settings = settingsOf(context.env);
  const id = context.req.param("id") ?? "";
  if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
    throw new Fault("invalid_request", "This is a WebSocket: connect to it with one.");
  }
  checkOrigin(request, settings);
  const { userId, expiresAt } = await socketIdentity(context, settings, id);
  const address = new URL("https://conversation/ws");
  address.searchParams.set("after", new URL(request.url).searchParams.get("after") ?? "0");
  if (expiresAt !== null) address.searchParams.set("expires_at", String(expiresAt));
  /** Forwards the upgrade to the object of a conversation. Its status is 404 if the conversation does not exist. */
  const openIn = (conversation: string): Promise<Response> => {
    const object = context.env.CONVERSATION.getByName(conversationName(userId, conversation));
    return object.fetch(address, { headers: { upgrade: "websocket" } });
  };
  const own = await openIn(id);
  const parent = own.status === 404 ? await parentOfSubConversation(context.env, userId, id) : null;
  if (parent === null) return own;
  address.searchParams.set("task", companion(id, "task"));
  return openIn(parent);
}

/** Returns the user of the ticket in the query or, without one, of the token. Using a ticket invalidates it. */
async function socketIdentity(context: Context<App>, settings: Settings, conversationId: string): Promise<Identity> {
  const ticket = context.req.query("ticket");
  if (ticket === undefined) return identityOf(context.req.raw, settings);
  const holder = await fromDirectory(takeTicket(context.env.DB, ticket, conversationId));
  if (holder === null)
    throw new Fault("unauthorized", "The ticket is used up, too old or for another conversation. Ask for a new one.");
  return holder;
}
