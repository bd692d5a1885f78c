// Test files share a runtime, because starting one takes longer than most of them do. Each finds the storage empty and
// the time its own.

import { applyD1Migrations, reset, type D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, vi } from "vitest";
import { removeConversation } from "../../src/directory/conversation-directory.ts";

const { DB, TEST_MIGRATIONS } = env as unknown as { DB: D1Database; TEST_MIGRATIONS: D1Migration[] };
await reset();
await applyD1Migrations(DB, TEST_MIGRATIONS);
// An object that was to write for others when it was taken away holds them up until they miss it.
await removeConversation(DB, "nobody", "none");

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
