// Stops an instance after every possible number of microtasks.

import { expect, test } from "vitest";
import { StopReason } from "../../../src/core/turn/stop-reason.ts";
import { Memory, answerWith, type Script } from "../../support/scripted-ports.ts";
import { pickByLength } from "../../support/run-length.ts";
import { codeListener, failingAgent, listener, runTestInstance, createTemplate, getView } from "./instance-fixture.ts";

/** Some agents ask, one fails once, and one is held until it is resumed. */
const TEMPLATE = createTemplate({
  max_retries: 1,
  listeners: [
    listener("A", "001", "Running", "plain", "002"),
    listener("B", "001", "Running", "asking", "003"),
    listener("C", "001", "Running", "flaky", "004"),
    listener("D", "002", "Done", "broken", "005"),
    listener("E", "004", "Done", "asking", "006"),
    codeListener("Z", "002,003,004,005,006", "Done"),
  ],
});

const FINAL_EVENTS: ReadonlySet<string> = new Set(["task_completed", "task_failed", "task_cancelled"]);

async function waitMicrotasks(ticks: number): Promise<void> {
  for (let remaining = ticks; remaining > 0; remaining -= 1) await Promise.resolve();
}

/** Runs the instance to its end and answers every question; stops it after `ticks` microtasks. */
async function runAndStop(ticks: number, by: "person" | "clock") {
  const stop = new AbortController();
  const memory = new Memory();
  const questions: string[] = [];
  const closed: string[] = [];
  const asking: Script = async function* ({ message_id, reply }) {
    yield { type: "accepted", remote_task_id: message_id };
    if (reply === undefined) {
      questions.push(`asking/${message_id}`);
      yield { type: "input_required", prompt: "Which?" };
    }
    closed.push(`asking/${reply?.remote_task_id}`);
    await Promise.resolve();
    yield { type: "text", text: "this" };
  };
  const agents = {
    plain: answerWith("x"),
    asking,
    flaky: failingAgent(1, answerWith("y")),
    broken: failingAgent(2, answerWith("z")),
  };
  void waitMicrotasks(ticks).then(() => stop.abort(new StopReason(by, "Stopped.")));
  for (;;) {
    const { end, dismissed } = await runTestInstance(
      { template: TEMPLATE, agents, turn: { signal: stop.signal } },
      memory,
    );
    closed.push(...dismissed);
    if (end.status !== "paused") return { memory, end, questions, closed };
    memory.answerAll("go on");
  }
}

test.each(["person", "clock"] as const)(
  "[T3] [T5] an instance ends once, with one final event per task and no waiting agent, whenever the %s stops it",
  async (by) => {
    const statuses = new Set<string>();
    for (let ticks = 0; ticks < 400; ticks += pickByLength(3, 1)) {
      const { memory, end, questions, closed } = await runAndStop(ticks, by);
      const label = `after ${ticks} ticks`;
      const { sent } = memory;
      expect([sent.filter(({ event }) => event === "done").length, sent.at(-1)?.event], label).toEqual([1, "done"]);
      const finalEvents = sent.flatMap(({ event, data }) =>
        FINAL_EVENTS.has(event) && "task_id" in data ? [data.task_id] : [],
      );
      const all = (getView(memory).plans[0]?.tasks ?? []).map(({ task_id }) => task_id);
      expect(new Set(finalEvents), label).toEqual(new Set(all));
      expect(finalEvents.length, label).toBe(all.length);
      expect(closed.toSorted(), label).toEqual(questions.toSorted());
      statuses.add(end.status);
    }
    expect(statuses).toEqual(new Set(by === "person" ? ["completed"] : ["completed", "failed"]));
  },
);
