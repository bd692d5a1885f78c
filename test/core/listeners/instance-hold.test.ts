import { describe, expect, test } from "vitest";
import { getEvents, answerWith, type Script } from "../../support/scripted-ports.ts";
import {
  codeListener,
  recordRequests,
  failingAgent,
  getInstance,
  listener,
  runTestInstance,
  resumeInstance,
  getStatuses,
  tasks,
  createTemplate,
  getView,
  type TemplateConfigInput,
} from "./instance-fixture.ts";

const createChain = (more: Partial<TemplateConfigInput> = {}): TemplateConfigInput => ({
  name: "A chain",
  tasks: tasks("001", "002", "003"),
  listeners: [
    listener("A", "001", "Running", "a", "002"),
    listener("B", "002", "Done", "b", "003"),
    codeListener("Z", "003", "Done"),
  ],
  ...more,
});

describe("failing listener", () => {
  test("is retried automatically, and the following listeners run", async () => {
    const a = recordRequests(failingAgent(2, answerWith("done")));
    const { memory, end } = await runTestInstance({
      template: createTemplate(createChain()),
      agents: { a, b: answerWith("x") },
    });
    expect(end.status).toBe("completed");
    expect(a.requests.map(({ message_id: id }) => id.replace(/^[^#]*/, ""))).toEqual(["", "#2", "#3"]);
    const { tasks: all, listeners } = getInstance(memory);
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
    expect(getEvents({ memory }, "task_failed")).toEqual([]);
  });

  test("[T6] does not exhaust the budget of the instance by returning budget_exceeded", async () => {
    const spent: Script = async function* () {
      yield { type: "failed", reason: "I used up mine.", code: "budget_exceeded" };
    };
    const scenario = {
      template: createTemplate(createChain({ max_retries: 0 })),
      agents: { a: spent, b: answerWith("x") },
    };
    const { memory, end } = await runTestInstance(scenario);
    expect(end.status).toBe("paused");
    expect(getInstance(memory, "open").hold?.message).toBe("A failed: I used up mine.");
  });

  test("holds the instance after its last retry, and a resume retries only it with new counters", async () => {
    const a = recordRequests(answerWith("done"));
    const b = recordRequests(failingAgent(4, answerWith("at last")));
    const scenario = { template: createTemplate(createChain({ max_retries: 1 })), agents: { a, b } };
    const { memory, end } = await runTestInstance(scenario);
    expect(end.status).toBe("paused");
    const heldInstance = getInstance(memory, "open");
    expect(heldInstance).toMatchObject({
      status: "error",
      waiting_for_resume: true,
      hold: {
        status: "waiting_for_resume",
        failed_listener_id: "B",
        failed_listener_ids: ["B"],
        message: "B failed: The system is down.",
        missing: [],
        request_id: memory.listOpenQuestions()[0]?.request_id,
      },
    });
    expect(getStatuses(heldInstance)).toEqual({ "001": "Error", "002": "Done", "003": "Error" });
    expect(heldInstance.tasks[0]?.context).toMatchObject({ failed_listener_id: "B", error_info: heldInstance.hold });
    expect(heldInstance.listeners[1]).toMatchObject({ status: "held", attempts: 2, error: "The system is down." });
    expect(memory.listOpenQuestions()[0]?.expires_at).toBeGreaterThan(29 * 86_400_000);

    resumeInstance(memory);
    expect((await runTestInstance(scenario, memory)).end.status).toBe("paused");
    expect(b.requests).toHaveLength(4);
    resumeInstance(memory);
    expect((await runTestInstance(scenario, memory)).end.status).toBe("completed");
    expect([a.requests.length, b.requests.length]).toEqual([1, 5]);
    const done = getInstance(memory);
    expect(done).toMatchObject({ status: "done", waiting_for_resume: false });
    expect(getStatuses(done)).toEqual({ "001": "Done", "002": "Done", "003": "Done" });
    expect(done.tasks[0]?.context).toEqual({});
    expect(done.tasks[0]?.status_trace.map(({ status }) => status).slice(-2)).toEqual(["Running", "Done"]);
    expect(getView(memory).plans[0]?.tasks.map(({ status }) => status)).toEqual(["completed", "completed"]);
  });

  test("applies its failure_output without a retry", async () => {
    const a = recordRequests(failingAgent(9, answerWith("never")));
    const template = createTemplate({
      listeners: [
        listener("A", "001", "Running", "a", "002", {
          failure_output: { task_id: "002", status: "error", context: { why: "{{result.error}}" } },
        }),
        listener("B", "002", "002.status == Error", "b", "001"),
      ],
    });
    const { memory } = await runTestInstance({ template, agents: { a, b: answerWith("mended") } });
    expect(a.requests).toHaveLength(1);
    const instance = getInstance(memory);
    expect(instance.status).toBe("done");
    expect(instance.tasks[1]).toMatchObject({ status: "Error", context: { why: "The system is down." } });
    expect(instance.listeners.map(({ status }) => status)).toEqual(["failed", "done"]);
  });

  test("does not block other listeners", async () => {
    const template = createTemplate({
      max_retries: 0,
      listeners: [
        listener("A", "001", "Running", "bad", "002"),
        listener("B", "001", "Running", "slow", "003"),
        listener("C", "003", "Done", "slow", "004"),
        codeListener("Z", "002,004", "Done"),
      ],
    });
    const slow: Script = async function* () {
      await new Promise((resolve) => setTimeout(resolve, 5));
      yield { type: "text", text: "done" };
    };
    const { memory, end } = await runTestInstance({ template, agents: { bad: failingAgent(1, slow), slow } });
    expect(end.status).toBe("paused");
    expect(getStatuses(getInstance(memory, "open"))).toEqual({
      "001": "Error",
      "002": "Error",
      "003": "Done",
      "004": "Done",
    });
  });

  test("ends the instance in an error when the question expires without a resume", async () => {
    const scenario = {
      template: createTemplate(createChain({ max_retries: 0 })),
      agents: { a: failingAgent(9, answerWith("")), b: answerWith("") },
    };
    const { memory } = await runTestInstance(scenario);
    memory.settleFirst({ state: "expired" });
    const { end, events } = await runTestInstance(scenario, memory);
    expect(end.status).toBe("failed");
    expect(events.at(-1)).toBe("done");
    expect(getInstance(memory)).toMatchObject({ status: "error", waiting_for_resume: false });
    expect(getInstance(memory).listeners.map(({ status }) => status)).toEqual(["failed", "idle", "idle"]);
    expect(getEvents({ memory }, "system_failed")[0]?.payload.code).toBe("question_expired");
    expect(getView(memory).plans[0]?.tasks.every(({ status }) => status === "cancelled")).toBe(true);
  });
});

describe("listener whose agent asks a question", () => {
  const asking: Script = async function* ({ reply }) {
    await Promise.resolve();
    if (reply === undefined) yield { type: "input_required", prompt: "Which one?" };
    else yield { type: "text", text: `took ${reply.answer.message}` };
  };

  test("waits while other listeners run, and continues with the answer", async () => {
    const template = createTemplate({
      listeners: [
        listener("A", "001", "Running", "asking", "002"),
        listener("B", "001", "Running", "b", "003"),
        listener("C", "003", "Done", "b", "004"),
        codeListener("Z", "002,004", "Done"),
      ],
    });
    const scenario = { template, agents: { asking, b: answerWith("x") } };
    const { memory, end } = await runTestInstance(scenario);
    expect(end).toEqual({ status: "paused", request_ids: [memory.listOpenQuestions()[0]?.request_id] });
    const paused = getInstance(memory, "open");
    expect([paused.status, paused.waiting_for_resume]).toEqual(["running", false]);
    expect(paused.listeners.map(({ status }) => status)).toEqual(["waiting_input", "done", "done", "idle"]);
    expect(paused.listeners[0]?.request_id).toBe(memory.listOpenQuestions()[0]?.request_id);
    expect(getInstance(memory, "cancelled").listeners[0]).not.toHaveProperty("request_id");
    memory.settleFirst("the red one");
    expect((await runTestInstance(scenario, memory)).end.status).toBe("completed");
    expect(getInstance(memory).listeners[0]).not.toHaveProperty("request_id");
    expect(getInstance(memory).listeners[0]).toMatchObject({
      status: "done",
      attempts: 1,
      response: "took the red one",
    });
  });

  test("keeps the instance paused until the question and a hold are both answered", async () => {
    const template = createTemplate({
      max_retries: 0,
      listeners: [
        listener("A", "001", "Running", "asking", "002"),
        listener("B", "001", "Running", "b", "003"),
        codeListener("Z", "002,003", "Done"),
      ],
    });
    const scenario = { template, agents: { asking, b: failingAgent(1, answerWith("x")) } };
    const { memory, end } = await runTestInstance(scenario);
    expect(end.status === "paused" && end.request_ids).toHaveLength(2);
    const [question, hold] = memory.listOpenQuestions();
    memory.settleQuestion(hold?.request_id ?? "", { state: "answered", answer: { message: "go on" } });
    expect((await runTestInstance(scenario, memory)).end).toEqual({
      status: "paused",
      request_ids: [question?.request_id],
    });
    memory.settleQuestion(question?.request_id ?? "", { state: "answered", answer: { message: "this" } });
    expect((await runTestInstance(scenario, memory)).end.status).toBe("completed");
  });
});
