// A conversation that is deleted and created again while the directory's response is lost.

import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import type { ConversationHead } from "../../src/durable/conversation/storage/conversation-head.ts";
import { DirectorySync } from "../../src/durable/conversation/directory-sync.ts";
import type { Env } from "../../src/env.ts";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import { createId } from "../../src/protocol/wire/ids.ts";
import { findConversation } from "../directory/schedule-rows.ts";

const { DB } = env as unknown as Env;

test("[F79] lists a conversation that is created again even if the response to its deletion was lost", async () => {
  const id = createId("conv");
  const name = { userId: "ada", conversationId: id };
  const recreated: ConversationInfo = {
    conversation_id: id,
    user_id: "ada",
    title: "anew",
    status: "active",
    created_at: 2,
    updated_at: 2,
  };
  let head: ConversationHead | null = null;
  const mayDelete = Promise.withResolvers<void>();
  const batch = async (statements: D1PreparedStatement[]) => {
    await mayDelete.promise;
    await DB.batch(statements);
    throw new Error("Network connection lost.");
  };
  const db = { batch, prepare: (query: string) => DB.prepare(query) } as unknown as D1Database;
  const wakes: number[] = [];
  const sync = new DirectorySync(
    db,
    () => [],
    (at) => Promise.resolve(wakes.push(at)),
    () => head && { head, readThreads: () => new Map<never, never>(), readThread: () => ({ frames: [], at: 0 }) },
  );
  const removed = sync.remove(name);
  head = { conversation: recreated, reserved: 0, open: [] };
  sync.writeNow(recreated);
  await vi.waitFor(async () => expect(await findConversation("ada", id)).toEqual(recreated));
  await vi.waitFor(() => expect(sync.isUpToDate).toBe(true));
  mayDelete.resolve();
  expect(await removed).toBe(false);
  expect(wakes).toHaveLength(1);
  expect(await findConversation("ada", id)).toBeUndefined();
  expect(await sync.flush(recreated, name)).toBeUndefined();
  expect(await findConversation("ada", id)).toEqual(recreated);
});
