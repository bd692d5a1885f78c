// Public links to pages: bearer tokens that grant reading one page until they expire. Only SHA-256 hashes of tokens are
// stored. Expired links are deleted when the next link is created.

import { computeSha256 } from "../lib/sha256.ts";
import { createToken } from "../lib/token.ts";
import { createId } from "../protocol/wire/ids.ts";
import { pageLinkSchema, type PageLink } from "../protocol/pages/stored-page.ts";

/** The maximum number of valid links per page. */
export const MAX_LINKS_PER_PAGE = 20;
const TOKEN_PATTERN = /^[\da-f]{64}$/;

/**
 * Creates a link that is valid for `seconds`. The result is the only place where its token appears. Returns null if the
 * page has `MAX_LINKS_PER_PAGE` valid links.
 */
export async function createPageLink(
  db: D1Database,
  userId: string,
  pageId: string,
  seconds: number,
): Promise<(PageLink & { readonly token: string }) | null> {
  const token = createToken();
  const now = Date.now();
  const link = { link_id: createId("link"), created_at: now, expires_at: now + seconds * 1_000 };
  const [, inserted] = await db.batch([
    db.prepare(`DELETE FROM page_link WHERE expires_at <= ?`).bind(now),
    db
      .prepare(
        `INSERT INTO page_link (hash, user_id, page_id, link_id, created_at, expires_at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6
         WHERE (SELECT count(*) FROM page_link WHERE user_id = ?2 AND page_id = ?3) < ?7`,
      )
      .bind(
        await computeSha256(token),
        userId,
        pageId,
        link.link_id,
        link.created_at,
        link.expires_at,
        MAX_LINKS_PER_PAGE,
      ),
  ]);
  return inserted?.meta.changes === 0 ? null : { ...link, token };
}

/** Returns the page that a token grants access to; null if the token is malformed, unknown, revoked or expired. */
export async function findLinkedPage(
  db: D1Database,
  token: string,
): Promise<{ readonly userId: string; readonly pageId: string } | null> {
  if (!TOKEN_PATTERN.test(token)) return null;
  const row = await db
    .prepare(`SELECT user_id, page_id FROM page_link WHERE hash = ? AND expires_at > ?`)
    .bind(await computeSha256(token), Date.now())
    .first<{ user_id: string; page_id: string }>();
  return row === null ? null : { userId: row.user_id, pageId: row.page_id };
}

/** Returns the valid links of a page, oldest first. */
export async function listPageLinks(db: D1Database, userId: string, pageId: string): Promise<PageLink[]> {
  const { results } = await db
    .prepare(
      `SELECT link_id, created_at, expires_at FROM page_link
       WHERE user_id = ? AND page_id = ? AND expires_at > ? ORDER BY created_at, link_id`,
    )
    .bind(userId, pageId, Date.now())
    .all();
  return results.map((row) => pageLinkSchema.parse(row));
}

/** Revokes a link. Returns false if it does not exist. */
export async function removePageLink(db: D1Database, userId: string, pageId: string, linkId: string): Promise<boolean> {
  const { meta } = await db
    .prepare(`DELETE FROM page_link WHERE user_id = ? AND page_id = ? AND link_id = ?`)
    .bind(userId, pageId, linkId)
    .run();
  return meta.changes > 0;
}

/** Revokes all links of a page. */
export async function removePageLinks(db: D1Database, userId: string, pageId: string): Promise<void> {
  await db.prepare(`DELETE FROM page_link WHERE user_id = ? AND page_id = ?`).bind(userId, pageId).run();
}
