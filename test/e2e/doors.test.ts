// The same requests through every door, answered by the embedded model.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect } from "../../src/client/connect.ts";
import { createApi } from "../../src/client/api.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import type { Plan } from "../../src/protocol/plans/task-plan.ts";
import { eventsOf, personAt, textOf, type Heard } from "../support/person.ts";
import { breachesIn, pictureFrom, pictureOf } from "../support/rules.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

let runtime: Runtime;

beforeAll(async () => {
  runtime = await startRuntime({
    beside: { caller: { config: "test/e2e/caller/wrangler.toml", entry: "test/e2e/caller/caller.ts" } },
  });
});
afterAll(() => runtime.stop());

type Door = (message: string, agent?: string) => Promise<Heard>;

const DOORS: Readonly<Record<string, Door>> = {
  "server-sent events": (message, agent) => personAt(runtime.url).say(message, agent === undefined ? {} : { agent }),
  "a socket": overSocket,
  "a service binding": overBinding,
};

describe.each(Object.entries(DOORS))("over %s", (_, ask) => {
  test.each(["现在几点了", "What time is it now?"])("[F08] one question is one task: %s", async (message) => {
    const { frames } = await well(ask(message));
    expect(planIn(frames)?.tasks).toMatchObject([{ agent_name: "assistant" }]);
    expect(textOf(frames)).toMatch(/\d{4}-\d\d-\d\d|\d{1,2}[:：]\d\d/);
  });

  test.each([
    "首先查询现在时间然后计算678乘以8776的结果",
    "First look up the current time, then calculate 678 times 8776.",
  ])("[F91] [F101] two parts in order are two tasks, and the value is exact: %s", async (message) => {
    const { frames } = await well(ask(message));
    const [first, second, ...more] = planIn(frames)?.tasks ?? [];
    expect(more).toEqual([]);
    expect(second?.depends_on).toEqual([first?.task_id]);
    expect(startsAndEnds(frames)).toEqual([
      `started ${first?.task_id}`,
      `completed ${first?.task_id}`,
      `started ${second?.task_id}`,
      `completed ${second?.task_id}`,
    ]);
    expect(synthesisIn(frames)).toContain("5950128");
  });

  test.each([
    "告诉我现在时间、生成一个随机数、计算123加456",
    "Tell me the current time, generate a random number, and calculate 123 plus 456.",
  ])("[F91] three parts are three tasks: %s", async (message) => {
    const { frames } = await well(ask(message));
    expect(planIn(frames)?.tasks).toHaveLength(3);
    expect(eventsOf(frames, "task_completed")).toHaveLength(3);
    expect(synthesisIn(frames)).toContain("579");
  });

  test.each(["你好", "hello"])("[F06] [F90] a greeting is answered at once, without a plan: %s", async (message) => {
    const { frames } = await well(ask(message));
    expect(textOf(frames)).not.toBe("");
    const names = frames.map(({ event }) => event);
    expect(names).not.toContain("plan_created");
    expect(names.filter((name) => name.startsWith("task_"))).toEqual([]);
  });

  test("[F04] [F17] naming an agent skips the triage and leaves the words as they are", async () => {
    const { frames } = await well(ask("计算 6 乘以 7", "assistant"));
    expect(frames.map(({ event }) => event)).not.toContain("triage_completed");
    expect(planIn(frames)?.tasks).toMatchObject([{ agent_name: "assistant", query: "计算 6 乘以 7" }]);
    expect(textOf(frames)).toContain("42");
  });
});

test("[F61] a thread is the same on every door and in history", async () => {
  const heard = await overSocket("现在几点了");
  const { conversationId, threadId } = heard;
  const history = await personAt(runtime.url).history(conversationId);
  expect(history).toEqual(await callerSees("events", ["local", conversationId]).then(eventsIn));
  expect(pictureFrom(history)).toEqual(pictureFrom(heard.frames));
  expect(history.every((frame) => frame.event === "conversation_started" || threadOf(frame) === threadId)).toBe(true);
});

test("what a service binding refuses is a value with a code", async () => {
  expect(await callerSees("readConversation", ["ada", "conv-of-nobody"])).toMatchObject({
    ok: false,
    failure: { code: "not_found" },
  });
  expect(await callerSees("send", ["ada", null, { message: "" }])).toMatchObject({
    ok: false,
    failure: { code: "invalid_request", field: "message" },
  });
});

/** Every thread here ends well, and its log keeps the rules. */
async function well(asking: Promise<Heard>): Promise<Heard> {
  const heard = await asking;
  const failures = heard.frames.filter(({ event }) => event.endsWith("_failed"));
  expect(failures).toEqual([]);
  expect(breachesIn(heard.frames)).toEqual([]);
  expect(heard.frames.at(-1)?.event).toBe("done");
  return heard;
}

async function overSocket(message: string, agent?: string): Promise<Heard> {
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
  expect(pictureOf(line.view)).toEqual(pictureFrom(frames));
  line.close();
  return { conversationId, threadId, frames };
}

async function overBinding(message: string, agent?: string): Promise<Heard> {
  const text = { message, ...(agent === undefined ? {} : { agent }) };
  const response = await call("ask", ["ada", null, text]);
  const lines = (await response.text()).trim().split("\n");
  const frames = lines.map((line) => JSON.parse(line) as Frame);
  const started = eventsOf(frames, "thread_started")[0];
  return { conversationId: started?.conversation_id ?? "", threadId: started?.thread_id ?? "", frames };
}

function call(method: string, args: readonly unknown[]): Promise<Response> {
  return fetch(`${runtime.urlOf("caller")}/${method}`, { method: "POST", body: JSON.stringify(args) });
}

async function callerSees(method: string, args: readonly unknown[]): Promise<unknown> {
  return (await call(method, args)).json();
}

function eventsIn(result: unknown): Frame[] {
  return (result as { value: { events: Frame[] } }).value.events;
}

function planIn(frames: readonly Frame[]): Plan | undefined {
  return eventsOf(frames, "plan_created")[0]?.payload.plan;
}

function threadOf(frame: Frame): string | undefined {
  return "thread_id" in frame.data ? frame.data.thread_id : undefined;
}

function startsAndEnds(frames: readonly Frame[]): string[] {
  return frames.flatMap((frame) => {
    if (frame.event === "task_started") return [`started ${frame.data.task_id}`];
    return frame.event === "task_completed" ? [`completed ${frame.data.task_id}`] : [];
  });
}

/** The last words, after all tasks. */
function synthesisIn(frames: readonly Frame[]): string {
  return textOf(frames.slice(frames.findLastIndex(({ event }) => event === "task_completed")));
}
