// The newest rows of a log, cached in memory: they equal the stored rows.

import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { LogCommit } from "../../src/core/log/log-sequencer.ts";
import type { LogRow } from "../../src/core/log/log-rows.ts";
import { Sql } from "../../src/durable/sql.ts";
import { ConversationStore } from "../../src/durable/conversation/storage/conversation-store.ts";
import { createInMemorySql } from "../support/sqlite.ts";

const createRow = (seq: number, scope: string | null, chars: number): LogRow => {
  const payload = { content: "x".repeat(chars) };
  const data = { thread_id: "th-1", ...(scope === null ? {} : { task_id: scope }), payload };
  return { seq, last: seq, scope, entries: [{ seq, event: "message", data }] as unknown as LogRow["entries"] };
};
const createCommit = (rows: readonly LogRow[], retract: LogCommit["retract"] = []): LogCommit => ({
  frames: [],
  rows,
  reserve: null,
  retract,
});

/**
 * A log whose sequence numbers are assigned in order but stored out of order: a paragraph has the number of its first
 * chunk.
 */
class RandomLog {
  readonly sql = createInMemorySql();
  store = new ConversationStore(this.sql);
  #lastSeq = 0;
  #open: number[] = [];

  constructor() {
    this.store.migrate();
  }

  begin(): void {
    this.#open.push((this.#lastSeq += 1));
  }

  /** Stores the open paragraph with index `which`, or a new event if there is none. */
  put(which: number, chars: number, scope: string | null): void {
    const [seq = (this.#lastSeq += 1)] = this.#open.splice(which % Math.max(1, this.#open.length), 1);
    this.store.transaction(() => this.store.append(createCommit([createRow(seq, scope, chars)]), 0, seq));
  }

  retract(scope: string, since: number): void {
    const retryRow = createRow((this.#lastSeq += 1), scope, 1);
    this.store.transaction(() => this.store.append(createCommit([retryRow], [{ scope, since }]), 0, retryRow.seq));
  }

  fail(): void {
    const { store } = this;
    const row = createRow((this.#lastSeq += 1), null, 1);
    const failing = () => {
      store.append(createCommit([row]), 0, row.seq);
      throw new Error("disk full");
    };
    expect(() => store.transaction(failing)).toThrow("disk full");
  }

  /** The object is evicted: unstored paragraphs are lost and their numbers are skipped. */
  restart(): void {
    this.#open = [];
    this.store = new ConversationStore(this.sql);
  }

  clear(): void {
    this.store.clear();
    this.#open = [];
    this.#lastSeq = 0;
  }
}

const scope = fc.constantFrom(null, "a", "b");
const action = fc.oneof(
  { weight: 3, arbitrary: fc.constant((log: RandomLog) => log.begin()) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.nat(5), fc.constantFrom(1, 300, 9_000, 40_000), scope)
      .map((put) => (log: RandomLog) => log.put(...put)),
  },
  fc.tuple(fc.constantFrom("a", "b"), fc.nat(20)).map((args) => (log: RandomLog) => log.retract(...args)),
  fc.constant((log: RandomLog) => log.fail()),
  fc.constant((log: RandomLog) => log.restart()),
  fc.constant((log: RandomLog) => log.clear()),
);

test("[L3] the cached newest rows equal the stored rows", () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40, size: "max" }), (actions) => {
      const log = new RandomLog();
      for (const apply of actions) {
        apply(log);
        expect([...log.store.readNewestRows()]).toEqual([...new ConversationStore(log.sql).readNewestRows()]);
      }
    }),
    { numRuns: 150, seed: 20261123 },
  );
});

test("rows that were just stored are not read from storage", () => {
  const sql = createInMemorySql();
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
  for (let seq = 1; seq <= 20; seq++) store.append(createCommit([createRow(seq, "a", 500)]), 0, seq);
  queries = 0;
  const [newest] = store.readNewestRows();
  expect(newest?.seq).toBe(20);
  expect(queries).toBe(0);
});
