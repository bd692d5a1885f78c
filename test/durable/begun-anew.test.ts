// A conversation that is deleted and begun anew while the directory's answer is lost.

import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import type { Head } from "../../src/durable/head.ts";
import { Indexing } from "../../src/durable/indexing.ts";
import type { Env } from "../../src/env.ts";
import type { Conversation } from "../../src/protocol/conversation.ts";
import { mint } from "../../src/protocol/ids.ts";
import { conversationOf } from "../directory/rows.ts";

const { DB } = env as unknown as Env;

test("[F79] one that is begun anew is listed also if the answer to the deletion was lost", async () => {
  const id = mint("conv");
  const name = { userId: "ada", conversationId: id };
  const anew: Conversation = {
    conversation_id: id,
    user_id: "ada",
    title: "anew",
    status: "active",
    created_at: 2,
    updated_at: 2,
  };
  let head: Head | null = null;
  const mayDelete = Promise.withResolvers<void>();
  const batch = async (statements: D1PreparedStatement[]) => {
    await mayDelete.promise;
    await DB.batch(statements);
    throw new Error("Network connection lost.");
  };
  const db = { batch, prepare: (query: string) => DB.prepare(query) } as unknown as D1Database;
  const wakes: number[] = [];
  const indexing = new Indexing(
    db,
    () => [],
    (at) => Promise.resolve(wakes.push(at)),
    () => head && { head, threads: () => new Map<never, never>(), thread: () => ({ frames: [], at: 0 }) },
  );
  const removed = indexing.remove(name);
  head = { conversation: anew, reserved: 0, open: [] };
  indexing.put(anew);
  await vi.waitFor(async () => expect(await conversationOf("ada", id)).toEqual(anew));
  await vi.waitFor(() => expect(indexing.isUpToDate).toBe(true));
  mayDelete.resolve();
  expect(await removed).toBe(false);
  expect(wakes).toHaveLength(1);
  expect(await conversationOf("ada", id)).toBeUndefined();
  expect(await indexing.flush(anew, name)).toBeUndefined();
  expect(await conversationOf("ada", id)).toEqual(anew);
});
