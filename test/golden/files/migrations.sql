-- 0001_directory.sql
CREATE TABLE conversation (user_id TEXT NOT NULL, conversation_id TEXT NOT NULL, parent_id TEXT, digest TEXT, title TEXT, agent_name TEXT, status TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (user_id, conversation_id)) WITHOUT ROWID;
CREATE INDEX conversation_by_digest ON conversation (user_id, digest) WHERE digest IS NOT NULL;
CREATE INDEX conversation_by_time ON conversation (user_id, updated_at DESC, conversation_id DESC);
CREATE TABLE agent (user_id TEXT NOT NULL, name TEXT NOT NULL, url TEXT, card TEXT, enabled INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (user_id, name)) WITHOUT ROWID;
CREATE TABLE ticket (hash TEXT PRIMARY KEY, user_id TEXT NOT NULL, conversation_id TEXT NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX ticket_by_expiry ON ticket (expires_at);

-- 0002_schedules.sql
CREATE TABLE schedule (user_id TEXT NOT NULL, schedule_id TEXT NOT NULL, conversation_id TEXT NOT NULL, body TEXT NOT NULL, next_run_at INTEGER, claimed_until INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (user_id, schedule_id)) WITHOUT ROWID;
CREATE INDEX schedule_by_due ON schedule (next_run_at) WHERE next_run_at IS NOT NULL;
CREATE INDEX schedule_by_creation ON schedule (user_id, created_at DESC, schedule_id DESC);

-- 0003_tools.sql
CREATE TABLE tool (tool_id INTEGER PRIMARY KEY, user_id TEXT NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL, category TEXT NOT NULL, version INTEGER NOT NULL, hash TEXT NOT NULL, uses INTEGER NOT NULL, last_run TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
CREATE UNIQUE INDEX tool_by_name ON tool (user_id, name);
CREATE INDEX tool_by_creation ON tool (user_id, created_at DESC, name DESC);
CREATE INDEX tool_by_use ON tool (user_id, category, uses DESC);
CREATE TABLE tool_version (tool_id INTEGER NOT NULL, version INTEGER NOT NULL, hash TEXT NOT NULL, created_at INTEGER NOT NULL, category TEXT NOT NULL, description TEXT NOT NULL, parameters TEXT NOT NULL, returns TEXT, code TEXT NOT NULL, PRIMARY KEY (tool_id, version)) WITHOUT ROWID;
CREATE VIRTUAL TABLE tool_index USING fts5 (name, words, hints, content = '', contentless_delete = 1, tokenize = 'ascii');
CREATE TABLE tool_trial (user_id TEXT NOT NULL, hash TEXT NOT NULL, run TEXT NOT NULL, began_at INTEGER NOT NULL, lost INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (user_id, hash, run)) WITHOUT ROWID;

-- 0004_pages.sql
CREATE TABLE page_link (hash TEXT PRIMARY KEY, user_id TEXT NOT NULL, page_id TEXT NOT NULL, link_id TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX page_link_by_page ON page_link (user_id, page_id, created_at);
CREATE INDEX page_link_by_expiry ON page_link (expires_at);

-- 0005_plans.sql
CREATE TABLE plan_template (user_id TEXT NOT NULL, plan_id TEXT NOT NULL, version INTEGER NOT NULL, status TEXT NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL, main_task_id TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (user_id, plan_id)) WITHOUT ROWID;
CREATE INDEX plan_template_by_time ON plan_template (user_id, created_at DESC, plan_id DESC);
CREATE TABLE plan_version (user_id TEXT NOT NULL, plan_id TEXT NOT NULL, version INTEGER NOT NULL, name TEXT NOT NULL, created_at INTEGER NOT NULL, config TEXT NOT NULL);
CREATE UNIQUE INDEX plan_version_by_number ON plan_version (user_id, plan_id, version);
CREATE TABLE plan_instance (user_id TEXT NOT NULL, plan_instance_id TEXT NOT NULL, plan_id TEXT NOT NULL, plan_version INTEGER NOT NULL, conversation_id TEXT NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (user_id, plan_instance_id)) WITHOUT ROWID;
CREATE INDEX plan_instance_by_time ON plan_instance (user_id, created_at DESC, plan_instance_id DESC);
CREATE INDEX plan_instance_by_plan ON plan_instance (user_id, plan_id, created_at DESC, plan_instance_id DESC);

-- 0006_apps.sql
ALTER TABLE agent ADD COLUMN app TEXT;

-- 0007_agent_credentials.sql
ALTER TABLE agent ADD COLUMN credentials TEXT;

-- 0008_plan_instance_status.sql
ALTER TABLE plan_instance ADD COLUMN status TEXT;
ALTER TABLE plan_instance ADD COLUMN ended_at INTEGER;

-- 0009_mcp_calls.sql
CREATE TABLE mcp_call (user_id TEXT NOT NULL, call_id TEXT NOT NULL, conversation_id TEXT NOT NULL, thread_id TEXT NOT NULL, started_at INTEGER NOT NULL, PRIMARY KEY (user_id, call_id)) WITHOUT ROWID;

-- 0010_profile.sql
CREATE TABLE profile (user_id TEXT NOT NULL PRIMARY KEY, profile TEXT NOT NULL, updated_at INTEGER NOT NULL) WITHOUT ROWID;
