import { describe, expect, test } from "vitest";
import { eventsOf, saying, type Script } from "../../support/scripted.ts";
import {
  closing,
  counted,
  failing,
  instanceIn,
  listener,
  playInstance,
  resume,
  statuses,
  tasks,
  templateOf,
  viewOf,
  type GivenConfig,
} from "./playing.ts";

const chain = (more: Partial<GivenConfig> = {}): GivenConfig => ({
  name: "A chain",
  tasks: tasks("001", "002", "003"),
  listeners: [
    listener("A", "001", "Running", "a", "002"),
    listener("B", "002", "Done", "b", "003"),
    closing("Z", "003", "Done"),
  ],
  ...more,
});

describe("a listener that fails", () => {
  test("is tried again by itself, and what comes after it goes on", async () => {
    const a = counted(failing(2, saying("done")));
    const { memory, end } = await playInstance({ template: templateOf(chain()), agents: { a, b: saying("x") } });
    expect(end.status).toBe("completed");
    expect(a.requests.map(({ message_id: id }) => id.replace(/^[^#]*/, ""))).toEqual(["", "#2", "#3"]);
    const { tasks: all, listeners } = instanceIn(memory);
    expect(listeners[0]).toMatchObject({ status: "done", attempts: 3 });
    expect(listeners[0]).not.toHaveProperty("error");
    expect(all[0]?.status_trace.map(({ status }) => status)).toEqual([
      "Running",
      "Retrying",
      "Retrying",
      "Running",
      "Done",
    ]);
    expect(all[0]?.context).toEqual({});
    expect(eventsOf({ memory }, "task_failed")).toEqual([]);
  });

  test("[T6] has not used up the budget of its instance by saying so", async () => {
    const spent: Script = async function* () {
      yield { type: "failed", reason: "I used up mine.", code: "budget_exceeded" };
    };
    const world = { template: templateOf(chain({ max_retries: 0 })), agents: { a: spent, b: saying("x") } };
    const { memory, end } = await playInstance(world);
    expect(end.status).toBe("paused");
    expect(instanceIn(memory, "open").hold?.message).toBe("A failed: I used up mine.");
  });

  test("for good holds the instance; resuming tries it alone again, with new counters", async () => {
    const a = counted(saying("done"));
    const b = counted(failing(4, saying("at last")));
    const world = { template: templateOf(chain({ max_retries: 1 })), agents: { a, b } };
    const { memory, end } = await playInstance(world);
    expect(end.status).toBe("paused");
    const held = instanceIn(memory, "open");
    expect(held).toMatchObject({
      status: "error",
      waiting_for_resume: true,
      hold: {
        status: "waiting_for_resume",
        failed_listener_id: "B",
        failed_listener_ids: ["B"],
        message: "B failed: The system is down.",
        missing: [],
        request_id: memory.open()[0]?.request_id,
      },
    });
    expect(statuses(held)).toEqual({ "001": "Error", "002": "Done", "003": "Error" });
    expect(held.tasks[0]?.context).toMatchObject({ failed_listener_id: "B", error_info: held.hold });
    expect(held.listeners[1]).toMatchObject({ status: "held", attempts: 2, error: "The system is down." });
    expect(memory.open()[0]?.expires_at).toBeGreaterThan(29 * 86_400_000);

    resume(memory);
    expect((await playInstance(world, memory)).end.status).toBe("paused");
    expect(b.requests).toHaveLength(4);
    resume(memory);
    expect((await playInstance(world, memory)).end.status).toBe("completed");
    expect([a.requests.length, b.requests.length]).toEqual([1, 5]);
    const done = instanceIn(memory);
    expect(done).toMatchObject({ status: "done", waiting_for_resume: false });
    expect(statuses(done)).toEqual({ "001": "Done", "002": "Done", "003": "Done" });
    expect(done.tasks[0]?.context).toEqual({});
    expect(done.tasks[0]?.status_trace.map(({ status }) => status).slice(-2)).toEqual(["Running", "Done"]);
    expect(viewOf(memory).plans[0]?.tasks.map(({ status }) => status)).toEqual(["completed", "completed"]);
  });

  test("with a failure_output is not tried again: that is applied", async () => {
    const a = counted(failing(9, saying("never")));
    const template = templateOf({
      name: "A way out",
      tasks: tasks("001", "002"),
      listeners: [
        listener("A", "001", "Running", "a", "002", {
          failure_output: { task_id: "002", status: "error", context: { why: "{{result.error}}" } },
        }),
        listener("B", "002", "002.status == Error", "b", "001"),
      ],
    });
    const { memory } = await playInstance({ template, agents: { a, b: saying("mended") } });
    expect(a.requests).toHaveLength(1);
    const instance = instanceIn(memory);
    expect(instance.status).toBe("done");
    expect(instance.tasks[1]).toMatchObject({ status: "Error", context: { why: "The system is down." } });
    expect(instance.listeners.map(({ status }) => status)).toEqual(["failed", "done"]);
  });

  test("keeps nobody else from going on", async () => {
    const template = templateOf({
      name: "Two ways",
      tasks: tasks("001", "002", "003", "004"),
      max_retries: 0,
      listeners: [
        listener("A", "001", "Running", "bad", "002"),
        listener("B", "001", "Running", "slow", "003"),
        listener("C", "003", "Done", "slow", "004"),
        closing("Z", "002,004", "Done"),
      ],
    });
    const slow: Script = async function* () {
      await new Promise((resolve) => setTimeout(resolve, 5));
      yield { type: "text", text: "done" };
    };
    const { memory, end } = await playInstance({ template, agents: { bad: failing(1, slow), slow } });
    expect(end.status).toBe("paused");
    expect(statuses(instanceIn(memory, "open"))).toEqual({
      "001": "Error",
      "002": "Error",
      "003": "Done",
      "004": "Done",
    });
  });

  test("and nobody resumes it: the instance ends in an error that says so", async () => {
    const world = {
      template: templateOf(chain({ max_retries: 0 })),
      agents: { a: failing(9, saying("")), b: saying("") },
    };
    const { memory } = await playInstance(world);
    memory.settle(memory.open()[0]?.request_id ?? "", { state: "expired" });
    const { end, events } = await playInstance(world, memory);
    expect(end.status).toBe("failed");
    expect(events.at(-1)).toBe("done");
    expect(instanceIn(memory)).toMatchObject({ status: "error", waiting_for_resume: false });
    expect(instanceIn(memory).listeners.map(({ status }) => status)).toEqual(["failed", "idle", "idle"]);
    expect(eventsOf({ memory }, "system_failed")[0]?.payload.code).toBe("question_expired");
    expect(viewOf(memory).plans[0]?.tasks.every(({ status }) => status === "cancelled")).toBe(true);
  });
});

describe("a listener whose agent asks", () => {
  const asking: Script = async function* ({ reply }) {
    await Promise.resolve();
    if (reply === undefined) yield { type: "input_required", prompt: "Which one?" };
    else yield { type: "text", text: `took ${reply.answer.message}` };
  };

  test("waits while others go on, and goes on from the answer", async () => {
    const template = templateOf({
      name: "A question",
      tasks: tasks("001", "002", "003", "004"),
      listeners: [
        listener("A", "001", "Running", "asking", "002"),
        listener("B", "001", "Running", "b", "003"),
        listener("C", "003", "Done", "b", "004"),
        closing("Z", "002,004", "Done"),
      ],
    });
    const world = { template, agents: { asking, b: saying("x") } };
    const { memory, end } = await playInstance(world);
    expect(end).toEqual({ status: "paused", request_ids: [memory.open()[0]?.request_id] });
    const paused = instanceIn(memory, "open");
    expect([paused.status, paused.waiting_for_resume]).toEqual(["running", false]);
    expect(paused.listeners.map(({ status }) => status)).toEqual(["waiting_input", "done", "done", "idle"]);
    expect(paused.listeners[0]?.request_id).toBe(memory.open()[0]?.request_id);
    expect(instanceIn(memory, "cancelled").listeners[0]).not.toHaveProperty("request_id");
    memory.settle(memory.open()[0]?.request_id ?? "", { state: "answered", answer: { message: "the red one" } });
    expect((await playInstance(world, memory)).end.status).toBe("completed");
    expect(instanceIn(memory).listeners[0]).not.toHaveProperty("request_id");
    expect(instanceIn(memory).listeners[0]).toMatchObject({
      status: "done",
      attempts: 1,
      response: "took the red one",
    });
  });

  test("and another that is held: the instance waits for both", async () => {
    const template = templateOf({
      name: "Both",
      tasks: tasks("001", "002", "003"),
      max_retries: 0,
      listeners: [
        listener("A", "001", "Running", "asking", "002"),
        listener("B", "001", "Running", "b", "003"),
        closing("Z", "002,003", "Done"),
      ],
    });
    const world = { template, agents: { asking, b: failing(1, saying("x")) } };
    const { memory, end } = await playInstance(world);
    expect(end.status === "paused" && end.request_ids).toHaveLength(2);
    const [question, hold] = memory.open();
    memory.settle(hold?.request_id ?? "", { state: "answered", answer: { message: "go on" } });
    expect((await playInstance(world, memory)).end).toEqual({ status: "paused", request_ids: [question?.request_id] });
    memory.settle(question?.request_id ?? "", { state: "answered", answer: { message: "this" } });
    expect((await playInstance(world, memory)).end.status).toBe("completed");
  });
});
