// Test files share a runtime, because starting one takes longer than most files. Each file starts with empty storage
// and real time.

import { applyD1Migrations, reset, type D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, vi } from "vitest";
import { removeConversation } from "../../src/directory/conversation-directory.ts";

const { DB, TEST_MIGRATIONS } = env as unknown as { DB: D1Database; TEST_MIGRATIONS: D1Migration[] };
await reset();
await applyD1Migrations(DB, TEST_MIGRATIONS);
// An evicted object that was writing for others would block them until a timeout; this write waits for it.
await removeConversation(DB, "nobody", "none");

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
