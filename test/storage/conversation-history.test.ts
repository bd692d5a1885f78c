// What models are told of a conversation, read anew and kept between its threads.

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ConversationHistory } from "../../src/durable/conversation-history.ts";
import type { StoredRow } from "../../src/durable/conversation-store.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";

type Open = { readonly thread_id: string; readonly seq: number };

/** A conversation whose threads begin, speak and end, one event after the other; several events may share a row. */
class Talk {
  readonly rows: StoredRow[] = [];
  readonly open: Open[] = [];
  readonly #kept = new ConversationHistory(() => this.rows.toReversed());
  #seq = 0;

  begin(role: "user" | "system"): void {
    const thread_id = `th-${this.#seq + 1}`;
    this.#store([{ event: "thread_started", thread_id, role, payload: { content: `ask ${thread_id}` } }]);
    this.open.push({ thread_id, seq: this.#seq });
  }

  speak(which: number, words: number): void {
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

  /** As who has kept what was over is told it, and as who reads everything is. */
  told() {
    return [this.#kept, new ConversationHistory(() => this.rows.toReversed())].map((history) =>
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
  fc.constantFrom("user" as const, "system" as const).map((role) => (talk: Talk) => talk.begin(role)),
  fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 3 })).map(
    ([which, words]) =>
      (talk: Talk) =>
        talk.speak(which, words),
  ),
  fc.nat(3).map((which) => (talk: Talk) => talk.end(which)),
  fc.nat(9).map((which) => (talk: Talk) => {
    // More rows than are read at once: what lies behind them is not told, kept or not.
    if (which === 0) for (let i = 0; i < 320; i++) talk.speak(0, 1);
  }),
);

test("what is kept of threads that are over is what would be read of them", () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60, size: "max" }), (actions) => {
      const talk = new Talk();
      for (const act of actions) {
        act(talk);
        const [kept, read] = talk.told();
        expect(kept).toEqual(read);
      }
    }),
    { numRuns: 300, seed: 23 },
  );
});

test("a conversation of some length is read from its last thread on", () => {
  const talk = new Talk();
  let read = 0;
  const history = new ConversationHistory(function* () {
    for (const row of talk.rows.toReversed()) {
      read += 1;
      yield row;
    }
  });
  for (let thread = 0; thread < 20; thread++) {
    talk.begin("user");
    history.getMessages(talk.open);
    for (let i = 0; i < 10; i++) talk.speak(0, 1);
    talk.end(0);
  }
  read = 0;
  talk.begin("user");
  expect(history.getMessages(talk.open)).toHaveLength(10);
  expect(read, "its rows, the new thread, and one that is known").toBe(14);
});

test("what lay behind too many rows is told again once some of them were taken back", () => {
  const talk = new Talk();
  talk.begin("user");
  talk.speak(0, 1);
  talk.end(0);
  talk.begin("user");
  for (let i = 0; i < 310; i++) talk.speak(0, 1);
  talk.told();
  talk.rows.splice(4);
  talk.end(0);
  talk.begin("user");
  const [kept, read] = talk.told();
  expect(kept).toEqual(read);
  expect(kept?.[0]).toEqual({ role: "user", content: "ask th-1" });
});
