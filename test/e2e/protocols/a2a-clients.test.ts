// The official clients of A2A: the current one, and the last one of version 0.3.

import { TaskState, type SendMessageRequest, type StreamResponse } from "@a2a-js/sdk";
import { ClientFactory, ClientFactoryOptions, type Client } from "@a2a-js/sdk/client";
import { ClientFactory as LegacyFactory, type Client as LegacyClient } from "@a2a-js/sdk-03/client";
import type { MessageSendParams, Task as LegacyTask } from "@a2a-js/sdk-03";
import { Role } from "@a2a-js/sdk";
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { filterEvents, createApiUser, joinText } from "../../support/api-user.ts";
import { findViolations } from "../../support/invariants.ts";
import { listen } from "../../support/net.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import { assertPresent, startA2ASetup, type A2ASetup } from "./a2a-setup.ts";

let setup: A2ASetup;
let legacyRuntime: LegacyClient;
let legacyWalker: LegacyClient;

beforeAll(async () => {
  setup = await startA2ASetup();
  const { url } = setup.runtime;
  legacyRuntime = await new LegacyFactory().createFromUrl(url);
  legacyWalker = await new LegacyFactory().createFromUrl(`${url}/a2a/walker/`);
});
afterAll(() => setup.close());

let messages = 0;

