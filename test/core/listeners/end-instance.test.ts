import { describe, expect, test } from "vitest";
import { StopReason } from "../../../src/core/turn/stop-reason.ts";
import { getEvents, LIMITS, Memory, answerWith, type Script } from "../../support/scripted-ports.ts";
import {
  codeListener,
  failingAgent,
  getInstance,
  listener,
  runTestInstance,
  tasks,
  createTemplate,
  toolAgent,
  getView,
} from "./instance-fixture.ts";

const PARALLEL = createTemplate({
  listeners: [
    listener("A", "001", "Running", "a", "002"),
    listener("B", "001", "Running", "b", "003"),
    listener("C", "002,003", "Done", "a", "004"),
    codeListener("Z", "004", "Done"),
  ],
});

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2));

describe("stopped instance", () => {
  test("[T5] ends after a cancel with one task_cancelled per task and done only", async () => {
    const stop = new AbortController();
    let sent = 0;
    const memory = new Memory();
    const endless: Script = async function* () {
      yield { type: "text", text: "working" };
      await pause();
      sent = memory.sent.length;
      stop.abort(new StopReason("person", "You stopped this."));
      yield { type: "tool_completed", call_id: "c", tool: "t", result: "late" };
    };
    const agents = { a: answerWith("x"), b: endless };
    const { end } = await runTestInstance({ template: PARALLEL, agents, turn: { signal: stop.signal } }, memory);
    expect(end.status).toBe("completed");
    const after = memory.sent.slice(sent).filter(({ data }) => !JSON.stringify(data).includes("subagent_conversation"));
    expect(after.map(({ event }) => event)).toEqual(["task_cancelled", "task_cancelled", "done"]);
    expect(getView(memory).plans[0]?.tasks.map(({ status }) => status)).toEqual([
      "completed",
      "cancelled",
      "cancelled",
    ]);
    const instance = getInstance(memory, "cancelled");
    expect(instance.status).toBe("cancelled");
    expect(instance.listeners.map(({ status }) => status)).toEqual(["done", "cancelled", "idle", "idle"]);
  });

  test("[T5] ends at the next run without new work if it was cancelled while it waited", async () => {
    const asking: Script = async function* ({ message_id }) {
      yield { type: "accepted", remote_task_id: `remote of ${message_id}` };
      yield { type: "input_required", prompt: "Which?" };
    };
    const scenario = { template: PARALLEL, agents: { a: asking, b: asking } };
    const { memory } = await runTestInstance(scenario);
    for (const { request_id } of memory.listOpenQuestions()) memory.settleQuestion(request_id, { state: "cancelled" });
    const before = memory.sent.length;
    const signal = AbortSignal.abort(new StopReason("person", "You stopped this."));
    const { dismissed } = await runTestInstance({ ...scenario, turn: { signal } }, memory);
    const waiting = getView(memory).plans[0]?.tasks.slice(0, 2) ?? [];
    expect(dismissed).toEqual(waiting.map(({ agent_name, task_id }) => `${agent_name}/remote of ${task_id}`));
    expect(memory.sent.slice(before).map(({ event }) => event)).toEqual([
      ...Array<string>(3).fill("task_cancelled"),
      "done",
    ]);
  });

  test("[T5] [T6] ends with the reason when its budget is exhausted, and notifies agents with open questions", async () => {
    const asking: Script = async function* () {
      yield { type: "accepted", remote_task_id: "remote" };
      yield { type: "input_required", prompt: "Which?" };
    };
    const costly: Script = async function* () {
      await pause();
      yield { type: "usage", usage: { model_calls: 3, input_tokens: 1, output_tokens: 1 } };
      yield { type: "text", text: "more" };
    };
    const turn = { limits: { ...LIMITS, maxModelCalls: 2 } };
    const { memory, end, dismissed } = await runTestInstance({
      template: PARALLEL,
      agents: { a: asking, b: costly },
      turn,
    });
    expect(end.status).toBe("failed");
    expect(dismissed).toEqual(["a/remote"]);
    expect(getEvents({ memory }, "system_failed").map(({ payload }) => payload.code)).toEqual(["budget_exceeded"]);
    expect(getInstance(memory).status).toBe("error");
  });

  test("[T3] reports the time limit and ends once", async () => {
    const stop = new AbortController();
    const slow: Script = async function* () {
      await pause();
      stop.abort(new StopReason("clock", "This message used up its 900 seconds before it was done."));
      yield { type: "text", text: "late" };
    };
    const scenario = { template: PARALLEL, agents: { a: slow, b: slow }, turn: { signal: stop.signal } };
    const { memory, events, end } = await runTestInstance(scenario);
    expect(end.status).toBe("failed");
    expect(getEvents({ memory }, "system_failed").map(({ payload }) => payload.code)).toEqual(["time_exceeded"]);
    expect(events.filter((name) => name === "done")).toHaveLength(1);
    expect(events.at(-1)).toBe("done");
    expect(getInstance(memory)).toMatchObject({
      status: "error",
      error: expect.stringContaining("900 seconds") as string,
    });
  });

  test("[T5] marks the listener of a cancelled task as cancelled and runs the other listeners", async () => {
    const stop = new AbortController();
    let cancelled = "";
    const stopping: Script = async function* ({ task_id }) {
      await pause();
      cancelled = task_id;
      stop.abort(new StopReason("person", "You stopped this task."));
      yield { type: "text", text: "late" };
    };
    const taskSignal = (id: string) =>
      id === cancelled || cancelled === "" ? stop.signal : new AbortController().signal;
    const scenario = { template: PARALLEL, agents: { a: answerWith("x"), b: stopping }, turn: { taskSignal } };
    const { memory, end } = await runTestInstance(scenario);
    expect(end.status).toBe("failed");
    const instance = getInstance(memory);
    expect(instance.listeners.map(({ status }) => status)).toEqual(["done", "cancelled", "idle", "idle"]);
    expect(instance.error).toContain("B was stopped.");
  });
});

