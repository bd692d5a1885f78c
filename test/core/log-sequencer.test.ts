import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LogSequencer } from "../../src/core/log-sequencer.ts";
import { MAX_ROW_SPAN } from "../../src/core/log-rows.ts";
import type { EventDraft } from "../../src/core/ports.ts";
import { EMPTY_VIEW, foldFrame, type ConversationView } from "../../src/protocol/wire/view.ts";
import { Memory } from "../support/scripted.ts";

const place = (task: number) =>
  ({ thread_id: "th-1", task_id: `task-${task}`, agent_name: "a", role: "agent" }) as const;
const chunk = (task: number, content: string): EventDraft => ({
  event: "message_chunk",
  data: { ...place(task), payload: { content } },
});
const thought = (task: number, content: string): EventDraft => ({
  event: "reasoning",
  data: { ...place(task), payload: { content } },
});
const tool = (task: number, id: string): EventDraft => ({
  event: "tool_call_completed",
  data: { ...place(task), item_id: id, payload: { tool_call_id: id, tool_name: "t", tool_result: "[]" } },
});
const thinking = (task: number, event: "reasoning_started" | "reasoning_completed"): EventDraft => ({
  event,
  data: place(task),
});
const completed = (task: number): EventDraft => ({ event: "task_completed", data: place(task) });
const retrying = (task: number): EventDraft => ({
  event: "task_retrying",
  data: { ...place(task), payload: { content: "", attempt: 2 } },
});

const task = fc.integer({ min: 1, max: 3 });
const draft: fc.Arbitrary<EventDraft> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(task, fc.string({ minLength: 1, maxLength: 5 })).map(([t, text]) => chunk(t, text)),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(task, fc.string({ minLength: 1, maxLength: 5 })).map(([t, text]) => thought(t, text)),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(task, fc.constantFrom("reasoning_started" as const, "reasoning_completed" as const))
      .map(([t, event]) => thinking(t, event)),
  },
  { weight: 2, arbitrary: fc.tuple(task, fc.uuid()).map(([t, id]) => tool(t, id)) },
  { weight: 1, arbitrary: task.map(completed) },
  { weight: 1, arbitrary: task.map(retrying) },
);

const shown = (view: ConversationView) =>
  [...view.items.values()].map(({ seq, item_id, payload }) => ({ seq, item_id, payload }));
const folded = (from: ConversationView, frames: Parameters<typeof foldFrame>[1][]) => frames.reduce(foldFrame, from);

