// Tickets open one socket each, for those who cannot send a header. Only their hashes are kept.

const LIFETIME_MS = 30_000;

export type Ticket = { readonly ticket: string; readonly expires_at: number };

export async function issueTicket(db: D1Database, userId: string, conversationId: string): Promise<Ticket> {
  const ticket = [...crypto.getRandomValues(new Uint8Array(32))].map(hex).join("");
  const now = Date.now();
  const expiresAt = now + LIFETIME_MS;
  await db.batch([
    db.prepare(`DELETE FROM ticket WHERE expires_at < ?`).bind(now),
    db
      .prepare(`INSERT INTO ticket (hash, user_id, conversation_id, expires_at) VALUES (?, ?, ?, ?)`)
      .bind(await hashOf(ticket), userId, conversationId, expiresAt),
  ]);
  return { ticket, expires_at: expiresAt };
}

/** Takes a ticket: it is worth something once, in time, and for its conversation. The user it was given to, or null. */
export async function takeTicket(db: D1Database, ticket: string, conversationId: string): Promise<string | null> {
  const row = await db
    .prepare(`DELETE FROM ticket WHERE hash = ? RETURNING user_id, conversation_id, expires_at`)
    .bind(await hashOf(ticket))
    .first<{ user_id: string; conversation_id: string; expires_at: number }>();
  if (row === null || row.expires_at < Date.now() || row.conversation_id !== conversationId) return null;
  return row.user_id;
}

async function hashOf(ticket: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(ticket));
  return [...new Uint8Array(digest)].map(hex).join("");
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}
