// The contract of the event log. It runs against SQLite in memory and against the storage of a Durable Object.

import { describe, expect, test } from "vitest";
import { MAX_ROW_BYTES } from "../../src/lib/row-size.ts";
import { countBytes } from "../../src/lib/text-size.ts";
import type { EventDraft } from "../../src/core/ports.ts";
import type { ThreadQuestion } from "../../src/core/ports.ts";
import { Broadcaster } from "../../src/durable/conversation/broadcaster.ts";
import { Journal } from "../../src/durable/conversation/threads/journal.ts";
import { EventLog } from "../../src/durable/conversation/event-log.ts";
import type { Sql } from "../../src/durable/sql.ts";
import type { Item } from "../../src/protocol/wire/items.ts";
import { ConversationStore } from "../../src/durable/conversation/storage/conversation-store.ts";

const taskFields = { thread_id: "th-1", task_id: "task-1", agent_name: "a", role: "agent" } as const;
const chunk = (content: string): EventDraft => ({
  event: "message_chunk",
  data: { ...taskFields, payload: { content } },
});
const completed: EventDraft = { event: "task_completed", data: taskFields };
const started: EventDraft = { event: "task_started", data: taskFields };
const retrying: EventDraft = {
  event: "task_retrying",
  data: { ...taskFields, payload: { content: "again", attempt: 2 } },
};
const conversation = {
  conversation_id: "conv-1",
  user_id: "ada",
  status: "active",
  created_at: 0,
  updated_at: 0,
} as const;

/** A conversation as the release before the journal stored it: one finished thread and two open threads. */
const EARLIER = [
  `CREATE TABLE migration (id INTEGER PRIMARY KEY) STRICT`,
  `INSERT INTO migration (id) VALUES (0), (1)`,
  `CREATE TABLE head (id INTEGER PRIMARY KEY CHECK (id = 1), body TEXT NOT NULL) STRICT`,
  `CREATE TABLE log (seq INTEGER PRIMARY KEY, last INTEGER NOT NULL, at INTEGER NOT NULL, scope TEXT, entries TEXT NOT NULL) STRICT`,
  `CREATE TABLE step (thread_id TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, since INTEGER,
     PRIMARY KEY (thread_id, name)) STRICT, WITHOUT ROWID`,
  `INSERT INTO step VALUES ('th-1', 'triage', '"a"', NULL), ('th-2', 'triage', '"b"', NULL),
     ('th-2', 'plan', '["kept"]', 13), ('th-3', 'triage', '"c"', NULL)`,
  `INSERT INTO head VALUES (1, '${JSON.stringify({
    conversation,
    reserved: 40,
    open: [
      { thread_id: "th-2", command_id: "c2", seq: 12, attempts: 1 },
      { thread_id: "th-3", command_id: "c3", seq: 30, attempts: 0 },
    ],
  })}')`,
];

function openLog(sql: Sql): { log: EventLog; store: ConversationStore } {
  const store = new ConversationStore(sql);
  store.migrate();
  const head = store.loadHead() ?? { conversation, reserved: 0, open: [] };
  const callbacks = { onSent: () => {}, reset: (reason: string) => expect.unreachable(reason) };
  return { store, log: new EventLog(head, store, new Broadcaster(new Map(), Infinity), callbacks) };
}

