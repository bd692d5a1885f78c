// The official clients of A2A, as they are published: the current one, and the last one of 0.3.

import { TaskState, type SendMessageRequest, type StreamResponse } from "@a2a-js/sdk";
import { ClientFactory, type Client } from "@a2a-js/sdk/client";
import { ClientFactory as LegacyFactory, type Client as LegacyClient } from "@a2a-js/sdk-03/client";
import type { MessageSendParams, Task as LegacyTask } from "@a2a-js/sdk-03";
import { Role } from "@a2a-js/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventsOf, personAt, textOf } from "../../support/person.ts";
import { breachesIn } from "../../support/rules.ts";
import { startRuntime } from "../../support/runtime.ts";
import { must, openStage, type Stage } from "./a2a-stage.ts";

let stage: Stage;
let runtime: Client;
let walker: Client;
let legacyRuntime: LegacyClient;
let legacyWalker: LegacyClient;

beforeAll(async () => {
  stage = await openStage();
  const { url } = stage.runtime;
  runtime = await new ClientFactory().createFromUrl(url);
  walker = await new ClientFactory().createFromUrl(`${url}/a2a/walker/`);
  legacyRuntime = await new LegacyFactory().createFromUrl(url);
  legacyWalker = await new LegacyFactory().createFromUrl(`${url}/a2a/walker/`);
});
afterAll(() => stage.close());

let messages = 0;

