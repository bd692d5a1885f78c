-- The profile of a user: a JSON object with what the person has said about themself.

CREATE TABLE profile (
  user_id    TEXT NOT NULL PRIMARY KEY,
  profile    TEXT NOT NULL,
  updated_at INTEGER NOT NULL -- epoch milliseconds
) WITHOUT ROWID;