/** Registers the contract tests for one kind of SQLite; `withSql` gives each test an empty database. */
export function describeEventLog(
  kind: string,
  withSql: (run: (sql: Sql) => void | Promise<void>) => Promise<void>,
): void {
  describe(`event log on ${kind}`, () => {
    test("loadHead() returns null before a conversation was stored, also the second time", () =>
      withSql((sql) => {
        expect(new ConversationStore(sql).loadHead()).toBeNull();
        expect(new ConversationStore(sql).loadHead()).toBeNull();
      }));

    test("[F81] restores sequence numbers and items from storage after the object was evicted", () =>
      withSql(async (sql) => {
        const { log } = openLog(sql);
        log.publish([started], (head) => ({ ...head }));
        for (const text of ["one ", "two ", "three"]) log.publish([chunk(text)]);
        log.publishEnd([completed], (head) => head);
        const items = await log.readItems();
        const reopened = openLog(sql).log;
        expect(reopened.lastSeq).toBe(log.lastSeq);
        expect((await reopened.readItems()).map(({ created_at: _, ...item }) => item)).toEqual(
          items.map(({ created_at: _, ...item }) => item),
        );
        expect((await reopened.readItems()).map((item) => item.payload["content"])).toEqual(["one two three"]);
      }));

    test("[L1] [I4] accepts every cursor that a reader can have received and rejects all others", () =>
      withSql((sql) => {
        const { log } = openLog(sql);
        log.publish([started], (head) => head);
        for (let i = 0; i < 300; i++) log.publish([chunk(`${i} `)]);
        const seen = log.lastSeq;
        expect([...log.readFrames(seen)]).toEqual([]);
        expect(() => log.readFrames(seen + 1)).toThrow("Start again from 0");
        // The host crashes: the open paragraph is lost, and readers return with cursors for which nothing is stored.
        const reopened = openLog(sql).log;
        expect([...reopened.readFrames(0)].at(-1)?.seq).toBeLessThan(seen);
        expect([...reopened.readFrames(seen)]).toEqual([]);
        const [next] = reopened.publish([retrying]);
        expect([...reopened.readFrames(seen)]).toEqual([next]);
        const { seq = 0 } = next ?? {};
        expect(() => reopened.readFrames(seq + 1)).toThrow("Start again from 0");
        reopened.publishEnd([completed], (head) => head);
        expect(() => openLog(sql).log.readFrames(seq + 2)).toThrow("Start again from 0");
        expect([...openLog(sql).log.readFrames(seq + 1)]).toEqual([]);
      }));

    test("[L2] returns every frame exactly once and in order for any page size", () =>
      withSql((sql) => {
        const { log } = openLog(sql);
        for (let i = 0; i < 40; i++) log.publish(i % 7 === 6 ? [started] : [chunk(`${i} `)]);
        const whole = [...log.readFrames(0)];
        for (const limit of [1, 3, 1_000]) {
          const pages = [];
          for (
            let after = 0, page = log.readPage(after, limit);
            page.events.length > 0;
            page = log.readPage(after, limit)
          ) {
            pages.push(...page.events);
            after = page.next;
          }
          expect(pages).toEqual(whole);
        }
      }));

    test("[I43] [L2] reads a long log in pieces, between which others publish, until it is closed", () =>
      withSql(async (sql) => {
        const { log } = openLog(sql);
        const publishResult = (id: string) => {
          const payload = { tool_call_id: id, tool_name: "t", tool_result: "x".repeat(200_000) };
          log.publish([{ event: "tool_call_completed", data: { ...taskFields, item_id: id, payload } }]);
        };
        const ids = Array.from({ length: 12 }, (_, i) => `t${i}`);
        ids.forEach(publishResult);
        expect(log.readPage(0, 1_000).events).toHaveLength(3);
        const reading = log.readItems();
        publishResult("later");
        expect((await reading).map(({ item_id }) => item_id)).toEqual([...ids, "later"]);
        const interrupted = log.readItems();
        log.close();
        await expect(interrupted).rejects.toMatchObject({ code: "not_found" });
      }));

    test("[I43] [L1] [L2] splits a chunk and a batch of events that do not fit one row, and no surrogate pair", () =>
      withSql(async (sql) => {
        const { log, store } = openLog(sql);
        const text = `x${"😀".repeat(300_000)}`;
        const tools = Array.from({ length: 4 }, (_, i): EventDraft => {
          const payload = { tool_call_id: `t${i}`, tool_name: "t", tool_result: "字".repeat(300_000) };
          return { event: "tool_call_completed", data: { ...taskFields, item_id: `t${i}`, payload } };
        });
        const sent = [...log.publish([chunk(text)]), ...log.publish([...tools, completed])];
        expect(sent.map(({ seq }) => seq)).toEqual(sent.map((_, i) => i + 1));
        const contents = sent.flatMap((frame) => (frame.event === "message_chunk" ? [frame.data.payload.content] : []));
        expect(contents.join("")).toBe(text);
        expect(contents.every((content) => content.isWellFormed())).toBe(true);
        for (const { entries } of store.readRows(0)) expect(countBytes(JSON.stringify(entries))).toBeLessThan(2 ** 20);
        for (const opened of [log, openLog(sql).log]) {
          expect((await opened.readItems()).map(({ payload }) => payload)).toMatchObject([
            { content: text },
            ...tools.map(({ data }) => "payload" in data && data.payload),
          ]);
          expect([...opened.readFrames(3)].every(({ seq }) => seq > 3)).toBe(true);
        }
      }));

    test("[I43] accepts a value as large as a row of the platform and refuses a larger one", () =>
      withSql((sql) => {
        const query = `SELECT length(?) + length(?) AS length`;
        const full = "字".repeat(MAX_ROW_BYTES / 3);
        expect(sql.first(query, full, "aa")).toEqual({ length: full.length + 2 });
        expect(() => sql.first(query, full, "aaa")).toThrow("SQLITE_TOOBIG");
        expect(() => sql.run(query, "a", "a".repeat(MAX_ROW_BYTES))).toThrow("SQLITE_TOOBIG");
      }));

    test("[I43] [T4] reads the value of a step back, whatever its length", () =>
      withSql((sql) => {
        const { store } = openLog(sql);
        const journal = new Journal(store, 2);
        for (const value of ["字".repeat(1_800_000), `x${"😀".repeat(140_000)}`, "short"]) {
          journal.put("task:1", { value, since: 7 });
          journal.put("next", { value: "1", since: null });
          for (const known of [journal, new Journal(openLog(sql).store, 2)]) {
            expect(known.get("task:1")).toEqual({ value, since: 7 });
            expect(known.get("next")?.value).toBe("1");
          }
        }
      }));

    test("[L1] does not reuse sequence numbers that were reserved before a crash", () =>
      withSql((sql) => {
        const { log } = openLog(sql);
        log.publish([started], (head) => ({ ...head }));
        for (let i = 0; i < 600; i++) log.publish([chunk("x")]);
        const reopened = openLog(sql).log;
        const [frame] = reopened.publish([started]);
        expect(frame?.seq).toBeGreaterThan(log.lastSeq);
      }));

    test("[L3] retracts only the stored output of a task that restarts", () =>
      withSql(async (sql) => {
        const { log } = openLog(sql);
        log.publish([{ event: "message", data: { ...taskFields, task_id: "task-2", payload: { content: "kept" } } }]);
        log.publish([chunk("lost")]);
        log.publish([started]);
        log.publish([retrying]);
        log.publish([chunk("found"), completed]);
        const texts = (items: readonly Item[]) => items.map((item) => item.payload["content"]);
        expect(texts(await log.readItems())).toEqual(["kept", "found"]);
        expect(texts(await openLog(sql).log.readItems())).toEqual(["kept", "found"]);
      }));

    test("[I6] stores neither events nor state when a write fails", () =>
      withSql((sql) => {
        const { log, store } = openLog(sql);
        log.publish([started], (head) => ({ ...head }));
        let resets = 0;
        const failingLog = new EventLog(store.loadHead() ?? log.head, store, new Broadcaster(new Map(), Infinity), {
          onSent: () => {},
          reset: () => (resets += 1),
        });
        expect(() =>
          failingLog.publish(
            [completed],
            (head) => ({ ...head, reserved: 99 }),
            () => {
              throw new Error("disk full");
            },
          ),
        ).toThrow("disk full");
        expect(resets).toBe(1);
        expect(store.loadHead()?.reserved).not.toBe(99);
        expect([...store.readRows(0)].flatMap((row) => row.entries.map((entry) => entry.event))).toEqual([
          "task_started",
        ]);
      }));

    test("[T2] [T4] finds stored commands and steps after a restart", () =>
      withSql((sql) => {
        const { store } = openLog(sql);
        store.putCommand("c1", { thread_id: "th-1", seq: 2, request: { message: "hi" } });
        const journal = new Journal(store, 2);
        journal.put("triage", { value: '["under way"]', since: 7 });
        expect(journal.get("triage")).toEqual({ value: '["under way"]', since: 7 });
        journal.put("triage", { value: '{"a":1}', since: null });
        journal.put("plan", { value: "2", since: null });
        const reopened = openLog(sql).store;
        expect(reopened.getCommand("c1")).toEqual({ thread_id: "th-1", seq: 2, request: { message: "hi" } });
        expect(reopened.getCommand("c2")).toBeNull();
        const found = new Journal(reopened, 2);
        expect(found.get("triage")).toEqual({ value: '{"a":1}', since: null });
        found.put("synthesis", { value: "3", since: null });
        expect(found.get("plan")).toEqual({ value: "2", since: null });
        expect(found.get("task")).toBeNull();
        for (const seq of [1, 3]) expect(new Journal(reopened, seq).get("triage")).toBeNull();
      }));

    test("[T4] finds the steps of open threads that an earlier release stored", () =>
      withSql((sql) => {
        for (const statement of EARLIER) for (const _ of sql.rows(statement));
        const store = new ConversationStore(sql);
        expect(store.loadHead()?.open).toHaveLength(2);
        const second = new Journal(store, 12);
        expect(second.get("triage")).toEqual({ value: '"b"', since: null });
        expect(second.get("plan")).toEqual({ value: '["kept"]', since: 13 });
        expect(new Journal(store, 30).get("triage")).toEqual({ value: '"c"', since: null });
        expect(new Journal(store, 2).get("triage")).toBeNull();
        second.put("synthesis", { value: "1", since: null });
        expect(["triage", "plan", "synthesis"].map((name) => second.get(name)?.value)).toEqual([
          '"b"',
          '["kept"]',
          "1",
        ]);
      }));

    test("[H1] lists a question as open until it is answered or closed, across rollbacks", () =>
      withSql((sql) => {
        const { store } = openLog(sql);
        const ids = () => store.listOpenQuestions().map(({ request_id }) => request_id);
        const put = (request_id: string, expires_at: number) =>
          store.putQuestion({ request_id, thread_id: "th-1", task_id: "task-1", expires_at } as ThreadQuestion);
        expect(ids()).toEqual([]);
        put("q1", 20);
        put("q2", 10);
        expect(ids()).toEqual(["q2", "q1"]);
        const undone = () =>
          store.transaction(() => {
            store.closeQuestions(["q1"], "expired");
            expect(ids()).toEqual(["q2"]);
            throw new Error("undone");
          });
        expect(undone).toThrow("undone");
        expect(ids()).toEqual(["q2", "q1"]);
        store.closeQuestions(["q2"], "cancelled");
        expect(ids()).toEqual(["q1"]);
        store.answerQuestion("q1", { message: "yes" }, 4);
        expect(ids()).toEqual([]);
        put("q3", 30);
        store.clear();
        expect(ids()).toEqual([]);
      }));
  });
}
