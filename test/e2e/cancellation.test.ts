// Cancellation at every event of a turn: the events after the acknowledgement, and the history.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { connectRecordingClient } from "../support/recording-client.ts";
import { createHandoffReply, createPlanReply } from "../support/model-reply.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { filterEvents, createApiUser, type ApiUser } from "../support/api-user.ts";
import { findViolations, foldVisibleState, toVisibleState } from "../support/invariants.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

let model: ModelServer;
let runtime: Runtime;
let user: ApiUser;

beforeAll(async () => {
  model = await startModelServer();
  runtime = await startRuntime({ vars: { OPENAI_BASE_URL: model.url } });
  user = createApiUser(runtime.url);
});
afterAll(async () => {
  await runtime.stop();
  await model.close();
});

/** Words with this distance are published one by one. */
const PACE_MS = 35;
const createWords = (count: number) => Array.from({ length: count }, (_, i) => `w${i} `).join("");

/** Sends a message in a new conversation and cancels its thread after the n-th event. */
async function cancelAtEvent(n: number, message: string) {
  const { conversation_id: conversationId } = (await (
    await user.request("POST", "/api/v1/conversations", {})
  ).json()) as { conversation_id: string };
  const listener = connectRecordingClient({ url: runtime.url, conversationId });
  try {
    const { connection, frames } = listener;
    const isOfThread = (frame: Frame) => "thread_id" in frame.data;
    let count = 0;
    const reached = listener.waitFor((frame) => (isOfThread(frame) && ++count >= n) || frame.event === "done");
    const { thread_id: threadId } = await connection.send(message);
    await reached;
    const wasDone = listener.events.some(({ frame }) => frame.event === "done");
    const cancelled = await connection.cancel({ thread_id: threadId ?? "" }).then(
      () => true,
      () => false,
    );
    const done = await listener.waitFor((frame) => frame.event === "done");
    await listener.waitForSeq(done.seq);
    const ack = frames.findLastIndex((frame) => "type" in frame && frame.type === "ack");
    const after = frames.slice(ack + 1).flatMap((frame) => ("event" in frame ? [frame.event] : []));
    const history = await vi.waitFor(async () => {
      const frames = await user.history(conversationId);
      expect(findViolations(frames)).toEqual([]);
      return frames;
    }, 5_000);
    expect(toVisibleState(connection.view)).toEqual(foldVisibleState(history));
    return { isOver: wasDone, cancelled, after, history };
  } finally {
    listener.close();
  }
}

describe("[T5] [I16] cancel command", () => {
  test.each([
    ["a direct answer", 36, () => ({ triage: { reasoning: "Let me see. ", text: createWords(30), paceMs: PACE_MS } })],
    [
      "a plan of two tasks",
      60,
      () => {
        const part = model.addScript({
          "agent:assistant": [
            { calls: [{ name: "calculate", arguments: { expression: "6*7" } }], paceMs: 2 },
            { text: createWords(12), paceMs: PACE_MS },
          ],
        });
        const planner = createPlanReply(
          { id: "a", query: `Work ${part}` },
          { id: "b", query: `More ${part}`, after: ["a"] },
        );
        return {
          triage: createHandoffReply("needs_planning"),
          planner,
          synthesis: { text: createWords(8), paceMs: PACE_MS },
        };
      },
    ],
  ])(
    "at any event of %s is followed only by the end of the thread after its acknowledgement",
    async (_, events, act) => {
      let stopped = 0;
      for (let from = 1; from <= events; from += 6) {
        const runs = Array.from({ length: 6 }, (_, i) => cancelAtEvent(from + i, `Please ${model.addScript(act())}`));
        for (const { isOver: wasDone, cancelled, after, history } of await Promise.all(runs)) {
          if (wasDone || !cancelled) continue;
          stopped += 1;
          expect(after.filter((event) => event !== "task_cancelled" && event !== "done")).toEqual([]);
          const [done] = filterEvents(history, "done");
          expect(done?.metadata?.["cancelled"]).toBe(true);
          const ends = filterEvents(history, "task_completed").length + filterEvents(history, "task_cancelled").length;
          expect(ends).toBe(filterEvents(history, "plan_created").length * 2);
          expect(filterEvents(history, "system_failed")).toEqual([]);
        }
      }
      expect(stopped).toBeGreaterThan(events / 2);
    },
  );
});

test("[T2] [T5] a repeated cancel command gets the same answer and cancels nothing else", async () => {
  const createSlowMessage = () => `Count ${model.addScript({ triage: { text: createWords(30), paceMs: 20 } })}`;
  const first = await user.send(createSlowMessage());
  const id = first.conversation_id;
  const second = await user.send(createSlowMessage(), { conversation: id });
  const cancel = async (body: object) => {
    const response = await user.request("POST", `/api/v1/conversations/${id}/cancel`, body);
    return `${response.status} ${await response.text()}`;
  };
  const stopped = await cancel({ id: "c-1" });
  expect(stopped).toContain(first.thread_id);
  expect(await cancel({ id: "c-1" })).toBe(stopped);
  const named = { id: "c-2", thread_id: second.thread_id };
  const task = model.addScript({ "agent:assistant": { text: createWords(30), paceMs: 20 } });
  const third = await user.send(`Work ${task}`, { conversation: id, agent: "assistant" });
  await vi.waitFor(async () => {
    const dones = filterEvents(await user.history(id), "done");
    expect(dones.map(({ metadata }) => metadata?.["cancelled"] === true)).toEqual([true, false]);
  }, 5_000);
  expect(await cancel(named)).toMatch(/^404 /);
  const tasks = await vi.waitFor(async () => {
    const known = await user.get<{ tasks: { task_id: string }[] }>(`/api/v1/conversations/${id}/tasks`);
    expect(known.tasks).toHaveLength(1);
    return known.tasks;
  }, 5_000);
  const cancelTask = { id: "c-3", task_id: tasks[0]?.task_id };
  expect(await cancel(cancelTask)).toMatch(/^200 /);
  expect(await cancel(cancelTask)).toMatch(/^200 /);
  expect(filterEvents(await user.history(id), "done").at(-1)?.thread_id).toBe(third.thread_id);
});

test("the acknowledgement of a cancel command contains the cancelled thread, also for a task", async () => {
  const createSlowMessage = { text: createWords(30), paceMs: 20 };
  const first = await user.send(`Count ${model.addScript({ triage: createSlowMessage })}`);
  const listener = connectRecordingClient({ url: runtime.url, conversationId: first.conversation_id });
  try {
    const { connection } = listener;
    const second = await connection.send(`Count ${model.addScript({ triage: createSlowMessage })}`);
    const third = await connection.send(`Work ${model.addScript({ "agent:assistant": createSlowMessage })}`, {
      agent: "assistant",
    });
    expect(await connection.cancel({})).toMatchObject({ thread_id: first.thread_id });
    expect(await connection.cancel({ thread_id: second.thread_id ?? "" })).toMatchObject({
      thread_id: second.thread_id,
    });
    const { data } = await listener.waitFor((frame) => frame.event === "task_started");
    const task_id = ("task_id" in data && data.task_id) || "";
    expect(await connection.cancel({ task_id })).toMatchObject({ thread_id: third.thread_id });
  } finally {
    listener.close();
  }
});
