// Prompts that name a value that nobody has given yet.

import { describe, expect, test } from "vitest";
import { saying, type Script } from "../../support/scripted.ts";
import {
  closing,
  counted,
  instanceIn,
  listener,
  playInstance,
  resume,
  statuses,
  tasks,
  templateOf,
  using,
} from "./playing.ts";

describe("a prompt that lacks a value", () => {
  const lacking = templateOf({
    name: "A mail",
    tasks: tasks("001", "002", "003"),
    listeners: [
      listener("A", "001", "Running", "a", "002"),
      listener("B", "002", "Done", "b", "003", {
        action_prompt: "write to {002.context.email} about {001.context.topic}",
      }),
      closing("Z", "003", "Done"),
    ],
  });

  test("holds its listener, names what is missing, and goes on with it", async () => {
    const b = counted(saying("sent"));
    const world = { template: lacking, agents: { a: saying("x"), b }, context: { topic: "tea" } };
    const { memory, end } = await playInstance(world);
    expect(end.status).toBe("paused");
    const held = instanceIn(memory, "open");
    expect(held).toMatchObject({
      status: "running",
      waiting_for_resume: true,
      hold: { failed_listener_id: "B", missing: [{ task_id: "002", name: "email" }] },
    });
    expect(statuses(held)).toEqual({ "001": "Pending", "002": "Done", "003": "NotStarted" });
    expect(held.listeners[1]).toMatchObject({ status: "held", attempts: 0 });

    resume(memory, { "001": { other: 1 }, unknown: { x: 1 } });
    expect((await playInstance(world, memory)).end.status).toBe("paused");
    resume(memory, { "002": { email: "a@b.example" } });
    expect((await playInstance(world, memory)).end.status).toBe("completed");
    expect(b.requests.map(({ query }) => query)).toEqual(["write to a@b.example about tea"]);
    expect(instanceIn(memory).tasks[0]?.status_trace.map(({ status }) => status)).toEqual([
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
  ])("is answered in words where it lacks one: %s", async (message, status) => {
    const b = counted(saying("sent"));
    const world = { template: lacking, agents: { a: saying("x"), b }, context: { topic: "tea" } };
    const { memory } = await playInstance(world);
    memory.settle(memory.open()[0]?.request_id ?? "", { state: "answered", answer: { message } });
    expect((await playInstance(world, memory)).end.status).toBe(status);
    expect(b.requests.map(({ query }) => query)).toEqual(status === "paused" ? [] : [`write to ${message} about tea`]);
  });

  test("takes no part of a result that was not there for a value, in its prompt or beside it", async () => {
    const b = counted(saying("sent"));
    const template = templateOf({
      ...lacking,
      listeners: [
        listener("A", "001", "Running", "a", "002", {
          success_output: {
            task_id: "002",
            status: "Done",
            context: { email: "{{result.email}}", id: "{{result.id}}" },
          },
        }),
        ...lacking.listeners.slice(1),
      ],
    });
    const world = {
      template,
      agents: { a: using("t", () => ({ success: true })), b },
      context: { topic: "{{result.id}}" },
    };
    const { memory } = await playInstance(world);
    expect(instanceIn(memory, "open").hold?.missing).toEqual([{ task_id: "002", name: "email" }]);
    resume(memory, { "002": { email: "a@b" } });
    await playInstance(world, memory);
    // What somebody gave is data, however it looks.
    expect(b.requests.map(({ query }) => query)).toEqual(['write to a@b about "{{result.id}}"']);
    expect(b.requests[0]?.metadata.current_context).toEqual({ topic: "{{result.id}}", email: "a@b" });
  });

  test("waits no longer than until another listener has brought it", async () => {
    const template = templateOf({
      ...lacking,
      listeners: [
        listener("A", "001", "Running", "a", "002"),
        listener("B", "001", "Running", "b", "003", { action_prompt: "use {002.context.email}" }),
        closing("Z", "003", "Done"),
      ],
    });
    const slow: Script = async function* () {
      await Promise.resolve();
      yield { type: "tool_completed", call_id: "c", tool: "t", result: '{"email":"a@b"}' };
    };
    const [first, ...rest] = template.listeners;
    const output = { task_id: "002", status: "Done" as const, context: { email: "{{result.email}}" } };
    const listeners = [{ ...first, success_output: output }, ...rest] as typeof template.listeners;
    const { end, memory } = await playInstance({
      template: { ...template, listeners },
      agents: { a: slow, b: saying("x") },
    });
    expect(end.status).toBe("completed");
    expect(instanceIn(memory).tasks[0]?.status_trace.map(({ status }) => status)).toEqual(["Running", "Done"]);
  });
});
