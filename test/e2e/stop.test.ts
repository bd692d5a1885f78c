// Stop pressed at every moment of a turn: what comes after the acknowledgement, and what the history keeps.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { listenTo } from "../support/listener.ts";
import { handoff, planOf } from "../support/model-reply.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { eventsOf, personAt, type Person } from "../support/person.ts";
import { breachesIn, pictureFrom, pictureOf } from "../support/rules.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

let model: ModelServer;
let runtime: Runtime;
let person: Person;

beforeAll(async () => {
  model = await startModelServer();
  runtime = await startRuntime({ vars: { OPENAI_BASE_URL: model.url } });
  person = personAt(runtime.url);
});
afterAll(async () => {
  await runtime.stop();
  await model.close();
});

/** Words that come so far apart are told one by one. */
const ALONE_MS = 35;
const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i} `).join("");

/** Says it in a conversation of its own, and presses stop when the n-th event of the thread is there. */
async function stopAt(n: number, message: string) {
  const { conversation_id: conversationId } = (await (
    await person.request("POST", "/api/v1/conversations", {})
  ).json()) as { conversation_id: string };
  const listener = listenTo({ url: runtime.url, conversationId });
  try {
    const { line, heard } = listener;
    const isOfThread = (frame: Frame) => "thread_id" in frame.data;
    let count = 0;
    const reached = listener.until((frame) => (isOfThread(frame) && ++count >= n) || frame.event === "done");
    const { thread_id: threadId } = await line.send(message);
    await reached;
    const isOver = listener.events.some(({ frame }) => frame.event === "done");
    const cancelled = await line.cancel({ thread_id: threadId ?? "" }).then(
      () => true,
      () => false,
    );
    const done = await listener.until((frame) => frame.event === "done");
    await listener.hasSeen(done.seq);
    const ack = heard.findLastIndex((frame) => "type" in frame && frame.type === "ack");
    const after = heard.slice(ack + 1).flatMap((frame) => ("event" in frame ? [frame.event] : []));
    const history = await vi.waitFor(async () => {
      const frames = await person.history(conversationId);
      expect(breachesIn(frames)).toEqual([]);
      return frames;
    }, 5_000);
    expect(pictureOf(line.view)).toEqual(pictureFrom(history));
    return { isOver, cancelled, after, history };
  } finally {
    listener.close();
  }
}

describe("[T5] [I16] stop", () => {
  test.each([
    ["a direct answer", 36, () => ({ triage: { reasoning: "Let me see. ", text: words(30), paceMs: ALONE_MS } })],
    [
      "a plan of two tasks",
      60,
      () => {
        const part = model.act({
          "agent:assistant": [
            { calls: [{ name: "calculate", arguments: { expression: "6*7" } }], paceMs: 2 },
            { text: words(12), paceMs: ALONE_MS },
          ],
        });
        const planner = planOf({ id: "a", query: `Work ${part}` }, { id: "b", query: `More ${part}`, after: ["a"] });
        return { triage: handoff("needs_planning"), planner, synthesis: { text: words(8), paceMs: ALONE_MS } };
      },
    ],
  ])("at every event of %s: nothing of it is told after the acknowledgement but its end", async (_, events, act) => {
    let stopped = 0;
    for (let from = 1; from <= events; from += 6) {
      const runs = Array.from({ length: 6 }, (_, i) => stopAt(from + i, `Please ${model.act(act())}`));
      for (const { isOver, cancelled, after, history } of await Promise.all(runs)) {
        if (isOver || !cancelled) continue;
        stopped += 1;
        expect(after.filter((event) => event !== "task_cancelled" && event !== "done")).toEqual([]);
        const [done] = eventsOf(history, "done");
        expect(done?.metadata?.["cancelled"]).toBe(true);
        const ends = eventsOf(history, "task_completed").length + eventsOf(history, "task_cancelled").length;
        expect(ends).toBe(eventsOf(history, "plan_created").length * 2);
        expect(eventsOf(history, "system_failed")).toEqual([]);
      }
    }
    expect(stopped).toBeGreaterThan(events / 2);
  });
});

test("[T2] [T5] a stop that comes again under its id is answered as before, and stops nothing more", async () => {
  const slowly = () => `Count ${model.act({ triage: { text: words(30), paceMs: 20 } })}`;
  const first = await person.tell(slowly());
  const id = first.conversation_id;
  const second = await person.tell(slowly(), { in: id });
  const stop = async (body: object) => {
    const response = await person.request("POST", `/api/v1/conversations/${id}/cancel`, body);
    return `${response.status} ${await response.text()}`;
  };
  const stopped = await stop({ id: "c-1" });
  expect(stopped).toContain(first.thread_id);
  expect(await stop({ id: "c-1" })).toBe(stopped);
  const named = { id: "c-2", thread_id: second.thread_id };
  const task = model.act({ "agent:assistant": { text: words(30), paceMs: 20 } });
  const third = await person.tell(`Work ${task}`, { in: id, agent: "assistant" });
  await vi.waitFor(async () => {
    const dones = eventsOf(await person.history(id), "done");
    expect(dones.map(({ metadata }) => metadata?.["cancelled"] === true)).toEqual([true, false]);
  }, 5_000);
  expect(await stop(named)).toMatch(/^404 /);
  const tasks = await vi.waitFor(async () => {
    const known = await person.get<{ tasks: { task_id: string }[] }>(`/api/v1/conversations/${id}/tasks`);
    expect(known.tasks).toHaveLength(1);
    return known.tasks;
  }, 5_000);
  const one = { id: "c-3", task_id: tasks[0]?.task_id };
  expect(await stop(one)).toMatch(/^200 /);
  expect(await stop(one)).toMatch(/^200 /);
  expect(eventsOf(await person.history(id), "done").at(-1)?.thread_id).toBe(third.thread_id);
});

test("the acknowledgement of a stop names the thread that it was about, whatever it named itself", async () => {
  const slowly = { text: words(30), paceMs: 20 };
  const first = await person.tell(`Count ${model.act({ triage: slowly })}`);
  const listener = listenTo({ url: runtime.url, conversationId: first.conversation_id });
  try {
    const { line } = listener;
    const second = await line.send(`Count ${model.act({ triage: slowly })}`);
    const third = await line.send(`Work ${model.act({ "agent:assistant": slowly })}`, { agent: "assistant" });
    expect(await line.cancel({})).toMatchObject({ thread_id: first.thread_id });
    expect(await line.cancel({ thread_id: second.thread_id ?? "" })).toMatchObject({ thread_id: second.thread_id });
    const { data } = await listener.until((frame) => frame.event === "task_started");
    const task_id = ("task_id" in data && data.task_id) || "";
    expect(await line.cancel({ task_id })).toMatchObject({ thread_id: third.thread_id });
  } finally {
    listener.close();
  }
});
