import { describe, expect, test } from "vitest";
import { StopReason } from "../../../src/core/stop-reason.ts";
import { eventsOf, LIMITS, Memory, saying, type Script } from "../../support/scripted.ts";
import { closing, failing, instanceIn, listener, playInstance, tasks, templateOf, using, viewOf } from "./playing.ts";

const parallel = templateOf({
  name: "Side by side",
  tasks: tasks("001", "002", "003", "004"),
  listeners: [
    listener("A", "001", "Running", "a", "002"),
    listener("B", "001", "Running", "b", "003"),
    listener("C", "002,003", "Done", "a", "004"),
    closing("Z", "004", "Done"),
  ],
});

const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2));

describe("an instance that has to stop", () => {
  test("[T5] a cancelled one ends with its tasks' task_cancelled and done, nothing else", async () => {
    const stop = new AbortController();
    let sent = 0;
    const memory = new Memory();
    const endless: Script = async function* () {
      yield { type: "text", text: "working" };
      await rest();
      sent = memory.sent.length;
      stop.abort(new StopReason("person", "You cancelled this."));
      yield { type: "tool_completed", call_id: "c", tool: "t", result: "late" };
    };
    const agents = { a: saying("x"), b: endless };
    const { end } = await playInstance({ template: parallel, agents, turn: { signal: stop.signal } }, memory);
    expect(end.status).toBe("completed");
    const after = memory.sent.slice(sent).filter(({ data }) => !JSON.stringify(data).includes("subagent_conversation"));
    expect(after.map(({ event }) => event)).toEqual(["task_cancelled", "task_cancelled", "done"]);
    expect(viewOf(memory).plans[0]?.tasks.map(({ status }) => status)).toEqual(["completed", "cancelled", "cancelled"]);
    const instance = instanceIn(memory, "cancelled");
    expect(instance.status).toBe("cancelled");
    expect(instance.listeners.map(({ status }) => status)).toEqual(["done", "cancelled", "idle", "idle"]);
  });

  test("[T5] one that was cancelled while it waited ends as soon as it is run again, and begins nothing", async () => {
    const asking: Script = async function* ({ message_id }) {
      yield { type: "accepted", remote_task_id: `remote of ${message_id}` };
      yield { type: "input_required", prompt: "Which?" };
    };
    const world = { template: parallel, agents: { a: asking, b: asking } };
    const { memory } = await playInstance(world);
    for (const { request_id } of memory.open()) memory.settle(request_id, { state: "cancelled" });
    const before = memory.sent.length;
    const signal = AbortSignal.abort(new StopReason("person", "You cancelled this."));
    const { dismissed } = await playInstance({ ...world, turn: { signal } }, memory);
    const waiting = viewOf(memory).plans[0]?.tasks.slice(0, 2) ?? [];
    expect(dismissed).toEqual(waiting.map(({ agent_name, task_id }) => `${agent_name}/remote of ${task_id}`));
    expect(memory.sent.slice(before).map(({ event }) => event)).toEqual([
      ...Array<string>(3).fill("task_cancelled"),
      "done",
    ]);
  });

  test("[T5] one that can go on no more tells the agents that wait with a question", async () => {
    const asking: Script = async function* () {
      yield { type: "accepted", remote_task_id: "remote" };
      yield { type: "input_required", prompt: "Which?" };
    };
    const costly: Script = async function* () {
      await rest();
      yield { type: "usage", usage: { model_calls: 3, input_tokens: 1, output_tokens: 1 } };
      yield { type: "text", text: "more" };
    };
    const limits = { ...LIMITS, maxModelCalls: 2 };
    const world = { template: parallel, agents: { a: asking, b: costly }, turn: { limits } };
    const { end, dismissed } = await playInstance(world);
    expect(end.status).toBe("failed");
    expect(dismissed).toEqual(["a/remote"]);
  });

  test("[T3] one whose time is up says so, and ends once", async () => {
    const stop = new AbortController();
    const slow: Script = async function* () {
      await rest();
      stop.abort(new StopReason("clock", "This message used up its 900 seconds before it was done."));
      yield { type: "text", text: "late" };
    };
    const world = { template: parallel, agents: { a: slow, b: slow }, turn: { signal: stop.signal } };
    const { memory, events, end } = await playInstance(world);
    expect(end.status).toBe("failed");
    expect(eventsOf({ memory }, "system_failed").map(({ payload }) => payload.code)).toEqual(["time_exceeded"]);
    expect(events.filter((name) => name === "done")).toHaveLength(1);
    expect(events.at(-1)).toBe("done");
    expect(instanceIn(memory)).toMatchObject({
      status: "error",
      error: expect.stringContaining("900 seconds") as string,
    });
  });

  test("[T6] a budget that runs out ends it, with the reason", async () => {
    const costly: Script = async function* () {
      await Promise.resolve();
      yield { type: "usage", usage: { model_calls: 3, input_tokens: 1, output_tokens: 1 } };
      yield { type: "text", text: "more" };
    };
    const limits = { ...LIMITS, maxModelCalls: 2 };
    const world = { template: parallel, agents: { a: costly, b: saying("x") }, turn: { limits } };
    const { memory, end } = await playInstance(world);
    expect(end.status).toBe("failed");
    expect(eventsOf({ memory }, "system_failed").map(({ payload }) => payload.code)).toEqual(["budget_exceeded"]);
    expect(instanceIn(memory).status).toBe("error");
  });

  test("[T5] a listener whose task is cancelled is over, and the rest goes on without it", async () => {
    const stop = new AbortController();
    let cancelled = "";
    const stopping: Script = async function* ({ task_id }) {
      await rest();
      cancelled = task_id;
      stop.abort(new StopReason("person", "You cancelled this task."));
      yield { type: "text", text: "late" };
    };
    const taskSignal = (id: string) =>
      id === cancelled || cancelled === "" ? stop.signal : new AbortController().signal;
    const world = { template: parallel, agents: { a: saying("x"), b: stopping }, turn: { taskSignal } };
    const { memory, end } = await playInstance(world);
    expect(end.status).toBe("failed");
    const instance = instanceIn(memory);
    expect(instance.listeners.map(({ status }) => status)).toEqual(["done", "cancelled", "idle", "idle"]);
    expect(instance.error).toContain("B was cancelled.");
  });
});

