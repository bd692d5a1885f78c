// Lists in pages, and event streams.

import { describe, expect, test, vi } from "vitest";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import {
  callRoute,
  call,
  assertPresent,
  createConversation,
  readStream,
  waitForThreads,
  sendAndWait,
} from "./support.ts";
import { authenticateAs } from "./tokens.ts";

type ConversationPage = { readonly conversations: ConversationInfo[]; readonly next_cursor: string | null };

describe("[F76] the list of conversations", () => {
  test("is sorted newest first and shows nothing twice while new ones arrive", async () => {
    const paul = await authenticateAs("paul");
    const createdIds: string[] = [];
    for (let i = 0; i < 7; i += 1) createdIds.push((await createConversation(paul)).conversation_id);
    await vi.waitFor(async () => {
      expect((await callRoute<ConversationPage>("GET", "/api/v1/conversations", paul)).conversations).toHaveLength(7);
    });
    const seen: ConversationInfo[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = cursor === "" ? "limit=3" : `limit=3&cursor=${cursor}`;
      const page: ConversationPage = await callRoute<ConversationPage>("GET", `/api/v1/conversations?${query}`, paul);
      expect(page.conversations.length).toBeLessThanOrEqual(3);
      seen.push(...page.conversations);
      cursor = page.next_cursor;
      await createConversation(paul);
    }
    const ids = seen.map((conversation) => conversation.conversation_id);
    expect(ids.toSorted()).toEqual(createdIds.toSorted());
    const times = seen.map((conversation) => conversation.updated_at);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  test("moves a conversation to the top with its status after a message", async () => {
    const nora = await authenticateAs("nora");
    const first = await sendAndWait("hello", nora);
    const second = await sendAndWait("hello", nora);
    await callRoute("POST", `/api/v1/conversations/${first.conversation_id}/messages`, {
      ...nora,
      body: { message: "again" },
    });
    await vi.waitFor(async () => {
      const { conversations } = await callRoute<ConversationPage>("GET", "/api/v1/conversations", nora);
      expect(conversations.map(({ conversation_id, status }) => [conversation_id, status])).toEqual([
        [first.conversation_id, "completed"],
        [second.conversation_id, "completed"],
      ]);
    });
  });

  test("[U1] cannot be read with the cursor of another user", async () => {
    const { conversations, next_cursor } = await callRoute<ConversationPage>(
      "GET",
      "/api/v1/conversations?limit=1",
      await authenticateAs("paul"),
    );
    expect(conversations).toHaveLength(1);
    const path = `/api/v1/conversations?cursor=${assertPresent(next_cursor)}`;
    expect((await callRoute<ConversationPage>("GET", path, await authenticateAs("mallory"))).conversations).toEqual([]);
  });
});

describe("the event stream of a conversation", () => {
  const sse = { accept: "text/event-stream" };

  test("[L2] continues after Last-Event-ID, which overrides the query", async () => {
    const { conversation_id: id } = await sendAndWait("hello");
    const all = await waitForThreads(id);
    const last = assertPresent(all.at(-1)).seq;
    const readSeqs = async (query: string, headers: Record<string, string>) => {
      const response = await call("GET", `/api/v1/conversations/${id}/events${query}`, {
        headers: { ...sse, ...headers },
      });
      const { events } = await readStream(response, (received) => received.at(-1)?.id === last);
      return events.map(({ id: seq }) => seq);
    };
    const listSeqsAfter = (seq: number) => all.filter((frame) => frame.seq > seq).map((frame) => frame.seq);
    expect(await readSeqs("", {})).toEqual(listSeqsAfter(0));
    expect(await readSeqs("?after=2", {})).toEqual(listSeqsAfter(2));
    expect(await readSeqs("?after=1", { "last-event-id": "3" })).toEqual(listSeqsAfter(3));
    expect(await readSeqs("?after=3", { "last-event-id": "0" })).toEqual(listSeqsAfter(0));
    expect(await readSeqs("?after=3", { "last-event-id": "" })).toEqual(listSeqsAfter(3));
  });

  test("ends when the conversation is deleted", async () => {
    const { conversation_id: id } = await createConversation();
    const response = await call("GET", `/api/v1/conversations/${id}/events`, { headers: sse });
    const received = readStream(response);
    await callRoute("DELETE", `/api/v1/conversations/${id}`);
    expect(await received).toMatchObject({ hasEnded: true, events: [{ frame: { event: "conversation_started" } }] });
  });
});
