// [T5] After a cancellation is acknowledged, the cancelled work emits only its own `task_cancelled` and `done`, and its
// agent is notified. This holds for every door through which a user can cancel, at any moment of a thread, and every
// door tells its reader that the thread was cancelled.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { setTimeout as sleep } from "node:timers/promises";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { startA2AAgent, type A2AAgent } from "../support/a2a-agent.ts";
import { filterEvents, type ApiUser } from "../support/api-user.ts";
import { findViolations } from "../support/invariants.ts";
import { pickByLength } from "../support/run-length.ts";
import { callA2A, callRpc, createConversation, DOOR_NAMES, DOORS, request, sendSocketCommand } from "./doors.ts";
import { createUser, scriptAnswer, scriptPlan, scriptQuestion, startContractSetup, type Setup } from "./setup.ts";

const WORDS = Array.from({ length: 40 }, (_, i) => `w${i}`).join(" ");
const MOMENTS = pickByLength(4, 40);

type User = { readonly name: string; readonly api: ApiUser };
let setup: Setup;
let ada: User;
let agent: A2AAgent;

beforeAll(async () => {
  setup = await startContractSetup();
  ada = await createUser(setup, "ada");
  agent = await startA2AAgent("steady", "1.0", async function* (query, stop) {
    for (const word of query.split(" ")) {
      if (stop.aborted) return;
      await sleep(100);
      yield `${word} `;
    }
  });
  expect((await ada.api.request("POST", "/api/v1/agents", { url: agent.url })).status).toBe(201);
});
afterAll(() => agent.close());

type Ids = { readonly conversation: string; readonly thread: string; readonly task: string };

/** Cancels a thread or a task. Resolves with the text of the acknowledgement. */
type Cancel = (ids: Ids) => Promise<string>;

const post = async (path: string, body: object) => {
  const { status, text } = await request(setup, ada.name, "POST", path, body);
  return `${status} ${text}`;
};

const THREAD_CANCELS: Readonly<Record<string, Cancel>> = {
  HTTP: ({ conversation, thread }) => post(`/api/v1/conversations/${conversation}/cancel`, { thread_id: thread }),
  socket: ({ conversation, thread }) =>
    sendSocketCommand(setup, ada.name, conversation, { type: "cancel", id: crypto.randomUUID(), thread_id: thread }),
  RPC: ({ conversation, thread }) => callRpc(setup, "cancel", [ada.name, conversation, { thread_id: thread }]),
  A2A: ({ conversation, thread }) => callA2A(setup, ada.name, "CancelTask", { id: `${conversation}.${thread}` }),
  "A2A over HTTP+JSON": ({ conversation, thread }) => post(`/a2a/tasks/${conversation}.${thread}:cancel`, {}),
};
const TASK_CANCELS: Readonly<Record<string, Cancel>> = {
  HTTP: ({ task }) => post(`/api/v1/tasks/${task}/cancel`, {}),
  "HTTP of a conversation": ({ conversation, task }) =>
    post(`/api/v1/conversations/${conversation}/cancel`, { task_id: task }),
  socket: ({ conversation, task }) =>
    sendSocketCommand(setup, ada.name, conversation, { type: "cancel", id: crypto.randomUUID(), task_id: task }),
  RPC: ({ task }) => callRpc(setup, "cancelTask", [ada.name, task]),
};

const isRefused = (acknowledgement: string) => /^4\d\d |"ok":false|"type":"error"|"error":/.test(acknowledgement);

/** Checks the end of a cancelled thread: nothing but its ends follows the events that were there before. */
function expectCancelled(log: readonly Frame[], before: readonly Frame[], thread: string): void {
  expect(findViolations(log)).toEqual([]);
  const last = before.at(-1)?.seq ?? 0;
  const later = log.filter(({ seq, data }) => seq > last && "thread_id" in data && data.thread_id === thread);
  expect(later.filter(({ event }) => event !== "task_cancelled" && event !== "done")).toEqual([]);
  const done = filterEvents(log, "done").find(({ thread_id }) => thread_id === thread);
  expect(done?.metadata?.["cancelled"]).toBe(true);
  expect(filterEvents(log, "system_failed")).toEqual([]);
}

const waitForDone = (conversation: string, thread: string) =>
  vi.waitFor(async () => {
    const log = await ada.api.history(conversation);
    expect(filterEvents(log, "done").map(({ thread_id }) => thread_id)).toContain(thread);
    return log;
  }, 10_000);

