// A task that is followed over the deaths of its host, on streams that a test breaks where it likes.

import type { StreamResponse } from "@a2a-js/sdk";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ThreadRecord } from "../../../src/durable/conversation-api.ts";
import type { A2ARequestContext } from "../../../src/http/a2a/a2a-request-context.ts";
import { subscribeToTask } from "../../../src/http/a2a/send-message.ts";
import type { Operations } from "../../../src/http/operations/operations.ts";
import type { ConversationEvent, Frame } from "../../../src/protocol/wire/events.ts";
import { Fault } from "../../../src/protocol/wire/fault.ts";

const THREAD = `th-${"0".repeat(32)}`;

type Loose = { readonly event: ConversationEvent["event"]; readonly data?: object };

const numbered = (events: readonly Loose[]): Frame[] =>
  events.map(({ event, data }, i) => {
    const place = { conversation_id: "conv-1", thread_id: THREAD, task_id: "task-1", item_id: `item-${i}` };
    return { seq: i + 1, event, data: { ...place, role: "system", payload: { content: "" }, ...data } };
  }) as unknown as Frame[];

const FRAMES = numbered([
  { event: "thread_started", data: { role: "user", payload: { content: "Pay" } } },
  { event: "plan_require_user_input", data: { payload: { content: "How much?", request_id: "req-1" } } },
  { event: "message", data: { role: "user", payload: { content: "20" }, metadata: { request_id: "req-1" } } },
  { event: "message_chunk", data: { role: "agent", payload: { content: "Paid." } } },
  { event: "done" },
]);
/** Of them, the question is the last that is known when somebody subscribes. */
const ASKING = 2;

type Line = "gone" | Fault | number;

/** Another task of it is at work while it asks. */
const BUSY = numbered([
  { event: "thread_started", data: { role: "user", payload: { content: "Pay, and look" } } },
  { event: "plan_require_user_input", data: { payload: { content: "How much?", request_id: "req-1" } } },
  { event: "message_chunk", data: { task_id: "task-2", role: "agent", payload: { content: "Looked." } } },
  { event: "message", data: { role: "user", payload: { content: "20" }, metadata: { request_id: "req-1" } } },
  { event: "message_chunk", data: { role: "agent", payload: { content: "Paid." } } },
  { event: "done" },
]);

/** Each line that is opened throws, or brings frames up to a number and then breaks; `Infinity` ends well. */
function deskOn(...lines: readonly Line[]) {
  return deskKnowing(ASKING, lines);
}

function deskKnowing(last: number, lines: readonly Line[], all: readonly Frame[] = FRAMES) {
  const follows: number[] = [];
  const gone = new AbortController();
  const frames = all.slice(0, last);
  const record: ThreadRecord = { thread_id: THREAD, seq: 1, last_seq: last, updated_at: 1, frames, commands: [] };
  const follow = async (_: string, after: number) => {
    const line = lines[follows.push(after) - 1] ?? "gone";
    if (line instanceof Fault) throw line;
    if (line === "gone") throw new Error("The Durable Object was reset");
    return streamOf(
      all.filter(({ seq }) => seq > after && seq <= line),
      line === Infinity,
    );
  };
  const operations = { getThread: async () => record, follow } as unknown as Operations;
  const desk = {
    operations,
    agent: null,
    dialect: "1.0",
    usesExtension: false,
    expiresAt: null,
    disconnectSignal: gone.signal,
  } as unknown as A2ARequestContext;
  return { desk, follows, leave: () => gone.abort() };
}

function streamOf(frames: readonly Frame[], endsWell: boolean): ReadableStream<Uint8Array> {
  const text = frames.map((frame) => `${JSON.stringify(frame)}\n`).join("");
  let hasSent = text === "";
  return new ReadableStream({
    pull(controller) {
      if (!hasSent) controller.enqueue(new TextEncoder().encode(text));
      else if (endsWell) controller.close();
      else controller.error(new Error("The host is gone"));
      hasSent = true;
    },
  });
}

async function heard(desk: A2ARequestContext): Promise<StreamResponse[]> {
  const portions = subscribeToTask(desk, { tenant: "", id: `conv-1.${THREAD}` });
  const all: StreamResponse[] = [];
  for (;;) {
    const { done, value } = await portions.next();
    all.push(...value);
    if (done === true) return all;
  }
}

const textIn = (responses: readonly StreamResponse[]) => JSON.stringify(responses);

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("[F13] a task that rests is followed again however often its host is not there yet", async () => {
  const { desk, follows } = deskOn(ASKING, "gone", "gone", 3, "gone", 4, "gone", Infinity);
  const told = heard(desk);
  await vi.advanceTimersByTimeAsync(10_000);
  const responses = await told;
  expect(textIn(responses)).toContain("Paid.");
  expect(textIn(responses.slice(-1))).toContain('"statusUpdate"');
  expect(follows).toEqual([2, 2, 2, 2, 3, 3, 4, 4]);
});

test("[F13] a question is the end only where the task rests on it, not where its host died after it", async () => {
  const { desk, follows } = deskKnowing(1, [ASKING, "gone", Infinity]);
  const told = heard(desk);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(textIn(await told)).toContain("Paid.");
  expect(follows).toEqual([1, 2, 2]);
});

test("[F13] what other tasks say while one asks is told to who subscribes then", async () => {
  const { desk } = deskKnowing(ASKING, [3, 4, Infinity], BUSY);
  const told = heard(desk);
  await vi.advanceTimersByTimeAsync(10_000);
  const words = textIn(await told);
  expect(words).toContain("Looked.");
  expect(words).toContain("Paid.");
});

test("[F13] a task that rests is asked about once, and waited for", async () => {
  const { desk, leave } = deskKnowing(ASKING, [Infinity, 3, Infinity], FRAMES.slice(0, ASKING));
  const told = heard(desk);
  await vi.advanceTimersByTimeAsync(1_000);
  leave();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await told).toHaveLength(1);
});

test("[F13] one whose host never comes back ends in words, and not before", async () => {
  const { desk, follows } = deskOn();
  const told = heard(desk).catch((thrown: unknown) => thrown);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await told).toMatchObject({ name: "Fault", code: "unavailable" });
  expect(follows).toHaveLength(20);
});

test("what looking again would not change is said at once", async () => {
  const { desk, follows } = deskOn("gone", new Fault("not_found", "There is no such conversation."));
  const told = heard(desk).catch((thrown: unknown) => thrown);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await told).toMatchObject({ code: "not_found" });
  expect(follows).toHaveLength(2);
});

test("a reader who leaves while it cannot be followed is let go", async () => {
  const { desk, follows, leave } = deskOn();
  const told = heard(desk);
  await vi.advanceTimersByTimeAsync(1_000);
  leave();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await told).toHaveLength(1);
  expect(follows.length).toBeLessThan(6);
});
