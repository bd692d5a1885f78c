// The same requests over every native interface, answered by the embedded model.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect } from "../../src/client/connect.ts";
import { createApi } from "../../src/client/api.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import type { Plan } from "../../src/protocol/plans/task-plan.ts";
import { filterEvents, createApiUser, joinText, type ThreadResult } from "../support/api-user.ts";
import { findViolations, foldVisibleState, toVisibleState } from "../support/invariants.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

let runtime: Runtime;

beforeAll(async () => {
  runtime = await startRuntime({
    siblings: { caller: { config: "test/e2e/caller/wrangler.toml", entry: "test/e2e/caller/caller.ts" } },
  });
});
afterAll(() => runtime.stop());

type SendMessage = (message: string, agent?: string) => Promise<ThreadResult>;

const INTERFACES: Readonly<Record<string, SendMessage>> = {
  "server-sent events": (message, agent) =>
    createApiUser(runtime.url).sendAndWait(message, agent === undefined ? {} : { agent }),
  "a socket": sendOverSocket,
  "a service binding": sendOverBinding,
};

describe.each(Object.entries(INTERFACES))("requests over %s", (_, sendMessage) => {
  test.each(["现在几点了", "What time is it now?"])("[F08] plan one task for one question: %s", async (message) => {
    const { frames } = await waitForSuccess(sendMessage(message));
    expect(findPlan(frames)?.tasks).toMatchObject([{ agent_name: "assistant" }]);
    expect(joinText(frames)).toMatch(/\d{4}-\d\d-\d\d|\d{1,2}[:：]\d\d/);
  });

  test.each([
    "首先查询现在时间然后计算678乘以8776的结果",
    "First look up the current time, then calculate 678 times 8776.",
  ])("[F91] [F101] plan two ordered tasks with an exact result for two parts: %s", async (message) => {
    const { frames } = await waitForSuccess(sendMessage(message));
    const [first, second, ...more] = findPlan(frames)?.tasks ?? [];
    expect(more).toEqual([]);
    expect(second?.depends_on).toEqual([first?.task_id]);
    expect(listTaskBoundaries(frames)).toEqual([
      `started ${first?.task_id}`,
      `completed ${first?.task_id}`,
      `started ${second?.task_id}`,
      `completed ${second?.task_id}`,
    ]);
    expect(getSynthesisText(frames)).toContain("5950128");
  });

  test.each([
    "告诉我现在时间、生成一个随机数、计算123加456",
    "Tell me the current time, generate a random number, and calculate 123 plus 456.",
  ])("[F91] plan three tasks for three parts: %s", async (message) => {
    const { frames } = await waitForSuccess(sendMessage(message));
    expect(findPlan(frames)?.tasks).toHaveLength(3);
    expect(filterEvents(frames, "task_completed")).toHaveLength(3);
    expect(getSynthesisText(frames)).toContain("579");
  });

  test.each(["你好", "hello"])("[F06] [F90] answer a greeting directly without a plan: %s", async (message) => {
    const { frames } = await waitForSuccess(sendMessage(message));
    expect(joinText(frames)).not.toBe("");
    const names = frames.map(({ event }) => event);
    expect(names).not.toContain("plan_created");
    expect(names.filter((name) => name.startsWith("task_"))).toEqual([]);
  });

  test("[F04] [F17] to a named agent skip the triage and pass the message on unchanged", async () => {
    const { frames } = await waitForSuccess(sendMessage("计算 6 乘以 7", "assistant"));
    expect(frames.map(({ event }) => event)).not.toContain("triage_completed");
    expect(findPlan(frames)?.tasks).toMatchObject([{ agent_name: "assistant", query: "计算 6 乘以 7" }]);
    expect(joinText(frames)).toContain("42");
  });
});

test("[F61] a thread is the same over a socket, over a service binding and in the history", async () => {
  const received = await sendOverSocket("现在几点了");
  const { conversationId, threadId } = received;
  const history = await createApiUser(runtime.url).history(conversationId);
  expect(history).toEqual(await callBindingJson("events", ["local", conversationId]).then(getEvents));
  expect(foldVisibleState(history)).toEqual(foldVisibleState(received.frames));
  expect(history.every((frame) => frame.event === "conversation_started" || getThreadId(frame) === threadId)).toBe(
    true,
  );
});

test("a service binding returns an error as a value with a code", async () => {
  expect(await callBindingJson("readConversation", ["ada", "conv-of-nobody"])).toMatchObject({
    ok: false,
    failure: { code: "not_found" },
  });
  expect(await callBindingJson("send", ["ada", null, { message: "" }])).toMatchObject({
    ok: false,
    failure: { code: "invalid_request", field: "message" },
  });
});

/** Checks that the thread completed and that its log is valid. */
async function waitForSuccess(pendingThread: Promise<ThreadResult>): Promise<ThreadResult> {
  const received = await pendingThread;
  const failures = received.frames.filter(({ event }) => event.endsWith("_failed"));
  expect(failures).toEqual([]);
  expect(findViolations(received.frames)).toEqual([]);
  expect(received.frames.at(-1)?.event).toBe("done");
  return received;
}

async function sendOverSocket(message: string, agent?: string): Promise<ThreadResult> {
  const { conversation_id: conversationId } = await createApi({ url: runtime.url }).createConversation();
  const frames: Frame[] = [];
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const line = connect({
    url: runtime.url,
    conversationId,
    onFrame: (frame) => {
      if (!("event" in frame)) return;
      frames.push(frame);
      if (frame.event === "done") finish();
    },
  });
  const { thread_id: threadId = "" } = await line.send(message, agent === undefined ? {} : { agent });
  await finished;
  expect(toVisibleState(line.view)).toEqual(foldVisibleState(frames));
  line.close();
  return { conversationId, threadId, frames };
}

async function sendOverBinding(message: string, agent?: string): Promise<ThreadResult> {
  const text = { message, ...(agent === undefined ? {} : { agent }) };
  const response = await callBinding("ask", ["ada", null, text]);
  const lines = (await response.text()).trim().split("\n");
  const frames = lines.map((line) => JSON.parse(line) as Frame);
  const started = filterEvents(frames, "thread_started")[0];
  return { conversationId: started?.conversation_id ?? "", threadId: started?.thread_id ?? "", frames };
}

function callBinding(method: string, args: readonly unknown[]): Promise<Response> {
  return fetch(`${runtime.getUrl("caller")}/${method}`, { method: "POST", body: JSON.stringify(args) });
}

async function callBindingJson(method: string, args: readonly unknown[]): Promise<unknown> {
  return (await callBinding(method, args)).json();
}

function getEvents(result: unknown): Frame[] {
  return (result as { value: { events: Frame[] } }).value.events;
}

function findPlan(frames: readonly Frame[]): Plan | undefined {
  return filterEvents(frames, "plan_created")[0]?.payload.plan;
}

function getThreadId(frame: Frame): string | undefined {
  return "thread_id" in frame.data ? frame.data.thread_id : undefined;
}

function listTaskBoundaries(frames: readonly Frame[]): string[] {
  return frames.flatMap((frame) => {
    if (frame.event === "task_started") return [`started ${frame.data.task_id}`];
    return frame.event === "task_completed" ? [`completed ${frame.data.task_id}`] : [];
  });
}

/** Returns the text after the last task. */
function getSynthesisText(frames: readonly Frame[]): string {
  return joinText(frames.slice(frames.findLastIndex(({ event }) => event === "task_completed")));
}
