-- Plan templates in all their versions, and which instances were started. How an instance stands, its conversation knows.

CREATE TABLE plan_template (
  user_id      TEXT NOT NULL,
  plan_id      TEXT NOT NULL,
  version      INTEGER NOT NULL,  -- the current one
  status       TEXT NOT NULL,     -- draft, released, archived
  name         TEXT NOT NULL,     -- these three are the current version's
  description  TEXT NOT NULL,
  main_task_id TEXT NOT NULL,
  created_at   INTEGER NOT NULL,  -- epoch milliseconds, as all times
  updated_at   INTEGER NOT NULL,
  PRIMARY KEY (user_id, plan_id)
) WITHOUT ROWID;
CREATE INDEX plan_template_by_time ON plan_template (user_id, created_at DESC, plan_id DESC);

-- With rows of half a megabyte, the index has to be apart from them.
CREATE TABLE plan_version (
  user_id    TEXT NOT NULL,
  plan_id    TEXT NOT NULL,
  version    INTEGER NOT NULL,
  name       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  config     TEXT NOT NULL        -- JSON
);
CREATE UNIQUE INDEX plan_version_by_number ON plan_version (user_id, plan_id, version);

CREATE TABLE plan_instance (
  user_id          TEXT NOT NULL,
  plan_instance_id TEXT NOT NULL,
  plan_id          TEXT NOT NULL,
  plan_version     INTEGER NOT NULL,
  conversation_id  TEXT NOT NULL,
  created_at       INTEGER NOT NULL,
  PRIMARY KEY (user_id, plan_instance_id)
) WITHOUT ROWID;
CREATE INDEX plan_instance_by_time ON plan_instance (user_id, created_at DESC, plan_instance_id DESC);
CREATE INDEX plan_instance_by_plan ON plan_instance (user_id, plan_id, created_at DESC, plan_instance_id DESC);
