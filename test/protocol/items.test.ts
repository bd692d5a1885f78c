// L2: a reader that saw retracted events shows the same as a reader that comes later and reads a log without them.

import { expect, test } from "vitest";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { applyEventToItems, type Item } from "../../src/protocol/wire/items.ts";
import { randomBetween, createRandom } from "../support/random.ts";
import { pickByLength } from "../support/run-length.ts";

const SEED = 20_261_123;
const ROUNDS = pickByLength(60, 10_000);
const TASKS = ["one", "two"];

function createFrame(seq: number, event: string, task: string, item: string, payload: object): Frame {
  const data = { conversation_id: "c", thread_id: "th", task_id: task, role: "agent", item_id: item, payload };
  return { seq, event, data } as unknown as Frame;
}

/**
 * Creates the frames of a random output: a paragraph of two chunks, the start or end of a tool call, or an updated
 * component.
 */
function createOutput(seq: number, task: string, random: () => number): Frame[] {
  const at = (n: number) => String(randomBetween(random, 1, n));
  const call = `${task}/${at(2)}`;
  switch (randomBetween(random, 0, 3)) {
    case 0:
      return ["a", "b"].map((content, i) => createFrame(seq + i, "message_chunk", task, `p${seq}`, { content }));
    case 1:
      return [createFrame(seq, "tool_call_started", task, call, { tool_call_id: call, tool_name: "t" })];
    case 2:
      return [
        createFrame(seq, "tool_call_completed", task, call, {
          tool_call_id: call,
          tool_name: "t",
          tool_result: `${seq}`,
        }),
      ];
    default:
      return [
        createFrame(seq, "component_generator", task, `chart${at(2)}`, { component_type: "card", content: `${seq}` }),
      ];
  }
}

function foldItems(frames: readonly Frame[]): ReadonlyMap<string, Item> {
  const items = new Map<string, Item>();
  for (const frame of frames) applyEventToItems(items, frame.seq, frame);
  return items;
}

test(`[L2] retracted events leave no trace in items, in ${ROUNDS} random conversations`, () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const random = createRandom(SEED + round);
    const sent: Frame[] = [];
    let log: Frame[] = [];
    const checkpoints = new Map(TASKS.map((task) => [task, 0]));
    for (let step = 0; step < 25; step += 1) {
      const task = TASKS[randomBetween(random, 0, 1)] ?? "";
      const last = sent.at(-1)?.seq ?? 0;
      const what = randomBetween(random, 0, 9);
      if (what === 0) checkpoints.set(task, last);
      else if (what === 1) {
        const since = checkpoints.get(task) ?? 0;
        sent.push(createFrame(last + 1, "task_retrying", task, `r${last}`, { content: "", attempt: 2, since }));
        log = log.filter(({ seq, data }) => !("task_id" in data) || data.task_id !== task || seq <= since);
      } else {
        const frames = createOutput(last + 1, task, random);
        sent.push(...frames);
        log.push(...frames);
      }
      expect([...foldItems(sent).values()], `round ${round}`).toEqual([...foldItems(log).values()]);
    }
  }
});
