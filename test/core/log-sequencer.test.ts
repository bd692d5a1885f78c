import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LogSequencer } from "../../src/core/log/log-sequencer.ts";
import { MAX_ROW_SPAN } from "../../src/core/log/log-rows.ts";
import type { EventDraft } from "../../src/core/ports.ts";
import { EMPTY_VIEW, foldFrames, type ConversationView } from "../../src/protocol/wire/view.ts";
import { Memory } from "../support/scripted-ports.ts";

const createFields = (task: number) =>
  ({ thread_id: "th-1", task_id: `task-${task}`, agent_name: "a", role: "agent" }) as const;
const chunk = (task: number, content: string): EventDraft => ({
  event: "message_chunk",
  data: { ...createFields(task), payload: { content } },
});
const reasoningChunk = (task: number, content: string): EventDraft => ({
  event: "reasoning",
  data: { ...createFields(task), payload: { content } },
});
const tool = (task: number, id: string): EventDraft => ({
  event: "tool_call_completed",
  data: { ...createFields(task), item_id: id, payload: { tool_call_id: id, tool_name: "t", tool_result: "[]" } },
});
const thinking = (task: number, event: "reasoning_started" | "reasoning_completed"): EventDraft => ({
  event,
  data: createFields(task),
});
const completed = (task: number): EventDraft => ({ event: "task_completed", data: createFields(task) });
const retrying = (task: number): EventDraft => ({
  event: "task_retrying",
  data: { ...createFields(task), payload: { content: "", attempt: 2 } },
});

const task = fc.integer({ min: 1, max: 3 });
const draft: fc.Arbitrary<EventDraft> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(task, fc.string({ minLength: 1, maxLength: 5 })).map(([t, text]) => chunk(t, text)),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(task, fc.string({ minLength: 1, maxLength: 5 })).map(([t, text]) => reasoningChunk(t, text)),
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

const listItems = (view: ConversationView) =>
  [...view.items.values()].map(({ seq, item_id, payload }) => ({ seq, item_id, payload }));
const foldAll = (from: ConversationView, frames: Parameters<typeof foldFrames>[1]) => foldFrames(from, frames);