function said(text: string, more: { readonly taskId?: string; readonly contextId?: string } = {}): SendMessageRequest {
  const part = { content: { $case: "text" as const, value: text }, metadata: undefined, filename: "", mediaType: "" };
  return {
    tenant: "",
    message: {
      messageId: `c-${Date.now()}-${++messages}`,
      contextId: more.contextId ?? "",
      taskId: more.taskId ?? "",
      role: Role.ROLE_USER,
      parts: [part],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: undefined,
    metadata: undefined,
  };
}

function saidOnce(text: string, more: { readonly taskId?: string } = {}): MessageSendParams {
  const parts = [{ kind: "text" as const, text }];
  return { message: { kind: "message", messageId: `l-${Date.now()}-${++messages}`, role: "user", parts, ...more } };
}

async function all<T>(events: AsyncIterable<T>): Promise<T[]> {
  const heard: T[] = [];
  for await (const event of events) heard.push(event);
  return heard;
}

const stateOf = ({ payload }: StreamResponse) =>
  payload?.$case === "task" || payload?.$case === "statusUpdate" ? payload.value.status?.state : undefined;

describe("the client of A2A 1.0", () => {
  test("asks the runtime and gets its answer as an artifact", async () => {
    expect(runtime.protocolVersion).toBe("1.0");
    const task = await runtime.sendMessage(said("What is 12 * 34?"));
    if (!("status" in task)) throw new Error("That is no task.");
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(task.artifacts[0]?.parts[0]?.content).toEqual({ $case: "text", value: "12 × 34 = 408" });
    expect(await runtime.getTask({ tenant: "", id: task.id })).toEqual(task);
  });

  test("streams, and answers a question", async () => {
    const asked = await all(walker.sendMessageStream(said("ask me")));
    expect(stateOf(must(asked.at(-1)))).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const [first] = asked;
    const id = first?.payload?.$case === "task" ? first.payload.value.id : "";
    const answered = await all(walker.sendMessageStream(said("green", { taskId: id })));
    expect(stateOf(must(answered.at(-1)))).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(JSON.stringify(answered)).toContain("You said green.");
  });

  test("cancels, lists, subscribes", async () => {
    const params = { ...said("walk 100"), configuration: CONFIGURATION };
    const task = await walker.sendMessage(params);
    const id = "status" in task ? task.id : "";
    const heard: (TaskState | undefined)[] = [];
    for await (const event of walker.resubscribeTask({ tenant: "", id })) {
      heard.push(stateOf(event));
      if (heard.length === 3) void walker.cancelTask({ tenant: "", id, metadata: undefined });
    }
    expect(heard[0]).toBe(TaskState.TASK_STATE_WORKING);
    expect(heard.at(-1)).toBe(TaskState.TASK_STATE_CANCELED);
    const { tasks } = await walker.listTasks({ ...LIST, status: TaskState.TASK_STATE_CANCELED });
    expect(tasks.map((one) => one.id)).toEqual([id]);
    await expect(walker.getTask({ tenant: "", id: "nothing" })).rejects.toMatchObject({ name: /TaskNotFound/ });
    await expect(walker.cancelTask({ tenant: "", id, metadata: undefined })).rejects.toMatchObject({
      name: expect.stringMatching(/NotCancelable/) as unknown,
    });
  });
});

const CONFIGURATION = { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately: true };
const LIST = { tenant: "", contextId: "", pageToken: "", statusTimestampAfter: undefined };

describe("the client of A2A 0.3", () => {
  test("asks the runtime and gets its answer as an artifact", async () => {
    const task = (await legacyRuntime.sendMessage(saidOnce("What is 12 * 34?"))) as LegacyTask;
    expect(task).toMatchObject({ kind: "task", status: { state: "completed" } });
    expect(task.artifacts?.[0]?.parts).toEqual([{ kind: "text", text: "12 × 34 = 408" }]);
    expect(await legacyRuntime.getTask({ id: task.id })).toEqual(task);
    expect(await legacyRuntime.getTask({ id: task.id, historyLength: 1 })).toMatchObject({
      history: [{ role: "user" }],
    });
  });

  test("streams, and answers a question", async () => {
    const asked = await all(legacyWalker.sendMessageStream(saidOnce("ask me")));
    expect(asked.at(-1)).toMatchObject({ kind: "status-update", final: true, status: { state: "input-required" } });
    const [first] = asked;
    const taskId = first?.kind === "task" ? first.id : "";
    const answered = await all(legacyWalker.sendMessageStream(saidOnce("red", { taskId })));
    expect(answered.at(-1)).toMatchObject({ kind: "status-update", final: true, status: { state: "completed" } });
    expect(JSON.stringify(answered)).toContain("You said red.");
  });

  test("cancels and resubscribes, and reads the errors of its time", async () => {
    const params = { ...saidOnce("walk 100"), configuration: { blocking: false } };
    const { id } = (await legacyWalker.sendMessage(params)) as LegacyTask;
    const heard: string[] = [];
    for await (const event of legacyWalker.resubscribeTask({ id })) {
      heard.push(event.kind);
      if (heard.length === 3) void legacyWalker.cancelTask({ id });
    }
    expect(heard[0]).toBe("task");
    expect(heard.at(-1)).toBe("status-update");
    expect(await legacyWalker.getTask({ id })).toMatchObject({ status: { state: "canceled" } });
    await expect(legacyWalker.cancelTask({ id })).rejects.toThrow(/\S/);
    await expect(legacyWalker.getTask({ id: "nothing" })).rejects.toThrow(/\S/);
  });

  test("keeps push notification configurations", async () => {
    const { id: taskId } = (await legacyWalker.sendMessage(saidOnce("walk 1"))) as LegacyTask;
    const pushNotificationConfig = { id: "p", url: "http://127.0.0.1:9/hook", token: "t" };
    expect(await legacyWalker.setTaskPushNotificationConfig({ taskId, pushNotificationConfig })).toMatchObject({
      taskId,
      pushNotificationConfig,
    });
    expect(await legacyWalker.listTaskPushNotificationConfig({ id: taskId })).toHaveLength(1);
    expect(await legacyWalker.getTaskPushNotificationConfig({ id: taskId })).toMatchObject({ pushNotificationConfig });
    await legacyWalker.deleteTaskPushNotificationConfig({ id: taskId, pushNotificationConfigId: "p" });
    expect(await legacyWalker.listTaskPushNotificationConfig({ id: taskId })).toEqual([]);
  });
});

describe("another Orrery", () => {
  test("asks this one as an agent, and is told of tools as such", async () => {
    const other = await startRuntime({ vars: { ALLOW_PRIVATE_AGENTS: "1" } });
    const them = personAt(other.url);
    await them.request("POST", "/api/v1/agents", { url: `${stage.runtime.url}/a2a` });
    const { frames } = await them.say("What is 12 * 34?", { agent: "Orrery" });
    await other.stop();
    expect(textOf(frames)).toBe("12 × 34 = 408");
    expect(eventsOf(frames, "tool_call_completed")).not.toEqual([]);
    expect(breachesIn(frames)).toEqual([]);
  });

  test("one that asks itself is told so, and does not wait for itself", async () => {
    const me = personAt(stage.runtime.url);
    await me.request("POST", "/api/v1/agents", { url: `${stage.runtime.url}/a2a` });
    const { frames } = await me.say("What is 12 * 34?", { agent: "Orrery" });
    expect(eventsOf(frames, "task_failed")[0]?.payload.content).toContain("it would wait for itself");
  });
});
