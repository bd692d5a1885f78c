// The newest rows of a log, which are kept in memory: they are those that storage has.

import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { LogCommit } from "../../src/core/log-sequencer.ts";
import type { LogRow } from "../../src/core/log-rows.ts";
import { Sql } from "../../src/durable/sql.ts";
import { ConversationStore } from "../../src/durable/conversation-store.ts";
import { inMemory } from "../support/sqlite.ts";

const rowOf = (seq: number, scope: string | null, chars: number): LogRow => {
  const payload = { content: "x".repeat(chars) };
  const data = { thread_id: "th-1", ...(scope === null ? {} : { task_id: scope }), payload };
  return { seq, last: seq, scope, entries: [{ seq, event: "message", data }] as unknown as LogRow["entries"] };
};
const commitOf = (rows: readonly LogRow[], retract: LogCommit["retract"] = []): LogCommit => ({
  frames: [],
  rows,
  reserve: null,
  retract,
});

/** A log in which numbers are given in order, and stored out of order: a paragraph has the number of its first word. */
class Writing {
  readonly sql = inMemory();
  store = new ConversationStore(this.sql);
  #given = 0;
  #open: number[] = [];

  constructor() {
    this.store.migrate();
  }

  begin(): void {
    this.#open.push((this.#given += 1));
  }

  /** Stores the paragraph that was begun as the `which`th of those that are open, or an event of its own. */
  put(which: number, chars: number, scope: string | null): void {
    const [seq = (this.#given += 1)] = this.#open.splice(which % Math.max(1, this.#open.length), 1);
    this.store.transaction(() => this.store.append(commitOf([rowOf(seq, scope, chars)]), 0, seq));
  }

  takeBack(scope: string, since: number): void {
    const own = rowOf((this.#given += 1), scope, 1);
    this.store.transaction(() => this.store.append(commitOf([own], [{ scope, since }]), 0, own.seq));
  }

  fail(): void {
    const { store } = this;
    const row = rowOf((this.#given += 1), null, 1);
    const failing = () => {
      store.append(commitOf([row]), 0, row.seq);
      throw new Error("disk full");
    };
    expect(() => store.transaction(failing)).toThrow("disk full");
  }

  /** The object goes: what was not stored is lost, and its numbers are skipped. */
  restart(): void {
    this.#open = [];
    this.store = new ConversationStore(this.sql);
  }

  clear(): void {
    this.store.clear();
    this.#open = [];
    this.#given = 0;
  }
}

const scope = fc.constantFrom(null, "a", "b");
const action = fc.oneof(
  { weight: 3, arbitrary: fc.constant((writing: Writing) => writing.begin()) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.nat(5), fc.constantFrom(1, 300, 9_000, 40_000), scope)
      .map((put) => (writing: Writing) => writing.put(...put)),
  },
  fc.tuple(fc.constantFrom("a", "b"), fc.nat(20)).map((taken) => (writing: Writing) => writing.takeBack(...taken)),
  fc.constant((writing: Writing) => writing.fail()),
  fc.constant((writing: Writing) => writing.restart()),
  fc.constant((writing: Writing) => writing.clear()),
);

test("[L3] what is kept of the newest rows is what storage has", () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40, size: "max" }), (actions) => {
      const writing = new Writing();
      for (const act of actions) {
        act(writing);
        expect([...writing.store.readNewestRows()]).toEqual([...new ConversationStore(writing.sql).readNewestRows()]);
      }
    }),
    { numRuns: 150, seed: 20261123 },
  );
});

test("what was just stored is not read back", () => {
  const sql = inMemory();
  let queries = 0;
  const counting = new Sql({
    exec(query, ...bindings) {
      queries += 1;
      return sql.rows(query, ...bindings);
    },
    transaction: (work) => sql.transaction(work),
  });
  const store = new ConversationStore(counting);
  store.migrate();
  for (let seq = 1; seq <= 20; seq++) store.append(commitOf([rowOf(seq, "a", 500)]), 0, seq);
  queries = 0;
  const [newest] = store.readNewestRows();
  expect(newest?.seq).toBe(20);
  expect(queries).toBe(0);
});
