// The message history for models: read from storage and cached between threads.

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ConversationHistory } from "../../src/durable/conversation/threads/conversation-history.ts";
import type { StoredRow } from "../../src/durable/conversation/storage/conversation-store.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";

type OpenThreadRef = { readonly thread_id: string; readonly seq: number };

/** A conversation whose threads start, publish and end, one event after the other; several events may share a row. */
class RandomConversation {
  readonly rows: StoredRow[] = [];
  readonly open: OpenThreadRef[] = [];
  readonly #cached = new ConversationHistory(() => this.rows.toReversed());
  #seq = 0;

  begin(role: "user" | "system"): void {
    const thread_id = `th-${this.#seq + 1}`;
    this.#store([{ event: "thread_started", thread_id, role, payload: { content: `ask ${thread_id}` } }]);
    this.open.push({ thread_id, seq: this.#seq });
  }

  publish(which: number, words: number): void {
    const thread = this.open[which % this.open.length];
    if (thread === undefined) return;
    const { thread_id } = thread;
    const chunk = (_: unknown, i: number) => ({
      event: "message_chunk",
      thread_id,
      role: "agent",
      payload: { content: `${thread_id} says ${this.#seq + i}. ` },
    });
    this.#store(Array.from({ length: words }, chunk));
  }

  end(which: number): void {
    const [thread] = this.open.splice(which % Math.max(1, this.open.length), 1);
    if (thread !== undefined) this.#store([{ event: "done", thread_id: thread.thread_id, role: "system" }]);
  }

  /** Returns the messages of a history with a cache and of one without. */
  getMessages() {
    return [this.#cached, new ConversationHistory(() => this.rows.toReversed())].map((history) =>
      history.getMessages(this.open),
    );
  }

  #store(events: readonly { readonly event: string; readonly [data: string]: unknown }[]): void {
    const entries = events.map(
      ({ event, ...data }, i) => ({ seq: this.#seq + 1 + i, event, data }) as unknown as Frame,
    );
    const [seq, last] = [this.#seq + 1, this.#seq + events.length];
    this.rows.push({ seq, last, at: 0, scope: null, entries: entries as StoredRow["entries"] });
    this.#seq = last;
  }
}

const action = fc.oneof(
  fc
    .constantFrom("user" as const, "system" as const)
    .map((role) => (conversation: RandomConversation) => conversation.begin(role)),
  fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 3 })).map(
    ([which, words]) =>
      (conversation: RandomConversation) =>
        conversation.publish(which, words),
  ),
  fc.nat(3).map((which) => (conversation: RandomConversation) => conversation.end(which)),
  fc.nat(9).map((which) => (conversation: RandomConversation) => {
    // More rows than are read at once: the messages before them are dropped, cached or not.
    if (which === 0) for (let i = 0; i < 320; i++) conversation.publish(0, 1);
  }),
);

test("the cached messages of finished threads equal the stored ones", () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60, size: "max" }), (actions) => {
      const conversation = new RandomConversation();
      for (const apply of actions) {
        apply(conversation);
        const [cached, read] = conversation.getMessages();
        expect(cached).toEqual(read);
      }
    }),
    { numRuns: 300, seed: 23 },
  );
});

test("reads only the rows from the last finished thread on", () => {
  const conversation = new RandomConversation();
  let read = 0;
  const history = new ConversationHistory(function* () {
    for (const row of conversation.rows.toReversed()) {
      read += 1;
      yield row;
    }
  });
  for (let thread = 0; thread < 20; thread++) {
    conversation.begin("user");
    history.getMessages(conversation.open);
    for (let i = 0; i < 10; i++) conversation.publish(0, 1);
    conversation.end(0);
  }
  read = 0;
  conversation.begin("user");
  expect(history.getMessages(conversation.open)).toHaveLength(10);
  expect(read, "its rows, the new thread, and one cached row").toBe(14);
});

test("returns messages before a row limit again after rows were retracted", () => {
  const conversation = new RandomConversation();
  conversation.begin("user");
  conversation.publish(0, 1);
  conversation.end(0);
  conversation.begin("user");
  for (let i = 0; i < 310; i++) conversation.publish(0, 1);
  conversation.getMessages();
  conversation.rows.splice(4);
  conversation.end(0);
  conversation.begin("user");
  const [cached, read] = conversation.getMessages();
  expect(cached).toEqual(read);
  expect(cached?.[0]).toEqual({ role: "user", content: "ask th-1" });
});

/** Returns the history of one finished thread with these events. */
function readAnswer(...events: readonly { readonly event: string; readonly [data: string]: unknown }[]) {
  const thread_id = "th-1";
  const all = [{ event: "thread_started", role: "user", payload: { content: "ask" } }, ...events, { event: "done" }];
  const rows = all.map(({ event, ...data }, i): StoredRow => {
    const entry = { seq: i + 1, event, data: { role: "agent", thread_id, ...data } } as unknown as Frame;
    return { seq: i + 1, last: i + 1, at: 0, scope: null, entries: [entry] };
  });
  return new ConversationHistory(() => rows.toReversed()).getMessages([]).slice(1);
}
const say = (agent_name: string, task_id: string, item_id: string, content: string) => ({
  event: "message_chunk",
  agent_name,
  task_id,
  item_id,
  payload: { content },
});
const end = (event: string, agent_name: string, task_id: string, content: string) => ({
  event,
  agent_name,
  task_id,
  payload: { content },
});

test("[F12] keeps results apart, names their agents, and contains failures and cancellations", () => {
  const [answer, ...others] = readAnswer(
    say("calculator", "t1", "i1", "4"),
    say("calculator", "t1", "i1", "2"),
    say("calculator", "t2", "i2", "43"),
    say("clock", "t3", "i3", "Let me look."),
    say("clock", "t3", "i4", "It is noon."),
    end("task_failed", "mail", "t4", "The mailbox is full."),
    end("task_cancelled", "press", "t5", "Task Mail failed."),
    say("SuperAgent", "t6", "i6", "Done."),
  );
  expect(others).toEqual([]);
  expect(answer?.content).toBe(
    [
      "[calculator]\n42",
      "[calculator]\n43",
      "[clock]\nLet me look.",
      "It is noon.",
      "[mail failed]\nThe mailbox is full.",
      "[press cancelled]\nTask Mail failed.",
      "Done.",
    ].join("\n\n"),
  );
});

test.each([
  [{ event: "plan_failed", payload: { content: "No such agent." } }, "[failed]\nNo such agent."],
  [{ event: "system_failed", payload: { content: "The budget is spent." } }, "[failed]\nThe budget is spent."],
  [{ event: "done", metadata: { cancelled: true } }, "[cancelled by the person]\n"],
])("[F12] contains the end of the thread in %j", (event, content) => {
  expect(readAnswer(event)).toEqual([{ role: "assistant", content }]);
});
