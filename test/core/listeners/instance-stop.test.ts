// Instances that are stopped at any moment.

import { expect, test } from "vitest";
import { StopReason } from "../../../src/core/stop-reason.ts";
import { Memory, saying, type Script } from "../../support/scripted.ts";
import { closing, failing, listener, playInstance, tasks, templateOf, viewOf } from "./playing.ts";

/** Of which some ask, one is tried twice, and one is held until somebody resumes it. */
const TEMPLATE = templateOf({
  name: "Everything at once",
  tasks: tasks("001", "002", "003", "004", "005", "006"),
  max_retries: 1,
  listeners: [
    listener("A", "001", "Running", "plain", "002"),
    listener("B", "001", "Running", "asking", "003"),
    listener("C", "001", "Running", "flaky", "004"),
    listener("D", "002", "Done", "broken", "005"),
    listener("E", "004", "Done", "asking", "006"),
    closing("Z", "002,003,004,005,006", "Done"),
  ],
});

const LAST_WORDS: ReadonlySet<string> = new Set(["task_completed", "task_failed", "task_cancelled"]);

async function passing(ticks: number): Promise<void> {
  for (let left = ticks; left > 0; left -= 1) await Promise.resolve();
}

/** Plays it, with an answer to every question, until it ends; it is stopped after so many ticks. */
async function stoppedAfter(ticks: number, by: "person" | "clock") {
  const stop = new AbortController();
  const memory = new Memory();
  const asked: string[] = [];
  const settled: string[] = [];
  const asking: Script = async function* ({ message_id, reply }) {
    yield { type: "accepted", remote_task_id: message_id };
    if (reply === undefined) {
      asked.push(`asking/${message_id}`);
      yield { type: "input_required", prompt: "Which?" };
    }
    settled.push(`asking/${reply?.remote_task_id}`);
    await Promise.resolve();
    yield { type: "text", text: "this" };
  };
  const agents = { plain: saying("x"), asking, flaky: failing(1, saying("y")), broken: failing(2, saying("z")) };
  void passing(ticks).then(() => stop.abort(new StopReason(by, "Stopped.")));
  for (;;) {
    const { end, dismissed } = await playInstance(
      { template: TEMPLATE, agents, turn: { signal: stop.signal } },
      memory,
    );
    settled.push(...dismissed);
    if (end.status !== "paused") return { memory, end, asked, settled };
    for (const { request_id } of memory.open()) {
      memory.settle(request_id, { state: "answered", answer: { message: "go on" } });
    }
  }
}

test.each(["person", "clock"] as const)(
  "[T3] [T5] whenever the %s stops it, it ends once, with one last word of each task, and no agent waits",
  async (by) => {
    const statuses = new Set<string>();
    for (let ticks = 0; ticks < 400; ticks += 1) {
      const { memory, end, asked, settled } = await stoppedAfter(ticks, by);
      const when = `after ${ticks} ticks`;
      const { sent } = memory;
      expect([sent.filter(({ event }) => event === "done").length, sent.at(-1)?.event], when).toEqual([1, "done"]);
      const told = sent.flatMap(({ event, data }) =>
        LAST_WORDS.has(event) && "task_id" in data ? [data.task_id] : [],
      );
      const all = (viewOf(memory).plans[0]?.tasks ?? []).map(({ task_id }) => task_id);
      expect(new Set(told), when).toEqual(new Set(all));
      expect(told.length, when).toBe(all.length);
      expect(settled.toSorted(), when).toEqual(asked.toSorted());
      statuses.add(end.status);
    }
    expect(statuses).toEqual(new Set(by === "person" ? ["completed"] : ["completed", "failed"]));
  },
);
