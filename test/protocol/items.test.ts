// L2: whoever was there when something was taken back sees what they see who come later, and get a log without it.

import { expect, test } from "vitest";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { applyEventToItems, type Item } from "../../src/protocol/wire/items.ts";
import { between, randomFrom } from "../support/random.ts";

const SEED = 20_261_123;
const ROUNDS = 500;
const TASKS = ["one", "two"];

function frameOf(seq: number, event: string, task: string, item: string, payload: object): Frame {
  const data = { conversation_id: "c", thread_id: "th", task_id: task, role: "agent", item_id: item, payload };
  return { seq, event, data } as unknown as Frame;
}

/** Something that an agent says: a paragraph of two chunks, the beginning or the end of a call, a component anew. */
function said(seq: number, task: string, random: () => number): Frame[] {
  const at = (n: number) => String(between(random, 1, n));
  const call = `${task}/${at(2)}`;
  switch (between(random, 0, 3)) {
    case 0:
      return ["a", "b"].map((content, i) => frameOf(seq + i, "message_chunk", task, `p${seq}`, { content }));
    case 1:
      return [frameOf(seq, "tool_call_started", task, call, { tool_call_id: call, tool_name: "t" })];
    case 2:
      return [
        frameOf(seq, "tool_call_completed", task, call, { tool_call_id: call, tool_name: "t", tool_result: `${seq}` }),
      ];
    default:
      return [
        frameOf(seq, "component_generator", task, `chart${at(2)}`, { component_type: "card", content: `${seq}` }),
      ];
  }
}

function itemsOf(frames: readonly Frame[]): ReadonlyMap<string, Item> {
  const items = new Map<string, Item>();
  for (const frame of frames) applyEventToItems(items, frame.seq, frame);
  return items;
}

test(`[L2] what was taken back leaves no trace in items that were there before, in ${ROUNDS} talks at random`, () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const random = randomFrom(SEED + round);
    const told: Frame[] = [];
    let log: Frame[] = [];
    const kept = new Map(TASKS.map((task) => [task, 0]));
    for (let step = 0; step < 25; step += 1) {
      const task = TASKS[between(random, 0, 1)] ?? "";
      const last = told.at(-1)?.seq ?? 0;
      const what = between(random, 0, 9);
      if (what === 0) kept.set(task, last);
      else if (what === 1) {
        const since = kept.get(task) ?? 0;
        told.push(frameOf(last + 1, "task_retrying", task, `r${last}`, { content: "", attempt: 2, since }));
        log = log.filter(({ seq, data }) => !("task_id" in data) || data.task_id !== task || seq <= since);
      } else {
        const frames = said(last + 1, task, random);
        told.push(...frames);
        log.push(...frames);
      }
      expect([...itemsOf(told).values()], `round ${round}`).toEqual([...itemsOf(log).values()]);
    }
  }
});