describe("the log", () => {
  test("[L2] whoever left at any moment and comes back at any other sees what one who stayed sees", () => {
    fc.assert(
      fc.property(fc.array(draft, { maxLength: 60 }), fc.nat(60), fc.nat(60), (drafts, leftAt, cameBackAt) => {
        const memory = new Memory();
        let left = EMPTY_VIEW;
        let back: ConversationView | null = null;
        drafts.forEach((one, i) => {
          memory.publish(one);
          if (i === leftAt) left = folded(EMPTY_VIEW, memory.sent);
          if (i === Math.max(leftAt, cameBackAt)) back = folded(left, memory.framesAfter(left.seq));
        });
        const stayed = folded(EMPTY_VIEW, memory.sent);
        const end = folded(back ?? left, memory.framesAfter((back ?? left).seq));
        expect(shown(end)).toEqual(shown(stayed));
        expect(shown(folded(EMPTY_VIEW, memory.framesAfter(0)))).toEqual(shown(stayed));
      }),
      { numRuns: 500, seed: 7 },
    );
  });

  test("[L2] a replay that breaks off anywhere, or comes in pages, can be gone on with", () => {
    fc.assert(
      fc.property(
        fc.array(draft, { maxLength: 60 }),
        fc.nat(60),
        fc.integer({ min: 1, max: 4 }),
        (drafts, from, size) => {
          const memory = new Memory();
          memory.publish(...drafts);
          let reader = folded(
            EMPTY_VIEW,
            memory.sent.filter((frame) => frame.seq <= from),
          );
          for (let page = memory.framesAfter(reader.seq); page.length > 0; page = memory.framesAfter(reader.seq)) {
            reader = folded(reader, page.slice(0, size));
          }
          expect(shown(reader)).toEqual(shown(folded(EMPTY_VIEW, memory.sent)));
        },
      ),
      { numRuns: 500, seed: 7 },
    );
  });

  test("[L1] numbers grow by one, and after a restart none is given twice", () => {
    fc.assert(
      fc.property(
        fc.array(draft, { minLength: 1, maxLength: 50 }),
        fc.array(draft, { minLength: 1, maxLength: 20 }),
        (before, after) => {
          const memory = new Memory();
          for (const one of before) memory.publish(one);
          expect(memory.sent.map((frame) => frame.seq)).toEqual(before.map((_, i) => i + 1));
          memory.restart();
          memory.sent.length = 0;
          for (const one of after) memory.publish(one);
          const first = memory.sent[0]?.seq ?? 0;
          expect(first).toBeGreaterThan(before.length);
          expect(memory.sent.map((frame) => frame.seq)).toEqual(after.map((_, i) => first + i));
        },
      ),
      { numRuns: 100, seed: 7 },
    );
  });

  test("[L4] four thousand tokens cost a handful of rows and reservations", () => {
    const book = new LogSequencer("conv-1", 0);
    let rows = 0;
    let reservations = 0;
    for (let i = 0; i < 4_000; i++) {
      const commit = book.append([chunk(1, "word ")]);
      rows += commit.rows.length;
      reservations += commit.reserve === null ? 0 : 1;
    }
    expect(rows + book.append([completed(1)]).rows.length).toBeLessThanOrEqual(6);
    expect(reservations).toBeLessThanOrEqual(6);
  });

  test("[L4] no row spans more numbers than a replay looks back", () => {
    const memory = new Memory();
    for (let i = 0; i < 5 * MAX_ROW_SPAN; i++)
      memory.publish(chunk(i % MAX_ROW_SPAN === 5 ? 2 : i % (2 * MAX_ROW_SPAN) === 7 ? 3 : 1, "x"));
    memory.publish(completed(1), completed(2), completed(3));
    for (const row of memory.rows) expect(row.last - row.seq).toBeLessThan(MAX_ROW_SPAN);
    expect(memory.rows.length).toBeGreaterThan(2);
  });

  test("[L2] what is published at once by the thousand stands in rows that a replay reaches", () => {
    const memory = new Memory();
    memory.publish(chunk(2, "before"), ...Array.from({ length: 2 * MAX_ROW_SPAN + 9 }, (_, i) => tool(1, `t${i}`)));
    for (const row of memory.rows) expect(row.last - row.seq).toBeLessThan(MAX_ROW_SPAN);
    expect(memory.framesAfter(0).map(({ seq }) => seq)).toEqual(memory.sent.map(({ seq }) => seq));
  });

  test("[F63] [F66] the paragraph is stored whole, before the event that closed it", () => {
    const memory = new Memory();
    for (const text of ["one ", "two ", "three"]) memory.publish(chunk(1, text));
    expect(memory.rows).toEqual([]);
    memory.publish(completed(1));
    expect(memory.rows.map((row) => row.entries.map((entry) => entry.event))).toEqual([
      ["message_chunk", "message_chunk", "task_completed"],
    ]);
    const text = memory
      .framesAfter(0)
      .flatMap((f) => (f.event === "message_chunk" ? [f.data.payload.content] : []))
      .join("");
    expect(text).toBe("one two three");
  });

  test("[L4] what is stored at once of one task is one row, of others their own", () => {
    const memory = new Memory();
    memory.publish(chunk(1, "a"));
    memory.publish(chunk(2, "b"));
    memory.publish(completed(1));
    memory.publish(tool(2, "t"), completed(2));
    expect(memory.rows.map(({ seq, last, scope }) => [seq, last, scope])).toEqual([
      [1, 3, "task-1"],
      [2, 5, "task-2"],
    ]);
  });

  test("[B2] reasoning that holds words is stored when it ends, without words with what comes next", () => {
    const silent = new Memory();
    silent.publish(thinking(1, "reasoning_started"));
    silent.publish(thinking(1, "reasoning_completed"), chunk(1, "a"));
    expect(silent.rows).toEqual([]);
    silent.publish(completed(1));
    expect(silent.rows.flatMap((row) => row.entries.map(({ seq }) => seq))).toEqual([1, 2, 3, 4]);
    const spoken = new Memory();
    spoken.publish(thinking(1, "reasoning_started"), thought(1, "hm"));
    expect(spoken.rows).toEqual([]);
    spoken.publish(thinking(1, "reasoning_completed"), chunk(1, "a"));
    expect(spoken.rows.flatMap((row) => row.entries.map(({ seq }) => seq))).toEqual([1, 2, 3]);
  });

  test("[F72] a batch keeps its order and closes paragraphs in between", () => {
    const memory = new Memory();
    memory.publish(chunk(1, "a"), tool(1, "t1"), chunk(1, "b"));
    const [first, , last] = memory.sent;
    expect(memory.sent.map((frame) => frame.event)).toEqual(["message_chunk", "tool_call_completed", "message_chunk"]);
    expect(first?.data.item_id).not.toBe(last?.data.item_id);
  });
});
