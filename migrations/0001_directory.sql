-- What crosses conversations: who has which, and which agents were registered.
-- The conversations themselves live in their Durable Objects; rows here are found again, never authoritative.

CREATE TABLE conversation (
  user_id         TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  parent_id       TEXT,               -- set for the sub-conversation of a task
  digest          TEXT,               -- in the ids of its tasks; null for a sub-conversation
  title           TEXT,
  agent_name      TEXT,
  status          TEXT NOT NULL,
  created_at      INTEGER NOT NULL,   -- epoch milliseconds, as all times
  updated_at      INTEGER NOT NULL,
  PRIMARY KEY (user_id, conversation_id)
) WITHOUT ROWID;
CREATE INDEX conversation_by_digest ON conversation (user_id, digest) WHERE digest IS NOT NULL;
CREATE INDEX conversation_by_time ON conversation (user_id, updated_at DESC, conversation_id DESC);

CREATE TABLE agent (
  user_id    TEXT NOT NULL,
  name       TEXT NOT NULL,
  url        TEXT,                    -- null for an agent of the deployment that was only switched off or on
  card       TEXT,                    -- JSON
  enabled    INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, name)
) WITHOUT ROWID;

CREATE TABLE ticket (
  hash            TEXT PRIMARY KEY,   -- SHA-256 of the ticket, hex
  user_id         TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  expires_at      INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX ticket_by_expiry ON ticket (expires_at);
