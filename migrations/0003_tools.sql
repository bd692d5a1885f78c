-- The tools that were written for a person, all versions of them, and what they are found by.

CREATE TABLE tool (
  tool_id     INTEGER PRIMARY KEY,  -- also its row in tool_index
  user_id     TEXT NOT NULL,
  name        TEXT NOT NULL,
  description TEXT NOT NULL,
  category    TEXT NOT NULL,
  version     INTEGER NOT NULL,     -- the current one
  hash        TEXT NOT NULL,        -- the current one's
  uses        INTEGER NOT NULL,
  last_run    TEXT NOT NULL,        -- JSON
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL      -- when the current version was kept
);
CREATE UNIQUE INDEX tool_by_name ON tool (user_id, name);
CREATE INDEX tool_by_creation ON tool (user_id, created_at DESC, name DESC);
CREATE INDEX tool_by_use ON tool (user_id, category, uses DESC);

CREATE TABLE tool_version (
  tool_id     INTEGER NOT NULL,
  version     INTEGER NOT NULL,
  hash        TEXT NOT NULL,
  created_at  INTEGER NOT NULL,
  category    TEXT NOT NULL,
  description TEXT NOT NULL,
  parameters  TEXT NOT NULL,        -- JSON
  returns     TEXT,                 -- JSON
  code        TEXT NOT NULL,
  PRIMARY KEY (tool_id, version)
) WITHOUT ROWID;

-- Holds terms that were made by src/directory/tool-words.ts, each with its owner in it: one user's search never reads
-- what another's tools say.
CREATE VIRTUAL TABLE tool_index USING fts5 (name, words, hints, content = '', contentless_delete = 1, tokenize = 'ascii');

-- Code that is running, or that never came back.
CREATE TABLE tool_trial (
  user_id  TEXT NOT NULL,
  hash     TEXT NOT NULL,
  run      TEXT NOT NULL,
  began_at INTEGER NOT NULL,
  lost     INTEGER NOT NULL DEFAULT 0,  -- earlier tries under the same run
  PRIMARY KEY (user_id, hash, run)
) WITHOUT ROWID;