describe("an instance in which nothing goes on", () => {
  test("says which listeners never fired and what they wait for", async () => {
    const template = templateOf({
      name: "Stuck",
      tasks: tasks("001", "002", "003"),
      listeners: [
        listener("A", "001", "Running", "a", "002"),
        listener("B", "002", "Done", "a", "003", { action_condition: "002.context.level >= 5" }),
        closing("Z", "003", "Done"),
      ],
    });
    const { memory, end } = await playInstance({ template, agents: { a: saying("x") } });
    expect(end.status).toBe("failed");
    expect(instanceIn(memory).error).toBe(
      "“Task 001” is Running and nothing goes on. B never fired: it waits for “Done” and “002.context.level >= 5”, and 002 is Done. " +
        "Z never fired: it waits for “Done”, and 003 is NotStarted.",
    );
    expect(eventsOf({ memory }, "system_failed").map(({ payload }) => payload.code)).toEqual(["plan_not_done"]);
  });

  test("ends in an error when its main task was made one", async () => {
    const template = templateOf({
      name: "Out",
      tasks: tasks("001", "002"),
      listeners: [
        listener("A", "001", "Running", "a", "002", { failure_output: { task_id: "001", status: "Error" } }),
        closing("Z", "002", "Done"),
      ],
    });
    const { memory, end } = await playInstance({ template, agents: { a: failing(1, saying("")) } });
    expect(end.status).toBe("failed");
    expect(instanceIn(memory).error).toContain("A failed: The system is down.");
  });

  test("fires no more listeners than it may", async () => {
    const ids = Array.from({ length: 12 }, (_, i) => `t${i}`);
    const template = templateOf({
      name: "A storm",
      tasks: tasks("001", ...ids),
      listeners: [...ids.map((id) => closing(`L${id}`, "001", "Any", id)), closing("Z", "t11", "Done")],
    });
    const limits = { ...LIMITS, maxFirings: 10 };
    const { memory, end } = await playInstance({ template, agents: {}, turn: { limits } });
    expect(end.status).toBe("failed");
    expect(eventsOf({ memory }, "system_failed")[0]?.payload).toEqual({
      content: "More than 10 listeners fired: the plan was stopped before Lt10.",
      code: "too_many_firings",
    });
  });

  test("renders the last result of a tool whole, and shows the beginning of it", async () => {
    const long = "x".repeat(20_000);
    const template = templateOf({
      name: "Long",
      tasks: tasks("001", "002"),
      listeners: [
        listener("A", "001", "Running", "a", "002", {
          success_output: { task_id: "002", status: "Done", context: { id: "{{result.id}}" } },
        }),
        closing("Z", "002", "Done"),
      ],
    });
    const { memory } = await playInstance({ template, agents: { a: using("list", () => ({ long, id: 7 })) } });
    const [first] = instanceIn(memory).listeners;
    expect(instanceIn(memory).tasks[1]?.context).toEqual({ id: 7 });
    expect(first?.tools.map(({ result }) => result.length)).toEqual([4_096]);
  });

  test("keeps what is known of a task within bounds", async () => {
    const template = templateOf({
      name: "Too much",
      tasks: tasks("001", "002"),
      listeners: [
        listener("A", "001", "Running", "a", "002", {
          success_output: { task_id: "002", status: "Done", context: { all: "{{result.all}}" } },
        }),
        closing("Z", "002", "Done"),
      ],
    });
    const long: Script = async function* () {
      await Promise.resolve();
      yield { type: "text", text: JSON.stringify({ all: "x".repeat(70_000) }) };
    };
    const { memory, end } = await playInstance({ template, agents: { a: long } });
    expect(end.status).toBe("failed");
    expect(instanceIn(memory).listeners[0]).toMatchObject({
      status: "failed",
      error: "What A brought makes the context of 002 larger than 65536 bytes.",
    });
    expect(instanceIn(memory).tasks[1]?.context).toEqual({});
  });
});
