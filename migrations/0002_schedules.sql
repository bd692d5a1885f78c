-- Which schedules there are and when each is due next. The conversations decide; rows here are found again.

CREATE TABLE schedule (
  user_id         TEXT NOT NULL,
  schedule_id     TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  body            TEXT NOT NULL,               -- JSON, as it is listed
  next_run_at     INTEGER,                     -- null while it waits for nothing
  claimed_until   INTEGER NOT NULL DEFAULT 0,  -- until then a sweep is handing over the run that is due
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL,
  PRIMARY KEY (user_id, schedule_id)
) WITHOUT ROWID;
-- Claims come and go, so they stand in no index: every entry costs as much as a row.
CREATE INDEX schedule_by_due ON schedule (next_run_at) WHERE next_run_at IS NOT NULL;
CREATE INDEX schedule_by_creation ON schedule (user_id, created_at DESC, schedule_id DESC);
