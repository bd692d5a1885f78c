-- The threads of running MCP calls, so that a notification can cancel them.

CREATE TABLE mcp_call (
  user_id         TEXT NOT NULL,
  call_id         TEXT NOT NULL,   -- SHA-256 of the session and the request id, hex
  conversation_id TEXT NOT NULL,
  thread_id       TEXT NOT NULL,
  started_at      INTEGER NOT NULL, -- epoch milliseconds
  PRIMARY KEY (user_id, call_id)
) WITHOUT ROWID;
