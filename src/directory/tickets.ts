// Tickets open one socket each, for those who cannot send a header, and while the token is good that they were asked for
// with. Only their hashes are kept.

import { sha256 } from "../protocol/digest.ts";
import { newToken } from "./token.ts";

const LIFETIME_MS = 30_000;

export type Ticket = { readonly ticket: string; readonly expires_at: number };

/** Whom a ticket lets in, and until when its socket may stay open: in milliseconds since the epoch, or for ever. */
export type Holder = { readonly userId: string; readonly expiresAt: number | null };

export async function issueTicket(db: D1Database, holder: Holder, conversationId: string): Promise<Ticket> {
  const { userId, expiresAt: until } = holder;
  const key = newToken();
  // The hash is over all of it, so nobody can change the time.
  const ticket = until === null ? key : `${key}.${until}`;
  const now = Date.now();
  const expiresAt = Math.min(now + LIFETIME_MS, until ?? Infinity);
  await db.batch([
    db.prepare(`DELETE FROM ticket WHERE expires_at < ?`).bind(now),
    db
      .prepare(`INSERT INTO ticket (hash, user_id, conversation_id, expires_at) VALUES (?, ?, ?, ?)`)
      .bind(await sha256(ticket), userId, conversationId, expiresAt),
  ]);
  return { ticket, expires_at: expiresAt };
}

/** Takes a ticket: it is worth something once, in time, and for its conversation. Whom it was given to, or null. */
export async function takeTicket(db: D1Database, ticket: string, conversationId: string): Promise<Holder | null> {
  const row = await db
    .prepare(`DELETE FROM ticket WHERE hash = ? RETURNING user_id, conversation_id, expires_at`)
    .bind(await sha256(ticket))
    .first<{ user_id: string; conversation_id: string; expires_at: number }>();
  if (row === null || row.expires_at < Date.now() || row.conversation_id !== conversationId) return null;
  const [, until] = ticket.split(".");
  return { userId: row.user_id, expiresAt: until === undefined ? null : Number(until) };
}
