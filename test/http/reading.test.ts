// Pages and streams.

import { describe, expect, test, vi } from "vitest";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { EMPTY_VIEW, foldFrame } from "../../src/protocol/wire/view.ts";
import { ask, call, must, newConversation, readStream, refused, settled, talk } from "./support.ts";
import { as } from "./tokens.ts";

const CHAIN = "首先查询现在时间然后计算678乘以8776的结果";
type List = { readonly conversations: ConversationInfo[]; readonly next_cursor: string | null };

describe("[F76] the list", () => {
  test("is newest first, in pages, and shows nothing twice while new ones arrive", async () => {
    const paul = await as("paul");
    const made: string[] = [];
    for (let i = 0; i < 7; i += 1) made.push((await newConversation(paul)).conversation_id);
    await vi.waitFor(async () => {
      expect((await ask<List>("GET", "/api/v1/conversations", paul)).conversations).toHaveLength(7);
    });
    const seen: ConversationInfo[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = cursor === "" ? "limit=3" : `limit=3&cursor=${cursor}`;
      const page: List = await ask<List>("GET", `/api/v1/conversations?${query}`, paul);
      expect(page.conversations.length).toBeLessThanOrEqual(3);
      seen.push(...page.conversations);
      cursor = page.next_cursor;
      await newConversation(paul);
    }
    const ids = seen.map((conversation) => conversation.conversation_id);
    expect(ids.toSorted()).toEqual(made.toSorted());
    const times = seen.map((conversation) => conversation.updated_at);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  test("what was said last comes first, with how it stands", async () => {
    const nora = await as("nora");
    const first = await talk("hello", nora);
    const second = await talk("hello", nora);
    await ask("POST", `/api/v1/conversations/${first.conversation_id}/messages`, {
      ...nora,
      body: { message: "again" },
    });
    await vi.waitFor(async () => {
      const { conversations } = await ask<List>("GET", "/api/v1/conversations", nora);
      expect(conversations.map(({ conversation_id, status }) => [conversation_id, status])).toEqual([
        [first.conversation_id, "completed"],
        [second.conversation_id, "completed"],
      ]);
    });
  });

  test("[U1] a cursor opens nobody else's list", async () => {
    const { conversations, next_cursor } = await ask<List>("GET", "/api/v1/conversations?limit=1", await as("paul"));
    expect(conversations).toHaveLength(1);
    const path = `/api/v1/conversations?cursor=${must(next_cursor)}`;
    expect((await ask<List>("GET", path, await as("mallory"))).conversations).toEqual([]);
  });
});

describe("events in pages", () => {
  test("[L2] page after page is everything, once", async () => {
    const { conversation_id: id } = await talk(CHAIN);
    const all = await settled(id);
    const read: Frame[] = [];
    let after = 0;
    for (;;) {
      const path = `/api/v1/conversations/${id}/events?after=${after}&limit=3`;
      const { events, next } = await ask<{ events: Frame[]; next: number }>("GET", path);
      if (events.length === 0) {
        expect(next).toBe(after);
        break;
      }
      read.push(...events);
      after = next;
    }
    expect(read).toEqual(all);
    const beyond = `/api/v1/conversations/${id}/events?after=${after + 1}`;
    expect(await refused("GET", beyond)).toMatchObject({ status: 409, code: "seq_unknown", field: "after" });
  });
});

describe("the stream of a conversation", () => {
  const sse = { accept: "text/event-stream" };

  test("begins with what was, goes on with what happens, and stays open", async () => {
    const { conversation_id: id } = await talk("hello");
    const before = await settled(id);
    const response = await call("GET", `/api/v1/conversations/${id}/events`, { headers: sse });
    const heard = readStream(response, (events) => events.filter(({ frame }) => frame.event === "done").length === 2);
    await ask("POST", `/api/v1/conversations/${id}/messages`, { body: { message: CHAIN } });
    const { text, events, hasEnded } = await heard;
    expect(hasEnded).toBe(false);
    expect(text.startsWith(":\n\n")).toBe(true);
    const all = await settled(id, 2);
    expect(events.slice(0, before.length).map(({ frame }) => frame)).toEqual(before);
    expect(events.map(({ id: seq }) => seq)).toEqual(events.map(({ frame }) => frame.seq));
    const view = events.map(({ frame }) => frame).reduce(foldFrame, EMPTY_VIEW);
    const { items, plans, seq } = all.reduce(foldFrame, EMPTY_VIEW);
    expect([view.items, view.plans, view.seq]).toEqual([items, plans, seq]);
  });

  test("[L2] Last-Event-ID is where a reader comes back, whatever the address says", async () => {
    const { conversation_id: id } = await talk("hello");
    const all = await settled(id);
    const last = must(all.at(-1)).seq;
    const read = async (query: string, headers: Record<string, string>) => {
      const response = await call("GET", `/api/v1/conversations/${id}/events${query}`, {
        headers: { ...sse, ...headers },
      });
      const { events } = await readStream(response, (heard) => heard.at(-1)?.id === last);
      return events.map(({ id: seq }) => seq);
    };
    const from = (seq: number) => all.filter((frame) => frame.seq > seq).map((frame) => frame.seq);
    expect(await read("", {})).toEqual(from(0));
    expect(await read("?after=2", {})).toEqual(from(2));
    expect(await read("?after=1", { "last-event-id": "3" })).toEqual(from(3));
    expect(await read("?after=3", { "last-event-id": "0" })).toEqual(from(0));
    expect(await read("?after=3", { "last-event-id": "" })).toEqual(from(3));
  });

  test("ends when the conversation is deleted", async () => {
    const { conversation_id: id } = await newConversation();
    const response = await call("GET", `/api/v1/conversations/${id}/events`, { headers: sse });
    const heard = readStream(response);
    await ask("DELETE", `/api/v1/conversations/${id}`);
    expect(await heard).toMatchObject({ hasEnded: true, events: [{ frame: { event: "conversation_started" } }] });
  });

  test("[F13] closing it does not stop the work", async () => {
    const response = await call("POST", "/api/v1/messages", { headers: sse, body: { message: CHAIN } });
    const { events } = await readStream(response, (heard) => heard.length > 0);
    const { conversation_id: id } = must(events[0]).frame.data;
    const all = await settled(id);
    expect(JSON.stringify(all)).toContain("5950128");
    expect(all.some((frame) => frame.event === "task_cancelled")).toBe(false);
  });

  test("of nothing is no stream but a refusal", async () => {
    expect(await refused("GET", "/api/v1/conversations/none/events", { headers: sse })).toMatchObject({
      code: "not_found",
    });
    const options = { headers: sse, body: { message: "" } };
    expect(await refused("POST", "/api/v1/messages", options)).toMatchObject({ code: "invalid_request" });
  });
});
