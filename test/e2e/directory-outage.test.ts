// An outage of the directory (I38): conversations continue, and the directory is updated later.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import { filterEvents, createApiUser, type ApiUser } from "../support/api-user.ts";
import { findViolations } from "../support/invariants.ts";
import { shareRuntime, type SharedRuntime } from "../support/shared-runtime.ts";

let runtime: SharedRuntime;
let user: ApiUser;

beforeAll(async () => {
  runtime = await shareRuntime();
  user = createApiUser(runtime.url);
});

/** Locks the database of the directory, so that the runtime cannot write it. Returns a function that unlocks it. */
function lockDatabase(): () => void {
  const files = readdirSync(runtime.state, { recursive: true, encoding: "utf8" });
  const file = files.find((path) => /d1[^/]*\/.*\.sqlite$/i.test(path) && !path.includes("metadata"));
  if (file === undefined) throw new Error(`No database among ${files.join(", ")}`);
  const database = new DatabaseSync(join(runtime.state, file));
  database.exec("BEGIN EXCLUSIVE");
  let isHeld = true;
  const unlock = () => {
    if (isHeld) database.exec("ROLLBACK");
    isHeld = false;
  };
  onTestFinished(() => {
    unlock();
    database.close();
  });
  return unlock;
}

async function listConversations(): Promise<ConversationInfo[]> {
  return (await user.get<{ conversations: ConversationInfo[] }>("/api/v1/conversations?limit=100")).conversations;
}

test("[I38] conversations start, continue and can be read during an outage of the directory", async () => {
  const { conversationId: existingId } = await user.sendAndWait("hello");
  const unlock = lockDatabase();
  const refused = await user.request("PATCH", "/api/v1/agents/assistant", { enabled: false });
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ code: "unavailable" });

  const newThread = await user.sendAndWait("首先查询现在时间然后计算678乘以8776的结果");
  expect(filterEvents(newThread.frames, "task_completed")).toHaveLength(2);
  expect(findViolations(await user.history(newThread.conversationId))).toEqual([]);
  expect((await user.sendAndWait("hello", { conversation: existingId })).frames.at(-1)?.event).toBe("done");
  expect(await user.get(`/api/v1/conversations/${newThread.conversationId}`)).toMatchObject({ status: "completed" });
  expect((await listConversations()).map(({ conversation_id: id }) => id)).not.toContain(newThread.conversationId);

  unlock();
  await user.sendAndWait("hello", { conversation: newThread.conversationId });
  await vi.waitFor(async () => {
    expect(await listConversations()).toContainEqual(
      expect.objectContaining({ conversation_id: newThread.conversationId, status: "completed" }),
    );
  }, 5_000);
});

test("[F76] [F79] the list contains the latest conversation first and no deleted ones", async () => {
  const { conversationId: first } = await user.sendAndWait("hello");
  const { conversationId: second } = await user.sendAndWait("计算 6 乘以 7");
  const listOwn = async () =>
    (await listConversations()).map(({ conversation_id: id }) => id).filter((id) => id === first || id === second);
  await vi.waitFor(async () => expect(await listOwn()).toEqual([second, first]), 5_000);
  await user.sendAndWait("thanks", { conversation: first });
  await vi.waitFor(async () => expect(await listOwn()).toEqual([first, second]), 5_000);
  expect((await user.request("DELETE", `/api/v1/conversations/${first}`)).status).toBe(200);
  expect(await listOwn()).toEqual([second]);
  expect((await user.request("GET", `/api/v1/conversations/${first}/events`)).status).toBe(404);
});
