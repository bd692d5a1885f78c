// Single-use tickets that open one socket, for clients that cannot send a header. A ticket is valid for 30 s, and not
// longer than the token with which it was requested. Only SHA-256 hashes are stored; expired rows are deleted when the
// next ticket is issued.

import { computeSha256 } from "../lib/sha256.ts";

const TICKET_LIFETIME_MS = 30_000;

/** A ticket and its expiry, in ms since the epoch. */
export type IssuedTicket = { readonly ticket: string; readonly expires_at: number };

/** The user of a ticket, and the time (ms since the epoch) until which the socket may stay open; null: no limit. */
export type TicketHolder = { readonly userId: string; readonly expiresAt: number | null };

/** Issues a ticket for one conversation. The ticket contains the expiry of the user's token. */
export async function issueTicket(db: D1Database, holder: TicketHolder, conversationId: string): Promise<IssuedTicket> {
  const { userId, expiresAt: until } = holder;
  const key = createToken();
  // The hash covers the expiry, so it cannot be changed.
  const ticket = until === null ? key : `${key}.${until}`;
  const now = Date.now();
  const expiresAt = Math.min(now + TICKET_LIFETIME_MS, until ?? Infinity);
  await db.batch([
    db.prepare(`DELETE FROM ticket WHERE expires_at < ?`).bind(now),
    db
      .prepare(`INSERT INTO ticket (hash, user_id, conversation_id, expires_at) VALUES (?, ?, ?, ?)`)
      .bind(await computeSha256(ticket), userId, conversationId, expiresAt),
  ]);
  return { ticket, expires_at: expiresAt };
}

/**
 * Redeems a ticket: deletes it and returns its user. Null if it is unknown, expired, or for another conversation; it is
 * deleted then as well.
 */
export async function redeemTicket(
  db: D1Database,
  ticket: string,
  conversationId: string,
): Promise<TicketHolder | null> {
  const row = await db
    .prepare(`DELETE FROM ticket WHERE hash = ? RETURNING user_id, conversation_id, expires_at`)
    .bind(await computeSha256(ticket))
    .first<{ user_id: string; conversation_id: string; expires_at: number }>();
  if (row === null || row.expires_at < Date.now() || row.conversation_id !== conversationId) return null;
  const [, until] = ticket.split(".");
  return { userId: row.user_id, expiresAt: until === undefined ? null : Number(until) };
}

/** Returns a new bearer token: 256 random bits as 64 hex digits. */
export function createToken(): string {
  return [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
