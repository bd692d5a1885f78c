-- Links that let others read a page until they expire. The pages themselves live in their users' libraries.

CREATE TABLE page_link (
  hash       TEXT PRIMARY KEY,   -- SHA-256 of the token, hex
  user_id    TEXT NOT NULL,
  page_id    TEXT NOT NULL,
  link_id    TEXT NOT NULL,
  created_at INTEGER NOT NULL,   -- epoch milliseconds
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX page_link_by_page ON page_link (user_id, page_id, created_at);
CREATE INDEX page_link_by_expiry ON page_link (expires_at);
