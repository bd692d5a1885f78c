// Tickets as clients see them. A ticket opens one socket, for clients that cannot send a header. It names its user, so
// that the Worker finds the conversation object that has issued it; only the object decides whether it is valid.

import { decodeBase64, encodeBase64 } from "../lib/base64.ts";
import { isUserId } from "./api/id-validation.ts";

/** The key of the ticket, as the conversation object knows it, and its user. */
export type TicketParts = { readonly key: string; readonly userId: string };

/** Formats a ticket for the query of a URL. */
export function formatTicket({ key, userId }: TicketParts): string {
  const user = encodeBase64(new TextEncoder().encode(userId)).replaceAll("+", "-").replaceAll("/", "_");
  return `${key}.${user.replaceAll("=", "")}`;
}

/** Parses a ticket; null if it has another form. */
export function parseTicket(ticket: string): TicketParts | null {
  const [, key, user] = /^([0-9a-f]{64})\.([\w-]+)$/.exec(ticket) ?? [];
  if (key === undefined || user === undefined) return null;
  try {
    const bytes = decodeBase64(user.replaceAll("-", "+").replaceAll("_", "/"));
    const userId = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return isUserId(userId) ? { key, userId } : null;
  } catch {
    return null;
  }
}
