// The conversations inside conversations: one for each task that was handed on.

import { describe, expect, test, vi } from "vitest";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { deriveId } from "../../src/protocol/wire/ids.ts";
import type { Item } from "../../src/protocol/wire/items.ts";
import type { Task } from "../../src/protocol/plans/task-plan.ts";
import { ask, call, must, readStream, refused, settled, talk, type Sse } from "./support.ts";
import { as } from "./tokens.ts";

const CHAIN = "首先查询现在时间然后计算678乘以8776的结果";
type List = { readonly conversations: ConversationInfo[]; readonly next_cursor: string | null };

describe("[F48] the conversation of a task", () => {
  test("is listed under its task's title and shows that task alone", async () => {
    const omar = await as("omar");
    const { conversation_id: id, thread_id: thread } = await talk(CHAIN, omar);
    const { tasks } = await ask<{ tasks: Task[] }>("GET", `/api/v1/conversations/${id}/tasks`, omar);
    const subs = await vi.waitFor(async () => {
      const { conversations } = await ask<List>("GET", "/api/v1/conversations", omar);
      const found = conversations.filter((conversation) => conversation.parent_id === id);
      expect(found.map((sub) => `${sub.conversation_id} ${sub.status}`).toSorted()).toEqual(
        tasks.map((task) => `${task.conversation_id} completed`).toSorted(),
      );
      return found;
    });
    for (const sub of subs) {
      const task = must(tasks.find((known) => known.conversation_id === sub.conversation_id));
      expect(sub).toMatchObject({ title: task.title, agent_name: task.agent_name });
      const path = `/api/v1/conversations/${sub.conversation_id}`;
      expect(await ask("GET", path, omar)).toEqual(sub);
      const { events } = await ask<{ events: Frame[] }>("GET", `${path}/events`, omar);
      expect(events.map((frame) => frame.event)).toContain("task_started");
      expect(events.at(-1)?.event).toBe("task_completed");
      for (const { data } of events) {
        expect(data).toMatchObject({ conversation_id: sub.conversation_id, thread_id: thread, task_id: task.task_id });
      }
      const { items } = await ask<{ items: Item[] }>("GET", `${path}/items`, omar);
      expect(items.length).toBeGreaterThan(0);
      expect(items.every((item) => item.conversation_id === sub.conversation_id)).toBe(true);
      expect(await ask("GET", `${path}/tasks`, omar)).toEqual({ tasks: [task] });
      expect(await ask("GET", `${path}/plans`, omar)).toEqual({ plans: [] });
    }
  });

  test("[L2] [F61] is streamed too: what was, what happens, and the end of its conversation", async () => {
    const { conversation_id: id } = await talk(CHAIN);
    await settled(id);
    const { tasks } = await ask<{ tasks: Task[] }>("GET", `/api/v1/conversations/${id}/tasks`);
    for (const { conversation_id: sub, task_id } of tasks) {
      const path = `/api/v1/conversations/${sub}/events`;
      const { events } = await ask<{ events: Frame[] }>("GET", path);
      const all = await call("GET", path, { headers: { accept: "text/event-stream" } });
      const heard = await readStream(all, (told) => told.length === events.length);
      expect(heard.events.map(({ frame }) => frame)).toEqual(events);
      const last = must(events.at(-1)).seq;
      const rest = await call("GET", `${path}?after=${must(events[0]).seq}`, {
        headers: { accept: "text/event-stream" },
      });
      const { events: later } = await readStream(rest, (told) => told.at(-1)?.id === last);
      expect(later.map(({ frame }) => frame)).toEqual(events.slice(1));
      expect(await ask("GET", `/api/v1/conversations/${sub}/context`)).toEqual({ pending: [] });
      expect((await ask<Task>("GET", `/api/v1/tasks/${task_id}`)).conversation_id).toBe(sub);
    }
    const [{ conversation_id: sub }] = tasks as [Task];
    const open = await call("GET", `/api/v1/conversations/${sub}/events`, { headers: { accept: "text/event-stream" } });
    const whole = readStream(open);
    await ask("POST", `/api/v1/conversations/${id}/messages`, { body: { message: "hello" } });
    await settled(id, 2);
    await ask("DELETE", `/api/v1/conversations/${id}`);
    const { events, hasEnded } = await whole;
    expect(hasEnded).toBe(true);
    expect(events.at(-1)?.frame.event).toBe("task_completed");
  });

  test("[U1] is to be read alone, which its owner is told, and nobody else", async () => {
    const [ada, eve] = [await as("ada"), await as("eve")];
    const { conversation_id: id } = await talk(CHAIN, ada);
    await settled(id, 1, ada);
    const { tasks } = await ask<{ tasks: Task[] }>("GET", `/api/v1/conversations/${id}/tasks`, ada);
    const sub = `/api/v1/conversations/${must(tasks[0]).conversation_id}`;
    const none = `${sub.slice(0, -16)}${"0".repeat(16)}`;
    for (const [method, path, body] of [
      ["PATCH", "", { title: "Mine" }],
      ["DELETE", "", undefined],
      ["POST", "/messages", { message: "hello" }],
      ["POST", "/resume", { message: "yes" }],
      ["POST", "/cancel", {}],
    ] as const) {
      const more = body === undefined ? {} : { body };
      const told = await refused(method, sub + path, { ...ada, ...more });
      expect(told).toMatchObject({ status: 409, code: "conflict", detail: expect.stringContaining(id) as string });
      const unknown = await refused(method, none + path, { ...ada, ...more });
      expect(unknown).toMatchObject({ status: 404, detail: "There is no such conversation." });
      expect(await refused(method, sub + path, { ...eve, ...more })).toEqual(unknown);
    }
    for (const path of ["/events", "/context"]) {
      const headers = { ...eve.headers, accept: "text/event-stream" };
      expect(await refused("GET", sub + path, { ...eve, headers })).toMatchObject({ status: 404 });
    }
    expect((await ask<{ tasks: Task[] }>("GET", `/api/v1/conversations/${id}/tasks`, ada)).tasks).toEqual(tasks);
  });

  test("[U1] is no name for a conversation to begin, at any door", async () => {
    const [ada, eve] = [await as("ada"), await as("eve")];
    const { conversation_id: id } = await talk(CHAIN, ada);
    const { tasks } = await ask<{ tasks: Task[] }>("GET", `/api/v1/conversations/${id}/tasks`, ada);
    const sub = must(tasks[0]).conversation_id;
    const before = await ask("GET", `/api/v1/conversations/${sub}`, ada);
    const words = `This shows one task of ${id}, and is there to be read. Turn to that conversation.`;

    const message = { message: "hello", conversation_id: sub };
    for (const headers of [ada.headers, { ...ada.headers, accept: "text/event-stream" }]) {
      const told = await refused("POST", "/api/v1/messages", { ...ada, headers, body: message });
      expect(told).toMatchObject({ status: 409, code: "conflict", detail: words });
    }
    const run = { threadId: sub, runId: "run-1", messages: [{ id: "m1", role: "user", content: "hello" }] };
    const more = { tools: [], context: [], state: {}, forwardedProps: {} };
    expect(await refused("POST", "/agui", { ...ada, body: { ...run, ...more } })).toMatchObject({ detail: words });
    const said = { messageId: "m1", contextId: sub, role: "ROLE_USER", parts: [{ text: "hello" }] };
    const params = { message: said, configuration: { returnImmediately: true } };
    const headers = { ...ada.headers, "a2a-version": "1.0" };
    const body = { jsonrpc: "2.0", id: 1, method: "SendMessage", params };
    const answered = await call("POST", "/a2a", { ...ada, headers, body });
    expect(await answered.json()).toMatchObject({ error: { message: words } });

    expect(await ask("GET", `/api/v1/conversations/${sub}`, ada)).toEqual(before);
    const { events } = await ask<{ events: Frame[] }>("GET", `/api/v1/conversations/${sub}/events`, ada);
    expect(events.at(-1)?.event).toBe("task_completed");
    const named = await talk("hello", eve, { conversation_id: sub });
    expect(named.conversation_id).toBe(sub);
  });

  test("is there only for a task that was handed on, at every door", async () => {
    const [handed, named] = [await talk(CHAIN), await talk("What is 2 * 3?", {}, { agent: "assistant" })];
    const tasksIn = async (id: string) =>
      (await ask<{ tasks: Task[] }>("GET", `/api/v1/conversations/${id}/tasks`)).tasks;
    const [{ conversation_id: sub }] = (await tasksIn(handed.conversation_id)) as [Task];
    const [{ task_id, conversation_id }] = (await tasksIn(named.conversation_id)) as [Task];
    expect(conversation_id).toBe(named.conversation_id);
    for (const id of [`${sub.slice(0, -16)}${"0".repeat(16)}`, deriveId(task_id, "conv")]) {
      const never = { status: 404, detail: "There is no such conversation." };
      const path = `/api/v1/conversations/${id}`;
      for (const part of ["", "/events", "/items", "/plans", "/tasks", "/context"])
        expect(await refused("GET", path + part), part).toMatchObject(never);
      const headers = { accept: "text/event-stream" };
      expect(await refused("GET", `${path}/events`, { headers })).toMatchObject(never);
      expect(await refused("GET", `${path}/ws`, { headers: { upgrade: "websocket" } })).toMatchObject(never);
      expect(await refused("POST", "/api/v1/tickets", { body: { conversation_id: id } })).toMatchObject(never);
      expect(await refused("POST", `${path}/messages`, { body: { message: "hello" } })).toMatchObject(never);
    }
  });

  test("[L2] of a task that recurs says how its schedule stands, read as well as streamed", async () => {
    const zora = await as("zora");
    const said = "Every 5 minutes tell me what 6 * 7 is. Yes, confirmed.";
    const { conversation_id: id } = await talk(said, zora, { timezone: "Asia/Shanghai" });
    const { tasks } = await ask<{ tasks: Task[] }>("GET", `/api/v1/conversations/${id}/tasks`, zora);
    const { conversation_id: sub, task_id } = must(tasks[0]);
    await ask("PATCH", `/api/v1/schedules/${task_id}`, { ...zora, body: { status: "paused" } });
    const path = `/api/v1/conversations/${sub}/events`;
    const stream = await call("GET", path, { ...zora, headers: { ...zora.headers, accept: "text/event-stream" } });
    const isPaused = ({ frame: { data } }: Sse) =>
      "payload" in data && JSON.stringify(data.payload).includes(String.raw`\"schedule_status\":\"paused\"`);
    const heard = await readStream(stream, (told) => told.some(isPaused));
    const { events } = await ask<{ events: Frame[] }>("GET", path, zora);
    expect(events).toEqual(heard.events.map(({ frame }) => frame));
    const { items } = await ask<{ items: Item[] }>("GET", `/api/v1/conversations/${sub}/items`, zora);
    const shown = items.find((item) => item.payload["component_type"] === "scheduled_task_controller");
    expect(shown?.payload["content"]).toContain('"schedule_status":"paused"');
  });

  test("[F79] goes with the conversation that it belongs to", async () => {
    const { conversation_id: id } = await talk(CHAIN);
    const { tasks } = await ask<{ tasks: Task[] }>("GET", `/api/v1/conversations/${id}/tasks`);
    const [task] = tasks;
    await ask("DELETE", `/api/v1/conversations/${id}`);
    for (const path of [`conversations/${must(task).conversation_id}`, `tasks/${must(task).task_id}`]) {
      expect(await refused("GET", `/api/v1/${path}`)).toMatchObject({ code: "not_found" });
    }
  });
});