function createRequest(
  text: string,
  more: { readonly taskId?: string; readonly contextId?: string } = {},
): SendMessageRequest {
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

function createLegacyParams(text: string, more: { readonly taskId?: string } = {}): MessageSendParams {
  const parts = [{ kind: "text" as const, text }];
  return { message: { kind: "message", messageId: `l-${Date.now()}-${++messages}`, role: "user", parts, ...more } };
}

async function collectEvents<T>(events: AsyncIterable<T>): Promise<T[]> {
  const received: T[] = [];
  for await (const event of events) received.push(event);
  return received;
}

const getState = ({ payload }: StreamResponse) =>
  payload?.$case === "task" || payload?.$case === "statusUpdate" ? payload.value.status?.state : undefined;

describe.each(["JSONRPC", "HTTP+JSON"] as const)("client of A2A 1.0 over %s", (transport) => {
  let runtime: Client;
  let walker: Client;
  beforeAll(async () => {
    const { url } = setup.runtime;
    const preferred = { preferredTransports: [transport] };
    const factory = new ClientFactory(ClientFactoryOptions.createFrom(ClientFactoryOptions.default, preferred));
    runtime = await factory.createFromUrl(url);
    walker = await factory.createFromUrl(`${url}/a2a/walker/`);
  });

  test("sends a message and gets the answer as an artifact", async () => {
    expect([runtime.protocolVersion, runtime.transport.protocolName]).toEqual(["1.0", transport]);
    const task = await runtime.sendMessage(createRequest("What is 12 * 34?"));
    if (!("status" in task)) throw new Error("The result is not a task.");
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(task.artifacts[0]?.parts[0]?.content).toEqual({ $case: "text", value: "12 × 34 = 408" });
    expect(await runtime.getTask({ tenant: "", id: task.id })).toEqual(task);
  });

  test("streams a task and answers its question", async () => {
    const questionEvents = await collectEvents(walker.sendMessageStream(createRequest("ask me")));
    expect(getState(assertPresent(questionEvents.at(-1)))).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const [first] = questionEvents;
    const id = first?.payload?.$case === "task" ? first.payload.value.id : "";
    const answered = await collectEvents(walker.sendMessageStream(createRequest("green", { taskId: id })));
    expect(getState(assertPresent(answered.at(-1)))).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(JSON.stringify(answered)).toContain("You said green.");
  });

  test("subscribes to, cancels and lists tasks", async () => {
    const params = { ...createRequest("walk 100"), configuration: CONFIGURATION };
    const task = await walker.sendMessage(params);
    const id = "status" in task ? task.id : "";
    const received: (TaskState | undefined)[] = [];
    for await (const event of walker.resubscribeTask({ tenant: "", id })) {
      received.push(getState(event));
      if (received.length === 3) void walker.cancelTask({ tenant: "", id, metadata: undefined });
    }
    expect(received[0]).toBe(TaskState.TASK_STATE_WORKING);
    expect(received.at(-1)).toBe(TaskState.TASK_STATE_CANCELED);
    const { tasks } = await walker.listTasks({ ...LIST_REQUEST, status: TaskState.TASK_STATE_CANCELED });
    expect(tasks.map((one) => one.id)).toContain(id);
    await expect(walker.getTask({ tenant: "", id: "nothing" })).rejects.toMatchObject({ name: /TaskNotFound/ });
    await expect(walker.cancelTask({ tenant: "", id, metadata: undefined })).rejects.toMatchObject({
      name: expect.stringMatching(/NotCancelable/) as unknown,
    });
  });
});

const CONFIGURATION = { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately: true };
const LIST_REQUEST = { tenant: "", contextId: "", pageToken: "", statusTimestampAfter: undefined };

describe("client of A2A 0.3", () => {
  test("sends a message and gets the answer as an artifact", async () => {
    const task = (await legacyRuntime.sendMessage(createLegacyParams("What is 12 * 34?"))) as LegacyTask;
    expect(task).toMatchObject({ kind: "task", status: { state: "completed" } });
    expect(task.artifacts?.[0]?.parts).toEqual([{ kind: "text", text: "12 × 34 = 408" }]);
    expect(await legacyRuntime.getTask({ id: task.id })).toEqual(task);
    expect(await legacyRuntime.getTask({ id: task.id, historyLength: 1 })).toMatchObject({
      history: [{ role: "user" }],
    });
  });

  test("streams a task and answers its question", async () => {
    const questionEvents = await collectEvents(legacyWalker.sendMessageStream(createLegacyParams("ask me")));
    expect(questionEvents.at(-1)).toMatchObject({
      kind: "status-update",
      final: true,
      status: { state: "input-required" },
    });
    const [first] = questionEvents;
    const taskId = first?.kind === "task" ? first.id : "";
    const answered = await collectEvents(legacyWalker.sendMessageStream(createLegacyParams("red", { taskId })));
    expect(answered.at(-1)).toMatchObject({ kind: "status-update", final: true, status: { state: "completed" } });
    expect(JSON.stringify(answered)).toContain("You said red.");
  });

  test("resubscribes to and cancels tasks and gets errors of version 0.3", async () => {
    const params = { ...createLegacyParams("walk 100"), configuration: { blocking: false } };
    const { id } = (await legacyWalker.sendMessage(params)) as LegacyTask;
    const received: string[] = [];
    for await (const event of legacyWalker.resubscribeTask({ id })) {
      received.push(event.kind);
      if (received.length === 3) void legacyWalker.cancelTask({ id });
    }
    expect(received[0]).toBe("task");
    expect(received.at(-1)).toBe("status-update");
    expect(await legacyWalker.getTask({ id })).toMatchObject({ status: { state: "canceled" } });
    await expect(legacyWalker.cancelTask({ id })).rejects.toThrow(/\S/);
    await expect(legacyWalker.getTask({ id: "nothing" })).rejects.toThrow(/\S/);
  });

  test("sets, lists, reads and deletes push notification configurations", async () => {
    const { id: taskId } = (await legacyWalker.sendMessage(createLegacyParams("walk 1"))) as LegacyTask;
    const pushNotificationConfig = { id: "p", url: "http://127.0.0.1:9/hook" };
    const withToken = { taskId, pushNotificationConfig: { ...pushNotificationConfig, token: "t" } };
    expect(await legacyWalker.setTaskPushNotificationConfig(withToken)).toMatchObject({
      taskId,
      pushNotificationConfig,
    });
    expect(await legacyWalker.listTaskPushNotificationConfig({ id: taskId })).toHaveLength(1);
    expect(await legacyWalker.getTaskPushNotificationConfig({ id: taskId })).toMatchObject({ pushNotificationConfig });
    await legacyWalker.deleteTaskPushNotificationConfig({ id: taskId, pushNotificationConfigId: "p" });
    expect(await legacyWalker.listTaskPushNotificationConfig({ id: taskId })).toEqual([]);
  });
});

describe("another Orrery runtime", () => {
  let other: Runtime;
  let card: Server;
  beforeAll(async () => {
    other = await startRuntime({ vars: { ALLOW_PRIVATE_AGENTS: "1" } });
    card = createServer((_, response) => {
      void readCardOverHttpJson().then((text) => response.end(text));
    });
  });
  afterAll(async () => {
    card.close();
    await other.stop();
  });

  /** Reads the card of the walker as a card that offers HTTP+JSON alone. */
  async function readCardOverHttpJson(): Promise<string> {
    const url = `${setup.runtime.url}/a2a/walker/.well-known/agent-card.json`;
    const read = (await (await fetch(url, { headers: { "a2a-version": "1.0" } })).json()) as {
      supportedInterfaces: readonly { readonly protocolBinding: string }[];
    };
    const supportedInterfaces = read.supportedInterfaces.filter(
      ({ protocolBinding }) => protocolBinding === "HTTP+JSON",
    );
    return JSON.stringify({ ...read, supportedInterfaces });
  }

  test("uses this one as an agent and receives its tool calls", async () => {
    const otherUser = createApiUser(other.url);
    await otherUser.request("POST", "/api/v1/agents", { url: `${setup.runtime.url}/a2a` });
    const { frames } = await otherUser.sendAndWait("What is 12 * 34?", { agent: "Orrery" });
    expect(joinText(frames)).toBe("12 × 34 = 408");
    expect(filterEvents(frames, "tool_call_completed")).not.toEqual([]);
    expect(findViolations(frames)).toEqual([]);
  });

  test("[H1] [T5] uses an agent that offers HTTP+JSON alone: streams, answers its question and cancels it", async () => {
    const user = createApiUser(other.url);
    const registered = await user.request("POST", "/api/v1/agents", { url: `http://127.0.0.1:${await listen(card)}` });
    expect(registered.status).toBe(201);
    const streamed = await user.sendAndWait("walk 3", { agent: "walker" });
    expect(joinText(streamed.frames)).toBe("step1 step2 step3 ");
    const { conversationId, frames } = await user.sendAndWait("ask me", { agent: "walker" });
    const [question] = filterEvents(frames, "task_waiting");
    expect(question?.payload.content).toBe("Which colour?");
    const path = `/api/v1/conversations/${conversationId}/resume`;
    const answered = await user.request("POST", path, { message: "green" }, { accept: "text/event-stream" });
    expect(await answered.text()).toContain("You said green.");
    const long = await user.request("POST", "/api/v1/messages", { message: "walk 200", agent: "walker" });
    const { conversation_id: id } = (await long.json()) as { conversation_id: string };
    await vi.waitFor(async () => expect(joinText(await user.history(id))).toContain("step1"), 10_000);
    await user.request("POST", `/api/v1/conversations/${id}/cancel`, {});
    const list = async () => {
      const { tasks } = (await (await fetch(`${setup.runtime.url}/a2a/walker/tasks?pageSize=5`)).json()) as {
        tasks: readonly { readonly status: { readonly state: string } }[];
      };
      return tasks.map(({ status }) => status.state);
    };
    await vi.waitFor(async () => expect((await list())[0]).toBe("TASK_STATE_CANCELED"), 10_000);
  });

  test("gets an error when it uses itself as an agent", async () => {
    const user = createApiUser(setup.runtime.url);
    await user.request("POST", "/api/v1/agents", { url: `${setup.runtime.url}/a2a` });
    const { frames } = await user.sendAndWait("What is 12 * 34?", { agent: "Orrery" });
    expect(filterEvents(frames, "task_failed")[0]?.payload.content).toContain("it would wait for itself");
  });
});
