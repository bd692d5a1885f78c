// Prompts that reference a value that does not exist yet.

import { describe, expect, test } from "vitest";
import { answerWith, type Script } from "../../support/scripted-ports.ts";
import {
  codeListener,
  recordRequests,
  getInstance,
  listener,
  runTestInstance,
  resumeInstance,
  getStatuses,
  createTemplate,
  toolAgent,
} from "./instance-fixture.ts";

describe("prompt with a missing value", () => {
  const baseTemplate = createTemplate({
    listeners: [
      listener("A", "001", "Running", "a", "002"),
      listener("B", "002", "Done", "b", "003", {
        action_prompt: "write to {002.context.email} about {001.context.topic}",
      }),
      codeListener("Z", "003", "Done"),
    ],
  });

  test("holds its listener, reports the missing value and continues with the given value", async () => {
    const b = recordRequests(answerWith("sent"));
    const scenario = { template: baseTemplate, agents: { a: answerWith("x"), b }, context: { topic: "tea" } };
    const { memory, end } = await runTestInstance(scenario);
    expect(end.status).toBe("paused");
    const heldInstance = getInstance(memory, "open");
    expect(heldInstance).toMatchObject({
      status: "running",
      waiting_for_resume: true,
      hold: { failed_listener_id: "B", missing: [{ task_id: "002", name: "email" }] },
    });
    expect(getStatuses(heldInstance)).toEqual({ "001": "Pending", "002": "Done", "003": "NotStarted" });
    expect(heldInstance.listeners[1]).toMatchObject({ status: "held", attempts: 0 });

    resumeInstance(memory, { "001": { other: 1 }, unknown: { x: 1 } });
    expect((await runTestInstance(scenario, memory)).end.status).toBe("paused");
    resumeInstance(memory, { "002": { email: "a@b.example" } });
    expect((await runTestInstance(scenario, memory)).end.status).toBe("completed");
    expect(b.requests.map(({ query }) => query)).toEqual(["write to a@b.example about tea"]);
    expect(getInstance(memory).tasks[0]?.status_trace.map(({ status }) => status)).toEqual([
      "Running",
      "Pending",
      "Running",
      "Pending",
      "Running",
      "Done",
    ]);
  });

  test.each([
    ["a@b.example", "completed"],
    ["Try again", "paused"],
    ["重试", "paused"],
  ])("takes a plain text answer as its single missing value: %s", async (message, status) => {
    const b = recordRequests(answerWith("sent"));
    const scenario = { template: baseTemplate, agents: { a: answerWith("x"), b }, context: { topic: "tea" } };
    const { memory } = await runTestInstance(scenario);
    memory.settleFirst(message);
    expect((await runTestInstance(scenario, memory)).end.status).toBe(status);
    expect(b.requests.map(({ query }) => query)).toEqual(status === "paused" ? [] : [`write to ${message} about tea`]);
  });

  test("uses neither unresolved result placeholders nor placeholders inside given values", async () => {
    const b = recordRequests(answerWith("sent"));
    const template = createTemplate({
      ...baseTemplate,
      listeners: [
        listener("A", "001", "Running", "a", "002", {
          success_output: {
            task_id: "002",
            status: "Done",
            context: { email: "{{result.email}}", id: "{{result.id}}" },
          },
        }),
        ...baseTemplate.listeners.slice(1),
      ],
    });
    const scenario = {
      template,
      agents: { a: toolAgent("t", () => ({ success: true })), b },
      context: { topic: "{{result.id}}" },
    };
    const { memory } = await runTestInstance(scenario);
    expect(getInstance(memory, "open").hold?.missing).toEqual([{ task_id: "002", name: "email" }]);
    resumeInstance(memory, { "002": { email: "a@b" } });
    await runTestInstance(scenario, memory);
    // A given value is data, whatever it contains.
    expect(b.requests.map(({ query }) => query)).toEqual(['write to a@b about "{{result.id}}"']);
    expect(b.requests[0]?.metadata.current_context).toEqual({ topic: "{{result.id}}", email: "a@b" });
    // [P1] The template, the start and the person's answer are the person's; values from agents are not.
    const { provenance } = b.requests[0]?.metadata ?? {};
    expect(provenance?.query).toBe("");
    expect(provenance?.person).toEqual([
      expect.stringContaining("write to"),
      JSON.stringify({ topic: "{{result.id}}" }),
      expect.stringContaining("a@b"),
    ]);
    expect(provenance?.untrusted.map(({ text }) => text).join()).toContain('"email":"a@b"');
  });

  test("waits only until another listener provides the value", async () => {
    const template = createTemplate({
      ...baseTemplate,
      listeners: [
        listener("A", "001", "Running", "a", "002"),
        listener("B", "001", "Running", "b", "003", { action_prompt: "use {002.context.email}" }),
        codeListener("Z", "003", "Done"),
      ],
    });
    const slow: Script = async function* () {
      await Promise.resolve();
      yield { type: "tool_completed", call_id: "c", tool: "t", result: '{"email":"a@b"}' };
    };
    const [first, ...rest] = template.listeners;
    const output = { task_id: "002", status: "Done" as const, context: { email: "{{result.email}}" } };
    const listeners = [{ ...first, success_output: output }, ...rest] as typeof template.listeners;
    const { end, memory } = await runTestInstance({
      template: { ...template, listeners },
      agents: { a: slow, b: answerWith("x") },
    });
    expect(end.status).toBe("completed");
    expect(getInstance(memory).tasks[0]?.status_trace.map(({ status }) => status)).toEqual(["Running", "Done"]);
  });
});
