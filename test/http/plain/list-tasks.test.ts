// ListTasks over generated conversations, page by page.

import { ListTasksRequest } from "@a2a-js/sdk";
import { describe, expect, test } from "vitest";
import type { ThreadRecord, ThreadRecordPage } from "../../../src/durable/conversation-api.ts";
import type { A2ARequestContext } from "../../../src/http/a2a/a2a-request-context.ts";
import { listTasks } from "../../../src/http/a2a/list-tasks.ts";
import { encodeCursor, decodeCursor } from "../../../src/http/api/list-cursor.ts";

type StoredConversation = { readonly id: string; readonly records: readonly ThreadRecord[] };

function createRecord(id: string, seq: number, updated_at: number): ThreadRecord {
  const thread_id = `th-${id}-${seq}`;
  const data = { conversation_id: id, thread_id, task_id: "t", role: "user" as const, item_id: "i" };
  const payload = { content: "hello" };
  const frames: ThreadRecord["frames"] = [{ seq, event: "thread_started", data: { ...data, payload } }];
  return { thread_id, seq, last_seq: seq, updated_at, frames, commands: [] };
}

/** Creates conversations, each with tasks that were updated at the given times. */
function createConversations(count: number, getTimes: (n: number) => readonly number[]): StoredConversation[] {
  return Array.from({ length: count }, (_, n) => ({
    id: `conv-${n}`,
    records: getTimes(n).map((at, i) => createRecord(`conv-${n}`, i + 1, at)),
  }));
}

function createListContext(conversations: readonly StoredConversation[]): A2ARequestContext {
  const listed = conversations
    .map(({ id, records }) => ({
      conversation_id: id,
      updated_at: Math.max(...records.map((item) => item.updated_at)),
    }))
    .toSorted((a, b) => b.updated_at - a.updated_at);
  const listConversations = ({ query: { limit, cursor } }: { query: { limit: number; cursor?: string } }) => {
    const cursorPosition = decodeCursor(cursor);
    const remaining =
      cursorPosition === null
        ? listed
        : listed.slice(listed.findIndex((item) => item.conversation_id === cursorPosition.id) + 1);
    const page = remaining.slice(0, limit);
    const last = page.at(-1);
    const next_cursor =
      page.length < limit || last === undefined ? null : encodeCursor(last.updated_at, last.conversation_id);
    return Promise.resolve({ conversations: page, next_cursor });
  };
  const listThreads = (id: string, _: unknown, before: number, limit: number): Promise<ThreadRecordPage> => {
    const all = conversations.find((item) => item.id === id)?.records ?? [];
    const earlierRecords = all.filter(({ last_seq }) => last_seq < before).toSorted((a, b) => b.last_seq - a.last_seq);
    const page = earlierRecords.slice(0, limit);
    const next = page.length < earlierRecords.length ? (page.at(-1)?.last_seq ?? before) : null;
    return Promise.resolve({ threads: page, next, total: all.length });
  };
  return { operations: { listConversations, listThreads }, usesExtension: false } as unknown as A2ARequestContext;
}

/** Lists the ids of all tasks, in the order of their pages. */
async function listAllTasks(context: A2ARequestContext, pageSize: number): Promise<string[]> {
  const found: string[] = [];
  let pageToken = "";
  do {
    const request = ListTasksRequest.fromJSON({ pageSize, pageToken });
    const page = await listTasks(context, {}, request);
    found.push(...page.tasks.map((task) => (task as { id: string }).id));
    pageToken = page.nextPageToken;
    expect(pageToken.length).toBeLessThan(64 * 1024);
  } while (pageToken !== "");
  return found;
}

describe("ListTasks over many conversations", () => {
  test.each([1, 7, 50, 100])("returns each task once with %i tasks per page", async (pageSize) => {
    const conversations = createConversations(pageSize === 1 ? 220 : 450, (n) => [1_000 - n, 10_000 - n]);
    const found = await listAllTasks(createListContext(conversations), pageSize);
    expect(new Set(found).size).toBe(found.length);
    expect(found).toHaveLength(conversations.length * 2);
  });

  test("returns tasks in the order of their last update", async () => {
    const conversations = createConversations(60, (n) => [1_000 - n, 5_000 - 7 * n, 10_000 - n]);
    const found = await listAllTasks(createListContext(conversations), 50);
    const times = new Map(
      conversations.flatMap(({ records }) => records.map((item) => [item.thread_id, item.updated_at] as const)),
    );
    const updateTimes = found.map((id) => times.get(id.slice(id.indexOf("th-"))) ?? Number.NaN);
    expect(updateTimes).toEqual(updateTimes.toSorted((a, b) => b - a));
  });
});