describe.each(Object.entries(THREAD_CANCELS))("[T5] [I16] a thread that is cancelled over %s", (name, cancel) => {
  const start = async (message: string, options: object = {}) => {
    const { conversation_id: conversation, thread_id: thread } = await ada.api.send(message, options);
    return { conversation, thread, task: "" };
  };

  test("emits only its ends, at any moment of an answer and of a plan", async () => {
    const runs = Array.from({ length: 2 * MOMENTS }, async (_, i) => {
      const script = i % 2 === 0 ? scriptAnswer(setup, WORDS, 30) : scriptPlan(setup, WORDS, 30);
      const ids = await start(script.message);
      await sleep(((i >> 1) * 1_100) / MOMENTS);
      const acknowledgement = await cancel(ids);
      const before = await ada.api.history(ids.conversation);
      // A refusal is right only after the end.
      if (isRefused(acknowledgement)) return expect(before.at(-1)?.event, acknowledgement).toBe("done");
      expect(acknowledgement).toContain(ids.thread);
      expectCancelled(await waitForDone(ids.conversation, ids.thread), before, ids.thread);
      const calls = setup.model.getCalls(script.mark).length;
      expect(isRefused(await cancel(ids))).toBe(true);
      await sleep(100);
      expect(setup.model.getCalls(script.mark)).toHaveLength(calls);
    });
    await Promise.all(runs);
  });

  test("notifies its agent and lets the conversation continue", async () => {
    const notified = () => agent.otherRequests.filter((other) => other.startsWith("CancelTask")).length;
    const before = notified();
    const ids = await start(`${name} ${WORDS}`, { agent: agent.name });
    await vi.waitFor(async () => {
      const log = await ada.api.history(ids.conversation);
      expect(log.map(({ event }) => event)).toContain("message_chunk");
    }, 10_000);
    expect(isRefused(await cancel(ids))).toBe(false);
    await vi.waitFor(() => expect(notified()).toBeGreaterThan(before), 10_000);
    const next = await ada.api.sendAndWait(scriptAnswer(setup, "Next.").message, { conversation: ids.conversation });
    expect(filterEvents(next.frames, "message_chunk").map(({ payload }) => payload.content)).toEqual(["Next."]);
  });

  test("closes its open question, which can then not be answered", async () => {
    const { mark, message } = scriptQuestion(setup, "Paid.");
    const { conversationId: conversation, threadId: thread, frames } = await ada.api.sendAndWait(message);
    const [question] = filterEvents(frames, "plan_require_user_input");
    const ids = { conversation, thread, task: "" };
    const before = await ada.api.history(conversation);
    expect(isRefused(await cancel(ids))).toBe(false);
    expectCancelled(await waitForDone(conversation, thread), before, thread);
    const path = `/api/v1/conversations/${conversation}`;
    expect(await ada.api.get(`${path}/context`)).toEqual({ pending: [] });
    expect(await post(`${path}/resume`, { message: "20", request_id: question?.payload.request_id })).toMatch(/^409 /);
    expect(setup.model.getCalls(mark)).toHaveLength(2);
  });

  test("that waits in the queue ends without having run", async () => {
    const first = await start(scriptAnswer(setup, WORDS, 20).message);
    const { mark, message } = scriptAnswer(setup, "Never.");
    const ids = await start(message, { conversation: first.conversation });
    expect(isRefused(await cancel(ids))).toBe(false);
    const log = await waitForDone(first.conversation, ids.thread);
    const own = log.filter(({ data }) => "thread_id" in data && data.thread_id === ids.thread);
    expect(own.map(({ event }) => event)).toEqual(["thread_started", "done"]);
    await waitForDone(first.conversation, first.thread);
    expect(setup.model.getCalls(mark)).toEqual([]);
  });
});

test("[T5] a cancellation without a target cancels the oldest thread", async () => {
  const slow = scriptAnswer(setup, WORDS, 30).message;
  const first = await ada.api.send(slow);
  const { conversation_id: conversation } = first;
  const second = await ada.api.send(slow, { conversation });
  expect(await callRpc(setup, "cancel", [ada.name, conversation])).toContain(first.thread_id);
  const command = { type: "cancel", id: crypto.randomUUID() };
  expect(await sendSocketCommand(setup, ada.name, conversation, command)).toContain(second.thread_id);
  expect(await post(`/api/v1/conversations/${conversation}/cancel`, {})).toMatch(/^404 /);
});

describe.each(Object.entries(TASK_CANCELS))("[T5] a task that is cancelled over %s", (_, cancel) => {
  test("emits only task_cancelled, its dependents end, and other tasks keep their results", async () => {
    const { conversation_id: conversation, thread_id: thread } = await ada.api.send(
      scriptPlan(setup, WORDS, 40).message,
    );
    const tasks = await vi.waitFor(async () => {
      const log = await ada.api.history(conversation);
      expect(filterEvents(log, "task_started")).toHaveLength(2);
      return filterEvents(log, "task_started");
    }, 10_000);
    const task = tasks[0]?.task_id ?? "";
    expect(isRefused(await cancel({ conversation, thread, task }))).toBe(false);
    const before = (await ada.api.history(conversation)).at(-1)?.seq ?? 0;
    const log = await waitForDone(conversation, thread);
    const later = log.filter(({ seq, data }) => seq > before && "task_id" in data && data.task_id === task);
    expect(later.filter(({ event }) => event !== "task_cancelled")).toEqual([]);
    expect(filterEvents(log, "task_cancelled").map(({ task_id }) => task_id)).toEqual([task]);
    expect(filterEvents(log, "task_completed").map(({ task_id }) => task_id)).toEqual([tasks[1]?.task_id]);
    expect(isRefused(await cancel({ conversation, thread, task }))).toBe(true);
  });
});

test.each(DOOR_NAMES)("[T5] the reader of a thread over %s is told that it was cancelled", async (name) => {
  const conversation = await createConversation(setup, ada.name);
  const { mark, message } = scriptAnswer(setup, WORDS, 50);
  const reply = DOORS[name].send(setup, ada.name, { message, conversation });
  await vi.waitFor(() => expect(setup.model.getCalls(mark)).toHaveLength(1), 10_000);
  await sleep(200);
  expect(await post(`/api/v1/conversations/${conversation}/cancel`, {})).toMatch(/^200 /);
  const { end, text } = await reply;
  expect([name, end]).toEqual([name, "cancelled"]);
  expect(text).not.toContain("w39");
});
