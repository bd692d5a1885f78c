// ListTasks over conversations that a test makes up, page by page.

import { ListTasksRequest } from "@a2a-js/sdk";
import { describe, expect, test } from "vitest";
import type { ThreadRecord, ThreadRecordPage } from "../../../src/durable/conversation-api.ts";
import type { A2ARequestContext } from "../../../src/http/a2a/a2a-request-context.ts";
import { listTasks } from "../../../src/http/a2a/list-tasks.ts";
import { encodeCursor, decodeCursor } from "../../../src/http/operations/list-cursor.ts";

type Held = { readonly id: string; readonly records: readonly ThreadRecord[] };

function record(id: string, seq: number, updated_at: number): ThreadRecord {
  const thread_id = `th-${id}-${seq}`;
  const data = { conversation_id: id, thread_id, task_id: "t", role: "user" as const, item_id: "i" };
  const payload = { content: "hello" };
  const frames: ThreadRecord["frames"] = [{ seq, event: "thread_started", data: { ...data, payload } }];
  return { thread_id, seq, last_seq: seq, updated_at, frames, commands: [] };
}

/** As many conversations, each with tasks that were updated at these times. */
function held(count: number, timesOf: (n: number) => readonly number[]): Held[] {
  return Array.from({ length: count }, (_, n) => ({
    id: `conv-${n}`,
    records: timesOf(n).map((at, i) => record(`conv-${n}`, i + 1, at)),
  }));
}

function deskOver(conversations: readonly Held[]): A2ARequestContext {
  const listed = conversations
    .map(({ id, records }) => ({ conversation_id: id, updated_at: Math.max(...records.map((one) => one.updated_at)) }))
    .toSorted((a, b) => b.updated_at - a.updated_at);
  const listConversations = (limit: number, cursor?: string) => {
    const place = cursor === undefined ? null : decodeCursor(cursor);
    const left =
      place === null ? listed : listed.slice(listed.findIndex((one) => one.conversation_id === place.id) + 1);
    const page = left.slice(0, limit);
    const last = page.at(-1);
    const next_cursor =
      page.length < limit || last === undefined ? null : encodeCursor(last.updated_at, last.conversation_id);
    return Promise.resolve({ conversations: page, next_cursor });
  };
  const threads = (id: string, _: unknown, before: number, limit: number): Promise<ThreadRecordPage> => {
    const all = conversations.find((one) => one.id === id)?.records ?? [];
    const later = all.filter(({ last_seq }) => last_seq < before).toSorted((a, b) => b.last_seq - a.last_seq);
    const page = later.slice(0, limit);
    const next = page.length < later.length ? (page.at(-1)?.last_seq ?? before) : null;
    return Promise.resolve({ threads: page, next, total: all.length });
  };
  return { operations: { listConversations, listThreads: threads }, usesExtension: false } as unknown as A2ARequestContext;
}

/** The ids of all tasks, in the order of their pages. */
async function all(desk: A2ARequestContext, pageSize: number): Promise<string[]> {
  const found: string[] = [];
  let pageToken = "";
  do {
    const request = ListTasksRequest.fromJSON({ pageSize, pageToken });
    const page = await listTasks(desk, {}, request);
    found.push(...page.tasks.map((task) => (task as { id: string }).id));
    pageToken = page.nextPageToken;
    expect(pageToken.length).toBeLessThan(64 * 1024);
  } while (pageToken !== "");
  return found;
}

describe("the tasks of many conversations", () => {
  test.each([1, 7, 50, 100])(
    "come each once, whatever was begun to be read of them: %i to a page",
    async (pageSize) => {
      const conversations = held(pageSize === 1 ? 220 : 450, (n) => [1_000 - n, 10_000 - n]);
      const found = await all(deskOver(conversations), pageSize);
      expect(new Set(found).size).toBe(found.length);
      expect(found).toHaveLength(conversations.length * 2);
    },
  );

  test("come in the order of their last update", async () => {
    const conversations = held(60, (n) => [1_000 - n, 5_000 - 7 * n, 10_000 - n]);
    const found = await all(deskOver(conversations), 50);
    const times = new Map(
      conversations.flatMap(({ records }) => records.map((one) => [one.thread_id, one.updated_at] as const)),
    );
    const told = found.map((id) => times.get(id.slice(id.indexOf("th-"))) ?? Number.NaN);
    expect(told).toEqual(told.toSorted((a, b) => b - a));
  });
});