describe("finished instance", () => {
  test("reports which listeners never fired and what they wait for", async () => {
    const template = createTemplate({
      listeners: [
        listener("A", "001", "Running", "a", "002"),
        listener("B", "002", "Done", "a", "003", { action_condition: "002.context.level >= 5" }),
        codeListener("Z", "003", "Done"),
      ],
    });
    const { memory, end } = await runTestInstance({ template, agents: { a: answerWith("x") } });
    expect(end.status).toBe("failed");
    expect(getInstance(memory).error).toBe(
      "“Task 001” is Running, and nothing can continue. " +
        "B never fired. It waits for “Done”, “002.context.level >= 5”; current status: 002 (Done). " +
        "Z never fired. It waits for “Done”; current status: 003 (NotStarted).",
    );
    expect(getEvents({ memory }, "system_failed").map(({ payload }) => payload.code)).toEqual(["plan_not_done"]);
  });

  test("ends in an error if the status of its main task is Error", async () => {
    const template = createTemplate({
      listeners: [
        listener("A", "001", "Running", "a", "002", { failure_output: { task_id: "001", status: "Error" } }),
        codeListener("Z", "002", "Done"),
      ],
    });
    const { memory, end } = await runTestInstance({ template, agents: { a: failingAgent(1, answerWith("")) } });
    expect(end.status).toBe("failed");
    expect(getInstance(memory).error).toContain("A failed: The system is down.");
  });

  test("stops when too many listeners fire", async () => {
    const ids = Array.from({ length: 12 }, (_, i) => `t${i}`);
    const template = createTemplate({
      name: "A storm",
      tasks: tasks("001", ...ids),
      listeners: [...ids.map((id) => codeListener(`L${id}`, "001", "Any", id)), codeListener("Z", "t11", "Done")],
    });
    const limits = { ...LIMITS, maxFirings: 10 };
    const { memory, end } = await runTestInstance({ template, agents: {}, turn: { limits } });
    expect(end.status).toBe("failed");
    expect(getEvents({ memory }, "system_failed")[0]?.payload).toEqual({
      content: "More than 10 listeners fired, so the workflow was stopped before Lt10.",
      code: "too_many_firings",
    });
  });

  test("renders the complete last tool result and shows only its beginning", async () => {
    const long = "x".repeat(20_000);
    const template = createTemplate({
      listeners: [
        listener("A", "001", "Running", "a", "002", {
          success_output: { task_id: "002", status: "Done", context: { id: "{{result.id}}" } },
        }),
        codeListener("Z", "002", "Done"),
      ],
    });
    const { memory } = await runTestInstance({ template, agents: { a: toolAgent("list", () => ({ long, id: 7 })) } });
    const [first] = getInstance(memory).listeners;
    expect(getInstance(memory).tasks[1]?.context).toEqual({ id: 7 });
    expect(first?.tools.map(({ result }) => result.length)).toEqual([4_096]);
  });

  test("fails a listener whose result makes a task context too large", async () => {
    const template = createTemplate({
      listeners: [
        listener("A", "001", "Running", "a", "002", {
          success_output: { task_id: "002", status: "Done", context: { all: "{{result.all}}" } },
        }),
        codeListener("Z", "002", "Done"),
      ],
    });
    const long: Script = async function* () {
      await Promise.resolve();
      yield { type: "text", text: JSON.stringify({ all: "x".repeat(70_000) }) };
    };
    const { memory, end } = await runTestInstance({ template, agents: { a: long } });
    expect(end.status).toBe("failed");
    expect(getInstance(memory).listeners[0]).toMatchObject({
      status: "failed",
      error: "The result of A makes the context of 002 larger than 65,536 bytes.",
    });
    expect(getInstance(memory).tasks[1]?.context).toEqual({});
  });
});
