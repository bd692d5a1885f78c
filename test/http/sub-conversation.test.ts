// Sub-conversations: one for each task that was handed to an agent.

import { describe, expect, test, vi } from "vitest";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { deriveId } from "../../src/protocol/wire/ids.ts";
import type { Item } from "../../src/protocol/wire/items.ts";
import type { Task } from "../../src/protocol/plans/task-plan.ts";
import {
  callRoute,
  call,
  assertPresent,
  readStream,
  callForProblem,
  waitForThreads,
  sendAndWait,
  type StreamedFrame,
} from "./support.ts";
import { authenticateAs } from "./tokens.ts";

const CHAIN = "首先查询现在时间然后计算678乘以8776的结果";
type ConversationPage = { readonly conversations: ConversationInfo[]; readonly next_cursor: string | null };

describe("[F48] the conversation of a task", () => {
  test("is listed with the title of its task and shows only this task", async () => {
    const omar = await authenticateAs("omar");
    const { conversation_id: id, thread_id: thread } = await sendAndWait(CHAIN, omar);
    const { tasks } = await callRoute<{ tasks: Task[] }>("GET", `/api/v1/conversations/${id}/tasks`, omar);
    const subs = await vi.waitFor(async () => {
      const { conversations } = await callRoute<ConversationPage>("GET", "/api/v1/conversations", omar);
      const found = conversations.filter((conversation) => conversation.parent_id === id);
      expect(found.map((sub) => `${sub.conversation_id} ${sub.status}`).toSorted()).toEqual(
        tasks.map((task) => `${task.conversation_id} completed`).toSorted(),
      );
      return found;
    });
    for (const sub of subs) {
      const task = assertPresent(tasks.find((taskRow) => taskRow.conversation_id === sub.conversation_id));
      expect(sub).toMatchObject({ title: task.title, agent_name: task.agent_name });
      const path = `/api/v1/conversations/${sub.conversation_id}`;
      expect(await callRoute("GET", path, omar)).toEqual(sub);
      const { events } = await callRoute<{ events: Frame[] }>("GET", `${path}/events`, omar);
      expect(events.map((frame) => frame.event)).toContain("task_started");
      expect(events.at(-1)?.event).toBe("task_completed");
      for (const { data } of events) {
        expect(data).toMatchObject({ conversation_id: sub.conversation_id, thread_id: thread, task_id: task.task_id });
      }
      const { items } = await callRoute<{ items: Item[] }>("GET", `${path}/items`, omar);
      expect(items.length).toBeGreaterThan(0);
      expect(items.every((item) => item.conversation_id === sub.conversation_id)).toBe(true);
      expect(await callRoute("GET", `${path}/tasks`, omar)).toEqual({ tasks: [task] });
      expect(await callRoute("GET", `${path}/plans`, omar)).toEqual({ plans: [] });
    }
  });

  test("[U1] is read-only, which only its owner is told", async () => {
    const [ada, eve] = [await authenticateAs("ada"), await authenticateAs("eve")];
    const { conversation_id: id } = await sendAndWait(CHAIN, ada);
    await waitForThreads(id, 1, ada);
    const { tasks } = await callRoute<{ tasks: Task[] }>("GET", `/api/v1/conversations/${id}/tasks`, ada);
    const subPath = `/api/v1/conversations/${assertPresent(tasks[0]).conversation_id}`;
    const unknownPath = `${subPath.slice(0, -16)}${"0".repeat(16)}`;
    for (const [method, path, body] of [
      ["PATCH", "", { title: "Mine" }],
      ["DELETE", "", undefined],
      ["POST", "/messages", { message: "hello" }],
      ["POST", "/resume", { message: "yes" }],
      ["POST", "/cancel", {}],
    ] as const) {
      const more = body === undefined ? {} : { body };
      const problem = await callForProblem(method, subPath + path, { ...ada, ...more });
      expect(problem).toMatchObject({ status: 409, code: "conflict", detail: expect.stringContaining(id) as string });
      const unknown = await callForProblem(method, unknownPath + path, { ...ada, ...more });
      expect(unknown).toMatchObject({ status: 404, detail: "Conversation not found." });
      expect(await callForProblem(method, subPath + path, { ...eve, ...more })).toEqual(unknown);
    }
    for (const path of ["/events", "/context"]) {
      const headers = { ...eve.headers, accept: "text/event-stream" };
      expect(await callForProblem("GET", subPath + path, { ...eve, headers })).toMatchObject({ status: 404 });
    }
    expect((await callRoute<{ tasks: Task[] }>("GET", `/api/v1/conversations/${id}/tasks`, ada)).tasks).toEqual(tasks);
  });

  test("[U1] cannot be used as the id of a new conversation on any interface", async () => {
    const [ada, eve] = [await authenticateAs("ada"), await authenticateAs("eve")];
    const { conversation_id: id } = await sendAndWait(CHAIN, ada);
    const { tasks } = await callRoute<{ tasks: Task[] }>("GET", `/api/v1/conversations/${id}/tasks`, ada);
    const subConversation = assertPresent(tasks[0]).conversation_id;
    const before = await callRoute("GET", `/api/v1/conversations/${subConversation}`, ada);
    const detail = `This conversation shows one task of ${id} and is read-only. Use that conversation instead.`;

    const message = { message: "hello", conversation_id: subConversation };
    for (const headers of [ada.headers, { ...ada.headers, accept: "text/event-stream" }]) {
      const problem = await callForProblem("POST", "/api/v1/messages", { ...ada, headers, body: message });
      expect(problem).toMatchObject({ status: 409, code: "conflict", detail });
    }
    const run = { threadId: subConversation, runId: "run-1", messages: [{ id: "m1", role: "user", content: "hello" }] };
    const more = { tools: [], context: [], state: {}, forwardedProps: {} };
    expect(await callForProblem("POST", "/agui", { ...ada, body: { ...run, ...more } })).toMatchObject({ detail });
    const a2aMessage = { messageId: "m1", contextId: subConversation, role: "ROLE_USER", parts: [{ text: "hello" }] };
    const params = { message: a2aMessage, configuration: { returnImmediately: true } };
    const headers = { ...ada.headers, "a2a-version": "1.0" };
    const body = { jsonrpc: "2.0", id: 1, method: "SendMessage", params };
    const answered = await call("POST", "/a2a", { ...ada, headers, body });
    expect(await answered.json()).toMatchObject({ error: { message: detail } });

    expect(await callRoute("GET", `/api/v1/conversations/${subConversation}`, ada)).toEqual(before);
    const { events } = await callRoute<{ events: Frame[] }>(
      "GET",
      `/api/v1/conversations/${subConversation}/events`,
      ada,
    );
    expect(events.at(-1)?.event).toBe("task_completed");
    const created = await sendAndWait("hello", eve, { conversation_id: subConversation });
    expect(created.conversation_id).toBe(subConversation);
  });

  test("exists only for a task that was handed over, on every interface", async () => {
    const [handedOver, named] = [
      await sendAndWait(CHAIN),
      await sendAndWait("What is 2 * 3?", {}, { agent: "assistant" }),
    ];
    const listTasks = async (id: string) =>
      (await callRoute<{ tasks: Task[] }>("GET", `/api/v1/conversations/${id}/tasks`)).tasks;
    const [{ conversation_id: sub }] = (await listTasks(handedOver.conversation_id)) as [Task];
    const [{ task_id, conversation_id }] = (await listTasks(named.conversation_id)) as [Task];
    expect(conversation_id).toBe(named.conversation_id);
    for (const id of [`${sub.slice(0, -16)}${"0".repeat(16)}`, deriveId(task_id, "conv")]) {
      const notFound = { status: 404, detail: "Conversation not found." };
      const path = `/api/v1/conversations/${id}`;
      for (const part of ["", "/events", "/items", "/plans", "/tasks", "/context"])
        expect(await callForProblem("GET", path + part), part).toMatchObject(notFound);
      const headers = { accept: "text/event-stream" };
      expect(await callForProblem("GET", `${path}/events`, { headers })).toMatchObject(notFound);
      expect(await callForProblem("GET", `${path}/ws`, { headers: { upgrade: "websocket" } })).toMatchObject(notFound);
      expect(await callForProblem("POST", "/api/v1/tickets", { body: { conversation_id: id } })).toMatchObject(
        notFound,
      );
      expect(await callForProblem("POST", `${path}/messages`, { body: { message: "hello" } })).toMatchObject(notFound);
    }
  });

  test("[L2] of a recurring task shows the state of its schedule, read as well as streamed", async () => {
    const zora = await authenticateAs("zora");
    const message = "Every 5 minutes tell me what 6 * 7 is. Yes, confirmed.";
    const { conversation_id: id } = await sendAndWait(message, zora, { timezone: "Asia/Shanghai" });
    const { tasks } = await callRoute<{ tasks: Task[] }>("GET", `/api/v1/conversations/${id}/tasks`, zora);
    const { conversation_id: sub, task_id } = assertPresent(tasks[0]);
    await callRoute("PATCH", `/api/v1/schedules/${task_id}`, { ...zora, body: { status: "paused" } });
    const path = `/api/v1/conversations/${sub}/events`;
    const stream = await call("GET", path, { ...zora, headers: { ...zora.headers, accept: "text/event-stream" } });
    const isPaused = ({ frame: { data } }: StreamedFrame) =>
      "payload" in data && JSON.stringify(data.payload).includes(String.raw`\"schedule_status\":\"paused\"`);
    const received = await readStream(stream, (received) => received.some(isPaused));
    const { events } = await callRoute<{ events: Frame[] }>("GET", path, zora);
    expect(events).toEqual(received.events.map(({ frame }) => frame));
    const { items } = await callRoute<{ items: Item[] }>("GET", `/api/v1/conversations/${sub}/items`, zora);
    const shown = items.find((item) => item.payload["component_type"] === "scheduled_task_controller");
    expect(shown?.payload["content"]).toContain('"schedule_status":"paused"');
  });

  test("[F79] is deleted with the conversation that it belongs to", async () => {
    const { conversation_id: id } = await sendAndWait(CHAIN);
    const { tasks } = await callRoute<{ tasks: Task[] }>("GET", `/api/v1/conversations/${id}/tasks`);
    const [task] = tasks;
    await callRoute("DELETE", `/api/v1/conversations/${id}`);
    for (const path of [
      `conversations/${assertPresent(task).conversation_id}`,
      `tasks/${assertPresent(task).task_id}`,
    ]) {
      expect(await callForProblem("GET", `/api/v1/${path}`)).toMatchObject({ code: "not_found" });
    }
  });
});