describe("LogSequencer", () => {
  test("[L2] a reader that disconnects and reconnects at any time sees the same as one that stays", () => {
    fc.assert(
      fc.property(fc.array(draft, { maxLength: 60 }), fc.nat(60), fc.nat(60), (drafts, disconnectAt, reconnectAt) => {
        const memory = new Memory();
        let viewAtDisconnect = EMPTY_VIEW;
        let back: ConversationView | null = null;
        drafts.forEach((event, i) => {
          memory.publish(event);
          if (i === disconnectAt) viewAtDisconnect = foldAll(EMPTY_VIEW, memory.sent);
          if (i === Math.max(disconnectAt, reconnectAt))
            back = foldAll(viewAtDisconnect, memory.readFrames(viewAtDisconnect.seq));
        });
        const stayed = foldAll(EMPTY_VIEW, memory.sent);
        const end = foldAll(back ?? viewAtDisconnect, memory.readFrames((back ?? viewAtDisconnect).seq));
        expect(listItems(end)).toEqual(listItems(stayed));
        expect(listItems(foldAll(EMPTY_VIEW, memory.readFrames(0)))).toEqual(listItems(stayed));
      }),
      { numRuns: 500, seed: 7 },
    );
  });

  test("[L2] resumes a replay that is interrupted or read in pages of any size", () => {
    fc.assert(
      fc.property(
        fc.array(draft, { maxLength: 60 }),
        fc.nat(60),
        fc.integer({ min: 1, max: 4 }),
        (drafts, from, size) => {
          const memory = new Memory();
          memory.publish(...drafts);
          let reader = foldAll(
            EMPTY_VIEW,
            memory.sent.filter((frame) => frame.seq <= from),
          );
          for (let page = memory.readFrames(reader.seq); page.length > 0; page = memory.readFrames(reader.seq)) {
            reader = foldAll(reader, page.slice(0, size));
          }
          expect(listItems(reader)).toEqual(listItems(foldAll(EMPTY_VIEW, memory.sent)));
        },
      ),
      { numRuns: 500, seed: 7 },
    );
  });

  test("[L1] numbers events consecutively and reuses no number after a restart", () => {
    fc.assert(
      fc.property(
        fc.array(draft, { minLength: 1, maxLength: 50 }),
        fc.array(draft, { minLength: 1, maxLength: 20 }),
        (before, after) => {
          const memory = new Memory();
          for (const event of before) memory.publish(event);
          expect(memory.sent.map((frame) => frame.seq)).toEqual(before.map((_, i) => i + 1));
          memory.restart();
          memory.sent.length = 0;
          for (const event of after) memory.publish(event);
          const first = memory.sent[0]?.seq ?? 0;
          expect(first).toBeGreaterThan(before.length);
          expect(memory.sent.map((frame) => frame.seq)).toEqual(after.map((_, i) => first + i));
        },
      ),
      { numRuns: 100, seed: 7 },
    );
  });

  test("[L4] stores 4,000 tokens in a few rows and reservations", () => {
    const sequencer = new LogSequencer("conv-1", 0);
    let rows = 0;
    let reservations = 0;
    for (let i = 0; i < 4_000; i++) {
      const commit = sequencer.append([chunk(1, "word ")]);
      rows += commit.rows.length;
      reservations += commit.reserve === null ? 0 : 1;
    }
    expect(rows + sequencer.append([completed(1)]).rows.length).toBeLessThanOrEqual(6);
    expect(reservations).toBeLessThanOrEqual(6);
  });

  test("[L4] stores no row that spans more sequence numbers than a replay looks back", () => {
    const memory = new Memory();
    for (let i = 0; i < 5 * MAX_ROW_SPAN; i++)
      memory.publish(chunk(i % MAX_ROW_SPAN === 5 ? 2 : i % (2 * MAX_ROW_SPAN) === 7 ? 3 : 1, "x"));
    memory.publish(completed(1), completed(2), completed(3));
    for (const row of memory.rows) expect(row.last - row.seq).toBeLessThan(MAX_ROW_SPAN);
    expect(memory.rows.length).toBeGreaterThan(2);
  });

  test("[L2] splits thousands of events of one batch into rows that a replay finds", () => {
    const memory = new Memory();
    memory.publish(chunk(2, "before"), ...Array.from({ length: 2 * MAX_ROW_SPAN + 9 }, (_, i) => tool(1, `t${i}`)));
    for (const row of memory.rows) expect(row.last - row.seq).toBeLessThan(MAX_ROW_SPAN);
    expect(memory.readFrames(0).map(({ seq }) => seq)).toEqual(memory.sent.map(({ seq }) => seq));
  });

  test("[F63] [F66] stores a complete paragraph before the event that closes it", () => {
    const memory = new Memory();
    for (const text of ["one ", "two ", "three"]) memory.publish(chunk(1, text));
    expect(memory.rows).toEqual([]);
    memory.publish(completed(1));
    expect(memory.rows.map((row) => row.entries.map((entry) => entry.event))).toEqual([
      ["message_chunk", "message_chunk", "task_completed"],
    ]);
    const text = memory
      .readFrames(0)
      .flatMap((f) => (f.event === "message_chunk" ? [f.data.payload.content] : []))
      .join("");
    expect(text).toBe("one two three");
  });

  test("[L4] stores the events of one commit in one row per task", () => {
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

  test("[B2] stores reasoning with text when it ends, and empty reasoning with the next output", () => {
    const silent = new Memory();
    silent.publish(thinking(1, "reasoning_started"));
    silent.publish(thinking(1, "reasoning_completed"), chunk(1, "a"));
    expect(silent.rows).toEqual([]);
    silent.publish(completed(1));
    expect(silent.rows.flatMap((row) => row.entries.map(({ seq }) => seq))).toEqual([1, 2, 3, 4]);
    const spoken = new Memory();
    spoken.publish(thinking(1, "reasoning_started"), reasoningChunk(1, "hm"));
    expect(spoken.rows).toEqual([]);
    spoken.publish(thinking(1, "reasoning_completed"), chunk(1, "a"));
    expect(spoken.rows.flatMap((row) => row.entries.map(({ seq }) => seq))).toEqual([1, 2, 3]);
  });

  test("[F72] keeps the order of a batch and closes paragraphs in between", () => {
    const memory = new Memory();
    memory.publish(chunk(1, "a"), tool(1, "t1"), chunk(1, "b"));
    const [first, , last] = memory.sent;
    expect(memory.sent.map((frame) => frame.event)).toEqual(["message_chunk", "tool_call_completed", "message_chunk"]);
    expect(first?.data.item_id).not.toBe(last?.data.item_id);
  });
});
